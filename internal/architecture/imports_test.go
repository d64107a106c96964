package architecture

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/cybindgo/cybindgo/"

// allowed says what each package may import of this module. A package that is
// not listed fails the test: whoever adds one decides where it stands.
var allowed = map[string][]string{
	"action":                {},
	"cmd/cybindgo":          {"internal/cli"},
	"cmd/mkdist":            {"internal/cli", "internal/pack"},
	"emit":                  {"internal/cgen", "internal/config", "internal/cython", "internal/syntax", "internal/textfile", "ir", "templates"},
	"golden":                {},
	"internal/align":        {"internal/csource", "internal/cython", "internal/finding", "internal/syntax"},
	"internal/architecture": {},
	"internal/audit":        {"internal/csource", "internal/cython", "internal/finding", "internal/syntax"},
	"internal/cgen":         {"internal/suggest", "ir", "templates"},
	"internal/cli":          {"emit", "internal/align", "internal/cache", "internal/cgen", "internal/config", "internal/diffpage", "internal/fetch", "internal/finding", "internal/guard", "internal/headers", "internal/index", "internal/intake", "internal/scaffold", "internal/suggest", "internal/textfile", "internal/update", "ir", "parser", "releases"},
	"internal/cache":        {},
	"internal/config":       {"internal/suggest", "internal/textfile", "ir"},
	"internal/csource":      {"internal/syntax"},
	"internal/cython":       {"internal/syntax"},
	"internal/diffpage":     {"ir"},
	"internal/dist":         {},
	"internal/docs":         {},
	"internal/fetch":        {"internal/cache", "internal/dist", "internal/headers", "internal/index", "internal/suggest"},
	"internal/finding":      {"internal/suggest"},
	"internal/guard":        {"emit", "internal/finding", "internal/textfile"},
	"internal/headers":      {"internal/dist"},
	"internal/index":        {"internal/dist"},
	"internal/indextest":    {},
	"internal/intake":       {"internal/config", "internal/headers", "ir", "parser"},
	"internal/pack":         {},
	"internal/scaffold":     {"ir"},
	"internal/suggest":      {},
	"internal/syntax":       {},
	"internal/textfile":     {},
	"ir":                    {"internal/suggest"},
	"internal/update":       {"internal/config", "internal/finding", "internal/intake", "ir"},
	"parser":                {"internal/suggest", "ir"},
	"releases":              {},
	"templates":             {},
}

func TestImportsFollowTheFlow(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && p != "." || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if path.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		pkg := path.Dir(p)
		seen[pkg] = true
		may, listed := allowed[pkg]
		if !listed {
			t.Errorf("package %s has no place in the architecture: add it to this test", pkg)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, p), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range f.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name, module); ok && !slices.Contains(may, own) {
				t.Errorf("%s imports %s, which %s may not: data flows from headers to generated files", p, own, pkg)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("package %s is listed and does not exist", pkg)
		}
	}
}
