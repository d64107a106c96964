package emit

import (
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// A library that is opened by file names and looked up symbol by symbol, with
// results that the driver does not have.
func demo(t *testing.T) *Output {
	t.Helper()
	lib, err := config.ParseLibrary("demo.yaml", []byte(`library: demo
title: Demo
headers: {bind: [demo.h]}
public-names: base
types: {default: inline}
results: {int: -1}
loader: {resolve: dynamic, open: {linux: [libdemo.so.1, libdemo.so.0], windows: [demo64_1.dll]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	typed := func(name, typ string) ir.Function {
		f := function(name, name)
		f.Type = mustType(typ)
		return f
	}
	history := ir.NewHistory("demo")
	if err := history.Add(release("1.0.0",
		function("demoAdd", "demoAdd_v2"),
		typed("demoReset", "void()"),
		typed("demoName", "const char*(int from, const char*const* import)"),
	)); err != nil {
		t.Fatal(err)
	}
	return generate(t, Input{
		Project: &config.Project{Packages: []config.Package{{
			Name: "demo", Version: "1.0.0", Module: "demo.bindings", Output: "out",
			Libraries: map[string]config.Binding{"demo": {Releases: "1.0.0"}},
		}}},
		Libraries: map[string]*config.Library{"demo": lib},
		Histories: map[string]*ir.History{"demo": history},
	})
}

func TestLibraryOpenedByName(t *testing.T) {
	files := demo(t).Files
	for path, want := range map[string][]string{
		"out/demo/bindings/_internal/demo_linux.pyx": {
			`cyb_names[] = { "libdemo.so.1", "libdemo.so.0" };`,
			`{ "__demoAdd_v2", "" },`,
			"cdef void _demoReset() except * nogil:\n    (<void (*)() noexcept nogil>_cyb_fn(CYB_demoReset))()",
			"cdef const char* _demoName(int from_, const char* const* import_) except? NULL nogil:",
			"cdef int _demoAdd_v2(int x) except? -1 nogil:",
		},
		"out/demo/bindings/_internal/demo_windows.pyx": {`cyb_names[] = { "demo64_1.dll" };`},
		"out/demo/bindings/cydemo.pyx":                 {"cdef int demoAdd(int x) except? -1 nogil:\n    return _cyb_loader._demoAdd_v2(x)"},
	} {
		for _, text := range want {
			if !strings.Contains(string(files[path]), text) {
				t.Errorf("%s lacks\n%s", path, text)
			}
		}
		if strings.Contains(string(files[path]), "cuda.pathfinder") {
			t.Errorf("%s asks cuda.pathfinder", path)
		}
	}
}
