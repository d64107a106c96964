package audit

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// program is a module with one outcome of its C conditions.
type program struct {
	mod     *cython.Module
	c       *csource.Unit
	funcs   map[string]*function // Cython functions; methods as Class.name
	cfuncs  map[string]*function
	externs map[string]*cython.Extern
	globals map[string]*variable // names of the module
	cvars   map[string]*variable
	classes map[string]bool
	all     []*variable // in order of declaration, those of the module first
	python  int         // how many of all are the module's own
	exports map[string]bool
	// called are the names that the module's functions and body call, passed
	// those that they use in another way.
	called, passed map[string]bool
	lambdas        []*function // of the module's body
	steps          int         // of work done on it
	evals          int         // of expressions in them
}

// function is a function and what its names mean.
type function struct {
	*syntax.Func
	lang    lang
	key     string
	locals  map[string]bool // names that are local to it
	statics map[string]*variable
	arrays  map[string]bool // locals whose name is their own storage
	index   int
}

// newProgram collects the functions and names of a module.
func newProgram(mod *cython.Module, exports map[string]bool) *program {
	p := &program{
		mod: mod, exports: exports, funcs: map[string]*function{}, externs: map[string]*cython.Extern{},
		globals: map[string]*variable{}, classes: map[string]bool{}, called: map[string]bool{}, passed: map[string]bool{},
	}
	for i := range mod.Externs {
		p.externs[mod.Externs[i].Name] = &mod.Externs[i]
	}
	for _, s := range mod.Body {
		if s.Op == syntax.Define && s.Func == nil {
			p.classes[s.Text] = true // before anything makes an instance
		}
	}
	p.module(mod.Body, "")
	p.python = len(p.all)
	p.mention(&function{Func: &syntax.Func{Body: mod.Body}, lang: langPython})
	for _, fn := range p.funcs {
		p.mention(fn)
	}
	return p
}

// compile sets the program to one outcome of its C conditions, with nothing
// followed yet. report takes names that mean two things.
func (p *program) compile(c *csource.Unit, report func(rule string, pos syntax.Pos, format string, args ...any)) {
	p.c, p.cfuncs, p.cvars = c, map[string]*function{}, map[string]*variable{}
	for i := range p.all[:p.python] {
		v := p.all[i]
		v.events, v.sinks, v.written = nil, nil, nil
	}
	p.all = p.all[:p.python:p.python]
	for _, d := range c.Vars {
		p.addC(p.cvars, d)
	}
	for _, m := range c.Members {
		p.addC(p.cvars, m)
	}
	for i, f := range c.Funcs {
		fn := &function{Func: f, lang: langC, key: "c:" + f.Name, statics: map[string]*variable{}, locals: map[string]bool{}, index: i}
		for _, param := range f.Params {
			fn.locals[param.Name] = true
		}
		p.cLocals(fn, f.Body)
		for name := range fn.locals {
			if v := p.cvars[name]; v != nil && v.pos != f.Pos && !isParam(f, name) {
				report(Unreadable, f.Pos, "in %s a local variable has the name of the shared variable %s: which one is meant is not followed", f.Name, name)
			}
		}
		name := f.Name
		if f.Class != "" {
			name = f.Class + "::" + f.Name
		}
		if p.cfuncs[name] != nil {
			if f.Class == "" && f.Kind == "c" {
				report(Unreadable, f.Pos, "%s is defined more than once: which one is called is not followed", f.Name)
			}
			name = fmt.Sprintf("%s#%d", name, i)
		}
		p.cfuncs[name] = fn
	}
	for _, v := range p.cvars {
		p.initial(v)
	}
}

func isParam(f *syntax.Func, name string) bool {
	for _, p := range f.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// addC enters a C variable with static storage.
func (p *program) addC(into map[string]*variable, d *syntax.Stmt) *variable {
	v := &variable{name: d.Text, lang: langC, typ: d.Type, init: d.Y, pos: d.Pos, kind: lockKind(d.Type)}
	if p.c.Types[d.Type.Name] && !p.c.Forward[d.Type.Name] {
		v.kind = data // a type of its own with a well-known name
		if d.Type.Atomic {
			t := *d.Type
			t.Atomic = false
			v.typ = &t
		}
	}
	if d.Type.Thread {
		v.kind = perThread
	}
	into[d.Text] = v
	p.all = append(p.all, v)
	return v
}

// cLocals collects a function's local names and its static variables.
func (p *program) cLocals(fn *function, body []*syntax.Stmt) {
	eachStmt(body, func(s *syntax.Stmt) {
		switch s.Op {
		case syntax.Decl:
			if s.Type.Static || s.Type.Extern {
				if s.Type.Extern {
					return
				}
				v := p.addC(fn.statics, s)
				p.initial(v)
			} else {
				fn.locals[s.Text] = true
				fn.array(s)
			}
		case syntax.Loop:
			for _, t := range s.Targets {
				fn.locals[t.Text] = true
			}
		}
	})
}

// array notes that a local variable is an array.
func (fn *function) array(s *syntax.Stmt) {
	if s.Type != nil && s.Type.Array {
		if fn.arrays == nil {
			fn.arrays = map[string]bool{}
		}
		fn.arrays[s.Text] = true
	}
}

// eachStmt visits statements and those inside of them, but for the bodies of
// nested functions and classes.
func eachStmt(body []*syntax.Stmt, visit func(*syntax.Stmt)) {
	for _, s := range body {
		visit(s)
		if s.Op == syntax.Define {
			continue
		}
		eachStmt(s.Body, visit)
		eachStmt(s.Else, visit)
		eachStmt(s.Finally, visit)
		for _, h := range s.Excepts {
			eachStmt(h, visit)
		}
	}
}

// initial works out what a C variable holds before anything runs.
func (p *program) initial(v *variable) {
	v.null, v.initial = false, nil
	e := v.init
	for e != nil && (e.Op == syntax.Cast || e.Op == syntax.List && len(e.Args) == 1 || e.Op == syntax.New && len(e.Args) == 1) {
		if e.Op == syntax.Cast {
			e = e.X
		} else {
			e = e.Args[0]
		}
	}
	switch {
	case e == nil, e.Op == syntax.Null, e.Op == syntax.Literal && isZero(e.Text), e.Op == syntax.List && len(e.Args) == 0, e.Op == syntax.New && len(e.Args) == 0:
		v.null = true
	case e.Op == syntax.Unary && e.Text == "&":
		if root := rootName(e.X); root != "" {
			v.initial = p.cvars[root]
		}
	case e.Op == syntax.Ident:
		if t := p.cvars[e.Text]; t != nil && t.typ.Array {
			v.initial = t
		}
	}
}

func isZero(s string) bool {
	return s == "False" || s == "false" || s == "nullptr" || strings.Trim(s, "0xuUlLbB.") == "" && strings.HasPrefix(s, "0")
}

// rootName is the variable that an lvalue is part of, without following
// pointers.
func rootName(e *syntax.Expr) string {
	for e != nil {
		switch e.Op {
		case syntax.Ident:
			return e.Text
		case syntax.Index:
			e = e.X
		case syntax.Member:
			if e.Y != nil {
				return ""
			}
			e = e.X
		default:
			return ""
		}
	}
	return ""
}

// module collects the names of the module from its body.
func (p *program) module(body []*syntax.Stmt, class string) {
	eachStmt(body, func(s *syntax.Stmt) {
		switch s.Op {
		case syntax.Define:
			p.define(s, class)
		case syntax.Decl:
			if class != "" {
				return // an attribute of instances
			}
			v := p.global(s.Text, s.Pos)
			v.typ, v.init = s.Type, s.Y
			if k := lockKind(s.Type); k != data {
				v.kind = k
				if s.Type.Name == "pythread_type_lock" {
					v.kind = lock // Cython gives up the interpreter to wait for it
				}
			}
			if makers[s.Type.Name] == pyMutable && s.Type.Pointers == 0 {
				v.holds = pyMutable
			}
			v.null = s.Y == nil || s.Y.Op == syntax.Null || s.Y.Op == syntax.Literal && isZero(s.Y.Text)
			p.describe(v, s.Y)
		case syntax.Set:
			for _, t := range s.Targets {
				for _, name := range targetNames(t) {
					if class != "" {
						name = class + "." + name
					}
					v := p.global(name, s.Pos)
					if v.init == nil {
						v.init = s.Y
						v.null = s.Y.Op == syntax.Null || s.Y.Op == syntax.Literal && isZero(s.Y.Text)
					}
					p.describe(v, s.Y)
				}
			}
		case syntax.Import:
			v := p.global(s.Text, s.Pos)
			v.kind, v.origin, v.cimported = imported, s.Items[0].Text, s.Items[1].Text == "cimport"
		case syntax.With, syntax.Loop:
			for _, t := range s.Targets {
				for _, name := range targetNames(t) {
					p.global(name, s.Pos)
				}
			}
		}
	})
	// A function may make a name of the module with `global`.
	for _, fn := range p.funcs {
		eachStmt(fn.Body, func(s *syntax.Stmt) {
			if s.Op == syntax.Global {
				for _, t := range s.Targets {
					v := p.global(t.Text, s.Pos)
					v.null = v.null || v.init == nil
				}
			}
		})
	}
}

func targetNames(t *syntax.Expr) []string {
	switch {
	case t == nil:
		return nil
	case t.Op == syntax.Ident:
		return []string{t.Text}
	case t.Op == syntax.Tuple || t.Op == syntax.List:
		var names []string
		for _, a := range t.Args {
			names = append(names, targetNames(a)...)
		}
		return names
	case t.Op == syntax.Star:
		return targetNames(t.X)
	}
	return nil
}

func (p *program) global(name string, pos syntax.Pos) *variable {
	v := p.globals[name]
	if v == nil {
		v = &variable{name: name, lang: langPython, pos: pos}
		p.globals[name] = v
		p.all = append(p.all, v)
	}
	return v
}

// describe notes what kind of object an initialiser makes.
func (p *program) describe(v *variable, init *syntax.Expr) {
	if init == nil {
		return
	}
	if k, ok := p.lockMaker(init); ok && (v.init == init || v.kind == k) {
		v.kind = k
		v.reentrant = callName(init) == "RLock"
		for _, a := range init.Args {
			if objectKind(argument(a)) != pyImmutable {
				v.kind, v.holds = data, pyMutable // a default that all share
			}
		}
		return
	}
	if v.kind == lock || v.kind == perThread {
		v.kind = data // it is something else, too
	}
	v.inner = max(v.inner, elementKind(init))
	if k := objectKind(init); k != pyUnknown {
		v.holds = max(v.holds, k)
	}
	if init.Op == syntax.Call && init.X.Op == syntax.Ident && p.classes[init.X.Text] {
		v.class = init.X.Text
	}
}

// define enters a function or a class.
func (p *program) define(s *syntax.Stmt, class string) {
	if s.Func == nil {
		p.classes[s.Text] = true
		v := p.global(s.Text, s.Pos)
		v.kind = callable
		p.module(s.Body, s.Text)
		return
	}
	fn := &function{Func: s.Func, lang: langPython, key: s.Func.Name, index: len(p.funcs)}
	if class != "" {
		fn.key = class + "." + s.Func.Name
	} else {
		v := p.global(s.Func.Name, s.Pos)
		v.kind = callable
	}
	fn.locals = pythonLocals(s.Func)
	eachStmt(s.Func.Body, func(d *syntax.Stmt) {
		if d.Op == syntax.Decl {
			fn.array(d)
		}
	})
	if p.funcs[fn.key] != nil {
		// Another one under a condition, or the setter of a property.
		fn.key = fmt.Sprintf("%s#%d", fn.key, len(p.funcs))
	}
	p.funcs[fn.key] = fn
}

// pythonLocals are the names that a function binds and does not declare global.
func pythonLocals(f *syntax.Func) map[string]bool {
	locals, globals := map[string]bool{}, map[string]bool{}
	for _, param := range f.Params {
		locals[param.Name] = true
	}
	bind := func(e *syntax.Expr) {
		for _, n := range targetNames(e) {
			locals[n] = true
		}
	}
	eachStmt(f.Body, func(s *syntax.Stmt) {
		switch s.Op {
		case syntax.Global:
			for _, t := range s.Targets {
				globals[t.Text] = true
			}
		case syntax.Decl, syntax.Import:
			locals[s.Text] = true
		case syntax.Set, syntax.Loop, syntax.With, syntax.Del:
			for _, t := range s.Targets {
				bind(t)
			}
		case syntax.Define:
			locals[s.Text] = true
		}
		for _, e := range []*syntax.Expr{s.X, s.Y} {
			e.Walk(func(x *syntax.Expr) bool {
				if x.Op == syntax.Assign {
					bind(x.X)
				}
				return true
			})
		}
	})
	for g := range globals {
		delete(locals, g)
	}
	return locals
}
