package golden

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/ir"
)

// goldenCase is one txtar file.
type goldenCase struct {
	path    string
	name    string
	archive *txtar.Archive
	library []byte
	project []byte
	targets []ir.Target
	headers []header
}

// header is a header of one release, for one target or, with none, for all.
type header struct {
	release string
	target  ir.Target
	name    string
	text    []byte
}

// outcome is what came out of a case.
type outcome struct {
	library *config.Library
	project *config.Project
	reads   []*intake.Result // by release
	history *ir.History
	emitted *emit.Output
	err     error
}

// newest is what was read of the newest release.
func (o *outcome) newest() *intake.Result { return o.reads[len(o.reads)-1] }

func readCases(t testing.TB) []*goldenCase {
	t.Helper()
	paths, err := filepath.Glob("*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []*goldenCase
	for _, path := range paths {
		cases = append(cases, readCase(t, path))
	}
	return cases
}

func readCase(t testing.TB, path string) *goldenCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &goldenCase{path: path, name: strings.TrimSuffix(path, ".txtar"), archive: archive, targets: ir.DefaultTargets}
	for _, f := range archive.Files {
		dir, name, inDir := strings.Cut(f.Name, "/")
		switch {
		case f.Name == "library.yaml":
			c.library = f.Data
		case f.Name == "cybindgo.yaml":
			c.project = f.Data
		case f.Name == "targets":
			c.targets = nil
			for word := range strings.FieldsSeq(string(f.Data)) {
				c.targets = append(c.targets, ir.Target(word))
			}
		case f.Name == "languages", inDir && dir == "want":
		case inDir:
			release, target, _ := strings.Cut(dir, "@")
			c.headers = append(c.headers, header{release, ir.Target(strings.Replace(target, "-", "/", 1)), name, f.Data})
		default:
			t.Fatalf("%s: part %q is no part of a case", path, f.Name)
		}
	}
	if c.library == nil || len(c.headers) == 0 || len(archive.Comment) == 0 {
		t.Fatalf("%s: expected a comment, library.yaml and headers", path)
	}
	return c
}

// releases lists the releases of a case in order.
func (c *goldenCase) releases() []string {
	set := map[string]bool{}
	for _, h := range c.headers {
		set[h.release] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// defaultProject binds all releases of the library in one package.
const defaultProject = `licence: ["SPDX-License-Identifier: Apache-2.0"]
packages:
  - name: kiln-bindings
    version: 1.0.0
    module: kiln.bindings
    output: out
    libraries: {%s: {releases: %s..%s}}
`

// run takes a case all the way. Every text that goes in may be changed on the
// way; nil changes nothing.
func (c *goldenCase) run(t testing.TB, change func(name string, text []byte) []byte) *outcome {
	t.Helper()
	if change == nil {
		change = func(_ string, text []byte) []byte { return text }
	}
	root := t.TempDir()
	o := &outcome{}
	if o.err = c.pipeline(t, o, root, change); o.err != nil {
		o.err = fmt.Errorf("%s", strings.ReplaceAll(o.err.Error(), root+string(filepath.Separator), ""))
	}
	return o
}

func (c *goldenCase) pipeline(t testing.TB, o *outcome, root string, change func(string, []byte) []byte) (err error) {
	t.Helper()
	if o.library, err = config.ParseLibrary("library.yaml", change("library.yaml", c.library)); err != nil {
		return err
	}
	project := c.project
	releases := c.releases()
	if project == nil {
		project = fmt.Appendf(nil, defaultProject, o.library.Name, releases[0], releases[len(releases)-1])
	}
	if o.project, err = config.LoadProject(config.FileName, change("cybindgo.yaml", project)); err != nil {
		return err
	}
	o.history = ir.NewHistory(o.library.Name)
	for _, release := range releases {
		sources := map[ir.Target][]string{}
		for _, h := range c.headers {
			if h.release != release {
				continue
			}
			dir := filepath.Join(root, release)
			if h.target != "" {
				dir += "@" + strings.Replace(string(h.target), "/", "-", 1)
			}
			write(t, filepath.Join(dir, h.name), change(h.name, h.text))
			sources[h.target] = []string{dir}
		}
		read, err := intake.Read(intake.Request{Library: o.library, Release: release, Targets: c.targets, Headers: sources})
		if err != nil {
			return err
		}
		o.reads = append(o.reads, read)
		if err := o.history.Add(read.Snapshot); err != nil {
			return err
		}
	}
	// As it comes back from disk: facts that the history's JSON loses are lost here too.
	if o.history, err = ir.Decode("releases.json", o.history.Encode()); err != nil {
		return err
	}
	o.emitted, err = emit.Generate(emit.Input{
		Project:   o.project,
		Libraries: map[string]*config.Library{o.library.Name: o.library},
		Histories: map[string]*ir.History{o.library.Name: o.history},
	})
	return err
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// emitted is every file that the cases emit, by CASE/PATH, for tests that hold
// all of them against a rule. They share it and change nothing.
func emitted(t testing.TB) map[string][]byte {
	t.Helper()
	shared.once.Do(func() { shared.files = emitAll(t) })
	return shared.files
}

var shared struct {
	once  sync.Once
	files map[string][]byte
}

func emitAll(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, c := range readCases(t) {
		o := c.run(t, nil)
		if o.emitted == nil {
			continue
		}
		for path, data := range o.emitted.Files {
			files[c.name+"/"+path] = data
		}
	}
	return files
}

// number orders case ids such as B05 and B101.
func number(id string) int {
	n := 0
	for _, d := range strings.TrimPrefix(id, "B") {
		n = n*10 + int(d-'0')
	}
	return n
}

func byNumber(a, b string) int { return cmp.Compare(number(a), number(b)) }
