package audit

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// directives of Cython that change nothing that matters here.
var plainDirectives = words(`language_level freethreading_compatible boundscheck wraparound initializedcheck embedsignature binding
	cdivision nonecheck annotation_typing auto_pickle c_string_type c_string_encoding`)

// pySubset checks the Cython of a module.
func (c *collector) pySubset(mod *cython.Module) {
	for name := range mod.Directives {
		if !plainDirectives[name] {
			c.report(Unreadable, syntax.Pos{Line: 1, Col: 1}, "the directive %s may change what the code means", name)
		}
	}
	c.pyBody(mod.Body)
	if strings.HasSuffix(mod.Name, ".pxd") {
		c.pxdVariables(mod)
	}
}

// pxdVariables refuses variables that any other module can write.
func (c *collector) pxdVariables(mod *cython.Module) {
	eachStmt(mod.Body, func(s *syntax.Stmt) {
		if s.Op == syntax.Decl {
			c.report(HiddenState, s.Pos, "every module that cimports %s can write it", s.Text)
		}
	})
}

func (c *collector) pyBody(body []*syntax.Stmt) {
	eachStmt(body, func(s *syntax.Stmt) {
		switch s.Op {
		case syntax.Define:
			if s.Func == nil {
				c.pyClass(s)
				return
			}
			c.pyFunction(s.Func)
		case syntax.Try:
			eachStmt(s.Finally, func(inner *syntax.Stmt) {
				if inner.Op == syntax.Return || inner.Op == syntax.Break {
					c.report(Unreadable, inner.Pos, "leaving a finally loses the exception")
				}
			})
		}
	})
	eachExpr(body, func(e *syntax.Expr) {
		switch {
		case e.Op == syntax.Yield:
			c.report(HiddenState, e.Pos, "a generator keeps state between calls that is not followed")
		case e.Op == syntax.Member && strings.HasPrefix(e.Text, "__") && strings.HasSuffix(e.Text, "__"):
			c.report(HiddenState, e.Pos, "%s reaches state that is not followed", e.Text)
		}
	})
}

// pyClass allows classes of exceptions, which hold nothing.
func (c *collector) pyClass(s *syntax.Stmt) {
	exception := len(s.Items) > 0
	for _, base := range s.Items {
		exception = exception && (base.Op == syntax.Ident || base.Op == syntax.Member) && isException(base.Text)
	}
	for _, inner := range s.Body {
		exception = exception && (inner.Op == syntax.Pass || inner.Op == syntax.ExprStmt && inner.X.Op == syntax.Str)
	}
	if !exception {
		c.report(HiddenState, s.Pos, "class %s: instances can be shared, and what they hold is not followed", s.Text)
	}
}

func isException(name string) bool {
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Warning")
}

func (c *collector) pyFunction(f *syntax.Func) {
	for _, d := range f.Decorators {
		c.report(HiddenState, d.Pos, "a decorator can keep state between calls that is not followed")
	}
	for _, p := range f.Params {
		if p.Default != nil && p.Default.Op != syntax.Literal && p.Default.Op != syntax.Null && p.Default.Op != syntax.Str && p.Default.Op != syntax.Unary {
			c.report(HiddenState, p.Pos, "the default of %s is made once for all calls", p.Name)
		}
	}
	c.pyBody(f.Body)
}

// Names of builtins that keep nothing and hand nothing on.
var builtins = words(`range len int float bool str bytes tuple list dict set frozenset repr hash abs min max sum any all sorted reversed
	enumerate zip isinstance print ord chr hex round divmod bytearray object type_ format sizeof`)

// origins of imported functions that may be called.
var origins = words(`os.getenv os.fspath cuda.pathfinder.load_nvidia_dynamic_lib re.compile types.MappingProxyType`)

// methods that keep nothing: of texts, tuples and fresh containers.
var plainMethods = words(`decode encode join format split rsplit partition rpartition strip lstrip rstrip startswith endswith replace lower upper
	items keys values get copy index count hex fromhex match search fullmatch group groups findall sub title`)

// mayCall reports whether Python code may call a name of the module or a
// builtin without being followed there.
func (p *program) mayCall(name string) bool {
	v := p.globals[name]
	if v == nil {
		return builtins[name] || isException(name)
	}
	return v.kind == imported && (p.mayCallOrigin(v.origin) || v.cimported && strings.Contains(v.origin, "._internal."))
}

func (p *program) mayCallOrigin(origin string) bool {
	last := origin[strings.LastIndexByte(origin, '.')+1:]
	if origins[origin] || isException(last) {
		return true
	}
	_, isMaker := lockMakers[origin]
	if isMaker {
		return true
	}
	// What C and Python themselves provide, as far as it is known.
	if strings.HasPrefix(origin, "libc.") || strings.HasPrefix(origin, "cpython.") {
		_, locks := lockers[last]
		return locks || allocators[last] || releasers[last] || references[last] || writesFirst[last] || readers[last] || unlockers[last]
	}
	return false
}
