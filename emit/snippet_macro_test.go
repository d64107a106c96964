package emit

import (
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// A macro that stands for a call has no name in the generated part, so a
// snippet is the place to give it one.
func TestSnippetMayDefineWhatAMacroCalls(t *testing.T) {
	lib, err := config.ParseLibrary("demo.yaml", []byte(`library: demo
title: Demo
headers: {bind: [demo.h]}
public-names: base
types: {default: inline}
results: {int: -1}
loader: {resolve: dynamic, open: {linux: [libdemo.so.1], windows: [demo64_1.dll]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if err := lib.ParseSnippet("demo.pyx", []byte("# cybindgo: cydemo.pyx\ncdef int demoFlushAll() except? -1 nogil:\n    return demoFlush(-1)\n")); err != nil {
		t.Fatal(err)
	}
	s := release("1.0.0", function("demoFlush", "demoFlush"))
	s.Constants = []ir.Constant{{Meta: ir.Meta{Header: "demo.h"}, Name: "demoFlushAll", Reason: "takes arguments"}}
	h := ir.NewHistory("demo")
	if err := h.Add(s); err != nil {
		t.Fatal(err)
	}
	out := generate(t, Input{
		Project: &config.Project{Packages: []config.Package{{
			Name: "demo", Version: "1.0.0", Module: "demo", Output: "out",
			Libraries: map[string]config.Binding{"demo": {Releases: "1.0.0"}},
		}}},
		Libraries: map[string]*config.Library{"demo": lib},
		Histories: map[string]*ir.History{"demo": h},
	})
	if got := string(out.Files["out/demo/cydemo.pyx"]); !strings.Contains(got, "cdef int demoFlushAll() except? -1 nogil:\n    return demoFlush(-1)\n") {
		t.Errorf("the snippet is not in\n%s", got)
	}
}
