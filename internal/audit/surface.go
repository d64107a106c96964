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
	for _, e := range mod.Externs {
		if !isName(e.CName) && reaches(e.CName) {
			c.report(HiddenState, e.Pos, "the C text behind %s does something; let a function do it", e.Name)
		}
	}
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

// reaches reports whether C text that stands for a name calls or assigns
// something. Casts of constants and qualified names do not.
func reaches(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '=', ';', '{', '[', '*', '&':
			if text[i] == '=' || text[i] == ';' || text[i] == '{' || text[i] == '&' {
				return true
			}
		case '(':
			depth++
			j := i - 1
			for j >= 0 && text[j] == ' ' {
				j--
			}
			if j >= 0 && (text[j] == '_' || text[j] >= 'a' && text[j] <= 'z' || text[j] >= 'A' && text[j] <= 'Z' || text[j] >= '0' && text[j] <= '9') {
				return true // a call
			}
		case '+', '-':
			if i+1 < len(text) && text[i+1] == text[i] {
				return true
			}
		}
	}
	return false
}
