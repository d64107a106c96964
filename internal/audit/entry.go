package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
	"slices"
)

// follow runs the module's body as an import does, then every entry point.
func (it *interpreter) follow() {
	module := &function{Func: &syntax.Func{Name: "the module", Kind: "def"}, lang: langPython, locals: map[string]bool{}, statics: map[string]*variable{}}
	top := &frame{fn: module}
	it.frames = []*frame{top}
	st := it.exec(it.mod.Body, newState())
	if st == nil {
		st = newState()
	}
	st.gil, st.locks, st.facts, st.objects = gilHeld, nil, nil, nil
	it.runtime = true
	it.memo = map[string]*outcome{}
	followed := map[uint64]bool{}
	for _, fn := range it.entries() {
		shape := it.shape(fn)
		if shape != 0 && followed[shape] {
			continue
		}
		followed[shape] = true
		it.frames = []*frame{top}
		top.ended, top.tries, top.loops = nil, nil, nil
		entry := st.clone()
		entry.stored, entry.unset = nil, nil
		switch {
		case fn.lang == langC, fn.NoGIL:
			entry.gil = gilUnknown
		}
		if fn.Kind == "lambda" && fn.lang == langPython {
			entry.gil = gilHeld
		}
		args := make([]value, len(fn.Params))
		for i := range args {
			args[i] = anything
		}
		it.run(fn, args, entry)
	}
}

// entries are the functions that code outside of the module can call: what
// Python sees, what the .pxd declares, and what nothing here calls.
func (it *interpreter) entries() []*function {
	called, passed := map[*function]bool{}, map[*function]bool{}
	note := func(names map[string]bool, into map[*function]bool) {
		for name := range names {
			into[it.funcs[name]] = true
			if e := it.externs[name]; e != nil {
				into[it.cfuncs[e.CName]] = true
			}
		}
	}
	note(it.called, called)
	note(it.passed, passed)
	for _, fn := range it.cfuncs {
		names, others := uses(fn)
		for name := range names {
			called[it.cfuncs[name]] = true
		}
		for name := range others {
			passed[it.cfuncs[name]] = true
		}
	}
	out := slices.Clone(it.lambdas)
	for _, fn := range it.funcs {
		if len(fn.Body) > 0 && (fn.Kind != "cdef" || it.exports[fn.Name] || fn.Class != "" || !called[fn] || passed[fn]) {
			out = append(out, fn)
		}
	}
	for _, fn := range it.cfuncs {
		// C functions that Cython declares and does not call, and callbacks.
		if !called[fn] || passed[fn] || fn.Kind == "lambda" {
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *function) int {
		if a.Pos.Line != b.Pos.Line {
			return int(a.Pos.Line - b.Pos.Line)
		}
		return int(a.Pos.Col - b.Pos.Col)
	})
	return out
}

// mention notes the names that a function of the module uses; methods of self
// count under their keys.
func (p *program) mention(in *function) {
	called, passed := uses(in)
	for name := range called {
		p.called[name] = true
	}
	for name := range passed {
		p.passed[name] = true
	}
}

// uses are the names that a function calls, and those that it uses otherwise:
// a function that is passed on can be called by anybody.
func uses(in *function) (called, passed map[string]bool) {
	called, passed = map[string]bool{}, map[string]bool{}
	callees := map[*syntax.Expr]bool{}
	eachExpr(in.Body, func(e *syntax.Expr) {
		switch {
		case e.Op == syntax.Call:
			callees[e.X] = true
			if m := e.X; m.Op == syntax.Member && m.X.Op == syntax.Ident && m.X.Text == "self" && in.Func.Class != "" {
				called[in.Func.Class+"."+m.Text] = true
			}
		case e.Op != syntax.Ident || in.locals[e.Text]:
		case callees[e]:
			called[e.Text] = true
		default:
			passed[e.Text] = true
		}
	})
	return called, passed
}

// eachExpr visits every expression in statements.
func eachExpr(body []*syntax.Stmt, visit func(*syntax.Expr)) {
	deep := func(e *syntax.Expr) bool {
		visit(e)
		return true
	}
	eachStmt(body, func(s *syntax.Stmt) {
		s.X.Walk(deep)
		s.Y.Walk(deep)
		for _, e := range s.Targets {
			e.Walk(deep)
		}
		for _, e := range s.Items {
			e.Walk(deep)
		}
	})
}
