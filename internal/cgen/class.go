package cgen

import (
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// class is what a type is to the stub, through typedefs.
type class int

const (
	unknown class = iota
	void
	character // and bytes
	integral
	floating
	enumeration
	pointer
	aggregate
	function
)

func (n *names) class(t *ir.Type) class {
	t = n.resolve(t)
	basic := t.Name
	switch t.Kind {
	case ir.Pointer:
		return pointer
	case ir.Func:
		return function
	case ir.Array:
		return unknown
	case ir.Named:
		switch {
		case n.enum(t) != nil:
			return enumeration
		case n.record(t) != nil || t.Tag == "struct" || t.Tag == "union":
			return aggregate
		}
		if basic = standard[key(t)].like; basic == "" {
			return unknown
		}
	}
	switch {
	case basic == "void":
		return void
	case strings.HasSuffix(basic, "char"):
		return character
	case strings.HasSuffix(basic, "float"), strings.HasSuffix(basic, "double"):
		return floating
	case strings.Contains(basic, "_Complex"), strings.Contains(basic, "__int128"):
		return aggregate // its bytes say it
	}
	return integral
}

// put is the macro that records a parameter.
func (n *names) put(t *ir.Type) (string, bool) {
	switch n.class(t) {
	case character, integral, enumeration:
		return "INTEGER", true
	case floating:
		return "FLOAT", true
	case pointer:
		return "POINTER", true
	case aggregate:
		return "BYTES", true
	}
	return "", false
}

// decayed is the type that a parameter has in C where it is declared with an
// array or a function type.
func decayed(t *ir.Type) *ir.Type {
	switch t.Kind {
	case ir.Array:
		return &ir.Type{Kind: ir.Pointer, Elem: t.Elem}
	case ir.Func:
		return &ir.Type{Kind: ir.Pointer, Elem: t}
	}
	return t
}
