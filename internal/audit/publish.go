package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// pointee is the value that a pointer leads to.
func (it *interpreter) pointee(p value, st *state) value {
	var out value
	for _, a := range p {
		if a.kind == localAddress {
			out = it.union(out, st.get(a.local))
		} else {
			out = it.union(out, anything)
		}
	}
	if out == nil {
		return anything
	}
	return out
}

// perform does an atomic operation on each variable it may be meant for.
func (it *interpreter) perform(c atomicCall, e *syntax.Expr, st *state) value {
	var out value
	for _, t := range c.target {
		switch t.kind {
		case address:
			out = it.union(out, it.performOn(t.v, c, e, st))
		case loaded, element, fresh:
			if c.op != read {
				it.store(t, c.new, e.Pos, st)
			} else {
				out = it.union(out, it.deref(value{t}, e, st))
			}
		case localAddress:
			if c.op != read {
				it.setCell(t.local, anything, st)
			}
		default:
			it.report(Unreadable, e.Pos, "what this atomic operation works on cannot be followed")
		}
	}
	if out == nil {
		return anything
	}
	return out
}

func (it *interpreter) performOn(v *variable, c atomicCall, e *syntax.Expr, st *state) value {
	if c.op == read {
		it.access(v, event{op: read, order: c.order, pos: e.Pos}, st)
		return it.loadedValue(v, st)
	}
	it.publishWith(v, c, e.Pos, st)
	obj := (*object)(nil)
	for _, a := range c.new {
		if a.obj != nil {
			obj = a.obj
		}
	}
	if c.op == swap {
		// A failed swap leaves what it found, read with the order for failure.
		for _, into := range c.into {
			if into.kind == localAddress {
				found := alt{kind: loaded, v: v, certain: !c.weak}
				if !c.failure.acquires() {
					found.early = true
				}
				it.setCell(into.local, it.union(c.expected, value{found}), st)
			}
		}
		if c.gives == givesSuccess {
			return value{{kind: testSwap, v: v, obj: obj, truth: true, weak: c.weak}}
		}
	}
	if c.gives == givesValue {
		return value{{kind: old, v: v, obj: obj}}
	}
	return anything
}

// publish is a store or an implicit store to an atomic variable.
func (it *interpreter) publish(v *variable, op operation, o order, val value, pos syntax.Pos, st *state) {
	it.publishWith(v, atomicCall{op: op, order: o, failure: o, new: val}, pos, st)
}

// publishWith notes what an operation that writes makes visible.
func (it *interpreter) publishWith(v *variable, c atomicCall, pos syntax.Pos, st *state) {
	it.access(v, event{op: c.op, order: c.order, value: c.new, pos: pos}, st)
	fromInitial := c.op == swap && isInitialValue(v, c.expected) && len(c.expected) == 1
	if c.op == swap && !fromInitial && it.runtime {
		it.report(PublishedTwice, pos, "%s is swapped from something else than its initial value, so what was published is replaced", v.name)
	}
	if isInitialValue(v, c.new) && v.pointer() && it.runtime {
		it.report(PublishedTwice, pos, "%s is set back to what it began with", v.name)
	}
	for _, a := range c.new {
		if a.kind == localAddress {
			it.report(FreedPublished, pos, "%s gets the address of a local variable, which ends with its function", v.name)
		}
		if a.obj == nil {
			if a.kind == unknown && v.object() && it.runtime {
				it.report(BorrowedReference, pos, "the object is published in %s without a reference of its own", v.name)
			}
			continue
		}
		it.stillThere(a, pos, st)
		o := st.objects[a.obj]
		if a.obj.python && !o.owned && !a.obj.owned && it.runtime {
			it.report(BorrowedReference, pos, "the object is published in %s without a reference of its own", v.name)
		}
		o.in, o.maybe = v, c.op == swap
		st.setObject(a.obj, o)
	}
	it.published(v, pos, st)
	st.unset = st.unset.without(v)
	if c.op == swap && (c.weak || !fromInitial) {
		return
	}
	if !isInitialValue(v, c.new) || !v.pointer() {
		st.ensured = st.ensured.with(v)
	}
}

// published notes that a variable was set on this path.
func (it *interpreter) published(v *variable, pos syntax.Pos, st *state) {
	if !it.runtime {
		return
	}
	if len(st.stored) >= maxSet && !st.stored.has(v) {
		it.report(Unreadable, pos, "more variables are set on one path than can be followed")
		return
	}
	st.stored = st.stored.with(v)
}
