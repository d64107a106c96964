package audit

import (
	"strconv"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// invoke follows a function of the module.
func (it *interpreter) invoke(fn *function, args []value, pos syntax.Pos, st *state) value {
	for _, f := range it.frames {
		if f.fn == fn {
			it.cycles = append(it.cycles, cycle{fn, pos, it.callPath() + " -> " + fn.Name})
			return anything
		}
	}
	key, keyed := it.memoKey(fn, args, st)
	if keyed {
		if o := it.memo[key]; o != nil {
			if !o.reaches {
				st.dead = true
				return anything
			}
			st.locks, st.ensured, st.unset, st.stored = o.locks, o.ensured, o.unset, o.stored
			it.seen(st)
			return o.value
		}
	}
	it.steps += 20
	v, after := it.run(fn, args, st)
	if after == nil {
		// It never returns: it raised on every path.
		st.dead = true
		if keyed {
			it.memo[key] = &outcome{}
		}
		return anything
	}
	gil := st.gil
	*st = *after
	st.gil = gil
	if keyed && plain(v) {
		it.memo[key] = &outcome{value: v, locks: st.locks, ensured: st.ensured, unset: st.unset, stored: st.stored, reaches: true}
	}
	it.seen(st)
	return v
}

// cycle is a call that comes back to a function that is still running.
type cycle struct {
	fn   *function
	pos  syntax.Pos
	path string
}

// checkCycles reports cycles: an initialiser that gets back to itself waits for
// itself, or never ends.
func (it *interpreter) checkCycles() {
	for _, c := range it.cycles {
		// What happens in the inner call is not followed.
		it.report(Reenters, c.pos, "%s calls itself: %s", c.fn.Name, c.path)
	}
}

// plain reports whether a value means the same in every state.
func plain(v value) bool {
	for _, a := range v {
		if a.obj != nil || a.kind == localAddress || a.when != 0 {
			return false
		}
	}
	return true
}

// memoKey identifies a call: the function, its arguments and what is known. It
// is not given for arguments that mean different things in different states.
func (it *interpreter) memoKey(fn *function, args []value, st *state) (string, bool) {
	b := it.key[:0]
	bit := func(is bool) {
		if is {
			b = append(b, '1')
		} else {
			b = append(b, '0')
		}
	}
	b = append(append(b, fn.key...), byte(st.gil))
	b = strconv.AppendInt(b, int64(fn.index), 36)
	bit(it.runtime)
	bit(len(it.frames) == 1)
	for _, set := range []varSet{st.locks, st.ensured, st.unset, st.stored} {
		b = append(b, '/')
		for _, v := range set {
			b = strconv.AppendInt(append(b, ','), int64(it.number(v)), 36)
		}
	}
	for _, a := range args {
		if !plain(a) {
			return "", false
		}
		b = append(b, '|')
		for _, x := range a {
			b = strconv.AppendInt(append(b, byte(x.kind)), x.n, 36)
			if x.v != nil {
				b = strconv.AppendInt(append(b, 'v'), int64(it.number(x.v)), 36)
			}
			if x.fn != nil {
				b = append(append(b, 'f'), x.fn.key...)
				b = strconv.AppendInt(b, int64(x.fn.index), 36)
			}
			for _, is := range []bool{x.certain, x.nonNull, x.early, x.truth, x.weak} {
				bit(is)
			}
		}
	}
	it.key = b
	return string(b), true
}

// number gives a variable a number of its own.
func (it *interpreter) number(v *variable) int {
	if v.number == 0 {
		it.numbers++
		v.number = it.numbers
	}
	return v.number
}

// run follows the body of a function in a frame of its own.
func (it *interpreter) run(fn *function, args []value, caller *state) (value, *state) {
	f := &frame{fn: fn}
	it.frames = append(it.frames, f)
	defer func() { it.frames = it.frames[:len(it.frames)-1] }()
	if len(it.frames) > 60 {
		it.report(Unreadable, fn.Pos, "calls are nested too deeply to follow")
		return anything, caller
	}
	st := caller.clone()
	if fn.WithGIL {
		for _, v := range st.locks {
			if v.kind == nativeLock && it.runtime {
				it.report(HeldInterpreter, fn.Pos, "the interpreter is waited for while the lock %s is held", v.name)
			}
		}
		st.gil = gilHeld
	}
	for i, param := range fn.Params {
		v := anything
		if i < len(args) {
			v = args[i]
		}
		if param.Default != nil && objectKind(param.Default) == pyMutable {
			it.report(SharedMutable, param.Pos, "the default of %s is one object for all calls", param.Name)
		}
		st.set(cell{f, param.Name}, v)
	}
	lost := fn.lang == langPython && fn.NoExcept
	if lost {
		f.tries = append(f.tries, st.clone())
	}
	out := it.exec(fn.Body, st)
	if lost {
		// An exception ends it like a return, with nothing done.
		f.ended = it.join(f.ended, f.tries[0])
		f.returns = it.union(f.returns, anything)
	}
	if out != nil {
		if f.ended != nil && len(f.scoped) == 0 && !sameSet(f.ended.locks, out.locks) {
			it.report(HeldInterpreter, fn.Pos, "%s ends with a lock in hand on one path and without it on another", fn.Name)
		}
		if len(it.frames) == 2 {
			it.leaves(out, fn.Pos)
		}
		f.ended = it.join(f.ended, out)
		f.returns = it.union(f.returns, value{{kind: unknown}})
	}
	if f.ended == nil {
		return nil, nil
	}
	it.checkBarriers(f.ended)
	after := f.ended.clone()
	for c := range after.cells {
		if c.frame == f {
			delete(after.cells, c)
		}
	}
	after.facts = nil
	return f.returns, after
}
