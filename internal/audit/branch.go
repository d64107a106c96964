package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// branch follows a condition and gives the states in which it is true and
// false; nil where it cannot be.
func (it *interpreter) branch(e *syntax.Expr, st *state) (yes, no *state) {
	switch {
	case e.Op == syntax.Unary && e.Text == "not":
		no, yes = it.branch(e.X, st)
		return yes, no
	case e.Op == syntax.And:
		yes, no = it.branch(e.X, st)
		if yes == nil {
			return nil, no
		}
		yes2, no2 := it.branch(e.Y, yes)
		return yes2, it.join(no, no2)
	case e.Op == syntax.Or:
		yes, no = it.branch(e.X, st)
		if no == nil {
			return yes, nil
		}
		yes2, no2 := it.branch(e.Y, no)
		return it.join(yes, yes2), no2
	case e.Op == syntax.Comma:
		it.eval(e.X, st)
		return it.branch(e.Y, st)
	}
	// bool(x) and __builtin_expect(x, 1) are tests of x.
	if e.Op == syntax.Call && e.X.Op == syntax.Ident && len(e.Args) > 0 {
		switch e.X.Text {
		case "bool", "__builtin_expect", "likely", "unlikely":
			it.evalAll(e.Args[1:], st)
			return it.branch(e.Args[0], st)
		}
	}
	if e.Op == syntax.Binary {
		switch e.Text {
		case "==", "!=", "is", "is not":
			return it.equality(e, st)
		}
	}
	v := it.eval(e, st)
	if st.dead {
		return nil, nil
	}
	return it.refine(e, v, true, st.clone()), it.refine(e, v, false, st)
}

func (it *interpreter) evalAll(list []*syntax.Expr, st *state) {
	for _, e := range list {
		it.eval(e, st)
	}
}

// equality follows x == y. Comparing with the initial value, NULL or zero tells
// something.
func (it *interpreter) equality(e *syntax.Expr, st *state) (yes, no *state) {
	l, r := it.eval(e.X, st), it.eval(e.Y, st)
	equal := e.Text == "==" || e.Text == "is"
	x, v, against := e.X, l, r
	if isFixed(l) && !isFixed(r) {
		x, v, against = e.Y, r, l
	}
	same, other := st.clone(), st
	switch {
	case isNothing(against):
		other = it.refine(x, v, true, other)
		same = it.refine(x, v, false, same)
	case against.any(integer) && len(against) == 1:
		same = it.refine(x, v, true, same) // equal to something that is not zero
	case against.any(address) && len(against) == 1:
		same, other = it.against(x, v, against[0].v, same, other)
	}
	if equal {
		return same, other
	}
	return other, same
}

// isFixed reports whether a value is a constant or an address.
func isFixed(v value) bool {
	return len(v) == 1 && (v[0].kind == null || v[0].kind == integer || v[0].kind == address)
}

func isNothing(v value) bool {
	return len(v) == 1 && (v[0].kind == null || v[0].kind == integer && v[0].n == 0)
}

// against refines by a comparison with the address of a variable, which may be
// the initial value of another.
func (it *interpreter) against(x *syntax.Expr, v value, initial *variable, same, other *state) (*state, *state) {
	if len(v) == 0 {
		return same, other
	}
	if a, ok := orInitial(v, value{{kind: address, v: initial}}); ok {
		other.ensured = other.ensured.with(a.v)
		it.setPath(x, value{a}, other)
		it.setPath(x, value{{kind: address, v: initial}}, same)
		return same, other
	}
	for _, a := range v {
		if a.kind != loaded && a.kind != old || a.v.initial != initial {
			return same, other
		}
	}
	shared := v[0].v
	for _, a := range v {
		if a.v != shared {
			return same, other
		}
	}
	if v[0].kind == old {
		it.swapped(v[0], true, same)
		it.swapped(v[0], false, other)
		return same, other
	}
	it.foundUnset(shared, same)
	other.ensured = other.ensured.with(shared)
	it.setPath(x, value{{kind: loaded, v: shared, certain: true, nonNull: true}}, other)
	return same, other
}

func (it *interpreter) foundUnset(v *variable, st *state) {
	if len(st.locks) > 0 {
		st.unset = st.unset.with(v)
	}
}

// compare evaluates a comparison as a value, which can be given back and
// tested later.
func (it *interpreter) compare(e *syntax.Expr, st *state) value {
	l, r := it.eval(e.X, st), it.eval(e.Y, st)
	equal := e.Text == "==" || e.Text == "is"
	if !equal && e.Text != "!=" && e.Text != "is not" {
		return it.arithmetic(e, l, r)
	}
	v, against := l, r
	if isFixed(l) && !isFixed(r) {
		v, against = r, l
	}
	if a, ok := orInitial(v, against); ok {
		return value{{kind: testInitial, v: a.v, truth: !equal, when: it.evaluation()}}
	}
	if len(v) != 1 || len(against) != 1 {
		return anything
	}
	a := v[0]
	switch {
	case a.kind == loaded && (isNothing(against) && a.v.null || against[0].kind == address && a.v.initial != nil && against[0].v == a.v.initial):
		return value{{kind: testInitial, v: a.v, truth: !equal, when: it.evaluation()}}
	case a.kind == loaded && against[0].kind == integer && against[0].n != 0 && equal && a.v.null:
		return value{{kind: testInitial, v: a.v, truth: true, when: it.evaluation()}}
	case a.kind == old && (isNothing(against) && a.v.null || against[0].kind == address && against[0].v == a.v.initial):
		return value{{kind: testSwap, v: a.v, obj: a.obj, truth: equal}}
	case (a.kind == testInitial || a.kind == testSwap) && against[0].kind == integer:
		if (against[0].n == 0) == equal {
			a.truth = !a.truth
		}
		return value{a}
	}
	return anything
}

// arithmetic keeps pointers that an offset is added to.
func (it *interpreter) arithmetic(e *syntax.Expr, l, r value) value {
	if e.Text != "+" && e.Text != "-" {
		it.mangled(e, l)
		it.mangled(e, r)
		return anything
	}
	for _, v := range []value{l, r} {
		for _, a := range v {
			switch a.kind {
			case address, localAddress, fresh, loaded:
				if a.kind != loaded || a.v.typ != nil && (a.v.typ.Pointers > 0 || a.v.typ.Array) {
					return v
				}
			}
		}
	}
	return anything
}

// refine keeps the alternatives of v for which it is true, or not, and notes
// what follows. It gives nil where none is left.
func (it *interpreter) refine(e *syntax.Expr, v value, truth bool, st *state) *state {
	if st == nil {
		return nil
	}
	var out value
	var ensured varSet
	first := true
	swaps := []alt(nil)
	for _, a := range v {
		var implied varSet
		switch a.kind {
		case null:
			if truth {
				continue
			}
		case integer:
			if (a.n != 0) != truth {
				continue
			}
		case address, localAddress, code:
			if !truth {
				continue
			}
		case fresh:
			if !truth {
				a = alt{kind: null}
			} else {
				a.nonNull = true
			}
		case loaded:
			if a.v.null && truth {
				implied = varSet{a.v}
				a.certain = true
			}
			if truth {
				a.nonNull = true
			} else if a.v.null {
				it.foundUnset(a.v, st)
				if a.v.pointer() || a.v.object() {
					a = alt{kind: null}
				}
			}
		case element:
			if truth {
				a.nonNull = true
			} else if a.v.typ != nil && a.v.pointer() {
				a = alt{kind: null}
			}
		case old:
			if a.v.null {
				swaps = append(swaps, alt{kind: testSwap, v: a.v, obj: a.obj, truth: false})
			}
		case testInitial:
			if len(v) == 1 {
				it.decided(a, truth, st)
			}
			if a.truth == truth {
				implied = varSet{a.v}
			} else {
				it.foundUnset(a.v, st)
			}
		case testSwap:
			swaps = append(swaps, a)
			if a.truth == truth || !a.weak {
				implied = varSet{a.v}
			}
		}
		out = it.union(out, value{a})
		if first {
			ensured, first = implied, false
		} else {
			ensured = ensured.and(implied)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for _, s := range swaps {
		if len(v) == 1 {
			it.swapped(s, s.truth == truth, st)
		}
	}
	st.ensured = st.ensured.or(ensured)
	it.setPath(e, out, st)
	return st
}

// setPath remembers the value of a local variable or of a path.
func (it *interpreter) setPath(e *syntax.Expr, v value, st *state) {
	for e.Op == syntax.Cast {
		e = e.X
	}
	switch e.Op {
	case syntax.Assign:
		it.setPath(e.X, v, st)
	case syntax.Ident:
		if local, _, _ := it.resolve(e.Text); local {
			st.set(cell{it.frame(), e.Text}, v)
		}
	case syntax.Member, syntax.Index:
		if key, ok := pathOf(e); ok {
			// What a published table holds does not change; anything else may.
			for _, a := range v {
				if a.kind != element {
					return
				}
			}
			if st.facts == nil {
				st.facts = map[string]value{}
			}
			st.facts[key] = v
		}
	}
}

// swapped notes the outcome of a compare-and-swap.
func (it *interpreter) swapped(a alt, success bool, st *state) {
	if success || !a.weak {
		st.ensured = st.ensured.with(a.v)
	}
	if a.obj == nil {
		return
	}
	o := st.objects[a.obj]
	if !o.maybe {
		return
	}
	o.maybe = false
	if !success {
		o.in = nil
	}
	st.setObject(a.obj, o)
}

// evaluation numbers the evaluations of tests.
func (it *interpreter) evaluation() int {
	it.evaluations++
	return it.evaluations
}

// decided settles what the outcome of a test says about objects that were
// published, or not, according to the same evaluation of it.
func (it *interpreter) decided(test alt, truth bool, st *state) {
	for obj, o := range st.objects {
		if o.maybe && o.when == test.when && test.when != 0 {
			o.maybe = false
			if truth != o.outcome {
				o.in = nil
			}
			st.setObject(obj, o)
		}
	}
}

// publishedBy marks objects that one branch of a test published and the other
// did not.
func publishedBy(test value, yes, no, joined *state) {
	if len(test) != 1 || test[0].kind != testInitial || yes == nil || no == nil {
		return
	}
	for obj, o := range joined.objects {
		y, n := yes.objects[obj], no.objects[obj]
		if (y.in == nil) != (n.in == nil) && !y.maybe && !n.maybe {
			o.maybe, o.when, o.outcome = true, test[0].when, y.in != nil
			joined.setObject(obj, o)
		}
	}
}

// orInitial recognises `p ? p : &stand_in`: a pointer that is known to be set,
// or the address that it is compared with.
func orInitial(v, against value) (alt, bool) {
	if len(v) != 2 || len(against) != 1 || against[0].kind != address {
		return alt{}, false
	}
	for i, a := range v {
		other := v[1-i]
		if a.kind == loaded && a.nonNull && a.v.null && other.kind == address && other.v == against[0].v {
			return a, true
		}
	}
	return alt{}, false
}

// mangled reports addresses that go through arithmetic that loses them.
func (it *interpreter) mangled(e *syntax.Expr, v value) {
	if e.Text != "|" && e.Text != "&" && e.Text != "^" && e.Text != "<<" && e.Text != ">>" && e.Text != "*" {
		return
	}
	for _, a := range v {
		switch {
		case a.kind == address, a.kind == fresh, a.kind == loaded && a.v.typ != nil && a.v.typ.Pointers > 0:
			it.report(Unreadable, e.Pos, "an address that is computed with cannot be followed")
		}
	}
}
