package ir

import (
	"cmp"
	"fmt"
	"strings"

	version "github.com/aquasecurity/go-pep440-version"
)

// Version is a release label that can be compared, in PEP 440's order: CUDA
// toolkits have labels of four parts and candidates, which semantic versions
// reject.
type Version struct {
	label  string
	parsed version.Version
}

// ParseVersion reads a release label. Of the ways in which PEP 440 lets one
// version be written it takes the normal one, because labels are also compared
// as text.
func ParseVersion(label string) (Version, error) {
	v, err := version.Parse(label)
	if err != nil {
		return Version{}, fmt.Errorf("release %q: expected a full version such as 13.5.0, 12.8.2.0 or 13.4.0rc1", label)
	}
	if normal := v.String(); normal != label {
		return Version{}, fmt.Errorf("release %q: expected it in its normal form, %s", label, normal)
	}
	return Version{label, v}, nil
}

// Compare orders two versions.
func (v Version) Compare(w Version) int { return v.parsed.Compare(w.parsed) }

// Prerelease reports whether the version is a candidate.
func (v Version) Prerelease() bool { return v.parsed.IsPreRelease() }

func (v Version) String() string { return v.label }

// Major is the first number of the version, as text.
func (v Version) Major() string {
	major, _, _ := strings.Cut(v.label, ".")
	return major
}

// Minor is the second number of the version, as text; 0 where there is none.
func (v Version) Minor() string {
	_, rest, _ := strings.Cut(v.label, ".")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	return cmp.Or(rest, "0")
}
