package ir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func basic(name string) *Type { return &Type{Kind: Basic, Name: name} }

func named(name string) *Type { return &Type{Kind: Named, Name: name} }

func (t *Type) pointer() *Type { return &Type{Kind: Pointer, Elem: t} }

func constant(t *Type) *Type {
	c := *t
	c.Const = true
	return &c
}

func array(n int64, elem *Type) *Type { return &Type{Kind: Array, Elem: elem, Len: n} }

func function(result *Type, params ...Param) *Type {
	return &Type{Kind: Func, Elem: result, Params: params}
}

func tagged(tag, name string) *Type { return &Type{Kind: Named, Tag: tag, Name: name} }

var typeCases = []struct {
	text string
	typ  *Type
}{
	{"void", Void},
	{"int", basic("int")},
	{"unsigned long long", basic("unsigned long long")},
	{"unsigned __int128", basic("unsigned __int128")},
	{"_Bool", basic("_Bool")},
	{"double _Complex", basic("double _Complex")},
	{"size_t", named("size_t")},
	{"struct CUctx_st", tagged("struct", "CUctx_st")},
	{"union u", tagged("union", "u")},
	{"enum CUresult_enum", tagged("enum", "CUresult_enum")},
	{"Parent.field", named("Parent.field")},
	{"structure", named("structure")},
	{"constant", named("constant")},
	{"integer", named("integer")},
	{"const char*", constant(basic("char")).pointer()},
	{"const unsigned char**", constant(basic("unsigned char")).pointer().pointer()},
	{"char*const", constant(basic("char").pointer())},
	{"const char*const*", constant(constant(basic("char")).pointer()).pointer()},
	{"const struct s*", constant(tagged("struct", "s")).pointer()},
	{"int[4]", array(4, basic("int"))},
	{"int[0]", array(0, basic("int"))},
	{"int[]", array(-1, basic("int"))},
	{"int[2][3]", array(2, array(3, basic("int")))},
	{"int[][3]", array(-1, array(3, basic("int")))},
	{"int*[4]", array(4, basic("int").pointer())},
	{"int[4]*", array(4, basic("int")).pointer()},
	{"int[2]*[3]", array(3, array(2, basic("int")).pointer())},
	{"const char*const[2]", array(2, constant(constant(basic("char")).pointer()))},
	{"int()", function(basic("int"))},
	{"int()*", function(basic("int")).pointer()},
	{"int()**", function(basic("int")).pointer().pointer()},
	{"int()*[8]", array(8, function(basic("int")).pointer())},
	{"void(int, char*)", function(Void, Param{"", basic("int")}, Param{"", basic("char").pointer()})},
	{"void(unsigned int flags, CUstream hStream)", function(Void, Param{"flags", basic("unsigned int")}, Param{"hStream", named("CUstream")})},
	{"void(int fd, ...)", &Type{Kind: Func, Elem: Void, Params: []Param{{"fd", basic("int")}}, Variadic: true}},
	{"void(...)", &Type{Kind: Func, Elem: Void, Variadic: true}},
	{"CUresult(stdcall:)", &Type{Kind: Func, Elem: named("CUresult"), Stdcall: true}},
	{"void(stdcall:CUstream s, void* p)*", (&Type{Kind: Func, Elem: Void, Stdcall: true, Params: []Param{{"s", named("CUstream")}, {"p", Void.pointer()}}}).pointer()},
	{"int(void(int status, void* data)* callback)", function(basic("int"), Param{"callback", function(Void, Param{"status", basic("int")}, Param{"data", Void.pointer()}).pointer()})},
	{"int(char)*(long)*", function(function(basic("int"), Param{"", basic("char")}).pointer(), Param{"", basic("long")}).pointer()},
	{"void(const char*const* options, int*const last)", function(Void,
		Param{"options", constant(constant(basic("char")).pointer()).pointer()},
		Param{"last", constant(basic("int").pointer())})},
}

func TestTypesAreWrittenAndReadBack(t *testing.T) {
	for _, c := range typeCases {
		t.Run(c.text, func(t *testing.T) {
			if got := c.typ.String(); got != c.text {
				t.Errorf("String() = %q, want %q", got, c.text)
			}
			got, err := ParseType(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.typ, got); diff != "" {
				t.Errorf("ParseType (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryTypeEqualsItselfAlone(t *testing.T) {
	for i, a := range typeCases {
		for j, b := range typeCases {
			if got := a.typ.Equal(b.typ); got != (i == j) {
				t.Errorf("%s equal to %s: %v", a.text, b.text, got)
			}
		}
	}
	var none *Type
	if none.Equal(Void) || Void.Equal(none) || !none.Equal(nil) {
		t.Error("nil is equal to nil alone")
	}
}

func TestWrongTypesSayWhere(t *testing.T) {
	deep := strings.Repeat("int(", 100)
	for _, c := range []struct{ text, want string }{
		{"", `type "": expected a type name at character 1, found the end`},
		{" int", `type " int": expected a type name at character 1, found " int"`},
		{"int ", `type "int ": expected end of the type at character 4, found " "`},
		{"int x", `type "int x": expected end of the type at character 4, found " x"`},
		{"size_t int", `type "size_t int": expected end of the type at character 7, found " int"`},
		{"*int", `type "*int": expected a type name at character 1, found "*int"`},
		{"int * ", `type "int * ": expected end of the type at character 4, found " * "`},
		{"const", `type "const": expected a type name at character 1, found "const"`},
		{"const const int", `type "const const int": expected a type name at character 7, found "const int"`},
		{"int const", `type "int const": expected end of the type at character 4, found " const"`},
		{"struct", `type "struct": expected a type name at character 1, found "struct"`},
		{"struct union u", `type "struct union u": expected a type name at character 8, found "union u"`},
		{"struct int", `type "struct int": expected a type name at character 8, found "int"`},
		{"4", `type "4": expected a type name at character 1, found "4"`},
		{"int*constant", `type "int*constant": expected end of the type at character 10, found "ant"`},
		{"int[4", "type \"int[4\": expected `]` at character 6, found the end"},
		{"int[-1]", "type \"int[-1]\": expected `]` at character 5, found \"-1]\""},
		{"int[n]", `type "int[n]": expected an array length at character 5, found "n]"`},
		{"int[99999999999999999999]", `type "int[99999999999999999999]": expected an array length at character 5, found "99999999999999999999]"`},
		{"int(", `type "int(": expected a type name at character 5, found the end`},
		{"int(int", "type \"int(int\": expected `, ` or `)` at character 8, found the end"},
		{"int(int,char)", "type \"int(int,char)\": expected `, ` or `)` at character 8, found \",char)\""},
		{"int(int, )", `type "int(int, )": expected a type name at character 10, found ")"`},
		{"int(int )", `type "int(int )": expected a parameter name at character 9, found ")"`},
		{"int(int 4)", `type "int(int 4)": expected a parameter name at character 9, found "4)"`},
		{"int(..., int)", "type \"int(..., int)\": expected `)` at character 8, found \", int)\""},
		{"int()x", `type "int()x": expected end of the type at character 6, found "x"`},
		{"größe", `type "größe": expected end of the type at character 3, found "öße"`},
		{deep, "type of 400 characters is nested deeper than 64"},
		{"int" + strings.Repeat("*", 100), "type of 103 characters is nested deeper than 64"},
		{"int" + strings.Repeat("[1]", 100), "type of 303 characters is nested deeper than 64"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := ParseType(c.text)
			if err == nil {
				t.Fatal("accepted")
			}
			if err.Error() != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

func TestBasicNameKnowsTheWordsOfTheLanguage(t *testing.T) {
	for name, want := range map[string]bool{
		"int": true, "unsigned long": true, "_Bool": true, "size_t": false, "": false, "unsigned size_t": false, "int ": false,
	} {
		if got := BasicName(name); got != want {
			t.Errorf("BasicName(%q) = %v", name, got)
		}
	}
}

func TestBaseIsWhatPointersAndArraysLeadTo(t *testing.T) {
	for text, want := range map[string]string{
		"int": "int", "const char*const*": "const char", "CUuuid[2][3]*": "CUuuid", "int(char* p)*[2]": "int(char* p)",
	} {
		typ, err := ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := typ.Base().String(); got != want {
			t.Errorf("base of %s = %s, want %s", text, got, want)
		}
	}
}

func TestWalkSeesEveryTypeInside(t *testing.T) {
	typ, err := ParseType("CUresult(char*[2] names, void(int)* f)")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	typ.Walk(func(t *Type) { got = append(got, t.String()) })
	want := []string{
		"CUresult(char*[2] names, void(int)* f)", "CUresult",
		"char*[2]", "char*", "char",
		"void(int)*", "void(int)", "void", "int",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyVoidItselfIsVoid(t *testing.T) {
	if !Void.IsVoid() || !constant(Void).IsVoid() || Void.pointer().IsVoid() || named("void").IsVoid() {
		t.Error("void is the basic type of that name")
	}
}
