package headers

import (
	"regexp"
	"strings"
)

// toolkitName is the package that names every toolkit release. Its wheels hold
// metadata alone: which version of each component belongs to the release.
const toolkitName = "cuda-toolkit"

// metadata is what a wheel says of itself.
type metadata struct {
	path    string // of the wheel
	name    string // normalised
	version string
	pins    map[string]string // versions it requires, by normalised name
}

var (
	// versionForm is a version as published, in the normal form of PEP 440.
	versionForm = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.post[0-9]+)?(\.dev[0-9]+)?(\+[a-z0-9.]+)?$`)
	nameForm    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	separators  = regexp.MustCompile(`[-_.]+`)
	majorSuffix = regexp.MustCompile(`-cu[0-9]+$`)
	requirement = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;()]*)\)?\s*(?:;.*)?$`)
)

// normalise gives a package's name as PEP 503 compares it.
func normalise(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

func withoutMajor(name string) string { return majorSuffix.ReplaceAllString(name, "") }

// parseMetadata reads the METADATA file of the wheel at path: header lines as
// in mail, up to the first empty line. Only Requires-Dist may come twice.
func parseMetadata(path, member string, data []byte) (*metadata, error) {
	bad := func(format string, args ...any) (*metadata, error) {
		e := errorf(path, format, args...)
		e.Member = member
		return nil, e
	}
	meta := &metadata{path: path, pins: map[string]string{}}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break // what follows is the description
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(key) {
		case "name":
			if meta.name != "" || !nameForm.MatchString(value) {
				return bad("has the line %.80q: expected one package name, such as nvidia-cuda-runtime", line)
			}
			meta.name = normalise(value)
		case "version":
			if meta.version != "" || !versionForm.MatchString(value) {
				return bad("has the line %.80q: expected one version, such as 13.5.37 or 13.4.46rc1", line)
			}
			meta.version = value
		case "requires-dist":
			name, pin := parseRequirement(value)
			if pin == "" {
				continue
			}
			if other, twice := meta.pins[name]; twice && other != pin {
				return bad("pins %.80s both to %.80s and to %.80s: expected one version", name, other, pin)
			}
			meta.pins[name] = pin
		}
	}
	if meta.name == "" || meta.version == "" {
		return bad("has no Name or no Version: expected both, before the first empty line")
	}
	return meta, nil
}

// parseRequirement gives the package that a requirement (PEP 508) names and the
// version that it pins: V of ==V and ==V.*, the lower bound of a range, "" if
// there is neither. Extras and markers make no difference: a release pins each
// component once, under whatever extra and for whatever platform.
func parseRequirement(text string) (name, pin string) {
	m := requirement.FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	lower := ""
	for clause := range strings.SplitSeq(m[2], ",") {
		clause = strings.TrimSpace(clause)
		version := strings.TrimSuffix(strings.TrimSpace(strings.TrimLeft(clause, "=<>~!")), ".*")
		if !versionForm.MatchString(version) {
			continue
		}
		switch {
		case strings.HasPrefix(clause, "=="):
			return normalise(m[1]), version
		case strings.HasPrefix(clause, ">="), strings.HasPrefix(clause, "~="):
			lower = version
		}
	}
	return normalise(m[1]), lower
}

// matchesPin says whether version is the pinned one or a later build of it:
// 13.5.37, 13.5.37.1 and 13.5.37.post1 for 13.5.37.
func matchesPin(version, pin string) bool {
	return version == pin || strings.HasPrefix(version, pin+".")
}
