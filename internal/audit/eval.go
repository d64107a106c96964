package audit

import (
	"maps"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// eval follows an expression and gives what it may be.
func (it *interpreter) eval(e *syntax.Expr, st *state) value {
	if e == nil {
		return anything
	}
	// What is assigned to is followed more than once, and may hold assignments.
	if it.evals++; it.evals > maxEvals {
		it.tooLarge()
		return anything
	}
	switch e.Op {
	case syntax.Bad:
		it.report(Unreadable, e.Pos, "this expression cannot be read")
		for _, a := range e.Args {
			it.eval(a, st)
		}
	case syntax.Ident:
		return it.ident(e, st)
	case syntax.Literal:
		switch e.Text {
		case "True", "true":
			return value{{kind: integer, n: 1}}
		case "False", "false":
			return value{{kind: integer}}
		}
		// Others may be cut to fit where they go.
		if n, err := strconv.ParseInt(strings.TrimRight(e.Text, "uUlL"), 0, 64); err == nil && (n == 0 || n == 1) {
			return value{{kind: integer, n: n}}
		}
	case syntax.Str:
		for _, a := range e.Args {
			it.escape(it.eval(a, st), st, a.Pos, "formatted")
		}
		return value{{kind: python, py: pyImmutable}}
	case syntax.Null:
		return value{{kind: null}}
	case syntax.Call:
		return it.call(e, st)
	case syntax.Index, syntax.Member:
		return it.part(e, st)
	case syntax.Unary:
		return it.unary(e, st)
	case syntax.Binary:
		return it.compare(e, st)
	case syntax.And, syntax.Or:
		yes, no := it.branch(e, st)
		it.meet(st, yes, no)
		if it.frame().fn.lang == langPython && !st.dead {
			// The value is that of one of the two.
			return it.union(it.eval(e.X, st.clone()), it.eval(e.Y, st.clone()))
		}
		return anything
	case syntax.Cond:
		yes, no := it.branch(e.Args[0], st)
		var v value
		if yes != nil {
			v = it.eval(e.X, yes)
		}
		if no != nil {
			v = it.union(v, it.eval(e.Y, no))
		}
		it.meet(st, yes, no)
		return v
	case syntax.Cast:
		return it.cast(e, st)
	case syntax.Assign:
		v := it.eval(e.Y, st)
		if e.Text != "=" {
			v = it.moved(it.eval(e.X, st))
		}
		it.assign(e.X, v, e.Y, st)
		return v
	case syntax.IncDec:
		v := it.moved(it.eval(e.X, st))
		it.assign(e.X, v, nil, st)
		return v
	case syntax.List, syntax.Tuple, syntax.Dict:
		for _, a := range e.Args {
			v := it.eval(a, st)
			it.escape(v, st, a.Pos, "put into a collection")
			if it.frame().fn.lang == langC {
				it.keeps(v, a.Pos)
			}
		}
		if len(it.frames) > 0 && it.frame().fn.lang == langC {
			return anything
		}
		return it.newObject(e, objectKind(e))
	case syntax.Comp:
		return it.comprehension(e, st)
	case syntax.Lambda:
		if !it.runtime && it.frame().fn.lang == langPython {
			// Whoever gets it can call it.
			f := &syntax.Func{Name: "lambda", Kind: "lambda", Body: []*syntax.Stmt{{Op: syntax.Return, X: e.X, Pos: e.Pos}}, Pos: e.Pos}
			fn := &function{Func: f, lang: langPython, key: "lambda", index: int(e.Pos.Line)<<12 + int(e.Pos.Col), locals: map[string]bool{}}
			for _, a := range e.Args {
				fn.locals[a.Text] = true
			}
			it.lambdas = append(it.lambdas, fn)
		}
		if it.runtime && it.frame().fn.lang == langPython {
			it.report(HiddenState, e.Pos, "a function inside of a function can keep state that is not followed")
		}
	case syntax.New:
		for _, a := range e.Args {
			it.eval(a, st)
		}
		return value{{kind: fresh, obj: it.site(e.Pos, false), nonNull: true}} // or it raises
	case syntax.Star, syntax.Yield, syntax.Keyword:
		v := it.eval(e.X, st)
		if e.Op == syntax.Yield {
			it.escape(v, st, e.Pos, "yielded")
			return anything
		}
		return v
	case syntax.Comma:
		it.eval(e.X, st)
		return it.eval(e.Y, st)
	case syntax.Slice:
		for _, a := range e.Args {
			if a != nil {
				it.eval(a, st)
			}
		}
	}
	return anything
}

// meet sets st to what is known after either of two paths.
func (it *interpreter) meet(st, a, b *state) {
	if j := it.join(a, b); j != nil {
		*st = *j
	} else {
		st.dead = true
	}
}

// newObject is a Python object that this thread has just made.
func (it *interpreter) newObject(e *syntax.Expr, kind pyKind) value {
	return value{{kind: python, py: kind, obj: it.site(e.Pos, true)}}
}

func (it *interpreter) newMemory(pos syntax.Pos, st *state) value {
	return value{{kind: fresh, obj: it.site(pos, false)}}
}

// site is the object that is allocated at a place.
func (it *interpreter) site(pos syntax.Pos, isPython bool) *object {
	if o := it.sites[pos]; o != nil {
		return o
	}
	o := &object{pos: pos, python: isPython}
	it.sites[pos] = o
	return o
}

// resolve finds what a name means in the function being followed.
func (it *interpreter) resolve(name string) (local bool, v *variable, fn *function) {
	f := it.frame()
	if f.fn.locals[name] {
		return true, nil, nil
	}
	if v := f.fn.statics[name]; v != nil {
		return false, v, nil
	}
	if f.fn.lang == langC {
		if v := it.cvars[name]; v != nil {
			return false, v, nil
		}
		if fn := it.cfuncs[name]; fn != nil {
			return false, nil, fn
		}
		if i := strings.LastIndex(name, "::"); i >= 0 { // namespaces are not told apart
			return it.resolve(name[i+2:])
		}
		return false, nil, nil
	}
	if fn := it.funcs[name]; fn != nil {
		return false, nil, fn
	}
	if v := it.globals[name]; v != nil {
		return false, v, nil
	}
	if e := it.externs[name]; e != nil {
		if v := it.cvars[e.CName]; v != nil {
			return false, v, nil
		}
		if fn := it.cfuncs[e.CName]; fn != nil {
			return false, nil, fn
		}
		if !e.Func && e.Type != nil && !e.Type.Const && !it.c.Enumerators[e.CName] && isName(e.CName) && e.Type.Name != "enum" {
			return false, it.foreign(e.CName, e.Type, e.Pos), nil
		}
	}
	return false, nil, nil
}

// foreign is a variable of a header that is not read here.
func (it *interpreter) foreign(name string, typ *syntax.Type, pos syntax.Pos) *variable {
	v := &variable{name: name, lang: langC, typ: typ, pos: pos, null: true}
	it.cvars[name] = v
	it.all = append(it.all, v)
	return v
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z' || s[i] == '_' || i > 0 && s[i] >= '0' && s[i] <= '9') {
			return false
		}
	}
	return s != ""
}

func (it *interpreter) ident(e *syntax.Expr, st *state) value {
	local, v, fn := it.resolve(e.Text)
	switch {
	case local && it.frame().fn.arrays[e.Text]:
		return value{{kind: localAddress, local: cell{it.frame(), e.Text}}}
	case local:
		return st.get(cell{it.frame(), e.Text})
	case fn != nil:
		return value{{kind: code, fn: fn}}
	case v == nil:
		return anything
	case v.kind == callable || v.kind == imported || v.kind == lock || v.kind == nativeLock || v.kind == perThread:
		return anything
	case v.lang == langC && v.typ.Array:
		return value{{kind: address, v: v}}
	}
	return it.readVar(v, e.Pos, st)
}

// readVar reads a shared variable by its name: a plain access, unless its type
// is atomic.
func (it *interpreter) readVar(v *variable, pos syntax.Pos, st *state) value {
	o := none
	if v.typ != nil && v.typ.Atomic {
		o = seqCst
	}
	it.access(v, event{op: read, order: o, pos: pos}, st)
	return it.loadedValue(v, st)
}

func (it *interpreter) loadedValue(v *variable, st *state) value {
	return value{{kind: loaded, v: v, certain: st.ensured.has(v)}}
}

// access records an access with what is known at the time.
func (it *interpreter) access(v *variable, e event, st *state) {
	if v.kind != data && e.how == "" && e.op == read {
		return
	}
	if v.kind == perThread && (e.content || e.op == read) {
		return
	}
	for _, a := range e.value {
		if a.kind == python && !e.content && e.op != read {
			v.holds = max(v.holds, a.py)
		}
	}
	e.runtime, e.locks, e.ensured, e.unset, e.stored = it.runtime, st.locks, st.ensured, st.unset, st.stored
	e.in = it.frame().fn
	if e.runtime && e.op != read {
		if v.written == nil {
			v.written = map[*function]bool{}
		}
		v.written[e.in] = true
		for _, f := range it.frames[1:] {
			v.written[f.fn] = true
		}
	}
	for i := range v.events {
		x := &v.events[i]
		if x.op == e.op && x.order == e.order && x.content == e.content && x.runtime == e.runtime && x.pos == e.pos &&
			sameSet(x.locks, e.locks) && sameSet(x.ensured, e.ensured) && sameSet(x.unset, e.unset) && sameSet(x.stored, e.stored) {
			return
		}
	}
	v.events = append(v.events, e)
}

func sameSet(a, b varSet) bool {
	if len(a) != len(b) {
		return false
	}
	for _, v := range a {
		if !b.has(v) {
			return false
		}
	}
	return true
}

func (it *interpreter) setCell(c cell, v value, st *state) {
	st.set(c, v)
	if len(st.facts) > 0 {
		for k := range st.facts {
			if mentions(k, c.name) {
				delete(st.facts, k)
			}
		}
	}
}

func mentions(path, name string) bool {
	for _, w := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]>-*&() ", r) }) {
		if w == name {
			return true
		}
	}
	return false
}

// unary follows & * - ! and their like.
func (it *interpreter) unary(e *syntax.Expr, st *state) value {
	switch e.Text {
	case "&":
		return it.addressOf(e.X, st)
	case "*":
		return it.deref(it.eval(e.X, st), e, st)
	case "not":
		v := it.eval(e.X, st)
		if len(v) == 1 && (v[0].kind == testInitial || v[0].kind == testSwap) {
			a := v[0]
			a.truth = !a.truth
			return value{a}
		}
		if a, ok := v.only(loaded); ok && a.v.null {
			return value{{kind: testInitial, v: a.v, truth: false}}
		}
		return anything
	case "-":
		if a, ok := it.eval(e.X, st).only(integer); ok {
			return value{{kind: integer, n: -a.n}}
		}
		return anything
	}
	it.eval(e.X, st)
	return anything
}

// cast keeps what a value is; casting const away from shared data does not go
// unseen, since the variable's own events decide.
func (it *interpreter) cast(e *syntax.Expr, st *state) value {
	v := it.eval(e.X, st)
	for _, a := range v {
		if a.kind == address && a.v.typ != nil && a.v.typ.TopConst && e.Type != nil && e.Type.Pointers > 0 && !e.Type.Const {
			it.access(a.v, event{op: write, pos: e.Pos, how: "a cast takes its const away"}, st)
		}
	}
	return v
}

func (it *interpreter) iterate(e *syntax.Expr, st *state) {
	for _, a := range it.eval(e, st) {
		if a.kind == loaded || a.kind == element {
			it.access(a.v, event{op: read, content: true, pos: e.Pos}, st)
		}
	}
}

func (it *interpreter) comprehension(e *syntax.Expr, st *state) value {
	locals := it.frame().fn.locals
	defer func() { it.frame().fn.locals = locals }()
	it.frame().fn.locals = maps.Clone(locals)
	if it.frame().fn.locals == nil {
		it.frame().fn.locals = map[string]bool{}
	}
	for _, c := range e.Args {
		if c.Text == "for" && c.Op == syntax.Binary {
			it.iterate(c.Y, st)
			for _, name := range targetNames(c.X) {
				it.frame().fn.locals[name] = true
				it.setCell(cell{it.frame(), name}, anything, st)
			}
			continue
		}
		it.eval(c, st)
	}
	for _, x := range []*syntax.Expr{e.X, e.Y} {
		if x != nil {
			it.escape(it.eval(x, st), st, x.Pos, "put into a collection")
		}
	}
	if e.Text == "generator" {
		return it.newObject(e, pyUnknown)
	}
	return it.newObject(e, pyMutable)
}

// moved is a value after something was added to it: a pointer still leads into
// the same storage.
func (it *interpreter) moved(v value) value {
	for _, a := range v {
		switch a.kind {
		case address, localAddress, fresh, element:
			return v
		case loaded:
			if a.v.pointer() {
				return v
			}
		}
	}
	return anything
}
