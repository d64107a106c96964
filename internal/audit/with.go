package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

func (it *interpreter) with(s *syntax.Stmt, st *state) *state {
	gil, locks := st.gil, st.locks
	for i, item := range s.Items {
		name := ""
		switch {
		case item.Op == syntax.Ident:
			name = item.Text
		case item.Op == syntax.Call && item.X.Op == syntax.Ident && (item.X.Text == "gil" || item.X.Text == "nogil"):
			name = item.X.Text
		}
		switch name {
		case "gil":
			for _, v := range st.locks {
				if v.kind == nativeLock && st.gil != gilHeld && it.runtime {
					it.report(HeldInterpreter, item.Pos, "the interpreter is waited for while the lock %s is held", v.name)
				}
			}
			st.gil = gilHeld
			continue
		case "nogil":
			st.gil = gilReleased
			continue
		}
		if v := it.lockOf(item, st); v != nil {
			it.acquireLock(v, item.Pos, st)
			it.frame().scoped = it.frame().scoped.with(v)
			continue
		}
		it.report(Unreadable, item.Pos, "what this with statement does at its end cannot be followed")
		val := it.eval(item, st)
		if i < len(s.Targets) && s.Targets[i] != nil {
			it.assign(s.Targets[i], val, item, st)
		}
	}
	// A return inside gives everything up, too.
	f := it.frame()
	ended := f.ended
	f.ended = nil
	out := it.exec(s.Body, st)
	for _, x := range []*state{out, f.ended} {
		if x != nil {
			x.gil, x.locks = gil, x.locks.and(locks)
			x.unset = nil
		}
	}
	f.ended = it.join(ended, f.ended)
	return out
}

func (it *interpreter) try(s *syntax.Stmt, st *state) *state {
	f := it.frame()
	f.tries = append(f.tries, st.clone())
	out := it.exec(s.Body, st)
	caught := f.tries[len(f.tries)-1]
	f.tries = f.tries[:len(f.tries)-1]
	if out != nil && len(s.Else) > 0 {
		out = it.exec(s.Else, out)
	}
	for _, h := range s.Excepts {
		out = it.join(out, it.exec(h, caught.clone()))
	}
	if len(s.Finally) > 0 {
		// The block runs after everything, also after what leaves the function.
		if out == nil {
			it.exec(s.Finally, caught.clone())
			if f.ended != nil {
				f.ended = it.exec(s.Finally, f.ended)
			}
			return nil
		}
		return it.exec(s.Finally, out)
	}
	return out
}

// switches follows every case from the start, and falling through.
func (it *interpreter) switches(s *syntax.Stmt, st *state) *state {
	it.eval(s.X, st)
	f := it.frame()
	l := &loop{}
	f.loops = append(f.loops, l)
	body := s.Body
	if len(body) == 1 && body[0].Op == syntax.Block {
		body = body[0].Body
	}
	for _, b := range body {
		eachStmt(append(append(append([]*syntax.Stmt{}, b.Body...), b.Else...), b.Finally...), func(inner *syntax.Stmt) {
			if inner.Op == syntax.Case && b.Op != syntax.Switch {
				it.report(Unreadable, inner.Pos, "a case inside of another statement cannot be followed")
			}
		})
	}
	var at *state
	for i := 0; i < len(body); i++ {
		if body[i].Op == syntax.Case {
			at = it.join(at, st.clone())
			continue
		}
		if at != nil {
			at = it.exec(body[i:i+1], at)
		}
	}
	f.loops = f.loops[:len(f.loops)-1]
	return it.join(it.join(st, at), l.breaks)
}
