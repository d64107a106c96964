package audit

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// What can be proved is a small language, and emitted code is written in it.
// These checks report what is outside of it; what is inside can be followed.

// unfollowed are words of C and C++ that change what a name means, run code
// that is not seen to be called, or leave a function by another way.
var unfollowed = words(`asm __asm __asm__ goto template operator new delete class this throw try catch auto assert setjmp longjmp
	friend virtual concept requires co_await co_yield co_return _Generic __thread_local dynamic_cast typeid mutable`)

// attributes that give something a second name, or run a function that nobody
// is seen to call. Outside of an attribute they are names like others.
var attributes = words(`alias weakref weak cleanup constructor destructor section ifunc __alias__ __weakref__ __weak__ __cleanup__
	__constructor__ __destructor__ __section__ __ifunc__ selectany allocate`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// cText checks verbatim text as it stands, before anything reads it: what
// Cython makes of escapes and line ends is not what it looks like.
func (c *collector) cText(mod *cython.Module) {
	for _, v := range mod.Verbatim {
		line := v.Line
		for l := range strings.Lines(v.Text) {
			if strings.Contains(l, "??") {
				c.report(Unreadable, syntax.Pos{Line: line, Col: 1}, "a trigraph cannot be followed")
			}
			line++
		}
		if v.Escapes {
			c.report(Unreadable, v.Pos, "C text with backslashes is not what it looks like: Cython resolves them")
		}
	}
	line := int32(1)
	for l := range strings.Lines(mod.Text) {
		for i := 0; i < len(l); i++ {
			if b := l[i]; b < ' ' && b != '\n' && b != '\t' && !(b == '\r' && i == len(l)-2) || b == 0x7f {
				c.report(Unreadable, syntax.Pos{Line: line, Col: int32(i) + 1}, "a control character cannot be followed")
			}
		}
		line++
	}
}

// cUnit checks one outcome of the C text.
func (c *collector) cUnit(u *csource.Unit, mod *cython.Module) {
	attribute, depth := false, 0
	for _, t := range u.Tokens {
		switch {
		case t.Is("__attribute__"), t.Is("__attribute"), t.Is("__declspec"), t.Is("["):
			attribute, depth = true, 0
		case attribute && t.Is("("):
			depth++
		case attribute && t.Is(")"):
			if depth--; depth <= 0 {
				attribute = false
			}
		case attribute && (t.Is("]") || t.Is(";")):
			attribute = false
		case t.Kind == syntax.Name && (unfollowed[t.Text] || attribute && attributes[t.Text]):
			c.report(Unreadable, t.Pos, "%s cannot be followed", t.Text)
		}
	}
	for _, e := range mod.Externs {
		if u.Macros[e.CName] {
			c.report(Unreadable, e.Pos, "%s is a macro: what it does where Cython uses it is not followed", e.CName)
		}
	}
	for _, v := range u.Vars {
		c.cType(v.Type, v.Pos)
		c.ownName(v.Text, v.Pos)
		if v.Type.Library && !v.Type.Atomic && lockKind(v.Type) == data {
			c.report(Unreadable, v.Pos, "%s has a type whose own state cannot be followed", v.Text)
		}
	}
	for name := range u.Macros {
		c.ownName(name, syntax.Pos{Line: 1, Col: 1})
	}
	for name := range u.Enumerators {
		c.ownName(name, syntax.Pos{Line: 1, Col: 1})
	}
	for _, f := range u.Funcs {
		c.ownName(f.Name, f.Pos)
		if f.Class != "" || f.Kind == "lambda" {
			c.report(Unreadable, f.Pos, "a method or a lambda of C++ cannot be followed")
		}
		c.cType(f.Result, f.Pos)
		for _, p := range f.Params {
			c.cType(p.Type, p.Pos)
		}
		eachStmt(f.Body, func(s *syntax.Stmt) {
			if s.Op == syntax.Decl && !isGuard(s.Type) {
				c.cType(s.Type, s.Pos)
			}
		})
		eachExpr(f.Body, func(e *syntax.Expr) {
			switch {
			case e.Op == syntax.Cast && e.X.Op == syntax.List:
				c.report(Unreadable, e.Pos, "a compound literal cannot be followed")
			case e.Op == syntax.Call && e.X.Op == syntax.Member && !atomicMethods[e.X.Text]:
				c.report(Unreadable, e.Pos, "a call through a member cannot be followed")
			}
		})
	}
}

// cType refuses references: what is written through them has another name.
func (c *collector) cType(t *syntax.Type, pos syntax.Pos) {
	if t != nil && t.Ref {
		c.report(Unreadable, pos, "a C++ reference cannot be followed")
	}
}

// ownName refuses definitions of names whose meaning is taken for granted.
func (c *collector) ownName(name string, pos syntax.Pos) {
	_, isLock := lockers[name]
	if isLock || allocators[name] || releasers[name] || references[name] || writesFirst[name] || readers[name] || barriers[name] || unlockers[name] || onces[name] ||
		strings.HasPrefix(name, "__atomic") || strings.HasPrefix(name, "atomic_") || strings.HasPrefix(name, "__ATOMIC") || strings.HasPrefix(name, "memory_order") ||
		strings.HasPrefix(name, "_Interlocked") || strings.HasPrefix(name, "Interlocked") {
		c.report(Unreadable, pos, "%s is defined here: what it does elsewhere cannot be relied on", name)
	}
}

var atomicMethods = words(`load store exchange compare_exchange_strong compare_exchange_weak fetch_add fetch_sub fetch_or fetch_and test_and_set clear lock unlock`)
