package emit

import "github.com/cybindgo/cybindgo/ir"

// firstReleases tells since when a function has been public under a name, and
// since when the name has a signature. A symbol that gave its name up keeps its
// own.
type firstReleases struct {
	labels []string // of all releases of the history
	first  map[named]int
}

// named is a function's name, or that with a signature.
type named struct{ name, signature string }

func newFirstReleases(h *ir.History, parameters map[string]string) *firstReleases {
	r := &firstReleases{labels: h.Labels(), first: map[named]int{}}
	for _, life := range h.Lives() {
		for i := range life.Shapes {
			s := &life.Shapes[i]
			f, ok := s.Entity.(*ir.Function)
			if !ok || f.Superseded {
				continue
			}
			// What is wrong with the definition's parameters is told where a package uses them.
			if d, err := withParameters(f, parameters); err == nil {
				f = d
			}
			release := firstOf(h, s)
			for _, name := range []string{f.Name, f.Symbol} {
				r.note(named{name, ""}, release)
				r.note(named{name, f.Type.Signature()}, release)
			}
		}
	}
	return r
}

// firstOf is the place of the first release with a shape: a candidate only if
// no final release has it.
func firstOf(h *ir.History, s *ir.Shape) int {
	candidate := -1
	for i := range h.Releases {
		switch {
		case !s.Has(i):
		case !h.Releases[i].Prerelease:
			return i
		case candidate < 0:
			candidate = i
		}
	}
	return candidate
}

func (r *firstReleases) note(n named, release int) {
	if old, ok := r.first[n]; !ok || release < old {
		r.first[n] = release
	}
}

func (r *firstReleases) of(name, signature string) (since, signatureSince string) {
	return r.labels[r.first[named{name, ""}]], r.labels[r.first[named{name, signature}]]
}

// comment says since when a function can be relied on, behind its prototype. It
// is empty for what the oldest release of the history has already.
func (r *firstReleases) comment(name, signature string) string {
	since, signatureSince := r.of(name, signature)
	switch {
	case signatureSince == r.labels[0]:
		return ""
	case since == r.labels[0]:
		return "  # with this signature since " + signatureSince
	case since == signatureSince:
		return "  # since " + since
	}
	return "  # since " + since + ", with this signature since " + signatureSince
}
