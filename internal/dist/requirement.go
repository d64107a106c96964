package dist

import (
	"fmt"
	"regexp"
	"strings"

	version "github.com/aquasecurity/go-pep440-version"
)

// A Requirement is one Requires-Dist of a distribution (PEP 508).
type Requirement struct {
	Name    string // normalised
	Extras  []string
	Clauses []Clause // all have to hold
	Marker  Marker   // nil: always
}

// A Clause is a part of a version specifier: ==13.5.37.*, <14.
type Clause struct {
	Op      string // ==, !=, <=, >=, <, >, ~=, ===
	Version string // without the wildcard
	Prefix  bool   // had .* behind it
}

var (
	requirementForm = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?\s*(.*)$`)
	clauseForm      = regexp.MustCompile(`^(===|==|!=|<=|>=|~=|<|>)\s*([^\s*]+?)(\.\*)?$`)
)

// maxRequirement bounds a line of metadata. Those of CUDA have at most 400
// bytes.
const maxRequirement = 8 << 10

// ParseRequirement reads a requirement. One by URL is an error: a release of
// CUDA names versions.
func ParseRequirement(text string) (Requirement, error) {
	var r Requirement
	bad := func(why string) (Requirement, error) {
		return Requirement{}, fmt.Errorf("the requirement %.200q: %s", text, why)
	}
	if len(text) > maxRequirement {
		return bad(fmt.Sprintf("has %d bytes, expected at most %d", len(text), maxRequirement))
	}
	head, marker, hasMarker := strings.Cut(text, ";")
	m := requirementForm.FindStringSubmatch(strings.TrimSpace(head))
	if m == nil || !ValidName(m[1]) {
		return bad("expected a name and versions, such as nvidia-cuda-runtime==13.5.37.*")
	}
	r.Name = Normalise(m[1])
	for extra := range strings.SplitSeq(m[2], ",") {
		if extra = strings.TrimSpace(extra); extra != "" {
			r.Extras = append(r.Extras, Normalise(extra))
		}
	}
	versions := strings.TrimSpace(m[3])
	if inner, ok := strings.CutPrefix(versions, "("); ok {
		if inner, ok = strings.CutSuffix(inner, ")"); !ok {
			return bad("a parenthesis is not closed")
		}
		versions = inner
	}
	for clause := range strings.SplitSeq(versions, ",") {
		if clause = strings.TrimSpace(clause); clause == "" {
			continue
		}
		c, err := parseClause(clause)
		if err != nil {
			return bad(err.Error())
		}
		r.Clauses = append(r.Clauses, c)
	}
	if hasMarker {
		var err error
		if r.Marker, err = ParseMarker(marker); err != nil {
			return bad(err.Error())
		}
	}
	return r, nil
}

func parseClause(text string) (Clause, error) {
	m := clauseForm.FindStringSubmatch(text)
	if m == nil {
		return Clause{}, fmt.Errorf("%.100q: expected a comparison with a version, such as ==13.5.37.* or >=13.5.37", text)
	}
	c := Clause{Op: m[1], Version: m[2], Prefix: m[3] != ""}
	if _, err := version.Parse(c.Version); err != nil {
		return Clause{}, fmt.Errorf("%.100q is no version", c.Version)
	}
	if c.Prefix && c.Op != "==" && c.Op != "!=" {
		return Clause{}, fmt.Errorf("%.100q: a wildcard goes with == and != only", text)
	}
	return c, nil
}

// Admits reports whether a version meets all clauses. A prefix stands for
// later builds too: ==13.5.37.* admits 13.5.37.post1 and 13.5.37.1.
func (r Requirement) Admits(v string) bool {
	parsed, err := version.Parse(v)
	if err != nil {
		return false
	}
	for _, c := range r.Clauses {
		if !c.admits(parsed, v) {
			return false
		}
	}
	return true
}

func (c Clause) admits(v version.Version, text string) bool {
	if c.Op == "===" {
		return text == c.Version
	}
	if c.Prefix {
		return hasPrefix(v, c.Version) == (c.Op == "==")
	}
	want, err := version.Parse(c.Version)
	if err != nil {
		return false
	}
	order := v.Compare(want)
	switch c.Op {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<=":
		return order <= 0
	case ">=":
		return order >= 0
	case "<":
		return order < 0
	case ">":
		return order > 0
	}
	// ~=1.2.3 is >=1.2.3, ==1.2.*.
	base := Base(want)
	last := strings.LastIndexByte(base, '.')
	return order >= 0 && last > 0 && hasPrefix(v, base[:last])
}

// hasPrefix reports whether a version begins with the numbers of another one.
// A prefix with a label behind its numbers (13.4.46rc1) has to have the same.
func hasPrefix(v version.Version, prefix string) bool {
	want, err := version.Parse(prefix)
	if err != nil {
		return false
	}
	if want.IsPreRelease() || want.IsPostRelease() {
		return v.Compare(want) == 0
	}
	base, start := Base(v), Base(want)
	for len(strings.Split(base, ".")) < len(strings.Split(start, ".")) {
		base += ".0"
	}
	return base == start || strings.HasPrefix(base, start+".")
}

// Base gives the numbers of a version alone: 13.5.37 of 13.5.37.post1.
func Base(v version.Version) string {
	base := v.BaseVersion()
	if _, after, ok := strings.Cut(base, "!"); ok {
		return after
	}
	return base
}

// Lowest is the version that a range begins with, or "" where the requirement
// is no range: nvidia-nvjitlink<14,>=13.5.37 is to be read as 13.5.37, the one
// that the release was made with.
func (r Requirement) Lowest() string {
	lowest := ""
	for _, c := range r.Clauses {
		switch c.Op {
		case "==", "===":
			return ""
		case ">=", "~=":
			lowest = c.Version
		}
	}
	return lowest
}

// Pin is the version that the requirement is about: V of ==V and ==V.*, the
// lower bound of a range, "" if there is neither. Extras and markers make no
// difference: a release pins each component once, under whatever extra and for
// whatever platform.
func (r Requirement) Pin() string {
	for _, c := range r.Clauses {
		if c.Op == "==" || c.Op == "===" {
			return c.Version
		}
	}
	return r.Lowest()
}
