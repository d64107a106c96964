package ir

import (
	"maps"
	"slices"
)

// between is Diff of two releases, given by their places, by way of what differs
// between them. What is the same in both says nothing, but for what the others
// are made of: types that they name, functions that share a name or a symbol.
func (h *History) between(i, j int) *Changes {
	old, new := h.read[i], h.read[j]
	if !slices.Equal(old, new) {
		return Diff(h.whole(i), h.whole(j))
	}
	n := &nearby{h: h, i: i, j: j}
	n.functions, n.enums, n.records = differing(&h.functions, i, j), differing(&h.enums, i, j), differing(&h.records, i, j)
	n.typedefs, n.constants = differing(&h.typedefs, i, j), differing(&h.constants, i, j)
	n.namesakes()
	n.types()
	return Diff(n.snapshot(i), n.snapshot(j))
}

// whole is the snapshot of a release, given by its place.
func (h *History) whole(i int) *Snapshot {
	s, _ := h.At(h.Releases[i].Label) // the label is the history's own
	return s
}

// picked is a set of rows of a table.
type picked map[int]bool

// differing picks the rows that are not the same in two releases.
func differing[T any, P entity[T]](t *table[T, P], i, j int) picked {
	rows := picked{}
	for r := range t.rows {
		for _, s := range t.rows[r].shapes {
			if s.in[i] != s.in[j] {
				rows[r] = true
				break
			}
		}
	}
	return rows
}

// atRows lists what lives in a release, of the rows that are picked.
func atRows[T any, P entity[T]](t *table[T, P], rows picked, i int, from, to []Target) []T {
	var part table[T, P]
	for r := range t.rows {
		if rows[r] {
			part.rows = append(part.rows, t.rows[r])
		}
	}
	return part.at(i, from, to)
}

// nearby picks what a comparison of two releases has to look at.
type nearby struct {
	h    *History
	i, j int

	functions, enums, records, typedefs, constants picked
}

func (n *nearby) snapshot(i int) *Snapshot {
	h := n.h
	from, to := h.Targets, h.read[i]
	s := &Snapshot{Library: h.Library, Targets: to, Release: h.Releases[i]}
	s.Functions = atRows(&h.functions, n.functions, i, from, to)
	s.Enums = atRows(&h.enums, n.enums, i, from, to)
	s.Records = atRows(&h.records, n.records, i, from, to)
	s.Typedefs = atRows(&h.typedefs, n.typedefs, i, from, to)
	s.Constants = atRows(&h.constants, n.constants, i, from, to)
	return s
}

// namesakes adds the functions that share a name or a symbol with one that is
// picked: a report says whether an older symbol is still declared.
func (n *nearby) namesakes() {
	names := map[string]bool{}
	for r := range n.functions {
		for _, s := range n.h.functions.rows[r].shapes {
			names[s.value.Name], names[s.value.Symbol] = true, true
		}
	}
	for r, row := range n.h.functions.rows {
		for _, s := range row.shapes {
			if names[s.value.Name] || names[s.value.Symbol] {
				n.functions[r] = true
				break
			}
		}
	}
}

// types adds the types that are named by what is picked, and by those in turn.
func (n *nearby) types() {
	for r := range n.functions {
		n.follow(rowTypes(&n.h.functions.rows[r], n.i, n.j, func(f *Function) []*Type { return []*Type{f.Type} }))
	}
	for r := range maps.Clone(n.records) {
		n.record(r)
	}
	for r := range maps.Clone(n.typedefs) {
		n.typedef(r)
	}
	for r := range n.constants {
		n.follow(rowTypes(&n.h.constants.rows[r], n.i, n.j, func(c *Constant) []*Type { return []*Type{c.Type} }))
	}
}

// rowTypes lists the types that the shapes of a row in two releases name.
func rowTypes[T any](r *row[T], i, j int, types func(*T) []*Type) []*Type {
	var out []*Type
	for s := range r.shapes {
		if in := r.shapes[s].in; in[i] || in[j] {
			out = append(out, types(&r.shapes[s].value)...)
		}
	}
	return out
}

func (n *nearby) record(r int) {
	n.follow(rowTypes(&n.h.records.rows[r], n.i, n.j, (*Record).types))
}

// types lists the types of all fields.
func (r *Record) types() []*Type {
	var out []*Type
	for i := range r.Fields {
		out = append(out, r.Fields[i].Type)
		if r.Fields[i].Record != nil {
			out = append(out, r.Fields[i].Record.types()...)
		}
	}
	return out
}

func (n *nearby) typedef(r int) {
	n.follow(rowTypes(&n.h.typedefs.rows[r], n.i, n.j, func(t *Typedef) []*Type { return []*Type{t.Type} }))
}

func (n *nearby) follow(types []*Type) {
	for _, t := range types {
		n.visit(t)
	}
}

func (n *nearby) visit(t *Type) {
	if t == nil {
		return
	}
	n.visit(t.Elem)
	for _, p := range t.Params {
		n.visit(p.Type)
	}
	if t.Kind != Named {
		return
	}
	key := t.key()
	if r, ok := n.h.typedefs.find(key); ok && !n.typedefs[r] {
		n.typedefs[r] = true
		n.typedef(r)
	}
	if r, ok := n.h.records.find(key); ok && !n.records[r] {
		n.records[r] = true
		n.record(r)
	}
	if r, ok := n.h.enums.find(key); ok {
		n.enums[r] = true
	}
}
