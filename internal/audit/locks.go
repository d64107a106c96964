package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// lockOf is the lock that an expression names, or nil.
func (it *interpreter) lockOf(e *syntax.Expr, st *state) *variable {
	for e.Op == syntax.Cast || e.Op == syntax.Unary && (e.Text == "&" || e.Text == "*") {
		e = e.X
	}
	if e.Op != syntax.Ident {
		if e.Op == syntax.Member && e.X.Op == syntax.Ident {
			if v := it.globals[e.X.Text+"."+e.Text]; v != nil && v.kind == lock {
				return v
			}
		}
		return nil
	}
	local, v, _ := it.resolve(e.Text)
	if local && st != nil {
		// A parameter that holds the address of a lock.
		if a, ok := st.get(cell{it.frame(), e.Text}).only(address); ok {
			v = a.v
		}
	}
	if v != nil && (v.kind == lock || v.kind == nativeLock) {
		return v
	}
	return nil
}

// acquireLock waits for a lock.
func (it *interpreter) acquireLock(v *variable, pos syntax.Pos, st *state) {
	it.wait(v, v.kind, pos, st, "the lock "+v.name)
	switch {
	case len(st.locks) > 0 && !st.locks.has(v):
		it.report(HeldInterpreter, pos, "the lock %s is waited for with the lock %s in hand: another thread may do it the other way round", v.name, st.locks[0].name)
	case st.locks.has(v) && !v.reentrant:
		it.report(Reenters, pos, "the lock %s is waited for by the thread that holds it", v.name)
	}
	st.locks = st.locks.with(v)
	// What was seen before the wait may have changed.
	st.unset = nil
}

// wait checks that waiting does not keep the interpreter from others.
func (it *interpreter) wait(v *variable, kind varKind, pos syntax.Pos, st *state, what string) {
	if kind == nativeLock && st.gil != gilReleased && it.runtime {
		it.report(HeldInterpreter, pos, "%s is waited for while the interpreter may be held", what)
	}
}

// leaves checks that an entry point gives up what it locked. Locks that a with
// statement or a guard holds are given up by leaving it.
func (it *interpreter) leaves(st *state, pos syntax.Pos) {
	for _, v := range st.locks {
		if !it.frame().scoped.has(v) {
			it.report(HeldInterpreter, pos, "this leaves with the lock %s in hand", v.name)
		}
	}
}

func (it *interpreter) releaseLock(v *variable, st *state) {
	st.locks = st.locks.without(v)
	st.unset = nil
}

// once follows call_once and its like: the function runs under a lock that
// does not give up the interpreter.
func (it *interpreter) once(e *syntax.Expr, st *state) value {
	var flag *variable
	if len(e.Args) > 0 {
		flag = it.lockOf(e.Args[0], st)
	}
	it.wait(flag, nativeLock, e.Pos, st, callName(e))
	for _, a := range e.Args[min(1, len(e.Args)):] {
		if f, ok := it.eval(a, st).only(code); ok {
			if flag != nil {
				st.locks = st.locks.with(flag)
			}
			it.invoke(f.fn, nil, e.Pos, st)
			if flag != nil {
				st.locks = st.locks.without(flag)
			}
		}
	}
	return anything
}
