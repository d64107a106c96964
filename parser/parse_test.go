package parser

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/ir"
	"github.com/google/go-cmp/cmp"
)

// TestEncodings: the bytes of a header may be arranged in other ways than
// those of a Unix text, and the model is the same, positions included.
func TestEncodings(t *testing.T) {
	const text = "/* a note */ int lampA(int n); // more\n#define LAMP_N \\\n\t3\n\n/* two\n   lines */ int lampB(void);\nint lampC(int\\\n eger);\n"
	want, err := parseText([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(want.API.Functions); got != 3 {
		t.Fatalf("%d functions, want 3", got)
	}
	if diff := cmp.Diff(ir.Position{File: "lamp.h", Line: 6, Col: 17}, want.API.Functions[1].Pos); diff != "" {
		t.Errorf("position of lampB (-want +got):\n%s", diff)
	}
	for name, other := range map[string]string{
		"carriage returns":        strings.ReplaceAll(text, "\n", "\r\n"),
		"a byte order mark":       "\ufeff" + text,
		"both":                    "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"),
		"no end of the last line": strings.TrimSuffix(text, "\n"),
		"Latin-1 in comments":     strings.ReplaceAll(text, "note", "n\xf6te"),
		"UTF-8 in comments":       strings.ReplaceAll(strings.ReplaceAll(text, "more", "≥ 5 µs"), "two", "“two”"),
		"other comments":          strings.NewReplacer("a note", "a*//*", "// more", "/* more */").Replace(text),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseText([]byte(other))
			if err != nil {
				t.Fatal(err)
			}
			for i := range got.API.Functions {
				// The mark and letters of several bytes move columns of the
				// line that they stand in, and no others.
				if got.API.Functions[i].Pos.Line == 1 {
					got.API.Functions[i].Pos.Col = want.API.Functions[i].Pos.Col
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestUTF16(t *testing.T) {
	_, err := parseText([]byte("\xff\xfei\x00n\x00t\x00"))
	if want := "lamp.h: the header is in UTF-16: expected UTF-8, ASCII or Latin-1"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestUnknownTarget(t *testing.T) {
	for target, want := range map[ir.Target]string{
		"linux/amd63":  `unknown target "linux/amd63": expected one of linux/amd64, linux/arm64, windows/amd64, windows/arm64; did you mean linux/amd64?`,
		"plan9/mips64": `unknown target "plan9/mips64": expected one of linux/amd64, linux/arm64, windows/amd64, windows/arm64`,
	} {
		_, err := Parse(Config{FS: fstest.MapFS{}, Target: target})
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestPlatforms: what headers can ask of a platform agrees with its layout.
func TestPlatforms(t *testing.T) {
	const text = `#include <stdint.h>
#include <stddef.h>
#include <limits.h>
#include <sys/types.h>
_Static_assert(sizeof(void *) == __SIZEOF_POINTER__, "pointer");
_Static_assert(sizeof(size_t) == sizeof(void *) && sizeof(ptrdiff_t) == sizeof(void *), "size_t");
_Static_assert(sizeof(intptr_t) == 8 && sizeof(uintptr_t) == 8 && sizeof(ssize_t) == 8, "intptr_t");
_Static_assert(sizeof(int64_t) == 8 && sizeof(uint64_t) == 8 && sizeof(intmax_t) == 8, "int64_t");
_Static_assert(sizeof(int32_t) == 4 && sizeof(int16_t) == 2 && sizeof(int8_t) == 1, "int32_t");
_Static_assert(sizeof(long) == __SIZEOF_LONG__, "long");
_Static_assert(ULONG_MAX == (unsigned long)-1 && UINT_MAX == (unsigned int)-1, "limits");
_Static_assert(INT_MIN < 0 && LONG_MIN < 0 && LLONG_MIN < 0, "minima");
#if defined(_WIN32)
_Static_assert(sizeof(wchar_t) == 2 && sizeof(long double) == 8, "Windows");
#else
_Static_assert(sizeof(wchar_t) == 4 && sizeof(long double) == 16, "Linux");
#endif
#if defined(__x86_64__) == defined(__aarch64__)
#error "one processor"
#endif
int lampA(void);
`
	for target := range platforms {
		r, err := Parse(Config{FS: fstest.MapFS{"lamp.h": {Data: []byte(text)}}, Target: target, Roots: []string{"lamp.h"}})
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if len(r.API.Functions) != 1 || len(r.API.Typedefs) != 0 {
			t.Errorf("%s: %s", target, dump(r))
		}
	}
}

// TestStubs: every stub can be read on every target, twice.
func TestStubs(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{
		"arpa/inet.h", "assert.h", "EGL/egl.h", "EGL/eglext.h", "errno.h", "float.h", "GL/gl.h", "inttypes.h",
		"limits.h", "math.h", "nv/target", "stdalign.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h",
		"stdlib.h", "string.h", "sys/socket.h", "sys/types.h", "time.h", "vdpau/vdpau.h", "wchar.h", "windows.h",
	} {
		text.WriteString("#include <" + name + ">\n")
	}
	for target := range platforms {
		headers := fstest.MapFS{"lamp.h": {Data: []byte(text.String() + text.String())}}
		r, err := Parse(Config{FS: headers, Target: target, Roots: []string{"lamp.h"}})
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		if got := dump(r); got != "declared 0\n" {
			t.Errorf("%s: stubs that nothing refers to are entities:\n%s", target, got)
		}
	}
}

// TestFiles: the headers that were read are listed as FS names them, stubs
// left out, and messages show them as Display does.
func TestFiles(t *testing.T) {
	c := readCase(t, "testdata/model/headers.txtar")
	c.cfg.Display = func(name string) string { return "include/" + name }
	r, err := Parse(c.cfg)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lamp.h", "inner/part.h", "inner/sibling.h", "second.h", "facts.h", "onlyfacts.h"}, r.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	part := find(t, r.API.Records, func(r *ir.Record) bool { return r.Name == "lampPart" })
	want := ir.Meta{Header: "inner/part.h", Pos: ir.Position{File: "include/inner/part.h", Line: 4, Col: 47}}
	if diff := cmp.Diff(want, part.Meta); diff != "" {
		t.Errorf("place of lampPart (-want +got):\n%s", diff)
	}
}

// TestDefines: a type that no header declares can be given.
func TestDefines(t *testing.T) {
	cfg := Config{
		FS:      fstest.MapFS{"lamp.h": {Data: []byte("#ifdef LAMP_ON\ntypedef struct { lampMissing m; const lampMissing *p; int n; } lampBox;\n#endif\n")}},
		Target:  ir.LinuxAMD64,
		Roots:   []string{"lamp.h"},
		Defines: []string{"lampMissing=unsigned int", "LAMP_ON"},
	}
	r, err := Parse(cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := "struct typedef lampBox: size 24 align 8\n  unsigned int m @0\n  const unsigned int* p @8\n  int n @16\ndeclared 0\n"
	if diff := cmp.Diff(want, dump(r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
