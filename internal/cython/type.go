package cython

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// qualifiers are words of a declaration that are no part of the type's name.
var qualifiers = map[string]bool{
	"const": true, "volatile": true, "noexcept": true, "nogil": true, "except": true, "inline": true, "public": true,
	"readonly": true, "extern": true, "api": true, "struct": true, "union": true, "enum": true, "gil": true, "with": true,
	"signed": false, "packed": true,
}

// parseType reads the tokens of a type, or of a declaration without its name.
func parseType(tokens []syntax.Token) *syntax.Type {
	t := &syntax.Type{}
	depth := 0
	for i := range tokens {
		n := &tokens[i]
		switch {
		case n.Is("(") || n.Is("["):
			if n.Text == "(" && depth == 0 {
				t.Func = true
			} else if depth == 0 && t.Name != "" && n.Text == "[" && (i+1 < len(tokens) && (tokens[i+1].Kind == syntax.Number || tokens[i+1].Is("]"))) {
				t.Array = true
			}
			depth++
		case n.Is(")") || n.Is("]"):
			depth--
		case depth > 0:
		case n.Is("*") || n.Is("&"):
			t.Pointers++
			t.TopConst = false
		case n.Is("**"):
			t.Pointers += 2
			t.TopConst = false
		case n.Is("const"):
			t.Const = t.Const || t.Pointers == 0
			t.TopConst = true
		case n.Is("volatile"):
			t.Volatile = true
		case n.Is("extern"):
			t.Extern = true
		case n.Kind == syntax.Name && n.Is("atomic"):
			t.Atomic, t.Name = true, n.Text
		case n.Kind == syntax.Name && !qualifiers[n.Text] && !t.Func:
			t.Name = n.Text
		}
	}
	return t
}
