package config

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestNonsenseIsRefusedSoon: each of these took the YAML parser more than ten
// seconds or all memory, or sent it down its stack.
func TestNonsenseIsRefusedSoon(t *testing.T) {
	repeat := strings.Repeat
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		one := fmt.Sprintf("*a%d, ", i-1)
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(repeat(one, 9), ", "))
	}
	for _, c := range []struct{ name, text, want string }{
		{"lists in lists", "licence: " + repeat("[", 100_000), "x.yaml:1:110: nested too deep: more than 100 levels"},
		{"lists in lists that end", "licence: " + repeat("[", 100_000) + repeat("]", 100_000), "x.yaml:1:110: nested too deep: more than 100 levels"},
		{"maps in maps", repeat("{a: ", 100_000), "x.yaml:1:401: nested too deep: more than 100 levels"},
		{"dashes", "a:\n" + repeat("- ", 100_000) + "a", "x.yaml:2:201: nested too deep: more than 100 levels"},
		{"anchors", "a: " + repeat("&a ", 100_000), "x.yaml:1:301: nested too deep: more than 100 levels"},
		{"keys", repeat("? ", 100_000), "x.yaml:1:201: nested too deep: more than 100 levels"},
		{"more than a megabyte", repeat("#\n", 600_000), "x.yaml:1:1: the file has 1200000 bytes: expected at most 1048576"},
		{"aliases of aliases", laughs + "licence: *a11\n", "x.yaml:"},
		{"an alias of itself", "packages: &p\n  - libraries: *p\n", "x.yaml:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := LoadProject("x.yaml", []byte(c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

func TestLongListsAndManyKeysAreNoNesting(t *testing.T) {
	text := smallLibrary + "exclude: {"
	for i := range 500 {
		text += fmt.Sprintf("f%d: reason, ", i)
	}
	text += "last: reason}\nconstants:\n"
	for i := range 500 {
		text += fmt.Sprintf("  C%d: %d\n", i, i)
	}
	l, err := ParseLibrary("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Exclude) != 501 || len(l.Constants) != 500 {
		t.Errorf("%d and %d keys, want 501 and 500", len(l.Exclude), len(l.Constants))
	}
}
