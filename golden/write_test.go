package golden

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

var writeTo = flag.String("write", "", "a folder to write what the cases emit into, for tests/test_golden.py")

// TestWrite writes what compilers judge: the files of each case with its
// headers and assertions about them, and all cases that can stand together as
// one library, in each type mode and language, with a stand-in for it.
func TestWrite(t *testing.T) {
	dir := *writeTo
	if dir == "" {
		dir = t.TempDir()
	}
	cases := readCases(t)
	for _, c := range cases {
		if o := c.run(t, nil); o.err == nil {
			c.write(t, filepath.Join(dir, "cases", c.name), o)
		}
	}
	for _, mode := range []config.TypeMode{config.Extern, config.Inline} {
		for _, language := range []string{"c", "c++"} {
			all := together(t, cases, mode, language)
			o := all.run(t, nil)
			if o.err != nil {
				t.Fatalf("all cases together, %s, %s: %v", mode, language, o.err)
			}
			all.write(t, filepath.Join(dir, "together", string(mode)+"-"+language), o)
		}
	}
}

// write writes emitted files to tree/, the newest headers to include/, and a
// file of assertions about them for each target.
func (c *goldenCase) write(t *testing.T, dir string, o *outcome) {
	t.Helper()
	for path, data := range o.emitted.Files {
		write(t, filepath.Join(dir, "tree", strings.TrimPrefix(path, "out/")), data)
	}
	labels := c.releases()
	for _, h := range c.headers {
		if h.release == labels[len(labels)-1] && h.target == "" {
			write(t, filepath.Join(dir, "include", h.name), h.text)
		}
	}
	s := o.newest().Snapshot
	for _, target := range s.Targets {
		var includes []string
		for _, h := range o.library.Headers.Bind {
			includes = append(includes, c.name+"/include/"+h)
		}
		text := cgen.Assertions(s.For(target), target, cgen.AssertOptions{Defines: o.library.Headers.Defines, Includes: includes})
		write(t, filepath.Join(dir, "assert", strings.Replace(string(target), "/", "-", 1), c.name+".c"), text)
	}
	stub, err := cgen.Stub(s, cgen.StubOptions{Title: c.name})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	write(t, filepath.Join(dir, "stub.c"), stub)
}

// languages are those that a case's headers can be compiled in; its part
// `languages` says so where it is not both.
func (c *goldenCase) languages() string {
	for _, f := range c.archive.Files {
		if f.Name == "languages" {
			return string(f.Data)
		}
	}
	return "c c++"
}

// together makes one library of all cases that bind a library by name, with
// every release that one of them has.
func together(t *testing.T, cases []*goldenCase, mode config.TypeMode, language string) *goldenCase {
	t.Helper()
	all := &goldenCase{name: string(mode) + "-" + language, targets: ir.DefaultTargets}
	var bind []string
	results, exclude := map[string]string{}, map[string]string{}
	for _, c := range cases {
		lib, err := config.ParseLibrary(c.path, c.library)
		if err != nil {
			t.Fatal(err)
		}
		inLanguage := slices.Contains(strings.Fields(c.languages()), language)
		if c.wantsErrors() || !inLanguage || lib.Loader.Resolve != "dynamic" || lib.Types.Default != config.Extern {
			continue
		}
		bind = append(bind, lib.Headers.Bind...)
		maps.Copy(results, lib.Results)
		maps.Copy(exclude, lib.Exclude)
		for _, release := range []string{"1.0.0", "2.0.0"} {
			all.headers = append(all.headers, c.at(release)...)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "library: kiln\ntitle: Kiln\nheaders: {bind: [%s]}\npublic-names: base\ntypes: {default: %s}\n", strings.Join(bind, ", "), mode)
	writeMap(&b, "results", results)
	writeMap(&b, "exclude", exclude)
	b.WriteString("loader: {resolve: dynamic, open: {linux: [libkiln.so.1], windows: [kiln64_1.dll]}}\n")
	all.library = []byte(b.String())
	return all
}

// at is a case's headers in a release: those of its newest that is not newer.
func (c *goldenCase) at(release string) []header {
	var list []header
	labels := slices.DeleteFunc(c.releases(), func(label string) bool { return label > release })
	for _, h := range c.headers {
		if h.release == labels[len(labels)-1] {
			h.release = release
			list = append(list, h)
		}
	}
	return list
}

func writeMap(b *strings.Builder, key string, m map[string]string) {
	fmt.Fprintf(b, "%s:\n", key)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(b, "  %s: %q\n", k, m[k])
	}
}
