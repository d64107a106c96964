package cgen

import (
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// Declare writes the C declaration of name with type t, without a semicolon:
// `const char *(*name)(int)`. An empty name gives the abstract declarator, as a
// cast or sizeof takes it. An empty parameter list is written `(void)`. Calling
// conventions are left out: the targets that are known ignore them.
func Declare(t *ir.Type, name string) string {
	return writer{}.declare(t, name)
}

// writer holds what a declaration's spelling depends on besides the type.
type writer struct {
	// convention is the word, or macro, for functions that are Stdcall; empty
	// leaves it out.
	convention string
	// spell names a Basic or Named type without its const; nil spells it as
	// the header does.
	spell func(t *ir.Type) string
}

// base is the spelling of a type without declarators.
func (w writer) base(t *ir.Type) string {
	name := t.Name
	switch {
	case w.spell != nil:
		name = w.spell(t)
	case t.Tag != "":
		name = t.Tag + " " + t.Name
	}
	if t.Const {
		return "const " + name
	}
	return name
}

// declare wraps the declarator of inner into those of t, from the inside out.
func (w writer) declare(t *ir.Type, inner string) string {
	switch t.Kind {
	case ir.Pointer:
		star := "*"
		if t.Const {
			star = "*const"
			if inner != "" {
				star += " "
			}
		}
		inner = star + inner
		if t.Elem.Kind == ir.Array || t.Elem.Kind == ir.Func {
			inner = "(" + w.calling(t.Elem) + inner + ")"
		}
		return w.declare(t.Elem, inner)
	case ir.Array:
		return w.declare(t.Elem, inner+bound(t.Len))
	case ir.Func:
		if inner != "" && inner[0] != '(' {
			inner = w.calling(t) + inner
		}
		return w.declare(t.Elem, inner+"("+w.params(t)+")")
	default:
		if inner == "" {
			return w.base(t)
		}
		return w.base(t) + " " + inner
	}
}

// bound is the bound of an array, `[]` where there is none.
func bound(n int64) string {
	if n < 0 {
		return "[]"
	}
	return "[" + strconv.FormatInt(n, 10) + "]"
}

// calling is the calling convention of a function type, ready to stand before
// a declarator.
func (w writer) calling(t *ir.Type) string {
	if t.Kind == ir.Func && t.Stdcall && w.convention != "" {
		return w.convention + " "
	}
	return ""
}

func (w writer) params(t *ir.Type) string {
	if len(t.Params) == 0 && !t.Variadic {
		return "void"
	}
	list := make([]string, 0, len(t.Params)+1)
	for _, p := range t.Params {
		list = append(list, w.declare(p.Type, p.Name))
	}
	if t.Variadic {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}
