package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/dependencies.md has one line for each direct dependency of go.mod, and
// none for anything else.
func TestDependenciesAreListed(t *testing.T) {
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^(?:require )?\s*([a-z0-9.-]+\.[a-z]+/\S+) v\S+$`).FindAllStringSubmatch(read(t, "go.mod"), -1) {
		want = append(want, m[1]) // an indirect one has a comment behind it
	}
	page := read(t, "docs/dependencies.md")
	_, table, found := strings.Cut(page, "\n## Go\n")
	if !found {
		t.Fatal("docs/dependencies.md has no section Go")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)`[^|]*\\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$").FindAllStringSubmatch(table, -1) {
		got = append(got, m[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("direct dependencies (-go.mod +docs/dependencies.md):\n%s", d)
	}
}
