package ir

import "slices"

// Life is what a history knows of one entity: the shapes that it had.
type Life struct {
	Subject Subject // function, enum, record, typedef or constant
	Key     string
	Shapes  []Shape // in the order of releases
}

// Shape is what an entity looks like in some releases, on some targets.
type Shape struct {
	In     string   // the releases, as runs: "12.0.0..12.9.1,13.4.2.."
	On     []Target // nil is all that the releases were read for
	Entity any      // *Function, *Enum, *Record, *Typedef or *Constant
	in     span
}

// Has reports whether the shape is that of a release, given by its place in
// [History.Releases].
func (s *Shape) Has(release int) bool { return s.in[release] }

// JSON writes the shape as a history does, without releases and targets: one
// object with the properties of the kind.
func (s *Shape) JSON() string {
	var enc encoder
	return enc.shape(s.Entity)
}

// Lives lists the entities of all releases, functions first, each kind by key.
func (h *History) Lives() []Life {
	labels := h.Labels()
	return slices.Concat(
		lives(&h.functions, FunctionSubject, labels, h.Targets),
		lives(&h.enums, EnumSubject, labels, h.Targets),
		lives(&h.records, RecordSubject, labels, h.Targets),
		lives(&h.typedefs, TypedefSubject, labels, h.Targets),
		lives(&h.constants, ConstantSubject, labels, h.Targets),
	)
}

func lives[T any, P entity[T]](t *table[T, P], subject Subject, labels []string, targets []Target) []Life {
	out := make([]Life, len(t.rows))
	for i := range t.rows {
		r := &t.rows[i]
		out[i] = Life{Subject: subject, Key: r.key, Shapes: make([]Shape, len(r.shapes))}
		for j := range r.shapes {
			p := P(&r.shapes[j].value)
			s := Shape{In: r.shapes[j].in.text(labels), Entity: p, in: r.shapes[j].in}
			if on := p.meta().On; on != 0 {
				s.On = on.Names(targets)
			}
			out[i].Shapes[j] = s
		}
	}
	return out
}

// Signature is the type as text, without what makes no other type of it: names
// of parameters, their own const, bounds of arrays that are passed, calling
// conventions. Functions with equal ones can stand for one another in Cython.
func (t *Type) Signature() string { return shown((&world{}).signature(t)) }

// Declaration is a function's type as C writes it, with its name.
func (t *Type) Declaration(name string) string { return shownFunction(name, t) }
