package config

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"unicode/utf8"
)

// FuzzProject: whatever a project's configuration holds, it is read, or the
// mistake has a place inside the file.
func FuzzProject(f *testing.F) {
	data, err := os.ReadFile("../../" + FileName)
	if err != nil {
		f.Fatal(err)
	}
	seeds(f, data)
	f.Add([]byte("packages:\n  - {name: a, version: 1, module: a.b, output: c, libraries: {driver: {releases: 12.9.0..13.5.0, types: inline}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := LoadProject("x.yaml", data)
		mustHavePlace(t, data, err)
	})
}

// FuzzLibrary is the same for the definition of a library.
func FuzzLibrary(f *testing.F) {
	for _, name := range LibraryNames() {
		data, err := definitions.ReadFile("libraries/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		seeds(f, data)
	}
	f.Add([]byte(smallLibrary))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := ParseLibrary("x.yaml", data)
		mustHavePlace(t, data, err)
	})
}

// seeds adds a file, the file without each of its lines, and what YAML has
// that our files have not.
func seeds(f *testing.F, data []byte) {
	f.Add(data)
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i := range lines {
		f.Add(bytes.Join(append(lines[:i:i], lines[i+1:]...), nil))
	}
	for _, text := range []string{
		"", "\n", "---\n", "--- a\n--- b\n", "null", "[", "{", "a: [", "a: {b: c", "- a", "a: 1\na: 2\n", "\ta: b\n", "a:\n\tb: c\n",
		"packages: 1", "packages: [1]", "packages: [{}]", "packages:\n  - name: [a]\n", "licence: {a: b}\n",
		"a: &x [1]\nb: *x\n", "packages: &x [*x]\n", "a: *nowhere\n", "<<: {packages: []}\n", "a: !!binary x\n", "a: |\n  b\n", "a: >-\n  b\n", "? a\n: b\n",
		"\ufeffpackages: []\n", "packages: []\r\n", "a: \"\\x\"\n", "a: 'b\n", "\xff\xfe", "a: \x00\n", "%YAML 1.3\n---\n", "a: b: c\n", "a: @b\n", "a: `b\n",
	} {
		f.Add([]byte(text))
	}
}

// mustHavePlace fails for an error that does not say where in data it is.
func mustHavePlace(t *testing.T, data []byte, err error) {
	t.Helper()
	if err == nil {
		return
	}
	e := new(Error)
	if !errors.As(err, &e) || e.File != "x.yaml" || e.Msg == "" || !utf8.ValidString(e.Msg) {
		t.Fatalf("not an Error of the file: %#v", err)
	}
	lines := bytes.Split(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"))
	if e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.Col > utf8.RuneCount(lines[e.Line-1])+1 {
		t.Fatalf("%d:%d is outside of the file: %v", e.Line, e.Col, err)
	}
}
