package audit

import (
	"path"
	"strings"

	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// surface checks what needs no following: directives, decorators, what a
// declaration hides behind a name.
func (c *collector) surface(mod *cython.Module) {
	functions := 0
	var visit func(body []*syntax.Stmt)
	visit = func(body []*syntax.Stmt) {
		eachStmt(body, func(s *syntax.Stmt) {
			if s.Op != syntax.Define {
				return
			}
			if s.Func == nil {
				visit(s.Body)
				return
			}
			functions++
			for _, d := range s.Func.Decorators {
				if !plainDecorator(d) {
					c.report(HiddenState, d.Pos, "a decorator can keep state between calls that is not followed")
				}
			}
		})
	}
	visit(mod.Body)
	if path.Ext(mod.Name) == ".pyx" && functions > 0 && !strings.EqualFold(mod.Directives["freethreading_compatible"], "true") {
		c.report(NoFreeThreading, syntax.Pos{Line: 1, Col: 1}, "the module does not say that it is compatible with free threading")
	}
	for _, s := range mod.Stmts {
		if s.Head() == "include" {
			c.report(Unreadable, s.Pos(), "an included file is not read here")
		}
	}
	c.cNames(mod)
}

// plainDecorator reports whether a decorator is known to keep no state.
func plainDecorator(d *syntax.Expr) bool {
	if d.Op == syntax.Call {
		d = d.X
	}
	if d.Op == syntax.Member && d.X.Op == syntax.Ident && d.X.Text == "cython" {
		return true
	}
	if d.Op == syntax.Member && (d.Text == "setter" || d.Text == "getter" || d.Text == "deleter") {
		return true
	}
	switch d.Text {
	case "staticmethod", "classmethod", "property", "overload", "dataclass", "final", "abstractmethod", "wraps", "contextmanager":
		return true
	}
	return false
}
