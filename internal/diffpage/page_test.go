package diffpage

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

// driver is the committed history of the CUDA driver.
func driver(tb testing.TB) *ir.History {
	tb.Helper()
	data, err := os.ReadFile("../../releases/driver.json")
	if err != nil {
		tb.Fatal(err)
	}
	h, err := ir.Decode("driver.json", data)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func changes(tb testing.TB, h *ir.History, old, new string) *ir.Changes {
	tb.Helper()
	c, err := h.Diff(old, new)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func written(tb testing.TB, c *ir.Changes, h *ir.History) string {
	tb.Helper()
	var b bytes.Buffer
	if err := Write(&b, c, h); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func TestPageHoldsEveryChangeBreaksFirst(t *testing.T) {
	h := driver(t)
	c := changes(t, h, "12.9.1", "13.0.0")
	text := written(t, c, h)
	if text != written(t, c, h) {
		t.Error("the same changes make another page")
	}
	var order []string
	for _, m := range regexp.MustCompile(`<h2 id="class-([\w-]+)">[^<]* <span class="count">(\d+)</span>`).FindAllStringSubmatch(text, -1) {
		order = append(order, m[1]+" "+m[2])
	}
	want := []string{"cython-abi 27", "layout 2", "source 3", "behaviour 15", "addition 57", "other 2", "noise 4"}
	if d := cmp.Diff(want, order); d != "" {
		t.Errorf("sections (-want +got):\n%s", d)
	}
	if n := strings.Count(text, `<li class="change"`); n != len(c.List) {
		t.Errorf("%d changes are in the page, %d were made", n, len(c.List))
	}
	if n := strings.Count(text, "<details>"); n != len(c.List) {
		t.Errorf("%d of %d changes have a history", n, len(c.List))
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if ids[m[1]] {
			t.Errorf("the id %s stands twice", m[1])
		}
		ids[m[1]] = true
	}
	for _, want := range []string{
		`<title>driver 12.9.1 → 13.0.0</title>`,
		`published 2025-06-05 → 2025-08-04 · linux/amd64, linux/arm64, windows/amd64`,
		`CUresult cuCtxCreate(CUcontext* pctx, <mark>CUctxCreateParams* ctxCreateParams, </mark>unsigned int flags, CUdevice dev)`,
		`<summary>History <span>since 11.8.0 or before, changed in 1 release · cuda.h</span></summary>`,
		`<tr class="within"><td>13.0.0</td><td>2025-08-04</td><td><span class="dot layout" title="binary layout break"></span>size changed: 4 -&gt; 12 [binary layout break]</td></tr>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
}

// The page loads nothing: no address of anything else is in it.
func TestPageIsWholeInItself(t *testing.T) {
	h := driver(t)
	text := written(t, changes(t, h, "12.0.0", "13.5.0"), h)
	for _, m := range regexp.MustCompile(`(?i)(?:src|href|action|data|srcset)\s*=\s*"([^"]*)"|url\(|@import|https?:|//[a-z]`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "#") {
			t.Errorf("the page refers to something: %s", m[0])
		}
	}
	if !strings.Contains(text, `content="default-src 'none';`) {
		t.Error("the page has no policy against loading")
	}
}

// What histories say is text, whatever it is.
func TestPageEscapes(t *testing.T) {
	h := ir.NewHistory("demo")
	for i, value := range []string{`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`} {
		s := &ir.Snapshot{Library: "demo", Targets: ir.DefaultTargets, Release: ir.Release{Label: []string{"1.0.0", "2.0.0"}[i]}}
		s.Constants = []ir.Constant{{Meta: ir.Meta{Header: "a<b>.h"}, Name: "TEXT", Type: &ir.Type{Kind: ir.Basic, Name: "char"}, Value: value}}
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	text := written(t, changes(t, h, "1.0.0", "2.0.0"), h)
	if strings.Count(text, "<script") != 1 || strings.Contains(text, "<img") {
		t.Errorf("the page has markup of a value:\n%s", text)
	}
	if !strings.Contains(text, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("the value is not shown")
	}
}

func TestPageOfNoChanges(t *testing.T) {
	h := driver(t)
	text := written(t, changes(t, h, "13.5.0", "13.5.0"), h)
	if !strings.Contains(text, "<p>Nothing differs.</p>") || strings.Contains(text, "<form") {
		t.Errorf("the page of no changes:\n%s", text)
	}
}

func TestCompareMarksWholeWords(t *testing.T) {
	show := func(list []part) string {
		var b strings.Builder
		for _, p := range list {
			if p.Own {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		return b.String()
	}
	for _, c := range []struct{ name, old, new, wantOld, wantNew string }{
		{"a parameter", "int f(int a)", "int f(int a, int b)", "int f(int a)", "int f(int a[, int b])"},
		{"a type", "int f(unsigned int a)", "int f(unsigned long a)", "int f(unsigned [int] a)", "int f(unsigned [long] a)"},
		{"part of a word", "f(CUfoo_v1 a)", "f(CUfoo_v2 a)", "f([CUfoo_v1] a)", "f([CUfoo_v2] a)"},
		{"the end of a word", "f(old_name)", "f(new_name)", "f([old_name])", "f([new_name])"},
		{"nothing alike", "4", "12", "4", "12"},
		{"one alone", "", "int f()", "", "int f()"},
		{"letters outside ASCII", "é1", "è1", "é1", "è1"},
		{"a repeated end", "f(int, int)", "f(int, int, int)", "f(int, int)", "f(int, int[, int])"},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := compare(c.old, c.new)
			if d := cmp.Diff([]string{c.wantOld, c.wantNew}, []string{show(old), show(new)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	h := driver(b)
	c := changes(b, h, "12.9.1", "13.0.0")
	for b.Loop() {
		written(b, c, h)
	}
}
