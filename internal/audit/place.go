package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// addressOf gives where an lvalue lies.
func (it *interpreter) addressOf(e *syntax.Expr, st *state) value {
	switch e.Op {
	case syntax.Ident:
		local, v, fn := it.resolve(e.Text)
		switch {
		case local:
			return value{{kind: localAddress, local: cell{it.frame(), e.Text}}}
		case v != nil:
			return value{{kind: address, v: v}}
		case fn != nil:
			return value{{kind: code, fn: fn}}
		}
	case syntax.Index:
		for _, a := range e.Args {
			it.eval(a, st)
		}
		return it.base(e.X, false, st)
	case syntax.Member:
		return it.base(e.X, e.Y == nil && it.frame().fn.lang == langC, st)
	case syntax.Unary:
		if e.Text == "*" {
			return it.eval(e.X, st)
		}
	case syntax.Cast:
		return it.addressOf(e.X, st)
	}
	return it.eval(e, st)
}

// base is the storage that an element or a member lies in: inside says that e
// itself is the storage (x.y, not x->y).
func (it *interpreter) base(e *syntax.Expr, inside bool, st *state) value {
	if inside {
		return it.addressOf(e, st)
	}
	if it.frame().fn.lang == langPython && e.Op == syntax.Ident {
		// Cython writes a dot for both; a struct variable is its own storage.
		if _, v, _ := it.resolve(e.Text); v != nil && v.lang == langC && v.typ.Pointers == 0 && !v.typ.Array && !v.typ.Atomic {
			return value{{kind: address, v: v}}
		}
	}
	return it.eval(e, st)
}

// part reads an element or a member.
func (it *interpreter) part(e *syntax.Expr, st *state) value {
	if key, ok := pathOf(e); ok {
		if v, ok := st.facts[key]; ok {
			return v
		}
	}
	if e.Op == syntax.Index {
		for _, a := range e.Args {
			it.eval(a, st)
		}
	}
	if e.Op == syntax.Member {
		if v := it.member(e); v != nil {
			return it.readVar(v, e.Pos, st)
		}
	}
	if e.Op == syntax.Member && it.frame().fn.lang == langPython {
		if v, ok := it.attribute(e, st); ok {
			return v
		}
	}
	return it.deref(it.base(e.X, e.Op == syntax.Member && e.Y == nil && it.frame().fn.lang == langC, st), e, st)
}

// attribute reads what is a name of a class or a module: Class.attr, module.x.
func (it *interpreter) attribute(e *syntax.Expr, st *state) (value, bool) {
	if e.X.Op != syntax.Ident {
		return nil, false
	}
	local, v, fn := it.resolve(e.X.Text)
	if local {
		return nil, false
	}
	if w := it.globals[e.X.Text+"."+e.Text]; w != nil {
		return it.readVar(w, e.Pos, st), true
	}
	if fn != nil { // an attribute of a function
		return it.readVar(it.global(e.X.Text+"."+e.Text, e.Pos), e.Pos, st), true
	}
	if v != nil && v.kind != data {
		return anything, true
	}
	return nil, false
}

// deref reads through a pointer or into an object.
func (it *interpreter) deref(base value, e *syntax.Expr, st *state) value {
	var out value
	volatile := e.Op == syntax.Unary && e.X.Op == syntax.Cast && e.X.Type.Volatile
	for _, a := range base {
		switch a.kind {
		case address:
			if volatile && it.volatileLoad(a.v, e.Pos, st) {
				out = it.union(out, it.loadedValue(a.v, st))
				continue
			}
			it.access(a.v, event{op: read, pos: e.Pos}, st)
			out = it.union(out, it.loadedValue(a.v, st))
		case localAddress:
			out = it.union(out, st.get(a.local))
		case fresh:
			it.stillThere(a, e.Pos, st)
			it.checked(a, e.Pos)
			out = it.union(out, anything)
		case loaded, element, old:
			it.access(a.v, event{op: read, content: true, pos: e.Pos}, st)
			for _, b := range st.barrier {
				if b.v == a.v {
					it.report(RelaxedLoad, e.Pos, "%s is followed before the barrier", a.v.name)
				}
			}
			if a.early {
				it.report(RelaxedLoad, e.Pos, "%s was read with an order too weak to follow it", a.v.name)
			}
			if a.kind == loaded && a.v.null && a.v.initial == nil && a.v.typ != nil && a.v.typ.Pointers > 0 && !a.nonNull && !st.ensured.has(a.v) && it.runtime {
				a.v.sinks = append(a.v.sinks, sink{what: "followed", ensured: st.ensured, pos: e.Pos, in: it.frame().fn})
			}
			out = it.union(out, value{{kind: element, v: a.v, certain: st.ensured.has(a.v)}})
		default:
			out = it.union(out, anything)
		}
	}
	if len(out) == 0 {
		return anything
	}
	return out
}

// pathOf is the text of an expression made of names, members and simple indices,
// for remembering what a test of it showed.
func pathOf(e *syntax.Expr) (string, bool) {
	switch e.Op {
	case syntax.Ident:
		return e.Text, true
	case syntax.Literal:
		return e.Text, true
	case syntax.Member:
		base, ok := pathOf(e.X)
		return base + "." + e.Text, ok
	case syntax.Index:
		base, ok := pathOf(e.X)
		if !ok || len(e.Args) != 1 {
			return "", false
		}
		i, ok := pathOf(e.Args[0])
		return base + "[" + i + "]", ok
	case syntax.Cast:
		return pathOf(e.X)
	}
	return "", false
}

// member is the variable that this->name stands for in a method of C++.
func (it *interpreter) member(e *syntax.Expr) *variable {
	if it.frame().fn.lang == langC && e.X.Op == syntax.Ident && e.X.Text == "this" {
		return it.cvars[e.Text]
	}
	return nil
}
