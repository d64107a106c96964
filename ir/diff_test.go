package ir

import (
	"fmt"
	"strings"
	"testing"
)

// apiOf makes the API of a small library from one line an entity:
//
//	fn NAME[=SYMBOL] TYPE [superseded] [inline] [deprecated] [per=SYMBOL] [ask=BASE:VERSION]
//	enum KEY UNDERLYING NAME=VALUE...
//	struct|union KEY SIZE/ALIGN PATH:TYPE@OFFSET...
//	typedef NAME TYPE
//	const NAME TYPE=VALUE
//	header NAME (for what follows)
//
// Words are apart by two blanks.
func apiOf(t *testing.T, text string) API {
	t.Helper()
	var a API
	header := "demo.h"
	for line := range strings.Lines(text) {
		words := strings.Split(strings.TrimSpace(line), "  ")
		if words[0] == "" {
			continue
		}
		meta := Meta{Header: header}
		switch words[0] {
		case "header":
			header = words[1]
		case "fn":
			f := Function{Meta: meta, Type: mustType(words[2])}
			f.Name, f.Symbol, _ = strings.Cut(words[1], "=")
			if f.Symbol == "" {
				f.Symbol = f.Name
			}
			for _, w := range words[3:] {
				key, value, _ := strings.Cut(w, "=")
				switch key {
				case "superseded":
					f.Superseded = true
				case "inline":
					f.Inline = true
				case "deprecated":
					f.Deprecated = true
				case "per":
					f.PerThread = value
				case "ask":
					fmt.Sscanf(strings.ReplaceAll(value, ":", " "), "%s %d", &f.Query.Base, &f.Query.Version)
				default:
					t.Fatalf("word %q of a function", w)
				}
			}
			a.Functions = append(a.Functions, f)
		case "enum":
			e := Enum{Meta: meta, Underlying: words[2]}
			e.Name, e.Tagged = strings.CutPrefix(words[1], "enum ")
			for _, w := range words[3:] {
				name, value, _ := strings.Cut(w, "=")
				e.Enumerators = append(e.Enumerators, Enumerator{name, Integer(value)})
			}
			if len(e.Enumerators) > 0 && e.Enumerators[0].Name == e.Name {
				e.Anonymous = true
			}
			a.Enums = append(a.Enums, e)
		case "struct", "union":
			r := Record{Meta: meta, Union: words[0] == "union"}
			r.Name, r.Tagged = strings.CutPrefix(words[1], "tag ")
			if words[2] == "opaque" {
				r.Incomplete = true
			} else {
				fmt.Sscanf(words[2], "%d/%d", &r.Size, &r.Align)
			}
			for _, w := range words[3:] {
				addField(&r, w)
			}
			a.Records = append(a.Records, r)
		case "typedef":
			a.Typedefs = append(a.Typedefs, Typedef{Meta: meta, Name: words[1], Type: mustType(words[2])})
		case "const":
			c := Constant{Meta: meta, Name: words[1]}
			typ, value, ok := strings.Cut(words[2], "=")
			if ok {
				c.Type, c.Value = mustType(typ), value
			} else {
				c.Reason = words[2]
			}
			a.Constants = append(a.Constants, c)
		default:
			t.Fatalf("line %q", line)
		}
	}
	return a
}

// addField adds PATH:TYPE@OFFSET[/BITS]. In a path, struct and union are
// members without a name, and NAME{ is one whose type has none.
func addField(r *Record, text string) {
	path, rest, _ := strings.Cut(text, ":")
	for {
		first, more, inner := strings.Cut(path, ".")
		if !inner {
			break
		}
		path = more
		name := strings.TrimSuffix(first, "{")
		if name == "struct" || name == "union" {
			name = ""
		}
		n := len(r.Fields)
		if n == 0 || r.Fields[n-1].Record == nil || r.Fields[n-1].Name != name {
			r.Fields = append(r.Fields, Field{Name: name, Record: &Record{Union: first == "union", Size: 8, Align: 4}})
			n++
		}
		r = r.Fields[n-1].Record
	}
	f := Field{Name: path}
	typ, at, _ := strings.Cut(rest, "@")
	f.Type = mustType(typ)
	fmt.Sscanf(at, "%d/%d", &f.Offset, &f.Bits)
	r.Fields = append(r.Fields, f)
}

func snapshotOf(t *testing.T, label, text string) *Snapshot {
	return &Snapshot{Library: "demo", Targets: DefaultTargets, Release: Release{Label: label}, API: apiOf(t, text)}
}

// lines is the report without its first line and without blank ones.
func lines(c *Changes) string {
	_, body, _ := strings.Cut(c.Text(), "\n")
	var out []string
	for _, line := range strings.Split(body, "\n") {
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "fn  f  int()", "fn  f  int()", ""},
		{"the order of entities", "fn  f  int()\nfn  g  int()", "fn  g  int()\nfn  f  int()", ""},
		{
			"a function comes",
			"", "fn  f=f_v2  int(int x)",
			"function added: f (symbol f_v2)\n    + int f(int x)",
		},
		{
			"a function goes, with its symbol",
			"fn  f  int(int x)", "",
			"function removed: f [Cython ABI break, source break]\n    - int f(int x)",
		},
		{
			"a function that the header defines goes",
			"fn  f  int()  inline", "",
			"function removed: f [source break]\n    - int f()",
		},
		{
			"a function that no public name leads to any more",
			"fn  f  int()", "fn  f  int()  superseded",
			"function superseded: f (no public name leads to it; the library still has f) [Cython ABI break, source break]",
		},
		{
			"and back",
			"fn  f  int()  superseded", "fn  f  int()",
			"function public again: f (the symbol is the same, f)",
		},
		{
			"a macro renames it, the older symbol stays",
			"fn  f  int()", "fn  f=f_v2  int()\nfn  f  int()  superseded",
			"function symbol changed: f: f -> f_v2 (f is still declared) [behaviour only]",
		},
		{
			"a macro renames it, the older symbol goes, and a parameter with it",
			"fn  f=f_v2  int(int a, int b)", "fn  f=f_v3  int(int b)",
			"function signature changed: f (a removed) [Cython ABI break, source break]\n    - int f(int a, int b)\n    + int f(int b)\n" +
				"function symbol changed: f: f_v2 -> f_v3 (f_v2 is declared no more) [behaviour only]",
		},
		{
			"a name with a version becomes the symbol of the plain one",
			"fn  f  int(int a)\nfn  f_v2  int(long a)", "fn  f=f_v2  int(long a)\nfn  f  int(int a)  superseded",
			"function signature changed: f (a int, now long) [Cython ABI break, source break]\n    - int f(int a)\n    + int f(long a)\n" +
				"function symbol changed: f: f -> f_v2 (f is still declared) [behaviour only]\n" +
				"function renamed: f_v2 -> f (the symbol is the same, f_v2) [Cython ABI break, source break]",
		},
		{
			"the other way round the plain name is no new break",
			"fn  f=f_v2  int(int a)\nfn  f  int(int a)  superseded", "fn  f  int(int a)\nfn  f_v2  int(int a)",
			"function symbol changed: f: f_v2 -> f (f_v2 is still declared) [behaviour only]\n" +
				"function renamed: f -> f_v2 (the symbol is the same, f_v2)",
		},
		{
			"a symbol under another name",
			"fn  f=x  int()", "fn  g=x  int()",
			"function renamed: f -> g (the symbol is the same, x) [Cython ABI break, source break]",
		},
		{
			"an alias is a new name",
			"fn  f=x  int()", "fn  f=x  int()\nfn  x  int()",
			"function added: x\n    + int x()",
		},
		{
			"a superseded symbol of which nothing was known, and one that is known no more",
			"fn  a  int()  superseded", "fn  b  int()  superseded",
			"symbol removed: a\n    - int a()\nsymbol added: b\n    + int b()",
		},
		{
			"a superseded symbol has other parameters, which nobody sees",
			"fn  a  int()  superseded", "fn  a  int(int)  superseded",
			"symbol signature changed: a (parameter 1 added)\n    - int a()\n    + int a(int)",
		},
		{
			"a parameter gets another name",
			"fn  f  int(int a, int b)", "fn  f  int(int a, int c)",
			"function parameters renamed: f (b, now c)\n    - int f(int a, int b)\n    + int f(int a, int c)",
		},
		{
			"two parameters change names: the caller passes other things now",
			"fn  f  int(int a, int b)", "fn  f  int(int b, int a)",
			"function parameters swapped: f (a, now b; b, now a) [behaviour only]\n    - int f(int a, int b)\n    + int f(int b, int a)",
		},
		{
			"what C ignores of a parameter",
			"fn  f  int(int[4] a, int b)", "fn  f  int(int* a, const int b)",
			"function parameters respelled: f\n    - int f(int[4] a, int b)\n    + int f(int* a, const int b)",
		},
		{
			"const that callers may have or not",
			"fn  f  int(char* s)", "fn  f  int(const char* s)",
			"function signature changed: f (const) [Cython ABI break]\n    - int f(char* s)\n    + int f(const char* s)",
		},
		{
			"const that goes is one that callers have",
			"fn  f  int(const char* s)", "fn  f  int(char* s)",
			"function signature changed: f (const) [Cython ABI break, source break]\n    - int f(const char* s)\n    + int f(char* s)",
		},
		{
			"const of a result is the other way round",
			"fn  f  char*()", "fn  f  const char*()",
			"function signature changed: f (const) [Cython ABI break, source break]\n    - char* f()\n    + const char* f()",
		},
		{
			"a signature spells names: another one for the same type breaks the ABI alone",
			"typedef  a  int\ntypedef  b  a\nfn  f  int(a* x)", "typedef  a  int\ntypedef  b  a\nfn  f  int(b* x)",
			"function signature changed: f (x a*, now b*) [Cython ABI break]\n    - int f(a* x)\n    + int f(b* x)",
		},
		{
			"a tag and a typedef of its name are one spelling",
			"struct  tag s  4/4  x:int@0\ntypedef  s  struct s\nfn  f  int(struct s* x)", "struct  tag s  4/4  x:int@0\ntypedef  s  struct s\nfn  f  int(s* x)",
			"function parameters respelled: f\n    - int f(struct s* x)\n    + int f(s* x)",
		},
		{
			"parameters in the middle",
			"fn  f  int(int a, long b, char* c)", "fn  f  int(int a, int n, long* b, ...)",
			"function signature changed: f (n added; b long, now long*; c removed; ... added) [Cython ABI break, source break]\n" +
				"    - int f(int a, long b, char* c)\n    + int f(int a, int n, long* b, ...)",
		},
		{
			"another type and name in one place",
			"fn  f  int(int, long b)", "fn  f  void(int, char* c)",
			"function signature changed: f (result int, now void; long b, now char* c) [Cython ABI break, source break]\n" +
				"    - int f(int, long b)\n    + void f(int, char* c)",
		},
		{
			"the calling convention is one of Windows", "fn  f  int()", "fn  f  int(stdcall:)",
			"function calling convention changed: f on windows/amd64\n    - int()\n    + int(stdcall:)",
		},
		{
			"the look-up", "fn  f  int()  ask=f:1000  per=f_p", "fn  f  int()  ask=f:1010  per=f_q",
			"function look-up changed: f: f at 1000 -> f at 1010 [behaviour only]\nfunction per-thread symbol changed: f: f_p -> f_q [behaviour only]",
		},
		{"deprecated", "fn  f  int()", "fn  f  int()  deprecated", "function deprecated: f"},
		{"deprecated no more", "fn  f  int()  deprecated", "fn  f  int()", "function deprecated no more: f"},
		{"defined in the header", "fn  f  int()", "fn  f  int()  inline", "function defined in the header: f [Cython ABI break, source break]"},
		{"exported at last", "fn  f  int()  inline", "fn  f  int()", "function exported: f"},
		{"another header", "fn  f  int()", "header  demoGL.h\nfn  f  int()", "function header changed: f: demo.h -> demoGL.h"},

		{
			"enumerators come, go and get other values",
			"enum  E  int  A=0  B=1  C=2", "enum  E  int  A=0  C=3  D=4",
			"enumerator removed: B in E = 1 [source break]\nenumerator value changed: C in E: 2 -> 3 [binary layout break]\nenumerator added: D in E = 4",
		},
		{
			"limits are a class of their own, unless they go",
			"enum  E  int  A=0  E_COUNT=1\nenum  F  int  B=0  F_MAX=1", "enum  E  int  A=0  B1=1  E_COUNT=2\nenum  F  int  B=0",
			"enumerator added: B1 in E = 1\nenumerator value changed: E_COUNT in E: 1 -> 2 [noise]\nenumerator removed: F_MAX in F = 1 [source break]",
		},
		{
			"a name that counts something else is no limit",
			"enum  E  int  CORE_COUNT=0  A=1", "enum  E  int  CORE_COUNT=2  A=1  B=3",
			"enumerator added: B in E = 3\nenumerator value changed: CORE_COUNT in E: 0 -> 2 [binary layout break]",
		},
		{
			"an enumerator moves to another enum",
			"enum  E  int  A=0  B=1\nenum  F  int  C=0", "enum  E  int  A=0\nenum  F  int  C=0  B=1",
			"enumerator moved: B in F: E -> F",
		},
		{
			"order alone",
			"enum  E  int  A=0  B=1  E_MAX=1", "enum  E  int  E_MAX=1  B=1  A=0",
			"enum order changed: E",
		},
		{
			"an enum without a name is its enumerators",
			"enum  A  int  A=0  B=1", "enum  Z  int  Z=5  A=0  B=1",
			"enum tag changed: Z: A -> Z\nenumerator added: Z in Z = 5",
		},
		{
			"an enum goes, and its names",
			"enum  enum E  int  A=0\nenum  B  int  B=0", "",
			"enum removed: B: 1 enumerator, int\nenum removed: enum E: 1 enumerator, int [source break]\n" +
				"enumerator removed: B in B = 0 [source break]\nenumerator removed: A in enum E = 0 [source break]",
		},
		{
			"an enum becomes 64 bits wide",
			"enum  E  int  A=0", "enum  E  long  A=0  B=4294967296",
			"enum underlying type changed: E: int -> long (4 bytes, now 8) [binary layout break] on linux/amd64, linux/arm64\n" +
				"enum underlying type changed: E: int -> long on windows/amd64\nenumerator added: B in E = 4294967296",
		},
		{
			"an enum that gets a tag keeps its name",
			"enum  E  int  A=0\nfn  f  E()", "enum  enum E_st  int  A=0\ntypedef  E  enum E_st\nfn  f  E()",
			"enum tag changed: enum E_st: E -> enum E_st",
		},

		{
			"size and alignment",
			"struct  tag S  8/4  a:int@0", "struct  tag S  16/8  a:int@0",
			"record alignment changed: struct S: 4 -> 8 [binary layout break]\nrecord size changed: struct S: 8 -> 16 [binary layout break]",
		},
		{
			"a record is opaque, then known",
			"struct  tag S  opaque\nstruct  tag T  4/4  a:int@0", "struct  tag S  4/4  a:int@0\nstruct  tag T  opaque",
			"record completed: struct S: none -> struct of 4 bytes\nrecord made opaque: struct T: struct of 4 bytes -> none [binary layout break, source break]",
		},
		{
			"a struct becomes a union",
			"struct  tag S  4/4  a:int@0", "union  tag S  4/4  a:int@0",
			"record kind changed: union S: struct S -> union S [binary layout break, source break]",
		},
		{
			"fields change places",
			"struct  S  8/4  a:int@0  b:int@4", "struct  S  8/4  b:int@0  a:int@4",
			"record order changed: S: a, b -> b, a [binary layout break, source break]\n" +
				"field offset changed: S.a: 0 -> 4 [binary layout break]\nfield offset changed: S.b: 4 -> 0 [binary layout break]",
		},
		{
			"fields of a union stay where they are",
			"union  S  4/4  a:int@0  b:float@0", "union  S  4/4  b:float@0  a:int@0",
			"record order changed: S: a, b -> b, a [behaviour only]",
		},
		{
			"a field in the middle moves the others as one",
			"struct  S  16/4  a:int@0  b:int@4  c:int@8  d:int@12", "struct  S  20/4  a:int@0  x:int@4  b:int@8  c:int@12  d:int@16",
			"record size changed: S: 16 -> 20 [binary layout break]\n" +
				"field offset changed: S.b: 4 -> 8 (with the 2 that follow, up to d) [binary layout break]\nfield added: S.x: int (at 4)",
		},
		{
			"a field gets another name, another type, other bits",
			"struct  S  16/4  a:int@0  b:int@4  c:int@8/3", "struct  S  16/4  z:int@0  b:float@4  c:int@8/4",
			"field type changed: S.b: int -> float [binary layout break, source break]\nfield bit-field changed: S.c: 3 bits from bit 0 -> 4 bits from bit 0 [binary layout break]\n" +
				"field renamed: S.a -> z [source break]",
		},
		{
			"a field's pointer points elsewhere",
			"struct  S  8/8  a:int*@0", "struct  S  8/8  a:const int*@0",
			"field type changed: S.a: int* -> const int* (const) [source break]",
		},
		{
			"room for later is used",
			"struct  S  64/4  a:int@0  reserved:int[15]@4", "struct  S  64/4  a:int@0  b:int@4  reserved:int[14]@8",
			"field added: S.b: int (at 4)\nfield offset changed: S.reserved: 4 -> 8 (room kept for later)\n" +
				"field type changed: S.reserved: int[15] -> int[14] (room kept for later)",
		},
		{
			"inside unnamed members, by path",
			"struct  S  16/4  union.a:int@0  union.b:float@0  m{.x:int@0  m{.y:int@4", "struct  S  16/4  union.a:int@0  union.b:double@0  m{.x:int@0  m{.y:int@8  m{.z:int@4",
			"field type changed: S.b: float -> double [binary layout break, source break]\n" +
				"field offset changed: S.m.y: 4 -> 8 [binary layout break]\nfield added: S.m.z: int (at 4)",
		},
		{
			"an unnamed member that changes nothing for its fields",
			"struct  S  8/4  a:int@0  b:int@4", "struct  S  8/4  struct.a:int@0  struct.b:int@4",
			"record arrangement changed: S",
		},
		{
			"a record that gets a tag, and one that loses it",
			"struct  S  4/4  a:int@0\nstruct  tag T_st  4/4  a:int@0\ntypedef  T  struct T_st",
			"struct  tag S_st  4/4  a:int@0\ntypedef  S  struct S_st\nstruct  T  4/4  a:int@0",
			"record tag changed: T: struct T_st -> T [source break]\nrecord tag changed: struct S_st: S -> struct S_st",
		},

		{
			"a typedef for another basic type, and what uses it stays as it is spelled",
			"typedef  T  unsigned int\nfn  f  int(T* x)", "typedef  T  unsigned long long\nfn  f  int(T* x)",
			"typedef type changed: T: unsigned int -> unsigned long long [binary layout break, source break]",
		},
		{
			"a typedef by way of another",
			"typedef  T  int", "typedef  I  int\ntypedef  T  I",
			"typedef added: I: int\ntypedef type changed: T: int -> I (the same type under another name)",
		},
		{
			"a handle to another record",
			"typedef  H  struct a*", "typedef  H  struct b*",
			"typedef type changed: H: struct a* -> struct b* [source break]",
		},
		{
			"a callback with another parameter",
			"typedef  C  void(int x)*", "typedef  C  void(int x, void* p)*",
			"typedef signature changed: C (p added) [binary layout break, source break]\n    - void C(int x)\n    + void C(int x, void* p)",
		},
		{
			"a callback with other names",
			"typedef  C  void(int x)*", "typedef  C  void(int y)*",
			"typedef parameters renamed: C (x, now y)\n    - void C(int x)\n    + void C(int y)",
		},
		{
			"a typedef for the next version of a record",
			"struct  tag A  4/4  a:int@0\nstruct  tag B  8/4  a:int@0  b:int@4\ntypedef  T  struct A", "struct  tag A  4/4  a:int@0\nstruct  tag B  8/4  a:int@0  b:int@4\ntypedef  T  struct B",
			"typedef type changed: T: struct A -> struct B (size changed from 4 to 8; b added) [binary layout break, source break]",
		},
		{"a typedef goes", "typedef  T  int", "", "typedef removed: T: int [source break]"},

		{
			"constants",
			"const  A  int=1\nconst  B  int=2\nconst  DEMO_VERSION  int=1000\nconst  API  expands to nothing\nconst  GONE  expands to nothing",
			"const  A  int=3\nconst  C  int=2\nconst  DEMO_VERSION  int=1010\nconst  API  int=1",
			"constant value changed: A: 1 -> 3 [binary layout break]\nconstant value changed: API: no value: expands to nothing -> 1\n" +
				"constant removed: B = 2 [source break]\nconstant added: C = 2\nconstant value changed: DEMO_VERSION: 1000 -> 1010 [noise]\n" +
				"constant removed: GONE = no value: expands to nothing",
		},
		{"a constant of another type", "const  A  int=1", "const  A  unsigned int=1", "constant type changed: A: int -> unsigned int"},
		{"a constant that cannot be a value any more", "const  A  int=1", "const  A  a statement", "constant value changed: A: 1 -> no value: a statement [source break]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := Diff(snapshotOf(t, "1.0.0", c.old), snapshotOf(t, "2.0.0", c.new))
			same(t, "changes", c.want, lines(changes))
			checkAgree(t, changes)
		})
	}
}

// The cases of the project's collection that compare releases.
func TestDiffCases(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{
			"B06: an object-like macro renames a function",
			"fn  demoCtxCreate=demoCtxCreate_v2  int(void** ctx, unsigned int flags, int dev)\nfn  demoMemInfo=demoMemInfo_v2  int(size_t* avail, size_t* total)",
			"fn  demoCtxCreate=demoCtxCreate_v3  int(void** ctx, const void* params, unsigned int flags, int dev)\nfn  demoMemInfo=demoMemInfo_v2  int(size_t* avail, size_t* total)",
			"function signature changed: demoCtxCreate (params added) [Cython ABI break, source break]\n" +
				"    - int demoCtxCreate(void** ctx, unsigned int flags, int dev)\n    + int demoCtxCreate(void** ctx, const void* params, unsigned int flags, int dev)\n" +
				"function symbol changed: demoCtxCreate: demoCtxCreate_v2 -> demoCtxCreate_v3 (demoCtxCreate_v2 is declared no more) [behaviour only]",
		},
		{
			"B21: const in nested pointers; no call with void** goes with const void* const*",
			"fn  demoBatch  int(void** dsts, void** srcs, size_t* sizes, size_t n)",
			"fn  demoBatch  int(void*const* dsts, const void*const* srcs, const size_t* sizes, size_t n)",
			"function signature changed: demoBatch (const) [Cython ABI break, source break]\n    - int demoBatch(void** dsts, void** srcs, size_t* sizes, size_t n)\n" +
				"    + int demoBatch(void*const* dsts, const void*const* srcs, const size_t* sizes, size_t n)",
		},
		{
			"B69: removed by mistake",
			"fn  demoA  int(int x)\nfn  demoB  int(int x)\nenum  demoE  unsigned int  DEMO_E_A=0  DEMO_E_B=1  DEMO_E_C=2",
			"fn  demoA  int(int x)\nenum  demoE  unsigned int  DEMO_E_A=0  DEMO_E_C=2  DEMO_E_D=3",
			"function removed: demoB [Cython ABI break, source break]\n    - int demoB(int x)\n" +
				"enumerator removed: DEMO_E_B in demoE = 1 [source break]\nenumerator added: DEMO_E_D in demoE = 3",
		},
		{
			"B71: the ABI of Cython",
			"fn  demoA  int(const int* p)\nstruct  demoS  8/4  a:int@0  b:int@4",
			"fn  demoA  int(int* p)\nstruct  demoS  8/4  b:int@0  a:int@4\nfn  demoNew  int()",
			"function signature changed: demoA (const) [Cython ABI break, source break]\n    - int demoA(const int* p)\n    + int demoA(int* p)\n" +
				"function added: demoNew\n    + int demoNew()\nrecord order changed: demoS: a, b -> b, a [binary layout break, source break]\n" +
				"field offset changed: demoS.a: 0 -> 4 [binary layout break]\nfield offset changed: demoS.b: 4 -> 0 [binary layout break]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := Diff(snapshotOf(t, "1.0.0", c.old), snapshotOf(t, "2.0.0", c.new))
			same(t, "changes", c.want, lines(changes))
			checkAgree(t, changes)
		})
	}
}

func TestDiffByTarget(t *testing.T) {
	one, two := snapshotOf(t, "1.0.0", "fn  f  int()\nstruct  S  88/8  a:long[8]@24"), snapshotOf(t, "2.0.0", "fn  f  int()\nstruct  S  96/8  a:long[8]@24\nstruct  S  60/8  a:long[8]@28")
	one.Functions[0].On = 0b011
	two.Records[0].On, two.Records[1].On = 0b011, 0b100
	same(t, "changes", "function added: f on windows/amd64\n    + int f()\n"+
		"record size changed: S: 88 -> 96 [binary layout break] on linux/amd64, linux/arm64\nrecord size changed: S: 88 -> 60 [binary layout break] on windows/amd64\n"+
		"field offset changed: S.a: 24 -> 28 [binary layout break] on windows/amd64", lines(Diff(one, two)))

	// Only targets that both were read for can differ.
	two.Targets = []Target{LinuxAMD64, "aix/ppc64"}
	two.Records = two.Records[:1]
	two.Records[0].On = 0
	c := Diff(one, two)
	same(t, "targets", []Target{LinuxAMD64}, c.Targets)
	same(t, "changes on one target", "record size changed: S: 88 -> 96 [binary layout break]", lines(c))
}

// A history that was made by hand may hold types that C cannot have.
func TestDiffOfTypesThatLeadBackToThemselves(t *testing.T) {
	loop := "typedef  A  B\ntypedef  B  A\ntypedef  P  Q*\ntypedef  Q  P*\nfn  f  int(P x, A* y)"
	same(t, "changes", "function signature changed: f (x P, now P*; y A*, now B*) [Cython ABI break, source break]\n    - int f(P x, A* y)\n    + int f(P* x, B* y)",
		lines(Diff(snapshotOf(t, "1.0.0", loop), snapshotOf(t, "2.0.0", strings.Replace(loop, "P x, A* y", "P* x, B* y", 1)))))
}

// A function that the bindings lose because its new form cannot be bound, or
// that they never had.
func TestDiffOfWhatCannotBeBound(t *testing.T) {
	one, two := snapshotOf(t, "1.0.0", "fn  lost  int()"), snapshotOf(t, "2.0.0", "fn  won  int()")
	one.Release.Omitted = map[string]string{"won": "variadic", "gone": "variadic", "stays": "variadic"}
	two.Release.Omitted = map[string]string{"lost": "variadic", "came": "va_list", "stays": "variadic"}
	same(t, "changes", "function left out: came: none -> va_list\nfunction left out: gone: variadic -> none\n"+
		"function removed: lost (it cannot be bound any more: variadic) [Cython ABI break, source break]\n    - int lost()\n"+
		"function added: won (it could not be bound: variadic)\n    + int won()", lines(Diff(one, two)))
}

func TestDiffOfRoles(t *testing.T) {
	h := demo(t)
	h.Roles = []Role{
		{Function: "demoAlloc", Param: "out", In: "1.0.0", Is: "out", Optional: true},
		{Function: "demoAlloc", Param: "out", In: "1.1.0rc1..", Is: "out"},
		{Function: "demoAlloc", Param: "gone", Is: "in"},
	}
	c, err := h.Diff("1.0.0", "1.1.0")
	if err != nil {
		t.Fatal(err)
	}
	roles := c.Only(func(x *Change) bool { return x.What == RoleChanged })
	same(t, "roles", "function role changed: demoAlloc: out, NULL allowed -> out (parameter out) [source break]", lines(roles))
	if _, err := h.Diff("1.0.0", "1.1.1"); err == nil || !strings.Contains(err.Error(), "did you mean 1.1.0?") {
		t.Errorf("unknown release: %v", err)
	}
}
