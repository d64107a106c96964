package parser

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/ir"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata")

// testCase is a txtar archive: headers (names that end in .h), what to
// configure (roots, consult, optional, defines, views), and what comes out: a
// dump for each target, or an error.
type testCase struct {
	path    string
	archive *txtar.Archive
	cfg     Config
}

func readCase(t testing.TB, path string) *testCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &testCase{path: path, archive: archive}
	headers := fstest.MapFS{}
	c.cfg = Config{FS: headers, Target: ir.LinuxAMD64, Roots: []string{"lamp.h"}, Searched: []string{"the first folder", "the second"}}
	for _, f := range archive.Files {
		words := strings.Fields(string(f.Data))
		switch {
		case strings.HasSuffix(f.Name, ".h"):
			headers[f.Name] = &fstest.MapFile{Data: f.Data}
		case f.Name == "roots":
			c.cfg.Roots = words
		case f.Name == "consult":
			c.cfg.Consult = words
		case f.Name == "optional":
			c.cfg.Optional = words
		case f.Name == "defines":
			c.cfg.Defines = words
		case f.Name == "views":
			c.cfg.InternalView, c.cfg.PerThreadView, c.cfg.QueryPrefix = words[0], words[1], words[2]
		}
	}
	return c
}

// expect compares what came out with a part of the archive.
func (c *testCase) expect(t *testing.T, part, got string) {
	t.Helper()
	for i := range c.archive.Files {
		f := &c.archive.Files[i]
		if f.Name != part {
			continue
		}
		if *update {
			f.Data = []byte(got)
			if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(f.Data), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", part, diff)
		}
	}
}

func cases(t testing.TB, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in testdata/%s: %v", dir, err)
	}
	return paths
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

func TestModel(t *testing.T) {
	for _, path := range cases(t, "model") {
		t.Run(caseName(path), func(t *testing.T) {
			c := readCase(t, path)
			targets := 0
			for _, f := range c.archive.Files {
				target, err := ir.ParseTarget(f.Name)
				if err != nil || target.OS() != "linux" && target.OS() != "windows" {
					continue
				}
				targets++
				cfg := c.cfg
				cfg.Target = target
				r, err := Parse(cfg)
				if err != nil {
					t.Fatal(err)
				}
				c.expect(t, f.Name, dump(r))
			}
			if targets == 0 {
				t.Error("the case expects nothing")
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, path := range cases(t, "errors") {
		t.Run(caseName(path), func(t *testing.T) {
			c := readCase(t, path)
			r, err := Parse(c.cfg)
			if err == nil {
				t.Fatalf("no error, but\n%s", dump(r))
			}
			c.expect(t, "error", err.Error()+"\n")
		})
	}
}
