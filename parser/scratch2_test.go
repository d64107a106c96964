package parser

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/ir"
)

func TestScratch2(t *testing.T) {
	for i, src := range []string{"#pragma once\n#include \"h.h\"\nint f(void);\n",
		"#include \"demo_not_here.h\"\ntypedef struct { demoMissing_t m; const demoMissing_t *p; int n; } demoBox_t;\nint demoOpen(demoBox_t *b);\n",
		"int f(int a, foo_t b);\nint g(bar_t *x);\nint h(void);\n",
		"int f(int a\nint g(void);\nint h(int a);\nstruct { int a; int b }\n",
		"struct S { int a; int a; };\nint f(struct S *s);",
		"struct S { int a; union { int b; int a; }; };\nint f(struct S *s);",
		"int f(struct T t);\nstruct U g(void);\n",
		"typedef int x; typedef float x;\n",
		"int f(int); int f(float);\n",
		"struct S { int a; }; struct S { int b; };\n",
		"struct S { int a; }; struct S { int a; };\n",
		"enum A { X }; enum B { X };\n",
		"enum A { X }; int X(void);\n",
		"int f(void, int);\n", "int f(void a);\n",
		"int f(int a, int a);\n",
		"struct S { struct T t; };\n",
		"struct S { int a[]; int b; };\n",
		"unsigned float f(int);\n",
		"int f(int x[-1]);\n",
		"#error this is bad\nint f(void);\n",
		"/* never closed\nint f(void);\n",
		"#ifdef X\nint f(void);\n",
		"#endif\nint f(void);\n",
		"int f(void)",
		"int f(int x[n]);\n",
		"long long long f(void);\n", "int int f(void);\n", "f(void);\n", "int;\n",
		"struct S { int a };\n",
		"int f(struct { int a; } x);\n",
		"typedef struct { int x; } *P;\nint f(P p);\n",
		"struct { int a; } v;\nextern int w;\n static int z = 3;\n",
		"typedef int fn(int a);\nfn foo; int bar(fn cb);\n",
		"enum E; int f(enum E e);\n",
		"enum E { A, A };\n",
		"#define X (1/0)\n#define Y foo\n#define Z sizeof(int)\n#define W \"a\\0b\"\n#define V L\"ab\"\n#define U 'ab'\n#define T ((void*)-1)\n#define S 1e400\n#define R 0x1p3\n#define Q 1.0L\n#define P (1,2)\n#define O {1,2}\n#define N __extension__ 5\n#define M -1u\n#define L 99999999999999999999\n#define K \"x\" \"y\"\n#define J (sizeof(int)*2)\n#define I int*\n#define H __attribute__((x))\n#define G const char *\n#define F do {} while(0)\n#define E ((long)1)\n#define D 1,2\n#define C }\n#define B unsigned long int\n#define A const\n",
		"#define A 1\n#undef A\n#define A 2\n#define B 1\n#define B 3\n#define C 5\n#undef C\n",
		"#define f f\nint f(void);\n#define X X\nenum { X = 3 };\n",
		"int f(int a, ...);",
		"struct S { int a : 3; int : 2; unsigned b : 5; int : 0; _Bool c : 1; long long d:40; };\n",
		"struct __attribute__((aligned(16))) S { char c; }; struct T { char a; struct S s; char b __attribute__((aligned(8))); _Alignas(16) char x; };\n",
		"typedef struct { int n; char data[]; } F;\n",
		"typedef struct { struct { int a[2]; union { int u; float f; }; } in; struct { short q; } *p; } G;\n",
		"typedef unsigned char uc; typedef uc arr[4]; arr *f(const arr a, uc (*fp)(int, char**));\n",
		"int (*get(int which))(double);\n",
		"void (*signal_(int sig, void (*func)(int)))(int);\n",
		"volatile int *f(volatile char *p, int *restrict q);\n",
		"typedef struct S S; struct S; int f(S *s); int g(struct S *s);\n",
		"static inline int f(int a) { return a + undeclared_thing(a); }\nint g(a, b) int a; float b; { return 0; }\nint h(a, b);\n",
		"int f(char c[static 4], int n, char d[const 5], int e[][3]);\n",
		"\xef\xbb\xbfint f(void); /* \xe9 */\r\nint g(int\\\r\n a);\r\n#define A \\\r\n 3\r\nint h(void)\r\n;",
		"int f(void); // comment \\\nint g(void);\nint h(void);\n",
		"typedef enum { A = 1 } E, *PE; typedef struct { int x; } R, *PR; int f(PE e, PR r);\n",
		"struct A { struct B { int x; } b; enum C { Q = 2 } c; struct B *next; };\n",
		"struct A { struct B { int x; }; int y; };\n",
		"typedef __typeof__(int) T; int f(T t);\n",
		"_Static_assert(sizeof(int) == 8, \"no\");\n",
		"#include <stdint.h>\n#include <stddef.h>\n#include <stdbool.h>\nbool f(wchar_t w, ptrdiff_t d, FILE_t *x);\n",
		"#include <stdio.h>\n int f(FILE *x, long double y, signed char z, unsigned short int q, long unsigned int r);\n",
		"int f(int) __attribute__((deprecated(\"x\"))); __attribute__((deprecated)) int g(void); int __attribute__((__deprecated__, __nothrow__, visibility(\"default\"))) h(void);\n",
		"typedef int T; typedef int T; struct T { T T; }; int f(struct T *T);\n",
		"#pragma once\n#include \"h.h\"\nint f(void);\n",
		"#include \"h.h\"\nint f(void);\n",
		"int f(void);\n#include \"sub/a.h\"\n",
		"int f(void);\n#if __has_include(\"nothere.h\")\nint g(void);\n#endif\n#if __has_include(\"sub/a.h\")\nint h(void);\n#endif\n",
		strings.Repeat("(", 1500), "int f(int a[" + strings.Repeat("(", 900) + "1" + strings.Repeat(")", 900) + "]);",
		"int x = " + strings.Repeat("-", 20000) + "1;",
		"#define a b\n#define b a\nint a(void);\n",
		"int f(int a); /* x */ int g(int b) /* y\n\n */ ; int h(void);\n",
		"typedef struct X { int a; } X; typedef X Y; typedef Y *Z; typedef const Z W; int f(W w, const Y *const y);",
	} {
		for _, tg := range []ir.Target{ir.LinuxAMD64} {
			r, err := Parse(Config{FS: fstest.MapFS{"h.h": {Data: []byte(src)}, "sub/a.h": {Data: []byte("#include \"b.h\"\n#include \"../h2.h\"\nint sub(void);\n")}, "sub/b.h": {Data: []byte("#include \"gone.h\"\n")}, "h2.h": {Data: []byte("int h2(void);\n")}}, Target: tg, Roots: []string{"h.h"}, Searched: []string{"the test"}})
			fmt.Printf("=== %d %.300s\n", i, src)
			if err != nil {
				fmt.Println("ERROR", err)
				continue
			}
			fmt.Print(dump(r))
		}
	}
}
