package cgen

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func parseType(t *testing.T, s string) *ir.Type {
	t.Helper()
	typ, err := ir.ParseType(s)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestDeclareWritesFromTheInsideOut(t *testing.T) {
	for _, c := range []struct{ typ, name, want string }{
		{"int", "x", "int x"},
		{"unsigned long long", "", "unsigned long long"},
		{"const char*", "s", "const char *s"},
		{"char*const", "s", "char *const s"},
		{"const char*const*", "s", "const char *const *s"},
		{"char*const", "", "char *const"},
		{"struct demo_st**", "p", "struct demo_st **p"},
		{"enum demo_kind", "k", "enum demo_kind k"},
		{"int[4]", "a", "int a[4]"},
		{"int[4][2]", "a", "int a[4][2]"},
		{"int[]", "a", "int a[]"},
		{"int*[4]", "a", "int *a[4]"},
		{"int[4]*", "p", "int (*p)[4]"},
		{"int[4]*", "", "int (*)[4]"},
		{"const int[4]*const", "p", "const int (*const p)[4]"},
		{"int(void)", "f", "int f(void)"},
		{"int()", "f", "int f(void)"},
		{"int(int a, const char* b)", "f", "int f(int a, const char *b)"},
		{"int(int, ...)", "f", "int f(int, ...)"},
		{"int(int)", "", "int (int)"},
		{"int(int)*", "p", "int (*p)(int)"},
		{"int(int)*", "", "int (*)(int)"},
		{"int(int)*const", "p", "int (*const p)(int)"},
		{"int(int)*[3]", "p", "int (*p[3])(int)"},
		{"void(int)*(char c)", "f", "void (*f(char c))(int)"},
		{"void(int)*(char c)*", "p", "void (*(*p)(char c))(int)"},
		{"void(void(int)* callback, void* data)", "f", "void f(void (*callback)(int), void *data)"},
	} {
		typ := parseType(t, c.typ)
		if c.typ == "int(void)" { // void as a parameter is the parser's work to drop
			typ = parseType(t, "int()")
		}
		if diff := cmp.Diff(c.want, Declare(typ, c.name)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.typ, c.name, diff)
		}
	}
}

func TestCallingConventionStandsBeforeTheDeclarator(t *testing.T) {
	w := writer{convention: "CALL"}
	for _, c := range []struct{ typ, name, want string }{
		{"int(stdcall:int)", "f", "int CALL f(int)"},
		{"int(stdcall:int)*", "p", "int (CALL *p)(int)"},
		{"int(stdcall:int)*", "", "int (CALL *)(int)"},
		{"int(int)*", "p", "int (*p)(int)"},
	} {
		if diff := cmp.Diff(c.want, w.declare(parseType(t, c.typ), c.name)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.typ, c.name, diff)
		}
	}
}

func TestIntegerConstantsKeepTheirValue(t *testing.T) {
	for v, want := range map[ir.Integer]string{
		"0": "0", "-1": "-1", "2147483647": "2147483647", "-2147483648": "(-2147483647 - 1)",
		"2147483648": "2147483648LL", "4294967295": "4294967295LL", "4294967296": "4294967296LL",
		"-2147483649": "-2147483649LL", "9223372036854775807": "9223372036854775807LL",
		"9223372036854775808": "9223372036854775808ULL", "18446744073709551615": "18446744073709551615ULL",
		"-9223372036854775808": "(-9223372036854775807LL - 1)",
	} {
		if got := integer(v); got != want {
			t.Errorf("%s is written %s, want %s", v, got, want)
		}
	}
}

func TestStringConstantsKeepTheirBytes(t *testing.T) {
	if diff := cmp.Diff(`"a\0421\134\077\000\377"`, text("a\"1\\?\x00\xff")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
