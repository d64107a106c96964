package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// assign stores a value. from is the expression it came from, if there is one.
func (it *interpreter) assign(target *syntax.Expr, v value, from *syntax.Expr, st *state) {
	switch target.Op {
	case syntax.Ident:
		local, shared, fn := it.resolve(target.Text)
		switch {
		case local:
			it.setCell(cell{it.frame(), target.Text}, v, st)
		case shared != nil:
			it.write(shared, v, target.Pos, st)
		case fn != nil:
			it.write(it.global(target.Text, target.Pos), v, target.Pos, st)
		case it.frame().fn.lang == langC:
			// A variable of a header, or a member of a class.
			it.write(it.foreign(target.Text, &syntax.Type{Name: "int"}, target.Pos), v, target.Pos, st)
		case len(it.frames) == 1:
			it.write(it.global(target.Text, target.Pos), v, target.Pos, st)
		}
	case syntax.Tuple, syntax.List:
		for i, t := range target.Args {
			part := anything
			if from != nil && (from.Op == syntax.Tuple || from.Op == syntax.List) && len(from.Args) == len(target.Args) {
				part = it.eval(from.Args[i], st)
			}
			it.assign(t, part, nil, st)
		}
	case syntax.Star, syntax.Cast:
		it.assign(target.X, v, from, st)
	case syntax.Comma:
		it.assign(target.Y, v, from, st)
	case syntax.Cond:
		it.assign(target.X, v, from, st)
		it.assign(target.Y, v, from, st)
	case syntax.Index, syntax.Member, syntax.Unary:
		it.assignPart(target, v, st)
	default:
		it.eval(target, st)
		if target.Op != syntax.Bad {
			it.report(Unreadable, target.Pos, "an assignment to this cannot be followed")
		}
	}
}

// assignPart stores through a pointer, into an element or an attribute.
func (it *interpreter) assignPart(target *syntax.Expr, v value, st *state) {
	var base value
	python := it.frame().fn.lang == langPython
	switch target.Op {
	case syntax.Unary:
		base = it.eval(target.X, st)
	case syntax.Index:
		for _, a := range target.Args {
			it.eval(a, st)
		}
		base = it.base(target.X, false, st)
		if target.X.Op == syntax.Member || target.X.Op == syntax.Index {
			// The element of an array inside of a record, which lies in the record.
			inside := it.addressOf(target.X, st)
			if isAnything(base) {
				base = inside
			} else {
				base = it.union(base, inside)
			}
		}
	case syntax.Member:
		if v2 := it.member(target); v2 != nil {
			it.write(v2, v, target.Pos, st)
			return
		}
		if python && target.X.Op == syntax.Ident {
			local, shared, fn := it.resolve(target.X.Text)
			if !local && (fn != nil || shared != nil && shared.kind == callable) {
				it.write(it.global(target.X.Text+"."+target.Text, target.Pos), v, target.Pos, st)
				return
			}
		}
		base = it.base(target.X, target.Y == nil && !python, st)
	}
	if python {
		// os.environ["X"] = ... changes what a module gave.
		if root := rootName(target); root != "" {
			if local, shared, _ := it.resolve(root); !local && shared != nil && (shared.kind == imported || shared.lang == langPython && shared.kind == lock) {
				if !it.runtime {
					it.report(HiddenState, target.Pos, "an attribute or element of %s is replaced", shared.name)
				}
				it.access(shared, event{op: write, content: true, pos: target.Pos, how: "an attribute or element of it is assigned"}, st)
				return
			}
		}
	}
	it.escape(v, st, target.Pos, "stored")
	it.keeps(v, target.Pos)
	for _, a := range base {
		if a.kind == unknown && it.runtime {
			it.report(Unreadable, target.Pos, "where this is stored cannot be followed")
		}
		it.store(a, v, target.Pos, st)
	}
}

// store writes through one alternative of a pointer.
func (it *interpreter) store(a alt, v value, pos syntax.Pos, st *state) {
	switch a.kind {
	case address:
		if a.v.typ != nil && a.v.typ.Atomic && !a.v.typ.Array {
			it.publish(a.v, write, seqCst, v, pos, st)
			return
		}
		it.access(a.v, event{op: write, value: v, pos: pos}, st)
		if it.runtime && !isInitialValue(a.v, v) {
			st.ensured = st.ensured.with(a.v)
			it.published(a.v, pos, st)
		}
	case localAddress:
		it.setCell(a.local, v, st)
	case loaded, element, old:
		it.access(a.v, event{op: write, content: true, value: v, pos: pos}, st)
	case fresh, python:
		it.stillThere(a, pos, st)
		it.checked(a, pos)
		if o, ok := st.objects[a.obj]; ok && o.in != nil && a.obj != nil {
			it.access(o.in, event{op: write, content: true, value: v, pos: pos, how: "it was published before"}, st)
		}
	}
}

// write assigns a shared variable by its name.
func (it *interpreter) write(v *variable, val value, pos syntax.Pos, st *state) {
	if v.typ != nil && v.typ.Atomic {
		it.publish(v, write, seqCst, val, pos, st)
		return
	}
	it.access(v, event{op: write, value: val, pos: pos}, st)
	it.markPublished(v, val, st)
	if v.lang == langPython && !it.runtime && v.object() {
		return // what the import sets is set for everybody
	}
	if v.kind == data && !isInitialValue(v, val) {
		st.ensured = st.ensured.with(v)
		it.published(v, pos, st)
		st.unset = st.unset.without(v)
	} else {
		st.ensured = st.ensured.without(v)
	}
}

// isInitialValue reports whether a value may be what the variable began with.
func isInitialValue(v *variable, val value) bool {
	for _, a := range val {
		switch {
		case a.kind == null && v.null, a.kind == integer && a.n == 0 && v.null, a.kind == address && v.initial != nil && a.v == v.initial:
			return true
		}
	}
	return false
}

// markPublished notes that objects can be seen by others from now on.
func (it *interpreter) markPublished(v *variable, val value, st *state) {
	for _, a := range val {
		if (a.kind == fresh || a.kind == python) && a.obj != nil {
			o := st.objects[a.obj]
			o.in, o.maybe = v, false
			st.setObject(a.obj, o)
		}
	}
}

// keeps reports values whose way is lost once they lie in memory.
func (it *interpreter) keeps(v value, pos syntax.Pos) {
	for _, a := range v {
		switch {
		case a.kind == address && (a.v.typ == nil || !a.v.typ.TopConst):
			it.report(Unreadable, pos, "the address of %s is kept where it cannot be followed", a.v.name)
		case a.kind == loaded && a.v.lang == langC && a.v.pointer() && !a.v.typ.Array && !a.v.object():
			it.report(Unreadable, pos, "what %s leads to is kept where it cannot be followed", a.v.name)
		case a.kind == fresh:
			it.report(Unreadable, pos, "this memory is kept where it cannot be followed")
		}
	}
}

// checked reports the use of memory before it is known that there is any.
func (it *interpreter) checked(a alt, pos syntax.Pos) {
	if a.kind == fresh && !a.nonNull {
		it.report(Bypass, pos, "this memory is used without looking whether it was given")
	}
}

// stillThere reports the use of something that was freed.
func (it *interpreter) stillThere(a alt, pos syntax.Pos, st *state) {
	if a.obj != nil && st.objects[a.obj].freed {
		it.report(FreedPublished, pos, "this was freed before")
	}
}
