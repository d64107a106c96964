package ir

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// pairing is which entities of two APIs are the same one; either is nil where
// there is no partner.
type pairing[T any] struct{ old, new *T }

// pair matches entities by key, then those that are left by each of the other
// relations in turn.
func pair[T any, P entity[T]](old, new []T, others ...func(a, b *T) bool) []pairing[T] {
	byKey := make(map[string]*T, len(new))
	for i := range new {
		byKey[P(&new[i]).Key()] = &new[i]
	}
	var pairs []pairing[T]
	var leftOld, leftNew []*T
	for i := range old {
		key := P(&old[i]).Key()
		if b := byKey[key]; b != nil {
			pairs = append(pairs, pairing[T]{&old[i], b})
			delete(byKey, key)
		} else {
			leftOld = append(leftOld, &old[i])
		}
	}
	for i := range new {
		if byKey[P(&new[i]).Key()] == &new[i] {
			leftNew = append(leftNew, &new[i])
		}
	}
	order := func(a, b *T) int { return strings.Compare(P(a).Key(), P(b).Key()) }
	slices.SortFunc(leftOld, order)
	slices.SortFunc(leftNew, order)
	for _, same := range others {
		leftOld = slices.DeleteFunc(leftOld, func(a *T) bool {
			i := slices.IndexFunc(leftNew, func(b *T) bool { return same(a, b) })
			if i < 0 {
				return false
			}
			pairs = append(pairs, pairing[T]{a, leftNew[i]})
			leftNew = slices.Delete(leftNew, i, i+1)
			return true
		})
	}
	for _, a := range leftOld {
		pairs = append(pairs, pairing[T]{old: a})
	}
	for _, b := range leftNew {
		pairs = append(pairs, pairing[T]{new: b})
	}
	return pairs
}

// aliased tells whether an old and a new record or enum, given by key, have a
// name in common: a typedef that leads to both, or to one of them and is the
// other's own name.
func (d *differ) aliased() func(old, new string) bool {
	names := sync.OnceValue(func() map[[2]string]bool {
		both := map[[2]string]bool{}
		meet := func(name string) {
			a, b := d.old.resolve(&Type{Kind: Named, Name: name}), d.new.resolve(&Type{Kind: Named, Name: name})
			if a.Kind == Named && b.Kind == Named {
				both[[2]string{a.key(), b.key()}] = true
			}
		}
		for name := range d.old.typedefs {
			meet(name)
		}
		for name := range d.new.typedefs {
			meet(name)
		}
		return both
	})
	return func(old, new string) bool { return names()[[2]string{old, new}] }
}

func (d *differ) pairEnums() []pairing[Enum] {
	aliased := d.aliased()
	pairs := pair(d.old.Enums, d.new.Enums,
		func(a, b *Enum) bool { return !a.Anonymous && !b.Anonymous && a.Name == b.Name },
		func(a, b *Enum) bool { return !a.Anonymous && !b.Anonymous && aliased(a.Key(), b.Key()) },
		func(a, b *Enum) bool { return (a.Anonymous || b.Anonymous) && shareEnumerator(a, b) })
	for _, p := range pairs {
		if p.old != nil && p.new != nil && p.old.Key() != p.new.Key() {
			d.paired[p.old.Key()] = p.new.Key()
		}
	}
	return pairs
}

func shareEnumerator(a, b *Enum) bool {
	names := map[string]bool{}
	for _, v := range a.Enumerators {
		names[v.Name] = true
	}
	return slices.ContainsFunc(b.Enumerators, func(v Enumerator) bool { return names[v.Name] })
}

// sameList reports whether two lists are one in memory, as those of a history
// are that did not change.
func sameList[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// place is an enumerator and the enum that it stands in.
type place struct {
	Enumerator
	in    *Enum
	limit bool
}

func (d *differ) enums(pairs []pairing[Enum]) {
	var gone, came []place
	for _, p := range pairs {
		switch {
		case p.new == nil:
			d.add(change{Subject: EnumSubject, What: Removed, Name: p.old.Key(), Old: p.old.shown(), Header: p.old.Header, Breaks: p.old.breaks()})
			gone = append(gone, places(p.old)...)
		case p.old == nil:
			d.add(change{Subject: EnumSubject, What: Added, Name: p.new.Key(), New: p.new.shown(), Header: p.new.Header})
			came = append(came, places(p.new)...)
		default:
			g, c := d.enum(p.old, p.new)
			gone, came = append(gone, g...), append(came, c...)
		}
	}
	d.enumerators(gone, came)
}

// breaks is what breaks without the enum itself: nobody can write the name of
// one that has none.
func (e *Enum) breaks() Breaks {
	if e.Anonymous || strings.Contains(e.Name, ".") {
		return 0
	}
	return BreaksSource
}

func (e *Enum) shown() string {
	if len(e.Enumerators) == 1 {
		return "1 enumerator, " + e.Underlying
	}
	return fmt.Sprintf("%d enumerators, %s", len(e.Enumerators), e.Underlying)
}

func places(e *Enum) []place {
	out := make([]place, len(e.Enumerators))
	for i, v := range e.Enumerators {
		out[i] = place{v, e, e.limit(v)}
	}
	return out
}

// enum compares two enums, and gives back the enumerators that only one of
// them has.
func (d *differ) enum(old, new *Enum) (gone, came []place) {
	put := func(x change) {
		x.Subject, x.Name, x.Header = EnumSubject, new.Key(), new.Header
		d.add(x)
	}
	if old.Key() != new.Key() {
		x := change{What: TagChanged, Old: old.Key(), New: new.Key()}
		if old.Tagged {
			x.Breaks = BreaksSource
		}
		put(x)
	}
	if old.Underlying != new.Underlying {
		x := change{What: UnderlyingChanged, Old: old.Underlying, New: new.Underlying}
		if a, b := integerSize(old.Underlying, d.target), integerSize(new.Underlying, d.target); a != b || a == 0 {
			x.Breaks, x.Detail = BreaksABI, fmt.Sprintf("%d bytes, now %d", a, b)
		}
		put(x)
	}
	d.header(EnumSubject, new.Key(), &old.Meta, &new.Meta)
	if sameList(old.Enumerators, new.Enumerators) {
		return nil, nil
	}
	before := make(map[string]int, len(old.Enumerators))
	for i, v := range old.Enumerators {
		before[v.Name] = i
	}
	kept := make([]bool, len(old.Enumerators))
	last, disorder := -1, false
	for _, v := range new.Enumerators {
		i, ok := before[v.Name]
		if !ok || kept[i] {
			came = append(came, place{v, new, new.limit(v)})
			continue
		}
		kept[i] = true
		disorder = disorder || i < last
		last = max(last, i)
		if o := old.Enumerators[i]; o.Value != v.Value {
			d.value(o, v, new, old.limit(o) && new.limit(v))
		}
	}
	for i, v := range old.Enumerators {
		if !kept[i] {
			gone = append(gone, place{v, old, old.limit(v)})
		}
	}
	if disorder && reordered(old, new, before) {
		put(change{What: OrderChanged})
	}
	return gone, came
}

// reordered reports whether enumerators that both enums have come in another
// order. Where a limit stands among them says nothing.
func reordered(old, new *Enum, before map[string]int) bool {
	last := -1
	for _, v := range new.Enumerators {
		if i, ok := before[v.Name]; ok && !(old.limit(old.Enumerators[i]) && new.limit(v)) {
			if i < last {
				return true
			}
			last = i
		}
	}
	return false
}

// value compares the values of an enumerator that both have.
func (d *differ) value(old, new Enumerator, in *Enum, limit bool) {
	if old.Value == new.Value {
		return
	}
	x := change{
		Subject: EnumeratorSubject, What: ValueChanged, Name: new.Name, In: in.Key(), Header: in.Header,
		Old: string(old.Value), New: string(new.Value), Limit: limit, Breaks: BreaksABI,
	}
	if limit {
		x.Breaks = 0
	}
	d.add(x)
}

// enumerators tells of those that only one of two paired enums has: they moved
// to another enum, or are gone, or new.
func (d *differ) enumerators(gone, came []place) {
	order := func(a, b place) int { return strings.Compare(a.in.Key(), b.in.Key()) }
	slices.SortStableFunc(gone, order)
	slices.SortStableFunc(came, order)
	arrived := map[string][]place{}
	for _, p := range came {
		arrived[p.Name] = append(arrived[p.Name], p)
	}
	for _, p := range gone {
		x := change{Subject: EnumeratorSubject, Name: p.Name, Limit: p.limit}
		if to := arrived[p.Name]; len(to) > 0 {
			arrived[p.Name] = to[1:]
			x.What, x.In, x.Old, x.New, x.Header = Moved, to[0].in.Key(), p.in.Key(), to[0].in.Key(), to[0].in.Header
			x.Limit = p.limit && to[0].limit
			d.add(x)
			d.value(p.Enumerator, to[0].Enumerator, to[0].in, x.Limit)
			continue
		}
		x.What, x.In, x.Old, x.Header, x.Breaks = Removed, p.in.Key(), string(p.Value), p.in.Header, BreaksSource
		d.add(x)
	}
	for _, p := range came {
		if left := arrived[p.Name]; len(left) == 0 || left[0].in != p.in {
			continue
		}
		arrived[p.Name] = arrived[p.Name][1:]
		d.add(change{
			Subject: EnumeratorSubject, What: Added, Name: p.Name, In: p.in.Key(), New: string(p.Value), Header: p.in.Header, Limit: p.limit,
		})
	}
}

// limit reports whether an enumerator says where its enum ends: its name does,
// and no other has a greater value. Names that count devices or threads are
// told apart by that.
func (e *Enum) limit(v Enumerator) bool {
	return limitName(v.Name) && !slices.ContainsFunc(e.Enumerators, func(o Enumerator) bool { return o.Value.Compare(v.Value) > 0 })
}

// limitName reports whether a name may be that of a limit: X_MAX, X_COUNT,
// X_END, X_LAST, X_NUM_THINGS, X_MAX_ENUM, X_FORCE_INT, xMax.
func limitName(name string) bool {
	for _, end := range []string{"Max", "Count", "End", "Last"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	words := strings.Split(strings.ToUpper(name), "_")
	last := words[len(words)-1]
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "MAX", "COUNT", "NUM", "END", "LAST", "SENTINEL", "FORCEINT", "FORCE32":
		return true
	case "ENUM", "VALUE":
		return before == "MAX"
	case "INT", "UINT", "32BIT", "32":
		return before == "FORCE"
	}
	return slices.Contains(words, "NUM")
}
