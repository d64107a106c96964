package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// declare makes a local variable; one with static storage was made before.
func (it *interpreter) declare(s *syntax.Stmt, st *state) {
	f := it.frame()
	if v := f.fn.statics[s.Text]; v != nil {
		if s.Y != nil && !v.null && v.initial == nil && hasCall(s.Y) {
			// C++ initialises it under a lock of its own.
			it.wait(v, nativeLock, s.Pos, st, "the lock around the initialisation of a static variable")
		}
		return
	}
	if len(it.frames) == 1 { // a variable of the module
		if v := it.globals[s.Text]; v != nil && s.Y != nil {
			it.access(v, event{op: write, value: it.eval(s.Y, st), pos: s.Pos}, st)
		}
		return
	}
	if s.Type != nil && isGuard(s.Type) && s.Y != nil {
		if len(s.Y.Args) == 1 {
			if v := it.lockOf(s.Y.Args[0], st); v != nil {
				it.acquireLock(v, s.Pos, st)
				it.frame().scoped = it.frame().scoped.with(v)
			}
		}
		return
	}
	v := anything
	if s.Y != nil {
		v = it.eval(s.Y, st)
		if s.Y.Op == syntax.New && len(s.Y.Args) == 1 && s.Y.Type == s.Type { // T x(y)
			v = it.eval(s.Y.Args[0], st)
		}
	}
	it.setCell(cell{f, s.Text}, v, st)
}

// isGuard reports whether a variable of this C++ type holds a lock as long as
// it lives.
func isGuard(t *syntax.Type) bool {
	if t.Pointers > 0 {
		return false
	}
	switch t.Name {
	case "lock_guard", "unique_lock", "scoped_lock":
		return true
	}
	return false
}

// endGuards gives up the locks that guards declared in the block hold.
func (it *interpreter) endGuards(body []*syntax.Stmt, locks varSet) varSet {
	for _, s := range body {
		if s.Op == syntax.Decl && s.Type != nil && isGuard(s.Type) && s.Y != nil && len(s.Y.Args) == 1 {
			if v := it.lockOf(s.Y.Args[0], nil); v != nil {
				locks = locks.without(v)
			}
		}
	}
	return locks
}

func hasCall(e *syntax.Expr) bool {
	found := false
	e.Walk(func(x *syntax.Expr) bool {
		found = found || x.Op == syntax.Call || x.Op == syntax.New && x.X != nil || x.Op == syntax.Lambda
		return !found
	})
	return found
}
