package golden

import (
	"bytes"
	"maps"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/emit"
)

// each runs a check on every emitted file that a suffix selects, and fails if
// that is none.
func each(t *testing.T, suffix string, check func(t *testing.T, path string, data []byte)) {
	t.Helper()
	seen := 0
	files := emitted(t)
	for path, data := range files {
		if strings.HasSuffix(path, suffix) {
			seen++
			check(t, path, data)
		}
	}
	if seen < 40 {
		t.Errorf("%d files end in %s", seen, suffix)
	}
}

func TestFilesAreTidy(t *testing.T) {
	blank := regexp.MustCompile(`(?m)[ \t]+$`)
	each(t, "", func(t *testing.T, path string, data []byte) {
		switch {
		case !utf8.Valid(data) || bytes.ContainsAny(data, "\r\t"):
			t.Errorf("%s: want UTF-8 without tabs and carriage returns", path)
		case !bytes.HasSuffix(data, []byte("\n")) || bytes.HasSuffix(data, []byte("\n\n")):
			t.Errorf("%s: want one line end at the end", path)
		case blank.Match(data):
			t.Errorf("%s: want no white space at the ends of lines", path)
		case bytes.Contains(data, []byte("\n\n\n\n")):
			t.Errorf("%s: want no more than two empty lines", path)
		}
		if err := emit.VerifySeal(data); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
}

func TestEveryModuleIsFreeThreadingCompatible(t *testing.T) {
	each(t, ".pyx", func(t *testing.T, path string, data []byte) {
		head, _, _ := bytes.Cut(data, []byte("\n\n"))
		if !bytes.Contains(head, []byte("\n# cython: freethreading_compatible=True\n")) {
			t.Errorf("%s does not say that it is free-threading compatible", path)
		}
	})
}

func TestNothingIsClosed(t *testing.T) {
	closes := regexp.MustCompile(`\b(dlclose|FreeLibrary)\b`)
	each(t, ".pyx", func(t *testing.T, path string, data []byte) {
		if found := closes.Find(data); found != nil {
			t.Errorf("%s calls %s: what is cached is never closed", path, found)
		}
	})
}

// Initialising calls functions of the library through raw pointers: a wrapper
// would initialise again.
func TestInitialisersCallNoWrapper(t *testing.T) {
	wrapper := regexp.MustCompile(`(?m)^cdef .*?\b(_\w+)\(.*nogil:$`)
	each(t, "_linux.pyx", func(t *testing.T, path string, data []byte) {
		body, wrappers, ok := strings.Cut(string(data), "# Functions\n")
		if !ok {
			t.Fatalf("%s has no wrappers", path)
		}
		for _, m := range wrapper.FindAllStringSubmatch(wrappers, -1) {
			if regexp.MustCompile(`\b` + m[1] + `\(`).MatchString(body) {
				t.Errorf("%s: %s is called before the wrappers", path, m[1])
			}
		}
	})
}

// A number is never cast to a pointer: all casts to pointers are of what the
// table holds, to a function's type.
func TestNoNumberBecomesAPointer(t *testing.T) {
	cast := regexp.MustCompile(`<[^<>\n]*\*[^<>\n]*>[<\w]+`)
	wanted := regexp.MustCompile(`noexcept nogil>_cyb_fn$|^<cyb_table_t\*>calloc$|^<void\*><uintptr_t$`)
	each(t, ".pyx", func(t *testing.T, path string, data []byte) {
		for _, found := range cast.FindAllString(string(data), -1) {
			if !wanted.MatchString(found) {
				t.Errorf("%s: cast %s", path, found)
			}
		}
	})
}

// The two platform files of a library differ inside platform regions only, which
// emit itself holds, and in no file does one platform's region show in the other.
func TestPlatformRegions(t *testing.T) {
	each(t, "_linux.pyx", func(t *testing.T, path string, data []byte) {
		if bytes.Contains(data, []byte("windows.h")) || !bytes.Contains(data, []byte("dlfcn.h")) {
			t.Errorf("%s is not for Linux alone", path)
		}
	})
	each(t, "_windows.pyx", func(t *testing.T, path string, data []byte) {
		if bytes.Contains(data, []byte("dlfcn.h")) || !bytes.Contains(data, []byte("windows.h")) {
			t.Errorf("%s is not for Windows alone", path)
		}
	})
}

// What goes in may have other line ends, a byte order mark, and bytes in
// comments that are no UTF-8: the same comes out.
func TestLineEndsAndEncodings(t *testing.T) {
	crlf := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }
	header := func(name string) bool { return strings.HasSuffix(name, ".h") }
	changes := map[string]func(name string, text []byte) []byte{
		"CRLF in headers and configuration": func(_ string, text []byte) []byte { return crlf(text) },
		"a byte order mark": func(name string, text []byte) []byte {
			if !header(name) {
				return text
			}
			return append([]byte("\ufeff"), text...)
		},
		"a lone CR and Latin-1 in comments": func(name string, text []byte) []byte {
			if !header(name) {
				return text
			}
			return append([]byte("/* caf\xe9 \r lone */ // \x93quoted\x94 \r here\n"), crlf(text)...)
		},
	}
	for _, c := range readCases(t) {
		if c.wantsErrors() {
			continue
		}
		want := c.run(t, nil)
		for what, change := range changes {
			got := c.run(t, change)
			if got.err != nil {
				t.Errorf("%s, %s: %v", c.name, what, got.err)
				continue
			}
			if d := cmp.Diff(asText(want.emitted.Files), asText(got.emitted.Files)); d != "" {
				t.Errorf("%s, %s (-LF +changed):\n%s", c.name, what, d)
			}
		}
	}
}

func asText(files map[string][]byte) map[string]string {
	texts := map[string]string{}
	for path, data := range files {
		texts[path] = string(data)
	}
	return texts
}

// The same cases give the same files, each time.
func TestEmittingIsRepeatable(t *testing.T) {
	for range 2 {
		if !maps.EqualFunc(emitted(t), emitAll(t), bytes.Equal) {
			t.Error("another run gives other files")
		}
	}
}
