package audit

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// File is a source file to audit.
type File struct {
	Path string
	Data []byte
}

// Check audits the Cython and Python files among files and gives what it found,
// sorted. A .pxd says which functions of the .pyx beside it others can call; a
// file that ends in _linux or _windows belongs to the .pxd without that.
func Check(files []File) []finding.Finding {
	mods := make([]*cython.Module, len(files))
	parallel(len(files), func(i int) {
		switch path.Ext(files[i].Path) {
		case ".pyx", ".pxd", ".pxi", ".py":
			mods[i] = cython.ParseModule(files[i].Path, files[i].Data)
		}
	})
	exports := map[string]map[string]bool{}
	for i, f := range files {
		if path.Ext(f.Path) != ".pxd" {
			continue
		}
		names := map[string]bool{}
		for _, s := range mods[i].Body {
			if s.Op == syntax.Define && s.Func != nil {
				names[s.Func.Name] = true
			}
		}
		exports[f.Path] = names
	}
	found := make([][]finding.Finding, len(files))
	parallel(len(files), func(i int) {
		if mods[i] != nil {
			found[i] = checkModule(mods[i], exports[declarations(files[i].Path)])
		}
	})
	out := slices.Concat(found...)
	finding.Sort(out)
	return out
}

// parallel does n things on all processors.
func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// declarations is the .pxd that belongs to a .pyx.
func declarations(file string) string {
	base := strings.TrimSuffix(file, path.Ext(file))
	base = strings.TrimSuffix(strings.TrimSuffix(base, "_linux"), "_windows")
	return base + ".pxd"
}

// checkModule audits one file, for every outcome of its C conditions.
func checkModule(mod *cython.Module, exports map[string]bool) []finding.Finding {
	c := collector{file: mod.Name, seen: map[string]bool{}}
	for _, p := range mod.Problems {
		c.report(Unreadable, p.Pos, "%s", p.Message)
	}
	c.surface(mod)
	texts := make([]csource.Text, 0, len(mod.Verbatim))
	for _, v := range mod.Verbatim {
		texts = append(texts, csource.Text{Text: v.Text, Pos: v.Pos})
	}
	program := newProgram(mod, exports)
	variants := csource.Variants(texts)
	for i, v := range variants {
		for _, inc := range v.Includes {
			if strings.HasPrefix(inc.Text, `"`) {
				c.report(Unreadable, inc.Pos, "the header %s is not read here: what it defines cannot be followed", inc.Text)
			}
		}
		if slices.ContainsFunc(variants[:i], v.Same) {
			continue
		}
		unit := csource.ParseUnit(v)
		for _, p := range unit.Problems {
			c.report(Unreadable, p.Pos, "%s", p.Message)
		}
		for _, pos := range unit.Asm {
			c.report(Unreadable, pos, "assembly cannot be followed")
		}
		program.compile(unit)
		it := &interpreter{
			program: program, file: mod.Name, memo: map[string]*outcome{}, sites: map[syntax.Pos]*object{}, report: c.report,
		}
		it.follow()
		it.classify()
	}
	return c.findings
}

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

// collector gathers findings, each place and rule once.
type collector struct {
	file     string
	seen     map[string]bool
	findings []finding.Finding
}

func (c *collector) report(rule string, pos syntax.Pos, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	key := fmt.Sprintf("%s %d:%d %s", rule, pos.Line, pos.Col, msg)
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.findings = append(c.findings, finding.Finding{
		Rule: rule, Severity: finding.Error, Message: msg, Hint: ruleText(rule),
		Place: finding.Place{File: c.file, Line: int(pos.Line), Col: int(pos.Col)},
	})
}
