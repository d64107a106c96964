package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// demoLibrary is a definition that names a snippet.
func demoLibrary(t testing.TB) *Library {
	t.Helper()
	l, err := ParseLibrary("demo.yaml", []byte(smallLibrary+"snippet: demo.snippet.pyx\n"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const smallSnippet = `# What headers cannot say.

# cybindgo: cydemo.pxd

cdef int a  # é

cdef int b


# cybindgo: _internal/demo.pyx
cdef int c
    # cybindgo: this is indented, and so no section
`

func TestSectionsOfASnippet(t *testing.T) {
	for name, text := range map[string]string{
		"plain":              smallSnippet,
		"CRLF":               strings.ReplaceAll(smallSnippet, "\n", "\r\n"),
		"byte-order mark":    "\ufeff" + smallSnippet,
		"no last line end":   strings.TrimRight(smallSnippet, "\n"),
		"blanks at the end":  smallSnippet + "\n  \n\t\n",
		"no blanks in marks": strings.ReplaceAll(smallSnippet, "\n# cybindgo: ", "\n#cybindgo:"),
	} {
		l := demoLibrary(t)
		if err := l.ParseSnippet("demo.snippet.pyx", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := l.HandWritten()
		want := &Section{Text: "cdef int a  # é\n\ncdef int b\n", Line: 5}
		if d := cmp.Diff(want, s.Section("cydemo.pxd")); d != "" {
			t.Errorf("%s: cydemo.pxd (-want +got):\n%s", name, d)
		}
		want = &Section{Text: "cdef int c\n    # cybindgo: this is indented, and so no section\n", Line: 11}
		if d := cmp.Diff(want, s.Section("_internal/demo.pyx")); d != "" {
			t.Errorf("%s: _internal/demo.pyx (-want +got):\n%s", name, d)
		}
		if s.Section("cydemo.pyx") != nil {
			t.Errorf("%s: a section that the file does not have", name)
		}
	}
	if demoLibrary(t).HandWritten().Section("cydemo.pxd") != nil {
		t.Error("a section of a snippet that was not read")
	}
}

func TestMistakesInASnippet(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1:1: the snippet is empty: expected a section, such as: # cybindgo: cydemo.pxd"},
		{"# a\n", "1:1: the snippet is empty: expected a section, such as: # cybindgo: cydemo.pxd"},
		{"a = 1\nb = 2\n", "1:1: expected a line that says where this goes, such as: # cybindgo: cydemo.pxd"},
		{"# cybindgo: demo.pyx\na = 1\n", `1:1: section "demo.pyx": expected one of cydemo.pxd, cydemo.pyx, _internal/demo.pxd, _internal/demo.pyx; did you mean cydemo.pyx?`},
		{"# cybindgo:\na = 1\n", `1:1: section "": expected one of cydemo.pxd, cydemo.pyx, _internal/demo.pxd, _internal/demo.pyx`},
		{"# cybindgo: cydemo.pyx\n\n# a\n", "1:1: section cydemo.pyx is empty"},
		{"# cybindgo: cydemo.pyx\na = 1\n# cybindgo: cydemo.pyx\nb = 1\n", "3:1: section cydemo.pyx stands twice: first in line 1"},
		{"# cybindgo: cydemo.pyx\nif a:\n  \tb = 1\n", "3:3: a tab: expected spaces, as in the rest of the generated file"},
		{"# cybindgo: cydemo.pyx\na = 'é' # @SEAL@\n", `2:11: "@SEAL@" has a meaning of its own in generated files: write something else`},
		{"# cybindgo: cydemo.pyx\na = 1\rb = 2\n", "2:6: byte 0x0d: expected a line feed after a carriage return"},
		{"# cybindgo: cydemo.pyx\na = '\xff'\n", "2:6: byte 0xff: expected text in UTF-8"},
	} {
		err := demoLibrary(t).ParseSnippet("x.pyx", []byte(c.text))
		if err == nil || err.Error() != "x.pyx:"+c.want {
			t.Errorf("%q:\n got %v\nwant x.pyx:%s", c.text, err, c.want)
		}
	}
}

// FuzzSnippet: whatever a snippet holds, it is read, or the mistake has a place
// inside the file.
func FuzzSnippet(f *testing.F) {
	seeds(f, []byte(smallSnippet))
	f.Fuzz(func(t *testing.T, data []byte) {
		mustHavePlace(t, data, demoLibrary(t).ParseSnippet("x.yaml", data))
	})
}
