package ir

import (
	"maps"
	"slices"
	"strings"
)

// Names are the names that a library has had, over all releases.
type Names struct {
	// Functions has public names and symbols, Enumerators those of all enums, each
	// with the releases that have it.
	Functions   map[string]Presence
	Enumerators map[string]Presence
	// Omitted are functions that some release's headers declare and that cannot
	// be bound.
	Omitted map[string]bool
	// Types has typedefs and the tags of records and enums, without their
	// keywords; Results the result types of functions, as C writes them.
	Types, Constants, Results map[string]bool
	// Headers are those that were read.
	Headers map[string]bool
}

// Presence says for each release of a history, in order, whether it has
// something.
type Presence []bool

// First is the place of the first release that has it.
func (p Presence) First() int { return slices.Index(p, true) }

// Vanished is the place of the first release that lacks what the one before it
// has, or -1.
func (p Presence) Vanished() int {
	for i := 1; i < len(p); i++ {
		if p[i-1] && !p[i] {
			return i
		}
	}
	return -1
}

// Names collects the names of the history.
func (h *History) Names() *Names {
	n := &Names{
		Functions: map[string]Presence{}, Enumerators: map[string]Presence{},
		Omitted: map[string]bool{}, Types: map[string]bool{}, Constants: map[string]bool{},
		Results: map[string]bool{}, Headers: map[string]bool{},
	}
	enter := func(in map[string]Presence, name string, s span) {
		if in[name] == nil {
			in[name] = make(Presence, len(h.Releases))
		}
		for i := range s {
			in[name][i] = in[name][i] || s[i]
		}
	}
	for _, r := range h.functions.rows {
		for _, s := range r.shapes {
			enter(n.Functions, s.value.Name, s.in)
			enter(n.Functions, s.value.Symbol, s.in)
			n.Results[s.value.Type.Elem.String()] = true
			n.Headers[s.value.Header] = true
		}
	}
	for _, r := range h.enums.rows {
		for _, s := range r.shapes {
			for _, e := range s.value.Enumerators {
				enter(n.Enumerators, e.Name, s.in)
			}
			n.typeName(s.value.Name, s.value.Header)
		}
	}
	for _, r := range h.records.rows {
		for _, s := range r.shapes {
			n.typeName(s.value.Name, s.value.Header)
		}
	}
	for _, r := range h.typedefs.rows {
		for _, s := range r.shapes {
			n.typeName(s.value.Name, s.value.Header)
		}
	}
	for _, r := range h.constants.rows {
		n.Constants[r.key] = true
		n.Headers[r.shapes[0].value.Header] = true
	}
	for _, r := range h.Releases {
		for header := range r.Headers {
			n.Headers[header] = true
		}
		for _, headers := range r.OtherHeaders {
			maps.Copy(n.Headers, keys(headers))
		}
		maps.Copy(n.Omitted, keys(r.Omitted))
	}
	return n
}

// typeName enters a type. What stands in a record goes by the record's name.
func (n *Names) typeName(name, header string) {
	name, _, _ = strings.Cut(name, ".")
	n.Types[name] = true
	n.Headers[header] = true
}

func keys(m map[string]string) map[string]bool {
	set := make(map[string]bool, len(m))
	for k := range m {
		set[k] = true
	}
	return set
}
