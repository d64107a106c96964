package audit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// call follows a call: of something that C or Python provides and whose effect
// is known, of a function of the module, or of an unknown one.
func (it *interpreter) call(e *syntax.Expr, st *state) value {
	switch e.X.Op {
	case syntax.Member:
		if v, ok := it.method(e, st); ok {
			return v
		}
	case syntax.Ident:
		if v, ok := it.named(e, st); ok {
			return v
		}
	}
	f := it.eval(e.X, st)
	it.escape(f, st, e.Pos, "called")
	if len(st.locks) > 0 {
		it.report(HeldInterpreter, e.Pos, "unknown code runs with the lock %s in hand", st.locks[0].name)
	}
	for _, a := range f {
		if a.kind == loaded && a.v.object() {
			it.report(Unreadable, e.Pos, "what %s holds is called, and what that does is not known", a.v.name)
		}
		if a.kind == loaded && a.v.init != nil && !a.v.null && a.v.typ != nil && a.v.typ.Func {
			it.report(Unreadable, e.Pos, "a function behind the variable %s cannot be followed", a.v.name)
		}
	}
	for _, a := range f {
		if a.kind == null {
			it.report(Bypass, e.Pos, "a null pointer is called")
		}
	}
	if a, ok := f.only(code); ok {
		return it.invoke(a.fn, it.args(e.Args, st), e.Pos, st)
	}
	for _, arg := range e.Args {
		if it.frame().fn.lang == langPython {
			it.escape(it.eval(arg, st.clone()), st, arg.Pos, "handed to a callback")
		}
	}
	it.unknownCall(e.Args, e.Pos, st, true)
	return anything
}

// named follows a call of a plain name.
func (it *interpreter) named(e *syntax.Expr, st *state) (value, bool) {
	name := e.X.Text
	local, v, fn := it.resolve(name)
	if local {
		return nil, false
	}
	if fn != nil {
		return it.invoke(fn, it.argsFor(fn, e, st), e.Pos, st), true
	}
	cname := name
	if x := it.externs[name]; x != nil && it.frame().fn.lang == langPython {
		cname = x.CName
	}
	cname = cname[strings.LastIndexByte(cname, ':')+1:]
	if val, ok := it.atomic(cname, e, st); ok {
		return val, true
	}
	if val, ok := it.known(cname, e, st); ok {
		return val, true
	}
	if v != nil && v.kind == data {
		return nil, false // a pointer in a variable
	}
	if it.classes[name] {
		return it.construct(name, e, st), true
	}
	inC := it.frame().fn.lang == langC || it.externs[name] != nil
	if _, made := makers[cname]; inC && !made {
		it.report(Unreadable, e.Pos, "what %s does is not known here", cname)
	} else if !inC && !it.mayCall(name) && (it.runtime || makers[name] != pyImmutable) {
		it.report(Unreadable, e.Pos, "what %s does, or keeps, is not known here", name)
	}
	it.unknownCall(e.Args, e.Pos, st, inC)
	if kind, ok := makers[name]; ok {
		return value{{kind: python, py: kind, obj: it.site(e.Pos, true)}}, true
	}
	return anything, true
}

// compiles reports whether a method is re.compile, not the builtin.
func (it *interpreter) compiles(m *syntax.Expr) bool {
	if m.Text != "compile" || m.X.Op != syntax.Ident {
		return false
	}
	v := it.globals[m.X.Text]
	return v != nil && v.origin == "re"
}

// construct makes an instance of a class of the module.
func (it *interpreter) construct(class string, e *syntax.Expr, st *state) value {
	args := it.args(e.Args, st)
	o := value{{kind: python, obj: it.site(e.Pos, true)}}
	for _, name := range []string{"__cinit__", "__init__"} {
		if fn := it.funcs[class+"."+name]; fn != nil {
			it.invoke(fn, append([]value{o}, args...), e.Pos, st)
		}
	}
	return o
}

func (it *interpreter) args(list []*syntax.Expr, st *state) []value {
	var out []value
	for _, a := range list {
		out = append(out, it.eval(a, st))
	}
	return out
}

// argsFor evaluates the arguments of a call in the order of the parameters.
func (it *interpreter) argsFor(fn *function, e *syntax.Expr, st *state) []value {
	var out []value
	for i, a := range e.Args {
		v := it.eval(a, st)
		at := i
		if a.Op == syntax.Keyword {
			at = slices.IndexFunc(fn.Params, func(p syntax.Param) bool { return p.Name == a.Text })
		}
		if a.Op == syntax.Star || at < 0 {
			it.report(Unreadable, a.Pos, "which parameter gets this cannot be followed")
			continue
		}
		for len(out) <= at {
			out = append(out, anything)
		}
		out[at] = v
	}
	return out
}

// unknownCall passes arguments to something that is not followed. C code may
// write through every pointer that it gets.
func (it *interpreter) unknownCall(list []*syntax.Expr, pos syntax.Pos, st *state, inC bool) {
	for i, v := range it.args(list, st) {
		it.escape(v, st, list[i].Pos, "passed on")
		for _, a := range v {
			switch a.kind {
			case address:
				if inC && (a.v.typ == nil || !a.v.typ.TopConst) {
					it.access(a.v, event{op: write, pos: list[i].Pos, how: "its address is passed to a function that is not read here"}, st)
				} else {
					it.access(a.v, event{op: read, pos: list[i].Pos}, st)
				}
			case localAddress:
				it.setCell(a.local, anything, st)
			case loaded, element:
				op := read
				if inC && a.kind == loaded && a.v.pointer() && !a.v.typ.Array {
					op = write // it gets a pointer that it may write through
				}
				it.access(a.v, event{op: op, content: true, pos: list[i].Pos, how: "it is passed to a function that is not read here"}, st)
			case fresh:
				if inC {
					it.report(Unreadable, list[i].Pos, "what is done with this memory cannot be followed")
				}
			}
		}
	}
	it.seen(st)
}

// outcome is what a call of a function gives, for the next call like it.
type outcome struct {
	value                         value
	locks, ensured, unset, stored varSet
	reaches                       bool
}

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

// method follows x.name(...).
func (it *interpreter) method(e *syntax.Expr, st *state) (value, bool) {
	m := e.X
	if v, ok := it.atomicMethod(m, e, st); ok {
		return v, true
	}
	if v := it.lockOf(m.X, st); v != nil {
		switch m.Text {
		case "acquire", "lock":
			it.report(Unreadable, e.Pos, "a lock that is taken by hand may stay taken: use a with statement or a guard")
			if len(e.Args) == 0 {
				it.acquireLock(v, e.Pos, st)
			}
			return value{{kind: integer, n: 1}}, true
		case "release", "unlock":
			it.releaseLock(v, st)
			return anything, true
		case "__enter__", "try_lock", "locked", "__exit__":
			return anything, true
		}
	}
	if (m.Text == "lock" || m.Text == "unlock") && it.frame().fn.lang == langC {
		it.report(Unreadable, e.Pos, "what is locked here cannot be followed")
	}
	if m.Text == "__dict__" || m.Text == "__setattr__" {
		it.report(HiddenState, e.Pos, "attributes that are set by name are not followed")
	}
	if hidden[m.Text] && !it.compiles(m) {
		it.report(HiddenState, e.Pos, "%s keeps state that is not followed", m.Text)
	}
	if m.X.Op == syntax.Ident && it.frame().fn.lang == langPython {
		local, v, _ := it.resolve(m.X.Text)
		if !local && v != nil && v.kind == imported {
			if !it.compiles(m) {
				if val, ok := it.known(m.Text, e, st); ok {
					return val, true
				}
			}
			if !it.mayCallOrigin(v.origin+"."+m.Text) && !(v.cimported && strings.Contains(v.origin, "._internal.")) {
				it.report(Unreadable, e.Pos, "what %s.%s does, or keeps, is not known here", v.name, m.Text)
			}
			it.unknownCall(e.Args, e.Pos, st, false)
			if kind, ok := makers[m.Text]; ok {
				return value{{kind: python, py: kind, obj: it.site(e.Pos, true)}}, true
			}
			return anything, true
		}
		if !local && v != nil && v.class != "" {
			if fn := it.funcs[v.class+"."+m.Text]; fn != nil {
				self := it.readVar(v, m.X.Pos, st)
				return it.invoke(fn, append([]value{self}, it.args(e.Args, st)...), e.Pos, st), true
			}
		}
	}
	if it.frame().fn.lang == langC {
		return nil, false // a function pointer in a struct, or a method of C++
	}
	if !plainMethods[m.Text] && !mutators[m.Text] {
		it.report(Unreadable, e.Pos, "what the method %s does, or keeps, is not known here", m.Text)
	}
	base := it.base(m.X, false, st)
	if mutators[m.Text] && isAnything(base) {
		it.report(Unreadable, e.Pos, "what %s changes cannot be followed", m.Text)
	}
	for _, a := range base {
		switch a.kind {
		case loaded, element, old:
			op := read
			if mutators[m.Text] {
				op = write
			}
			it.access(a.v, event{op: op, content: true, pos: e.Pos}, st)
		case address:
			op := read
			if mutators[m.Text] {
				op = write
			}
			it.access(a.v, event{op: op, pos: e.Pos}, st)
		case python:
			if o, ok := st.objects[a.obj]; ok && o.in != nil && mutators[m.Text] {
				it.access(o.in, event{op: write, content: true, pos: e.Pos, how: "it was published before"}, st)
			}
		}
	}
	it.unknownCall(e.Args, e.Pos, st, false)
	if kind, ok := makers[m.Text]; ok {
		return value{{kind: python, py: kind, obj: it.site(e.Pos, true)}}, true
	}
	var out value
	for _, a := range base {
		if (a.kind == loaded || a.kind == element) && (m.Text == "get" || m.Text == "setdefault" || m.Text == "pop") {
			out = it.union(out, value{{kind: element, v: a.v, certain: st.ensured.has(a.v)}})
		}
	}
	if out != nil {
		return out, true
	}
	return anything, true
}

// mutators are methods that change the object they are called on, of Python's
// containers and C++'s.
var mutators = map[string]bool{
	"append": true, "add": true, "update": true, "setdefault": true, "pop": true, "popitem": true, "clear": true, "extend": true,
	"insert": true, "remove": true, "discard": true, "sort": true, "reverse": true, "appendleft": true, "popleft": true,
	"__setitem__": true, "__delitem__": true, "__setattr__": true, "push_back": true, "emplace": true, "emplace_back": true,
	"insert_or_assign": true, "erase": true, "push": true, "set": true, "put": true, "intersection_update": true, "difference_update": true,
	"try_emplace": true, "reserve": true, "resize": true, "assign": true, "swap": true, "reset": true,
}
