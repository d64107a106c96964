package audit

import (
	"slices"
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
