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
	st.gil, st.locks, st.facts = gilHeld, nil, nil
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
	called := map[*function]bool{}
	for name := range it.mentioned {
		called[it.funcs[name]] = true
		if e := it.externs[name]; e != nil {
			called[it.cfuncs[e.CName]] = true
		}
	}
	for _, fn := range it.cfuncs {
		eachExpr(fn.Body, func(e *syntax.Expr) {
			if e.Op == syntax.Ident && !fn.locals[e.Text] {
				called[it.cfuncs[e.Text]] = true
			}
		})
	}
	var out []*function
	for _, fn := range it.funcs {
		if len(fn.Body) > 0 && (fn.Kind != "cdef" || it.exports[fn.Name] || fn.Class != "" || !called[fn]) {
			out = append(out, fn)
		}
	}
	for _, fn := range it.cfuncs {
		// C functions that Cython declares and does not call, and callbacks.
		if !called[fn] && fn.Kind == "c" || fn.Kind == "lambda" {
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
	eachExpr(in.Body, func(e *syntax.Expr) {
		switch {
		case e.Op == syntax.Ident && !in.locals[e.Text]:
			p.mentioned[e.Text] = true
		case e.Op == syntax.Member && e.X.Op == syntax.Ident && e.X.Text == "self" && in.Func.Class != "":
			p.mentioned[in.Func.Class+"."+e.Text] = true
		}
	})
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
