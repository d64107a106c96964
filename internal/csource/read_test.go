package csource

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

func show(e *syntax.Expr) string {
	if e == nil {
		return "-"
	}
	list := func(es []*syntax.Expr) string {
		var parts []string
		for _, x := range es {
			parts = append(parts, show(x))
		}
		return strings.Join(parts, " ")
	}
	switch e.Op {
	case syntax.Ident, syntax.Literal, syntax.Null, syntax.Str:
		return e.Text
	case syntax.Call:
		return "(call " + show(e.X) + " " + list(e.Args) + ")"
	case syntax.Index:
		return "(at " + show(e.X) + " " + list(e.Args) + ")"
	case syntax.Member:
		if e.Y != nil {
			return show(e.X) + "->" + e.Text
		}
		return show(e.X) + "." + e.Text
	case syntax.Unary, syntax.IncDec:
		return "(" + e.Text + " " + show(e.X) + ")"
	case syntax.Binary, syntax.Assign:
		return "(" + e.Text + " " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.And, syntax.Or:
		return "(" + e.Text + " " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.Cond:
		return "(? " + show(e.Args[0]) + " " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.Cast:
		return fmt.Sprintf("(cast %s%s %s)", e.Type.Name, strings.Repeat("*", e.Type.Pointers), show(e.X))
	case syntax.List:
		return "{" + list(e.Args) + "}"
	case syntax.New:
		return "(new " + e.Type.Name + " " + list(e.Args) + ")"
	case syntax.Comma:
		return "(, " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.SizeOf:
		return "size"
	}
	return "?"
}

func unit(t *testing.T, text string) *Unit {
	t.Helper()
	v := Variants([]Text{{Text: text}})
	if len(v) != 1 {
		t.Fatalf("%d variants of %q", len(v), text)
	}
	return ParseUnit(v[0])
}

func TestExpressions(t *testing.T) {
	for source, want := range map[string]string{
		"a + b * c":                         "(+ a (* b c))",
		"a || b && !c":                      "(|| a (&& b (not c)))",
		"a ? b : c ? d : e":                 "(? a b (? c d e))",
		"a = b += c":                        "(= a (+= b c))",
		"*p++":                              "(* (++ p))",
		"&x->y[3].z":                        "(& (at x->y 3).z)",
		"(T *)p":                            "(cast T* p)",
		"(T *volatile *)&p":                 "(cast T** (& p))",
		"(unsigned long long)x + 1":         "(+ (cast unsigned x) 1)",
		"(a)*b":                             "(* a b)",
		"(a)(b)":                            "(call a b)",
		"(HANDLE)library":                   "(cast HANDLE library)",
		"(fn_t)find(\"x\" \"y\")":           "(cast fn_t (call find \"x\"))",
		"sizeof(T) * 2":                     "(* size 2)",
		"sizeof a[0] + 1":                   "(+ size 1)",
		"f(a, (b, c))":                      "(call f a (, b c))",
		"std::atomic_load(&x)":              "(call atomic_load (& x))",
		"static_cast<T *>(p)":               "(cast T* p)",
		"x.load(std::memory_order_acquire)": "(call x.load memory_order_acquire)",
		"new T(1)":                          "(new T 1)",
		"a < b > c":                         "(> (< a b) c)",
		"1'000 + 0x1e+3":                    "(+ 1'000 0x1e+3)",
		"!a == b":                           "(== (not a) b)",
		"(void)a, b":                        "(, (cast void a) b)",
		"a ? (b) : (c)":                     "(? a b c)",
	} {
		u := unit(t, "typedef int T; typedef void (*fn_t)(void);\nvoid f(int a, int b, int c) {\n  "+source+";\n}\n")
		if len(u.Problems) > 0 {
			t.Errorf("%s: %v", source, u.Problems)
			continue
		}
		if got := show(u.Funcs[0].Body[0].X); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

func TestDeclarations(t *testing.T) {
	u := unit(t, `
typedef struct node { int a; struct node *next; } node_t;
enum { ONE = 1, TWO };
extern "C" {
static const node_t first = { 1, 0 }, *second, third[2] = { { 1 }, { 2 } };
}
namespace hidden { static std::atomic<node_t *> current{nullptr}; }
static int (*const callback)(int, char *) = 0;
static _Atomic(node_t *) shared;
_Thread_local int mine;
int declared(node_t *n);
static inline node_t *defined(const char *name, int (*f)(void), int list[]) {
    static int calls;
    node_t *n = &third[0], **p;
    for (int i = 0; i < 2; i++)
        n = n->next;
    if (node_t *m = n) { return m; }
    return n;
}
template <typename T> struct box { static T kept; T get() const { return kept; } };
static struct { int x; } unnamed = { 3 };
`)
	if len(u.Problems) > 0 {
		t.Fatal(u.Problems)
	}
	var vars []string
	for _, v := range u.Vars {
		vars = append(vars, fmt.Sprintf("%s %s%s array:%t func:%t const:%t topconst:%t atomic:%t thread:%t = %s", v.Text, v.Type.Name,
			strings.Repeat("*", v.Type.Pointers), v.Type.Array, v.Type.Func, v.Type.Const, v.Type.TopConst, v.Type.Atomic, v.Type.Thread, show(v.Y)))
	}
	want := []string{
		"first node_t array:false func:false const:true topconst:true atomic:false thread:false = {}",
		"second node_t* array:false func:false const:true topconst:false atomic:false thread:false = -",
		"third node_t array:true func:false const:true topconst:true atomic:false thread:false = {}",
		"current atomic array:false func:false const:false topconst:false atomic:true thread:false = {nullptr}",
		"callback int* array:false func:true const:false topconst:true atomic:false thread:false = 0",
		"shared _Atomic array:false func:false const:false topconst:false atomic:true thread:false = -",
		"mine int array:false func:false const:false topconst:false atomic:false thread:true = -",
		"kept T array:false func:false const:false topconst:false atomic:false thread:false = -",
		"unnamed  array:false func:false const:false topconst:false atomic:false thread:false = {}",
	}
	if d := cmp.Diff(want, vars); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
	var funcs []string
	for _, f := range u.Funcs {
		var params []string
		for _, p := range f.Params {
			params = append(params, p.Name)
		}
		funcs = append(funcs, fmt.Sprintf("%s(%s) inline:%t statements:%d", f.Name, strings.Join(params, " "), f.Inline, len(f.Body)))
	}
	if d := cmp.Diff([]string{"defined(name f list) inline:true statements:6", "get() inline:false statements:1"}, funcs); d != "" {
		t.Errorf("functions (-want +got):\n%s", d)
	}
	if !u.Declared["declared"] || !u.Enumerators["TWO"] || !u.Types["node_t"] || u.Types["first"] {
		t.Errorf("declared %v, enumerators %v, types %v", u.Declared, u.Enumerators, u.Types)
	}
}

func TestVariantsAreTheOutcomesOfConditions(t *testing.T) {
	text := `#if defined(_WIN32) && !defined(X)
a
#elif defined(_WIN32)
b
#else
c
#endif
#ifdef _WIN32
d
#endif
#if 0
e
#endif
`
	var got []string
	for _, v := range Variants([]Text{{Text: text}}) {
		var words []string
		for _, tok := range v.Tokens {
			words = append(words, tok.Text)
		}
		got = append(got, strings.Join(words, " ")+" if "+strings.Join(v.Taken, ", "))
	}
	slices.Sort(got)
	want := []string{
		"a d if defined ( _WIN32 ), ! defined ( X ), defined ( _WIN32 )",
		"b d if defined ( _WIN32 ), defined ( X ), defined ( _WIN32 ), defined ( _WIN32 )",
		"c if ! defined ( _WIN32 ), ! defined ( _WIN32 ), ! defined ( _WIN32 )",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("variants (-want +got):\n%s", d)
	}
}

func TestMacros(t *testing.T) {
	for source, want := range map[string]string{
		"#define A 1\nA B":                             "1 B",
		"#define F(x, y) x + y\nF(1, (2, 3)) F":        "1 + ( 2 , 3 ) F",
		"#define CAT(a, b) a##b\nCAT(x, 1)":            "x1",
		"#define A B\n#define B A\nA":                  "A",
		"#define S(x) #x\nS(a b)":                      `"a b"`,
		"#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2)": "g ( 1 , 2 )",
		"#define F() x\nF() F ()":                      "x x",
		"#define A \\\n  1 \\\n  2\nA":                 "1 2",
		"#define ID(x) x\n#define A ID(ID)(3)\nA":      "ID ( 3 )",
	} {
		v := Variants([]Text{{Text: source}})
		var words []string
		for _, tok := range v[0].Tokens {
			words = append(words, tok.Text)
		}
		if got := strings.Join(words, " "); got != want || len(v[0].Problems) > 0 {
			t.Errorf("%q gives %q, want %q %v", source, got, want, v[0].Problems)
		}
	}
}

func TestProblemsHavePlaces(t *testing.T) {
	for source, want := range map[string]string{
		"int f(void) {\n  return 1\n}":   "3:1 expected ;, not }",
		"/* x":                           "1:1 a comment does not end",
		"char *s = \"a\nb;":              "1:11 a string does not end on its line",
		"#if A\n":                        "1:1 #if without #endif",
		"#endif\n":                       "1:1 #endif without #if",
		"void f(void) { g(1; }":          "1:19 expected ), not ;",
		"void f(void) { x = ({ 1; }); }": "1:27 a statement inside an expression cannot be followed",
		"#frob\n":                        "1:1 unknown directive #frob",
		"#include <x\n#frob\n":           "2:1 unknown directive #frob",
		"void f(int a, = 3) {}":          "1:15 a default argument cannot be followed",
		"#if " + strings.Repeat("!", 99) + "\n#endif\n#frob\n":                                      "3:1 unknown directive #frob",
		"#if " + strings.Repeat("!", 100) + "\n#endif\n#frob\n":                                     "3:1 unknown directive #frob",
		"void f(void) { g(()1); }":                                                                  "1:19 expected an expression, not )",
		"void f(void) { x = " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000) + "; }": "1:152 nested too deeply",
	} {
		var problems []syntax.Problem
		for _, v := range Variants([]Text{{Text: source}}) {
			problems = append(problems, ParseUnit(v).Problems...)
		}
		if len(problems) == 0 {
			t.Errorf("%.40q: no problem, want %s", source, want)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s", problems[0].Line, problems[0].Col, problems[0].Message); got != want {
			t.Errorf("%.40q: %s, want %s", source, got, want)
		}
	}
}
