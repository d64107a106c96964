package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What emitted-code.md quotes stands in the file that the heading names, in the
// order of the page. A line `...` stands for what is left out, the seal for any.
func TestEmittedCodeIsQuoted(t *testing.T) {
	const page = "docs/emitted-code.md"
	texts, at, quotes := map[string]string{}, map[string]int{}, 0
	for _, b := range blocks(read(t, page)) {
		if b.language != "cython" && b.language != "c" {
			t.Errorf("%s:%d: a block of language %q: expected cython or c", page, b.line, b.language)
			continue
		}
		name := strings.Trim(b.section, "`")
		if _, ok := texts[name]; !ok {
			data, err := os.ReadFile(filepath.Join("..", "..", "generated", "cuda_bindings_13", filepath.FromSlash(name)))
			if err != nil {
				t.Fatalf("%s:%d: the heading does not name a file: %v", page, b.line, err)
			}
			texts[name] = "\n" + string(data)
		}
		for _, part := range strings.Split("\n"+strings.Join(b.text, "\n")+"\n", "\n...\n") {
			part = "\n" + strings.Trim(part, "\n") + "\n"
			if strings.HasSuffix(part, "content-sha256=\n") {
				part = strings.TrimSuffix(part, "\n")
			}
			rest := texts[name][at[name]:]
			i := strings.Index(rest, part)
			if i < 0 {
				t.Errorf("%s:%d: not in %s, or not behind what was quoted before:%s", page, b.line, name, part)
				continue
			}
			at[name] += i + len(part) - 1
			quotes++
		}
	}
	if quotes < 30 {
		t.Errorf("%d quotes were compared: the page is longer than that", quotes)
	}
}

// Every emitted file that holds code is explained.
func TestEmittedFilesAreExplained(t *testing.T) {
	page := read(t, "docs/emitted-code.md")
	files, err := filepath.Glob("../../generated/cuda_bindings_13/cuda/bindings/*/*.p*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no emitted files: %v", err)
	}
	more, err := filepath.Glob("../../generated/cuda_bindings_13/cuda/bindings/cy*.p*")
	if err != nil || len(more) == 0 {
		t.Fatalf("no emitted files: %v", err)
	}
	library := regexp.MustCompile(`nvfatbin|nvjitlink|nvml|nvrtc|nvvm`)
	for _, f := range append(files, more...) {
		// Those of the driver stand for those of all libraries.
		base := library.ReplaceAllString(filepath.Base(f), "driver")
		if base != "__init__.py" && !strings.Contains(page, base) {
			t.Errorf("docs/emitted-code.md does not speak of %s", base)
		}
	}
}

// Every package has its row in the table of rooms.
func TestEveryPackageHasARoom(t *testing.T) {
	page := read(t, "docs/architecture.md")
	seen := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(filepath.Join("..", ".."), filepath.Dir(path))
		if err != nil {
			return err
		}
		seen++
		if !strings.Contains(page, "`"+filepath.ToSlash(dir)+"`") {
			t.Errorf("docs/architecture.md has no room for %s", dir)
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatal(err, seen)
	}
}
