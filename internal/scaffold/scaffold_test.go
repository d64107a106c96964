package scaffold

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func TestScalars(t *testing.T) {
	for text, want := range map[string]string{
		"1.0.0": `1.0.0`, "1.0.0..2.0.0": `1.0.0..2.0.0`, "1.0": `"1.0"`, "1": `"1"`, "1.0..2.0": `1.0..2.0`, "0x10": `"0x10"`, "1e5.0": `"1e5.0"`,
		"demo.h": `demo.h`, "NULL": `"NULL"`, "no": `"no"`, "-1": `"-1"`, "": `""`, "a: b": `"a: b"`, `say "a\b"`: `"say \"a\\b\""`, "a\nb": `"a\u000ab"`, "é": `"é"`,
	} {
		if got := scalar(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestResultsAreGuessed(t *testing.T) {
	enum := func(name string, tagged bool, names ...string) ir.Enum {
		e := ir.Enum{Name: name, Tagged: tagged}
		for i, n := range names {
			e.Enumerators = append(e.Enumerators, ir.Enumerator{Name: n, Value: ir.Integer(string(rune('0' + i)))})
		}
		return e
	}
	s := &ir.Snapshot{API: ir.API{
		Enums: []ir.Enum{
			enum("status_enum", true, "OK", "INVALID", "ERROR_NOT_FOUND"), enum("plain", false, "OK", "ERR_OTHER"), enum("quiet", true, "A", "B", "C"),
			enum("trap", true, "ERROR_NONE", "HOT", "COLD"), enum("one", true, "ONLY"), enum("empty", true), enum("badge", true, "NONE", "BADGE", "UNKNOWN"),
			enum("error", true, "errorNone", "errorJitCompilerNotFound", "errorNotFound", "errorSymbolNotFound"),
		},
		Typedefs: []ir.Typedef{
			{Name: "status", Type: &ir.Type{Kind: ir.Named, Tag: "enum", Name: "status_enum"}}, {Name: "again", Type: &ir.Type{Kind: ir.Named, Name: "status"}},
			{Name: "handle", Type: &ir.Type{Kind: ir.Pointer, Elem: &ir.Type{Kind: ir.Named, Tag: "struct", Name: "s"}}},
			{Name: "number", Type: &ir.Type{Kind: ir.Basic, Name: "unsigned int"}}, {Name: "round", Type: &ir.Type{Kind: ir.Named, Name: "round"}},
		},
	}}
	for _, c := range []struct{ result, want string }{
		{"status", "ERROR_NOT_FOUND"}, {"again", "ERROR_NOT_FOUND"}, {"enum status_enum", "ERROR_NOT_FOUND"}, {"plain", "ERR_OTHER"}, {"enum quiet", "C"}, {"enum trap", "COLD"},
		{"enum one", "ONLY"}, {"enum empty", ""}, {"enum badge", "UNKNOWN"}, {"enum error", "errorSymbolNotFound"}, {"enum missing", ""}, {"struct s", ""}, {"handle", "NULL"}, {"number", "0"}, {"round", ""},
		{"int", "-1"}, {"long long", "-1"}, {"unsigned char", "0"}, {"float", "-1.0"}, {"long double", "-1.0"}, {"double _Complex", ""},
		{"size_t", "0"}, {"uint64_t", "0"}, {"int32_t", "-1"}, {"ssize_t", "-1"}, {"_Bool", "0"}, {"FILE", ""},
	} {
		result, err := ir.ParseType(c.result)
		if err != nil {
			t.Fatal(err)
		}
		s.Functions = []ir.Function{{Name: "f", Symbol: "f", Type: &ir.Type{Kind: ir.Func, Elem: result}}}
		values, without := Results(s)
		if values[c.result] != c.want || (c.want == "") != (without["f"] != "") {
			t.Errorf("%s: %q %q, want %q", c.result, values, without, c.want)
		}
	}
	for _, result := range []string{"void", "char*"} {
		elem, err := ir.ParseType(result)
		if err != nil {
			t.Fatal(err)
		}
		s.Functions = []ir.Function{{Name: "f", Symbol: "f", Type: &ir.Type{Kind: ir.Func, Elem: elem}}}
		values, without := Results(s)
		if d := cmp.Diff(map[string]string{}, values); d != "" || len(without) > 0 {
			t.Errorf("%s needs no value: %s %v", result, d, without)
		}
	}
}
