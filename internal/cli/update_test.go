package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/indextest"
)

// files reads the project: what it is bound by, and what was generated.
func (p *indexed) files(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(p.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(p.dir, name)
		found[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestUpdate(t *testing.T) {
	p := newIndexed(t)
	p.write(t, "cybindgo.yaml", strings.ReplaceAll(demoConfig, "RELEASES", "13.4.2"))
	for _, args := range [][]string{{"releases", "add", "13.4.2", "driver"}, {"generate"}} {
		if got := p.do(t, args...); got.code != 0 {
			t.Fatalf("%v: %+v", args, got)
		}
	}
	before := p.files(t)
	unchanged := func(what string) {
		t.Helper()
		if d := cmp.Diff(before, p.files(t)); d != "" {
			t.Errorf("%s: files (-before +after):\n%.2000s", what, d)
		}
	}

	p.index.Fail("nvidia-cuda-profiler-api/", 100, indextest.Status(404, ""))
	if got := p.do(t, "update", "--refresh", "--summary", "s.md"); got.code != 2 || !strings.HasPrefix(got.err[strings.LastIndex(strings.TrimSuffix(got.err, "\n"), "cybindgo: ")+10:], "driver 13.5.0: ") {
		t.Errorf("an index that lacks a package: %+v", got)
	}
	unchanged("an index that lacks a package")
	p.index.Mend()

	got := p.do(t, "update", "--dry-run", "--no-progress")
	if !strings.HasPrefix(got.out, "# Update the bindings to 13.5.0\n") || got.code != 0 {
		t.Errorf("dry run: %+v", got)
	}
	unchanged("dry run")

	p.do(t, "update", "--no-progress", "--summary", "s.md").is(t, "update", result{
		out: "driver 13.5.0\n1 release added, 7 files written, 0 points to decide: see s.md\n"})
	after := p.files(t)
	if want := strings.ReplaceAll(demoConfig, "RELEASES", "13.4.2..13.5.0"); after["cybindgo.yaml"] != want {
		t.Errorf("the configuration is\n%s", after["cybindgo.yaml"])
	}
	for _, want := range []string{"| driver | 13.5.0 | 2026-11-04 | 13.4.2 | 1 | 0 | ", "**function added** `cuNew`", "\n- updated `cybindgo.yaml`\n", "\n- updated `releases/driver.json`\n"} {
		if !strings.Contains(after["s.md"], want) {
			t.Errorf("the summary lacks %q:\n%s", want, after["s.md"])
		}
	}
	if got := p.do(t, "check"); got.code != 0 {
		t.Errorf("check: %+v", got)
	}

	before = after
	p.do(t, "update", "--no-progress", "--offline").is(t, "the second time", result{out: "# Bindings are up to date\n\nThe history has every release that is on offer.\n"})
	unchanged("the second time")
}
