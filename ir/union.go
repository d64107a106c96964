package ir

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Union is what a range of releases declares together. Everything that any of
// them had is in it; where a shape changed, the newest wins.
type Union struct {
	Library  string
	Targets  []Target
	Releases []Release // those covered, in order

	Functions []Entry[Function] // where and while they are not superseded
	Enums     []EnumEntry
	Records   []Entry[Record]
	Typedefs  []Entry[Typedef]
	Constants []Entry[Constant]
}

// Entry is an entity of a union.
type Entry[T any] struct {
	// Shapes is what it looks like in the newest release that has it: one
	// shape, or several where targets differ, the reference target's first.
	Shapes []T
	// First and Last are the places in Union.Releases of the first and the
	// last release that have it.
	First, Last int
	// Changed lists the releases, as places in Union.Releases, in which a
	// target got another shape of it.
	Changed []int
}

// Shape is the entity as the reference target sees it, or the first target
// that has it.
func (e *Entry[T]) Shape() *T { return &e.Shapes[0] }

// EnumEntry is an enum of a union. Removed are the enumerators that it had in
// earlier releases of the range and has no more on any target, with their last
// values.
type EnumEntry struct {
	Entry[Enum]
	Removed []Enumerator
}

// Current reports whether the newest release of the union has an entity whose
// last release is last.
func (u *Union) Current(last int) bool { return last == len(u.Releases)-1 }

// Candidate is the newest covered release that is a candidate, or nothing.
func (u *Union) Candidate() string {
	for _, r := range slices.Backward(u.Releases) {
		if r.Prerelease {
			return r.Label
		}
	}
	return ""
}

// Range is the union of the releases from one to another, both included; an
// empty label is the first or the last of the history. A candidate counts only
// while no later final release is in the range. Superseded functions are not in
// a union: callers cannot name them.
func (h *History) Range(from, to string) (*Union, error) {
	lo, hi := 0, len(h.Releases)-1
	var err error
	if from != "" {
		if lo, err = h.Find(from); err != nil {
			return nil, err
		}
	}
	if to != "" {
		if hi, err = h.Find(to); err != nil {
			return nil, err
		}
	}
	if hi < 0 {
		return nil, fmt.Errorf("the history of %s is empty: add a release first", h.Library)
	}
	if lo > hi {
		return nil, fmt.Errorf("the range %s..%s of %s ends before it begins", from, to, h.Library)
	}
	var covered []int
	for i := lo; i <= hi; i++ {
		final := func(r Release) bool { return !r.Prerelease }
		if h.Releases[i].Prerelease && slices.ContainsFunc(h.Releases[i+1:hi+1], final) {
			continue
		}
		covered = append(covered, i)
	}
	u := &Union{Library: h.Library, Targets: h.Targets}
	for _, i := range covered {
		u.Releases = append(u.Releases, h.Releases[i])
	}
	read := h.readSets()
	u.Functions = unionOf(publicOnly(&h.functions), covered, read)
	u.Records = unionOf(&h.records, covered, read)
	u.Typedefs = unionOf(&h.typedefs, covered, read)
	u.Constants = unionOf(&h.constants, covered, read)
	for _, e := range unionOf(&h.enums, covered, read) {
		row, _ := h.enums.find(e.Shape().Key())
		u.Enums = append(u.Enums, EnumEntry{e, removed(h.enums.rows[row].shapes, covered)})
	}
	return u, nil
}

// readSets has the targets of each release as a set of the history's.
func (h *History) readSets() []TargetSet {
	sets := make([]TargetSet, len(h.read))
	for i, read := range h.read {
		sets[i] = TargetSet(0).move(read, h.Targets)
	}
	return sets
}

// removed lists the enumerators of an enum that are in none of its newest
// shapes. Where targets differ in a value it is the reference target's.
func removed(shapes []shape[Enum], covered []int) []Enumerator {
	if len(shapes) == 1 {
		return nil
	}
	var newest []int
	for _, release := range slices.Backward(covered) {
		if newest = living(newest, shapes, release); len(newest) > 0 {
			break
		}
	}
	first := shapes[newest[0]].value.Enumerators
	has := sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		for _, s := range newest {
			for _, e := range shapes[s].value.Enumerators {
				names[e.Name] = true
			}
		}
		return names
	})
	gone := map[string]Integer{}
	var now, before []int
	for _, release := range covered {
		if now = living(now, shapes, release); slices.Equal(now, before) {
			continue
		}
		before = append(before[:0], now...)
		for _, s := range slices.Backward(now) {
			for i, e := range shapes[s].value.Enumerators {
				// Most enums only grow, at their end.
				kept := i < len(first) && first[i].Name == e.Name || has()[e.Name]
				if !kept {
					gone[e.Name] = e.Value
				}
			}
		}
	}
	return inOrder(gone)
}

// publicOnly is the table without the shapes that no public name leads to.
func publicOnly(t *table[Function, *Function]) *table[Function, *Function] {
	superseded := func(s shape[Function]) bool { return s.value.Superseded }
	public := &table[Function, *Function]{rows: slices.Clone(t.rows)}
	for i := range public.rows {
		if r := &public.rows[i]; slices.ContainsFunc(r.shapes, superseded) {
			r.shapes = slices.DeleteFunc(slices.Clone(r.shapes), superseded)
		}
	}
	return public
}

// inOrder sorts enumerators by value, then by name.
func inOrder(m map[string]Integer) []Enumerator {
	var list []Enumerator
	for _, name := range sortedKeys(m) {
		list = append(list, Enumerator{name, m[name]})
	}
	slices.SortStableFunc(list, func(a, b Enumerator) int { return a.Value.Compare(b.Value) })
	return list
}

// Compare orders integers by value.
func (i Integer) Compare(j Integer) int {
	switch {
	case i.Negative() && !j.Negative():
		return -1
	case !i.Negative() && j.Negative():
		return 1
	}
	c := len(i) - len(j)
	if c == 0 {
		c = strings.Compare(string(i), string(j))
	}
	if i.Negative() {
		return -c
	}
	return c
}

// living lists the shapes that live in a release, the reference target's
// first. It overwrites buf.
func living[T any, P entity[T]](buf []int, shapes []shape[T], release int) []int {
	buf = buf[:0]
	for s := range shapes {
		if shapes[s].in[release] {
			buf = append(buf, s)
		}
	}
	if len(buf) > 1 {
		slices.SortFunc(buf, func(x, y int) int {
			return P(&shapes[x].value).meta().On.firstBit() - P(&shapes[y].value).meta().On.firstBit()
		})
	}
	return buf
}

// unionOf folds a table over the covered releases.
func unionOf[T any, P entity[T]](t *table[T, P], covered []int, read []TargetSet) []Entry[T] {
	var out []Entry[T]
	var now, before []int
	var last lastShapes[T, P]
	for r := range t.rows {
		shapes := t.rows[r].shapes
		e := Entry[T]{First: -1}
		for c, release := range covered {
			if now = living[T, P](now, shapes, release); len(now) == 0 {
				continue
			}
			if e.First < 0 {
				e.First = c
				clear(last.shapes[:])
			}
			if len(shapes) > 1 && last.differ(shapes, now, read[release]) {
				e.Changed = append(e.Changed, c)
			}
			e.Last = c
			before = append(before[:0], now...)
		}
		if e.First < 0 {
			continue
		}
		for _, s := range before {
			e.Shapes = append(e.Shapes, shapes[s].value)
		}
		out = append(out, e)
	}
	return out
}

// lastShapes remembers which shape of an entity each target had last. It
// compares target by target, because a release may be read for fewer targets
// than others, which is no change.
type lastShapes[T any, P entity[T]] struct {
	shapes [32]*T
	enc    encoder
}

// differ enters the shapes of the next release, which was read for some
// targets, and reports whether a target got another shape.
func (last *lastShapes[T, P]) differ(shapes []shape[T], now []int, read TargetSet) bool {
	differs := false
	for _, s := range now {
		shape := &shapes[s].value
		on := P(shape).meta().On
		for t := range last.shapes {
			if read&(1<<t) == 0 || !on.Has(t) {
				continue
			}
			if old := last.shapes[t]; old != nil && old != shape && !differs {
				differs = last.enc.shape(P(old)) != last.enc.shape(P(shape))
			}
			last.shapes[t] = shape
		}
	}
	return differs
}
