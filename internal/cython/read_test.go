package cython

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// show writes an expression so that its structure can be read.
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
	case syntax.Ident, syntax.Literal, syntax.Null:
		return e.Text
	case syntax.Str:
		if len(e.Args) > 0 {
			return "(f " + list(e.Args) + ")"
		}
		return e.Text
	case syntax.Call:
		return "(call " + show(e.X) + " " + list(e.Args) + ")"
	case syntax.Keyword:
		return e.Text + "=" + show(e.X)
	case syntax.Index:
		return "(at " + show(e.X) + " " + list(e.Args) + ")"
	case syntax.Member:
		return show(e.X) + "." + e.Text
	case syntax.Unary:
		return "(" + e.Text + " " + show(e.X) + ")"
	case syntax.Binary, syntax.Assign:
		return "(" + e.Text + " " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.And:
		return "(and " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.Or:
		return "(or " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.Cond:
		return "(if " + show(e.Args[0]) + " " + show(e.X) + " " + show(e.Y) + ")"
	case syntax.Cast:
		return fmt.Sprintf("(cast %s%s %s)", e.Type.Name, strings.Repeat("*", e.Type.Pointers), show(e.X))
	case syntax.List:
		return "[" + list(e.Args) + "]"
	case syntax.Tuple:
		return "(tuple " + list(e.Args) + ")"
	case syntax.Dict:
		return "{" + list(e.Args) + "}"
	case syntax.Comp:
		return "(" + e.Text + " " + show(e.X) + " " + show(e.Y) + " " + list(e.Args) + ")"
	case syntax.Lambda:
		return "(lambda " + list(e.Args) + ": " + show(e.X) + ")"
	case syntax.New:
		return "(new " + e.Type.Name + " " + list(e.Args) + ")"
	case syntax.Star, syntax.Yield:
		return "(* " + show(e.X) + ")"
	case syntax.Slice:
		return "(slice " + list(e.Args) + ")"
	case syntax.SizeOf:
		return "size"
	}
	return "?"
}

func TestExpressions(t *testing.T) {
	for source, want := range map[string]string{
		"a + b * c":                 "(+ a (* b c))",
		"a or b and not c":          "(or a (and b (not c)))",
		"not a == b":                "(not (== a b))",
		"x is not None":             "(is not x None)",
		"x not in y":                "(not in x y)",
		"a < b < c":                 "(and (< a b) (< b c))",
		"a if b else c if d else e": "(if b a (if d c e))",
		"-a ** b":                   "(- (** a b))",
		"f(x)(y)[0].z":              "(at (call (call f x) y) 0).z",
		"f(a, *b, k=c, **d)":        "(call f a (* b) k=c =d)",
		"<intptr_t>f(i)":            "(cast intptr_t (call f i))",
		"<void**>&x":                "(cast void** (& x))",
		"(<CUresult (*)(int) noexcept nogil>p)(x)": "(call (cast CUresult p) x)",
		"<vector[int]*>x < y":                      "(< (cast vector* x) y)",
		"{a: b for a in c if d}":                   "(dict a b (for a c) d)",
		"[x for x, y in z]":                        "(list x - (for (tuple x y) z))",
		"{1, 2}":                                   "{1 2}",
		"x[1:2, ::3]":                              "(at x (slice 1 2 -) (slice - - 3))",
		"lambda x, y=1: x":                         "(lambda x y: x)",
		"f\"{a!r:>{w}} {{no}} {b['k']}\"":          "(f w a (at b 'k'))",
		"(y := f(x)) + 1":                          "(+ (= y (call f x)) 1)",
		"sizeof(a * b) + 1":                        "(+ size 1)",
		"new T(1, 2)":                              "(new T 1 2)",
		"a, *b":                                    "(tuple a (* b))",
		"&table.fn[i]":                             "(& (at table.fn i))",
		"a != b | c":                               "(!= a (| b c))",
	} {
		m := ParseModule("x.pyx", []byte("v = "+source+"\n"))
		if len(m.Problems) > 0 {
			t.Errorf("%s: %v", source, m.Problems)
			continue
		}
		if got := show(m.Body[0].Y); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

const module = `# A comment.
# cython: language_level=3, freethreading_compatible = True
# cython: boundscheck=False
import os
from a.b cimport c as d, e
from . import (
    g,
    h,
)

cdef extern from "x.h" nogil:
    """
    static int one;
    """
    ctypedef struct T:
        int field
    int f "c_f" (T* x, ...) noexcept
    T *p, q[3]
    enum: A, B "C_B"

cdef int count = 0, *place = NULL
cdef object cache
names = other = ("a",)  # a tuple

@decorate(1)
def show(str name not None, *args, key: int = {}, **rest) -> str:
    '''Text.'''
    global cache
    if name: return name
    elif count > 1:
        for i in range(3): pass
        else: cache = 1
    else:
        with gil, lock as l: raise KeyError(name) from None
    try:
        x = yield; y += 1
    except (A, B) as e:
        del x
    finally:
        pass

cdef inline int* fast(int i, void (*done)(int) noexcept) except? NULL nogil:
    return <int*>0

cdef class K(object):
    cdef public int n
    def m(self): return self.n
    @property
    def p(self): return 1
`

func TestModule(t *testing.T) {
	m := ParseModule("x.pyx", []byte(module))
	if len(m.Problems) > 0 {
		t.Fatal(m.Problems)
	}
	if d := cmp.Diff(map[string]string{"language_level": "3", "freethreading_compatible": "True", "boundscheck": "False"}, m.Directives); d != "" {
		t.Errorf("directives (-want +got):\n%s", d)
	}
	var externs []string
	for _, e := range m.Externs {
		externs = append(externs, fmt.Sprintf("%s=%s func:%t type:%s%s@%d", e.Name, e.CName, e.Func, e.Type.Name, strings.Repeat("*", e.Type.Pointers), e.Line))
	}
	if d := cmp.Diff([]string{"f=c_f func:true type:int@17", "p=p func:false type:T*@18", "q=q func:false type:T@18", "A=A func:false type:enum@19", "B=C_B func:false type:enum@19"}, externs); d != "" {
		t.Errorf("externs (-want +got):\n%s", d)
	}
	if len(m.Verbatim) != 1 || m.Verbatim[0].Text != "\n    static int one;\n    " || m.Verbatim[0].Line != 12 {
		t.Errorf("verbatim: %+v", m.Verbatim)
	}
	var body []string
	for _, s := range m.Body {
		switch s.Op {
		case syntax.Import:
			body = append(body, "import "+s.Text+" "+s.Items[0].Text)
		case syntax.Decl:
			body = append(body, fmt.Sprintf("decl %s%s %s %s", s.Type.Name, strings.Repeat("*", s.Type.Pointers), s.Text, show(s.Y)))
		case syntax.Set:
			var names []string
			for _, x := range s.Targets {
				names = append(names, show(x))
			}
			body = append(body, strings.Join(names, " = ")+" "+s.Text+" "+show(s.Y))
		case syntax.Define:
			if s.Func == nil {
				body = append(body, "class "+s.Text)
				continue
			}
			f := s.Func
			var params []string
			for _, p := range f.Params {
				params = append(params, p.Name)
			}
			body = append(body, fmt.Sprintf("%s %s(%s) nogil:%t noexcept:%t inline:%t decorators:%d statements:%d",
				f.Kind, f.Name, strings.Join(params, " "), f.NoGIL, f.NoExcept, f.Inline, len(f.Decorators), len(f.Body)))
		}
	}
	want := []string{
		"import os os", "import d a.b.c", "import e a.b.e", "import g ..g", "import h ..h",
		"decl int count 0", "decl int* place NULL", "decl object cache -",
		`names = other = (tuple "a")`,
		"def show(name args key rest) nogil:false noexcept:false inline:false decorators:1 statements:4",
		"cdef fast(i done) nogil:true noexcept:false inline:true decorators:0 statements:1",
		"class K",
	}
	if d := cmp.Diff(want, body); d != "" {
		t.Errorf("body (-want +got):\n%s", d)
	}
}

func TestBlocksAndPlaces(t *testing.T) {
	f := Parse("x.py", []byte("if a: b; c\nelse:\n\tif d:\n\t\te(1,\n2)\n# end\n\nlast\n"))
	if len(f.Problems) > 0 {
		t.Fatal(f.Problems)
	}
	var lines []string
	var walk func(stmts []*Stmt, depth int)
	walk = func(stmts []*Stmt, depth int) {
		for _, s := range stmts {
			var words []string
			for _, tok := range s.Tokens {
				words = append(words, tok.Text)
			}
			lines = append(lines, fmt.Sprintf("%d:%d-%d:%d %d %s", s.Pos().Line, s.Pos().Col, s.End().Line, s.End().Col, depth, strings.Join(words, " ")))
			walk(s.Body, depth+1)
		}
	}
	walk(f.Stmts, 0)
	want := []string{
		"1:1-1:4 0 if a", "1:7-1:7 1 b", "1:10-1:10 1 c", "2:1-2:4 0 else", "3:2-3:5 1 if d", "4:3-5:2 2 e ( 1 , 2 )", "8:1-8:4 0 last",
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Errorf("statements (-want +got):\n%s", d)
	}
}

func TestProblemsHavePlaces(t *testing.T) {
	for source, want := range map[string]string{
		"x = (1\n":           "2:1 the file ends inside brackets",
		"x = 1)\n":           "1:6 a bracket closes that was not opened",
		"a\n  b\n":           "2:3 unexpected indentation",
		"if a:\nb\n":         "1:4 expected an indented block",
		"x = 'abc\n":         "1:5 a string does not end on its line",
		"xy = 'abc\\\nd\n":   "1:6 a string does not end on its line",
		"x = \"\"\"abc\n":    "1:5 a string does not end",
		"x = a +\n":          "1:7 expected an expression",
		"x = a b\n":          "1:7 unexpected b",
		"x = f\"{a\"\n":      "1:5 an f-string has a { without }",
		"x = $\n":            "1:5 unexpected character $",
		"for x of y:\n  a\n": "1:1 expected in",
		"frob x:\n  y\n":     "2:3 unexpected indentation",
		strings.Repeat("(", 1000) + strings.Repeat(")", 1000): "1:134 expressions are nested too deeply",
	} {
		m := ParseModule("x.pyx", []byte(source))
		if len(m.Problems) == 0 {
			t.Errorf("%.30q: no problem, want %s", source, want)
			continue
		}
		p := m.Problems[0]
		if got := fmt.Sprintf("%d:%d %s", p.Line, p.Col, p.Message); got != want {
			t.Errorf("%.30q: %s, want %s", source, got, want)
		}
	}
}
