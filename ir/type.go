package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind says which of the closed set of C types a [Type] is.
type Kind uint8

// The kinds of type. There is no kind for records and enums: they are Named,
// and their definitions are entities of their own.
const (
	Basic   Kind = iota // a type of the language: Name is its spelling, "unsigned int"
	Named               // a typedef (Tag empty) or a tag ("struct", "union", "enum")
	Pointer             // pointer to Elem
	Array               // array of Len Elem; Len is -1 where the header gives no bound
	Func                // function that returns Elem and takes Params
)

// Type is a C type. A nil *Type is void only as the result of nothing: void
// itself is Basic with the name "void".
type Type struct {
	Kind  Kind
	Const bool // this level is const: for `char *const p` the Pointer is, for `const char *p` the char is
	Name  string
	Tag   string // "struct", "union" or "enum" for a Named type that is reached by its tag

	Elem     *Type
	Len      int64
	Params   []Param
	Variadic bool
	// Stdcall is the calling convention of the targets that have one of that
	// name; elsewhere the header's macro expands to nothing.
	Stdcall bool
}

// Param is a parameter of a function. Name is empty where the header gives
// none.
type Param struct {
	Name string
	Type *Type
}

// Void is the type without values.
var Void = &Type{Kind: Basic, Name: "void"}

// String writes the type in postfix notation: a base type followed by `*` for
// a pointer, `[n]` for an array and `(params)` for a function, each applied to
// all that stands before it. A pointer to a function that takes nothing and
// returns int is `int()*`, an array of four pointers `int*[4]`, a pointer to an array
// `int[4]*`. `const` stands before a base type and after a `*`. Neighbouring
// array bounds are in C's order. [ParseType] reads it back.
func (t *Type) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *Type) write(b *strings.Builder) {
	switch t.Kind {
	case Basic, Named:
		if t.Const {
			b.WriteString("const ")
		}
		if t.Tag != "" {
			b.WriteString(t.Tag)
			b.WriteByte(' ')
		}
		b.WriteString(t.Name)
	case Pointer:
		t.Elem.write(b)
		b.WriteByte('*')
		if t.Const {
			b.WriteString("const")
		}
	case Array:
		base := t
		for base.Kind == Array {
			base = base.Elem
		}
		base.write(b)
		for a := t; a.Kind == Array; a = a.Elem {
			b.WriteByte('[')
			if a.Len >= 0 {
				b.WriteString(strconv.FormatInt(a.Len, 10))
			}
			b.WriteByte(']')
		}
	case Func:
		t.Elem.write(b)
		b.WriteByte('(')
		if t.Stdcall {
			b.WriteString("stdcall:")
		}
		for i, p := range t.Params {
			if i > 0 {
				b.WriteString(", ")
			}
			p.Type.write(b)
			if p.Name != "" {
				b.WriteByte(' ')
				b.WriteString(p.Name)
			}
		}
		if t.Variadic {
			if len(t.Params) > 0 {
				b.WriteString(", ")
			}
			b.WriteString("...")
		}
		b.WriteByte(')')
	default:
		panic(fmt.Sprintf("ir: type of kind %d", t.Kind))
	}
}

// Equal reports whether two types are the same at every level, parameter
// names inside function types included.
func (t *Type) Equal(u *Type) bool {
	if t == nil || u == nil {
		return t == u
	}
	if t.Kind != u.Kind || t.Const != u.Const || t.Name != u.Name || t.Tag != u.Tag ||
		t.Len != u.Len || t.Variadic != u.Variadic || t.Stdcall != u.Stdcall || len(t.Params) != len(u.Params) {
		return false
	}
	for i, p := range t.Params {
		if p.Name != u.Params[i].Name || !p.Type.Equal(u.Params[i].Type) {
			return false
		}
	}
	return t.Elem.Equal(u.Elem)
}

// Base is the basic, named or function type at the bottom of pointers and
// arrays.
func (t *Type) Base() *Type {
	for t.Kind == Pointer || t.Kind == Array {
		t = t.Elem
	}
	return t
}

// Walk calls f for t and every type inside it.
func (t *Type) Walk(f func(*Type)) {
	f(t)
	if t.Elem != nil {
		t.Elem.Walk(f)
	}
	for _, p := range t.Params {
		p.Type.Walk(f)
	}
}

// IsVoid reports whether t is void itself.
func (t *Type) IsVoid() bool { return t.Kind == Basic && t.Name == "void" }
