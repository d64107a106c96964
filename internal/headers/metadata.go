package headers

import (
	"regexp"
	"strings"

	"github.com/cybindgo/cybindgo/internal/dist"
)

// toolkitName is the package that names every toolkit release. Its wheels hold
// metadata alone: which version of each component belongs to the release.
const toolkitName = "cuda-toolkit"

// metadata is what a wheel says of itself, as far as it matters here.
type metadata struct {
	path    string // of the wheel
	name    string // normalised
	version string
	pins    map[string]string // versions it requires, by normalised name
}

var majorSuffix = regexp.MustCompile(`-cu[0-9]+$`)

func withoutMajor(name string) string { return majorSuffix.ReplaceAllString(name, "") }

// parseMetadata reads the METADATA file of the wheel at path. A requirement that
// cannot be read pins nothing: a wheel with headers may require what it likes.
func parseMetadata(path, member string, data []byte) (*metadata, error) {
	bad := func(format string, args ...any) (*metadata, error) {
		e := errorf(path, format, args...)
		e.Member = member
		return nil, e
	}
	said, err := dist.ParseMetadata(data)
	if err != nil {
		return bad("%v", err)
	}
	meta := &metadata{path: path, name: said.Name, version: said.Version, pins: map[string]string{}}
	for _, r := range said.Requires {
		pin := r.Pin()
		if pin == "" {
			continue
		}
		if other, twice := meta.pins[r.Name]; twice && other != pin {
			return bad("pins %.80s both to %.80s and to %.80s: expected one version", r.Name, other, pin)
		}
		meta.pins[r.Name] = pin
	}
	return meta, nil
}

// matchesPin says whether version is the pinned one or a later build of it:
// 13.5.37, 13.5.37.1 and 13.5.37.post1 for 13.5.37.
func matchesPin(version, pin string) bool {
	return version == pin || strings.HasPrefix(version, pin+".")
}
