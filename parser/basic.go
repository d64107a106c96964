package parser

import (
	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// words counts the keywords that a basic type is spelt with.
type words struct {
	void, char, short, int, long, signed, unsigned, float, double, bool int
}

// add counts a keyword, if it is one that a basic type is spelt with.
func (w *words) add(keyword string) bool {
	switch keyword {
	case "void":
		w.void++
	case "char":
		w.char++
	case "short":
		w.short++
	case "int":
		w.int++
	case "long":
		w.long++
	case "signed", "__signed", "__signed__":
		w.signed++
	case "unsigned":
		w.unsigned++
	case "float":
		w.float++
	case "double":
		w.double++
	case "_Bool":
		w.bool++
	default:
		return false
	}
	return true
}

// name is the one spelling that the model uses for the type.
func (w words) name() string {
	sign := ""
	if w.unsigned > 0 {
		sign = "unsigned "
	}
	switch {
	case w.void > 0:
		return "void"
	case w.bool > 0:
		return "_Bool"
	case w.char > 0 && w.signed > 0:
		return "signed char"
	case w.char > 0:
		return sign + "char"
	case w.float > 0:
		return "float"
	case w.double > 0 && w.long > 0:
		return "long double"
	case w.double > 0:
		return "double"
	case w.short > 0:
		return sign + "short"
	case w.long > 1:
		return sign + "long long"
	case w.long > 0:
		return sign + "long"
	}
	return sign + "int"
}

// basic gives a type of the language.
func basic(name string) *ir.Type {
	if name == ir.Void.Name {
		return ir.Void
	}
	return &ir.Type{Kind: ir.Basic, Name: name}
}

// kindNames are the model's spellings of the front end's types.
var kindNames = map[cc.Kind]string{
	cc.Bool: "_Bool", cc.Void: "void",
	cc.Char: "char", cc.SChar: "signed char", cc.UChar: "unsigned char",
	cc.Short: "short", cc.UShort: "unsigned short",
	cc.Int: "int", cc.UInt: "unsigned int",
	cc.Long: "long", cc.ULong: "unsigned long",
	cc.LongLong: "long long", cc.ULongLong: "unsigned long long",
	cc.Float: "float", cc.Double: "double", cc.LongDouble: "long double",
}
