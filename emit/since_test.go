package emit

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/ir"
)

func TestSinceIsTheFirstFinalRelease(t *testing.T) {
	function := func(text string) ir.Function {
		name, typ, _ := strings.Cut(text, " ")
		ft, err := ir.ParseType(typ)
		if err != nil {
			t.Fatal(err)
		}
		return ir.Function{Meta: ir.Meta{Header: "demo.h"}, Name: name, Symbol: name, Type: ft}
	}
	h := ir.NewHistory("demo")
	for _, r := range []struct {
		label     string
		functions []string
	}{
		{"1.0.0", []string{"old int()", "changed int()"}},
		{"1.1.0rc1", []string{"old int()", "changed int(int a)", "fresh int()", "withdrawn int()"}},
		{"1.1.0", []string{"old int()", "changed int(int a)", "fresh int()", "twice int()"}},
		{"1.2.0", []string{"old int()", "changed int(int b)", "fresh int()", "twice int(long a)"}},
	} {
		s := &ir.Snapshot{Library: "demo", Targets: ir.DefaultTargets, Release: ir.Release{Label: r.label, Prerelease: strings.Contains(r.label, "rc")}}
		for _, text := range r.functions {
			s.Functions = append(s.Functions, function(text))
		}
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	since := newFirstReleases(h, nil)
	for _, c := range []struct{ function, want string }{
		{"old int()", ""},
		{"changed int(int a)", "  # with this signature since 1.1.0"},
		{"fresh int()", "  # since 1.1.0"},
		{"withdrawn int()", "  # since 1.1.0rc1"},
		{"twice int(long a)", "  # since 1.1.0, with this signature since 1.2.0"},
	} {
		f := function(c.function)
		if got := since.comment(f.Name, f.Type.Signature()); got != c.want {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}

// The committed files say it of what came after the history's first release.
func TestSinceInTheDeclarations(t *testing.T) {
	out := generate(t, committed(t))
	text := string(out.Files["generated/cuda_bindings_13/cuda/bindings/cydriver.pxd"])
	for name, want := range map[string]string{
		"cuInit": "nogil", "cuLibraryLoadData": "nogil  # since 12.0.0", "cuMemcpyBatchAsync": "nogil  # since 12.8.0, with this signature since 13.0.0",
		"cuCtxCreate": "nogil  # with this signature since 13.0.0", "cuFabricCpyBatchAsync": "nogil  # since 13.5.0",
	} {
		_, rest, _ := strings.Cut(text, " "+name+"(")
		line, _, _ := strings.Cut(rest, "\n")
		if !strings.HasSuffix(line, want) {
			t.Errorf("%s: the line ends with %q, want %q", name, line, want)
		}
	}
	callers := regexp.MustCompile(`/cy\w+\.pxd$`)
	for path, content := range out.Files {
		if !callers.MatchString(path) && strings.Contains(string(content), "# since ") {
			t.Errorf("%s says since when, and is not the file for callers", path)
		}
	}
}
