package audit

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/ir"
)

// loader is our own output for a library of three functions: the file that
// mutants are made from.
func loader(t testing.TB) string {
	t.Helper()
	return loaderFrom(t, nil)
}

// loaderFrom is the same from other templates.
func loaderFrom(t testing.TB, templates fs.FS) string {
	t.Helper()
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
	s := &ir.Snapshot{Library: "demo", Targets: []ir.Target{ir.LinuxAMD64}, Release: ir.Release{Label: "1.0.0"}}
	for _, name := range []string{"demoAdd", "demoCount", "demoReset"} {
		typ, err := ir.ParseType("int(int x)")
		if err != nil {
			t.Fatal(err)
		}
		s.Functions = append(s.Functions, ir.Function{Meta: ir.Meta{Header: "demo.h"}, Name: name, Symbol: name, Type: typ})
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
		Libraries: map[string]*config.Library{"demo": lib},
		Histories: map[string]*ir.History{"demo": h},
		Templates: templates,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Files["out/demo/_internal/demo_linux.pyx"])
}

// edited applies a mutant's edits: text between <<<< and ==== is replaced by
// what follows up to >>>>, once, and has to be there.
func edited(t testing.TB, name, text, edits string) string {
	t.Helper()
	n := 0
	for rest := edits; ; n++ {
		_, after, found := strings.Cut(rest, "<<<<\n")
		if !found {
			break
		}
		old, after, ok := strings.Cut(after, "====\n")
		replacement, after, ok2 := strings.Cut(after, ">>>>\n")
		if !ok || !ok2 {
			t.Fatalf("%s: an edit needs <<<<, ==== and >>>>", name)
		}
		old, replacement = strings.TrimSuffix(old, "\n"), strings.TrimSuffix(replacement, "\n")
		if strings.Count(text, old) != 1 {
			t.Errorf("%s: expected once in the emitted loader, found %d times:\n%s", name, strings.Count(text, old), old)
		}
		text = strings.Replace(text, old, replacement, 1)
		rest = after
	}
	if n == 0 {
		t.Fatalf("%s: no edits", name)
	}
	return text
}

// cases gives the mutants of a folder: name and text.
func cases(t testing.TB, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	base := loader(t)
	out := map[string]string{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		group := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range a.Files {
			name := group + "/" + f.Name
			if bytes.Contains(f.Data, []byte("<<<<\n")) {
				out[name] = edited(t, name, base, string(f.Data))
			} else {
				out[name] = string(f.Data)
			}
		}
	}
	return out
}

func check(text string) []finding.Finding {
	return Check([]File{{Path: "demo_linux.pyx", Data: []byte(text)}})
}

func rulesOf(findings []finding.Finding) []string {
	var rules []string
	for _, f := range findings {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// TestMutantsAreRejected: a mutant in the file of a rule breaks that rule.
func TestMutantsAreRejected(t *testing.T) {
	spellings := map[string]int{}
	for name, text := range cases(t, "reject") {
		rule, _, _ := strings.Cut(name, "/")
		spellings[rule]++
		findings := check(text)
		if !slices.Contains(rulesOf(findings), rule) {
			t.Errorf("%s: rules %v, want %s among them", name, rulesOf(findings), rule)
			for _, f := range findings {
				t.Logf("%d:%d %s %s", f.Line, f.Col, f.Rule, f.Message)
			}
		}
	}
	for rule, n := range spellings {
		if n < 3 {
			t.Errorf("%s has %d mutants, want at least 3 spellings", rule, n)
		}
	}
	for _, r := range Rules {
		if spellings[r.ID] == 0 {
			t.Errorf("rule %s has no mutant", r.ID)
		}
	}
}

// TestAttacksAreRejected: edits that somebody made to get an unsafe loader past
// this check, by whatever rule.
func TestAttacksAreRejected(t *testing.T) {
	all := cases(t, "attacks")
	for name, text := range all {
		if len(check(text)) == 0 {
			t.Errorf("%s is accepted", name)
		}
	}
	if len(all) < 150 {
		t.Errorf("%d attacks", len(all))
	}
}

// TestTextThatIsNotWhatItLooksLike: Cython ends lines and comments, and
// resolves escapes, where a reader does not see it.
func TestTextThatIsNotWhatItLooksLike(t *testing.T) {
	for name, edit := range map[string][2]string{
		"a carriage return in a comment":  {"# How initialisation", "# hidden\rimport os\n# How initialisation"},
		"a carriage return in C":          {"    #include <string.h>", "    // hidden\rstatic int cyb_calls;\n    #include <string.h>"},
		"an escape in C":                  {"    #include <string.h>", "    // hidden\\nstatic int cyb_calls;\n    #include <string.h>"},
		"a joined line in a comment of C": {"    #include <string.h>", "    // hidden \\\n    #include <string.h>"},
		"a trigraph":                      {"    #include <string.h>", "    // hidden ??/\n    #include <string.h>"},
		"a form feed":                     {"from libc.stdint", "\ffrom libc.stdint"},
		"a variable of the .pxd's":        {"cdef inline void* _cyb_fn", "cdef public int _cyb_calls\n\n\ncdef inline void* _cyb_fn"},
	} {
		text := loader(t)
		if strings.Count(text, edit[0]) != 1 {
			t.Errorf("%s: %q is there %d times", name, edit[0], strings.Count(text, edit[0]))
		}
		path := "demo_linux.pyx"
		if strings.Contains(name, ".pxd") {
			path = "demo.pxd"
		}
		if len(Check([]File{{Path: path, Data: []byte(strings.Replace(text, edit[0], edit[1], 1))}})) == 0 {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestSafeVariantsAreAccepted(t *testing.T) {
	all := cases(t, "accept")
	all["emitted"] = loader(t)
	for name, text := range all {
		for _, f := range check(text) {
			t.Errorf("%s: %d:%d %s %s\n%s", name, f.Line, f.Col, f.Rule, f.Message, line(text, f.Line))
		}
	}
}

// TestNamesAndOrderMeanNothing: our own output with every name changed and
// everything in another order is as safe as it was, and its mutants are not.
func TestNamesAndOrderMeanNothing(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"emitted", loader(t), nil},
		{"relaxed", strings.Replace(loader(t), "__ATOMIC_ACQUIRE", "__ATOMIC_RELAXED", 1), []string{RelaxedLoad}},
		{"bypass", strings.Replace(loader(t), "    if not cyb_ready():\n        _cyb_initialise()\n    i = ", "    i = ", 1), []string{Bypass}},
	} {
		if d := cmp.Diff(c.want, rulesOf(check(scrambled(c.text)))); d != "" {
			t.Errorf("%s: rules (-want +got):\n%s\n%s", c.name, d, scrambled(c.text))
		}
	}
}

// scrambled renames everything and reverses the order of the functions.
func scrambled(text string) string {
	text = strings.NewReplacer(
		"_cyb_", "_w", "cyb_", "q", "CYB_", "K_", "table", "book", "_inspect_function_pointer", "_show", "function", "thing",
		"library", "source", "_demo", "_demo", "symbol", "word", "expected", "was", "row", "entry", "per_thread", "mode",
	).Replace(text)
	head, tail, _ := strings.Cut(text, "\n\n\ncdef ")
	parts := strings.Split("cdef "+tail, "\n\n\n")
	slices.Reverse(parts)
	return head + "\n\n\n" + strings.Join(parts, "\n\n\n") + "\n"
}

func line(text string, n int) string {
	lines := strings.Split(text, "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}
