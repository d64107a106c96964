package config

import (
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/releases"
)

func TestDefinitionsAreValid(t *testing.T) {
	for _, name := range LibraryNames() {
		l, err := LoadLibrary(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if l.Name != name {
			t.Errorf("the definition of %s calls itself %s", name, l.Name)
		}
	}
	if _, err := LoadLibrary("drivr"); err == nil || !strings.Contains(err.Error(), "did you mean driver?") {
		t.Errorf("LoadLibrary(drivr): %v", err)
	}
}

// What a built-in definition says is borne out by the built-in history. Users
// cannot mend it, so commands do not look.
func TestRulesOfDefinitionsMatchSomething(t *testing.T) {
	for _, name := range LibraryNames() {
		l, err := LoadLibrary(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := releases.FS.ReadFile(name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		history, err := ir.Decode(name+".json", data)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.CheckRules(history); err != nil {
			t.Error(err)
		}
	}
}

func TestTypeModes(t *testing.T) {
	l, err := LoadLibrary("driver")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		header, name string
		want, inline TypeMode // as defined, and with inline for a default
	}{
		{"cuda.h", "CUcontext", Extern, Inline},
		{"cudaEGL.h", "CUeglFrameType", Inline, Inline},
		{"cudaEGL.h", "CUeglFrame", Cython, Cython},
		{"GL/gl.h", "GLuint", Cython, Cython},
	} {
		if got := l.Types.Of(c.header, c.name); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := l.Types.With(Inline).Of(c.header, c.name); got != c.inline {
			t.Errorf("%s with inline types: %s, want %s", c.name, got, c.inline)
		}
	}
}

const smallLibrary = `library: demo
title: Demo
headers: {bind: [demo.h]}
public-names: base
types: {default: extern}
loader: {resolve: dynamic, open: {linux: [libdemo.so.1], windows: [demo64_1.dll]}}
`

func TestMistakesInADefinitionHaveAPlace(t *testing.T) {
	if _, err := ParseLibrary("demo.yaml", []byte(smallLibrary)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"default: extern", "default: exten", `demo.yaml:5:18: default "exten": expected one of extern, inline, cython; did you mean extern?`},
		{"resolve: dynamic", "resolve: dynamo", `demo.yaml:6:19: resolve "dynamo": expected one of proc-address, dynamic; did you mean dynamic?`},
		{"public-names: base", "public-names: symbols", `demo.yaml:4:15: public-names "symbols": expected one of base, symbol; did you mean symbol?`},
		{"title: Demo", "titel: Demo", `demo.yaml:2:1: unknown key "titel": expected one of library, title, headers, public-names, types, results, constants, exclude, parameters, min-version, allow-removed, snippet, loader; did you mean title?`},
		{"bind: [demo.h]", "bind: []", `demo.yaml:3:17: bind is empty: expected a header as it is included, such as demo.h`},
		{"linux: [libdemo.so.1], ", "", `demo.yaml:6:34: expected linux: the file name of a library, such as libdemo.so.1`},
		{", open: {linux: [libdemo.so.1], windows: [demo64_1.dll]}", "", `demo.yaml:6:1: expected a pathfinder name, or file names under open for linux and windows`},
	} {
		_, err := ParseLibrary("demo.yaml", []byte(strings.Replace(smallLibrary, c.old, c.new, 1)))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.new, err, c.want)
		}
	}
}
