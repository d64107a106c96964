package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// TestEveryCombinationIsSafe: the template has conditions, and what only other
// people's libraries get has to be as safe as what this repository generates.
func TestEveryCombinationIsSafe(t *testing.T) {
	seen := map[string]bool{}
	for bits := range 16 {
		proc, finder, perThread, snippet := bits&1 > 0, bits&2 > 0, bits&4 > 0, bits&8 > 0
		name := fmt.Sprintf("proc-address %t, pathfinder %t, per-thread-env %t, snippet %t", proc, finder, perThread, snippet)
		loader := "resolve: dynamic\n  open: {linux: [libdemo.so.1], windows: [demo64_1.dll]}\n"
		if proc {
			loader = "resolve: proc-address\n  proc-address: {symbol: demoFind, flags: 0, per-thread-flags: 2, not-found: DEMO_NO, failed: DEMO_BAD, status-missing: DEMO_NO, status-too-old: DEMO_NO}\n  open: {linux: [libdemo.so.1], windows: [demo64_1.dll]}\n"
		}
		if finder {
			loader += "  pathfinder: demo\n"
		}
		if perThread {
			loader += "  per-thread-env: DEMO_PER_THREAD\n"
		}
		lib, err := config.ParseLibrary("demo.yaml", []byte("library: demo\ntitle: Demo\nheaders: {bind: [demo.h]}\npublic-names: base\ntypes: {default: inline}\nresults: {int: -1}\nloader:\n  "+loader))
		if err != nil {
			t.Fatal(name, err)
		}
		if snippet {
			if err := lib.ParseSnippet("demo.pyx", []byte("# cybindgo: _internal/demo.pyx\ncdef int _demoTwice(int x) except? -1 nogil:\n    return _demoAdd(_demoAdd(x))\n")); err != nil {
				t.Fatal(name, err)
			}
		}
		s := &ir.Snapshot{Library: "demo", Targets: []ir.Target{ir.LinuxAMD64}, Release: ir.Release{Label: "1.0.0"}}
		for _, f := range []string{"demoAdd", "demoFind"} {
			typ, err := ir.ParseType("int(int x)")
			if err != nil {
				t.Fatal(err)
			}
			s.Functions = append(s.Functions, ir.Function{Meta: ir.Meta{Header: "demo.h"}, Name: f, Symbol: f, Type: typ})
		}
		h := ir.NewHistory("demo")
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
		out, err := emit.Generate(emit.Input{
			Project: &config.Project{Packages: []config.Package{{
				Name: "demo", Version: "1.0.0", Module: "demo", Output: "out",
				Libraries: map[string]config.Binding{"demo": {Releases: "1.0.0"}},
			}}},
			Libraries: map[string]*config.Library{"demo": lib}, Histories: map[string]*ir.History{"demo": h},
		})
		if err != nil {
			t.Fatal(name, err)
		}
		var files []File
		for path, data := range out.Files {
			files = append(files, File{Path: path, Data: data})
			if strings.HasSuffix(path, "_linux.pyx") {
				seen[string(data)] = true
			}
		}
		for _, f := range Check(files) {
			t.Errorf("%s: %s:%d:%d: %s [%s]", name, f.File, f.Line, f.Col, f.Message, f.Rule)
		}
	}
	if len(seen) != 16 {
		t.Errorf("%d different loaders, want 16", len(seen))
	}
}
