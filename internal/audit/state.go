package audit

import "maps"

// state is what is known on a path.
type state struct {
	cells   map[cell]value
	facts   map[string]value // values of paths like t.fn[i] that were tested
	gil     gilState
	locks   varSet // held
	ensured varSet // variables known to be initialised
	unset   varSet // variables found uninitialised while a lock is held
	stored  varSet // variables published to on this path
	objects map[*object]objectState
	barrier []volatileRead // reads that a barrier may still make an acquire
	dead    bool
}

// cell is a local variable of one call.
type cell struct {
	frame *frame
	name  string
}

type gilState uint8

const (
	gilHeld gilState = iota
	gilUnknown
	gilReleased
)

type objectState struct {
	in    *variable // published there
	maybe bool      // or not: the swap's result was not looked at
	// If a test decided whether it was published, its evaluation and outcome.
	when    int
	outcome bool
	freed   bool
	owned   bool // a reference was taken for the variable
}

func newState() *state { return &state{} }

// set gives a local variable a value. Without one, it may be anything.
func (s *state) set(c cell, v value) {
	if isAnything(v) {
		delete(s.cells, c)
		return
	}
	if s.cells == nil {
		s.cells = map[cell]value{}
	}
	s.cells[c] = v
}

// get is the value of a local variable.
func (s *state) get(c cell) value {
	if v, ok := s.cells[c]; ok {
		return v
	}
	return anything
}

func (s *state) setObject(o *object, v objectState) {
	if s.objects == nil {
		s.objects = map[*object]objectState{}
	}
	s.objects[o] = v
}

func (s *state) clone() *state {
	c := *s
	c.cells, c.facts, c.objects = copied(s.cells), copied(s.facts), copied(s.objects)
	return &c
}

// copied copies a map; one without entries needs no copy.
func copied[K comparable, V any](m map[K]V) map[K]V {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}

// join is what is known where two paths meet. Either may be nil: no path.
func (it *interpreter) join(a, b *state) *state {
	if a == nil {
		return b
	}
	if b == nil || a == b {
		return a
	}
	out := &state{gil: a.gil, barrier: append(a.barrier[:len(a.barrier):len(a.barrier)], b.barrier...)}
	if a.gil != b.gil {
		out.gil = gilUnknown
	}
	out.locks, out.ensured, out.unset = a.locks.and(b.locks), a.ensured.and(b.ensured), a.unset.and(b.unset)
	out.stored = a.stored.or(b.stored)
	for k, v := range a.cells {
		out.set(k, it.union(v, b.get(k)))
	}
	for k, v := range b.cells {
		if _, ok := a.cells[k]; !ok {
			out.set(k, it.union(v, anything))
		}
	}
	for k, v := range a.facts {
		if w, ok := b.facts[k]; ok && sameValue(v, w) {
			if out.facts == nil {
				out.facts = map[string]value{}
			}
			out.facts[k] = v
		}
	}
	for k, v := range a.objects {
		w, ok := b.objects[k]
		switch {
		case !ok || v == w:
			out.setObject(k, v)
		default:
			m := objectState{in: v.in, freed: v.freed || w.freed, owned: v.owned && w.owned, maybe: v.maybe || w.maybe || (v.in == nil) != (w.in == nil), when: v.when, outcome: v.outcome}
			if v.when != w.when || v.outcome != w.outcome {
				m.when = 0
			}
			if m.in == nil {
				m.in = w.in
			}
			out.setObject(k, m)
		}
	}
	for k, v := range b.objects {
		if _, ok := a.objects[k]; !ok {
			out.setObject(k, v)
		}
	}
	return out
}

func sameValue(a, b value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// union joins values and gives up on too many alternatives.
func (it *interpreter) union(a, b value) value {
	u := union(a, b)
	if u == nil && len(a)+len(b) > 0 {
		it.report(Unreadable, it.here, "a variable has too many possible values to follow")
		return anything
	}
	return u
}

// same reports whether two states know the same, so that a loop has settled.
func (s *state) same(t *state) bool {
	if s.gil != t.gil || len(s.locks) != len(t.locks) || len(s.ensured) != len(t.ensured) || len(s.cells) != len(t.cells) || len(s.objects) != len(t.objects) {
		return false
	}
	for k, v := range s.cells {
		if w, ok := t.cells[k]; !ok || !sameValue(v, w) {
			return false
		}
	}
	for k, v := range s.objects {
		if t.objects[k] != v {
			return false
		}
	}
	return true
}
