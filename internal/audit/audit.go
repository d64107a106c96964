package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

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
	mods := map[string]*cython.Module{}
	for _, f := range files {
		switch path.Ext(f.Path) {
		case ".pyx", ".pxd", ".pxi", ".py":
			mods[f.Path] = cython.ParseModule(f.Path, f.Data)
		}
	}
	var out []finding.Finding
	for _, f := range files {
		mod := mods[f.Path]
		if mod == nil {
			continue
		}
		exports := map[string]bool{}
		if pxd := mods[declarations(f.Path)]; pxd != nil && pxd != mod {
			for _, s := range pxd.Body {
				if s.Op == syntax.Define && s.Func != nil {
					exports[s.Func.Name] = true
				}
			}
		}
		out = append(out, checkModule(mod, exports)...)
	}
	finding.Sort(out)
	return out
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
	variants := csource.Variants(texts)
	if len(variants) == 0 {
		variants = []csource.Variant{{}}
	}
	for _, v := range variants {
		unit := csource.ParseUnit(v)
		for _, p := range unit.Problems {
			c.report(Unreadable, p.Pos, "%s", p.Message)
		}
		for _, pos := range unit.Asm {
			c.report(Unreadable, pos, "assembly cannot be followed")
		}
		for _, inc := range v.Includes {
			if strings.HasPrefix(inc.Text, `"`) {
				c.report(Unreadable, inc.Pos, "the header %s is not read here: what it defines cannot be followed", inc.Text)
			}
		}
		it := &interpreter{
			program: newProgram(mod, unit, exports), file: mod.Name,
			memo: map[string]*outcome{}, sites: map[syntax.Pos]*object{}, report: c.report,
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
	for _, fn := range it.entries() {
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
	note := func(in *function, e *syntax.Expr) {
		e.Walk(func(x *syntax.Expr) bool {
			if x.Op == syntax.Ident && !in.locals[x.Text] {
				switch {
				case in.lang == langC:
					called[it.cfuncs[x.Text]] = true
				case it.funcs[x.Text] != nil:
					called[it.funcs[x.Text]] = true
				case it.externs[x.Text] != nil:
					called[it.cfuncs[it.externs[x.Text].CName]] = true
				}
			}
			if x.Op == syntax.Member && in.lang == langPython && x.X.Op == syntax.Ident && x.X.Text == "self" {
				for key, fn := range it.funcs {
					if strings.HasSuffix(key, "."+x.Text) {
						called[fn] = true
					}
				}
			}
			return true
		})
	}
	visit := func(in *function) {
		eachStmt(in.Body, func(s *syntax.Stmt) {
			note(in, s.X)
			note(in, s.Y)
			for _, list := range [][]*syntax.Expr{s.Targets, s.Items} {
				for _, e := range list {
					note(in, e)
				}
			}
		})
	}
	visit(&function{Func: &syntax.Func{Body: it.mod.Body}, lang: langPython})
	for _, fn := range it.funcs {
		visit(fn)
	}
	for _, fn := range it.cfuncs {
		visit(fn)
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
