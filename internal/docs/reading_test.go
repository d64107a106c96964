package docs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is not recognised as a command would not be run.
func TestBlocksAndSteps(t *testing.T) {
	page := strings.ReplaceAll(`# Page

text

    $ one
    out

## Section

'''console
$ two \
  more
first

last
$ three
'''

'''yaml sub/file.yaml
a: 1
'''

    a picture, no command
`, "'''", "```")
	got := blocks(page)
	want := []block{
		{line: 5, text: []string{"$ one", "out"}},
		{section: "Section", line: 11, language: "console", text: []string{`$ two \`, "  more", "first", "", "last", "$ three"}},
		{section: "Section", line: 20, language: "yaml", path: "sub/file.yaml", text: []string{"a: 1"}},
		{section: "Section", line: 23, text: []string{"a picture, no command"}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(block{})); d != "" {
		t.Fatalf("blocks (-want +got):\n%s", d)
	}
	var console []bool
	for _, b := range got {
		console = append(console, b.console())
	}
	if d := cmp.Diff([]bool{true, true, false, false}, console); d != "" {
		t.Errorf("blocks with commands (-want +got):\n%s", d)
	}
	list, err := steps(got[1])
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]step{
		{line: 11, command: "two \\\n  more", output: []string{"first", "", "last"}},
		{line: 16, command: "three"},
	}, list, cmp.AllowUnexported(step{})); d != "" {
		t.Errorf("steps (-want +got):\n%s", d)
	}
	if _, err := steps(got[3]); err == nil {
		t.Error("output without a command is accepted")
	}
}

func TestOutputIsCompared(t *testing.T) {
	for _, c := range []struct {
		shown, got string
		alike      bool
	}{
		{"", "", true},
		{"", "a\n", false},
		{"a", "a\n", true},
		{"a", "", false},
		{"a", "a\nb\n", false},
		{"a\n...", "a\nb\nc\n", true},
		{"a\n...", "a\n", true},
		{"...\nc", "a\nb\nc\n", true},
		{"...\nc", "a\nb\n", false},
		{"a\n...\nc", "a\nbc\n", false},
		{"a.c", "abc\n", false},
		{"a ...", "a b c\n", true},
		{"a ...", "ab\n", false},
		{"    a\n    ...", "    a\n    b\n", true},
	} {
		var shown []string
		if c.shown != "" {
			shown = strings.Split(c.shown, "\n")
		}
		if d := unlike(shown, c.got); (d == "") != c.alike {
			t.Errorf("shown %q, got %q: alike %v, want %v", c.shown, c.got, !c.alike, c.alike)
		}
	}
}

// A command without a prompt is noticed.
func TestUnprompted(t *testing.T) {
	for line, want := range map[string]bool{
		"go run ./cmd/cybindgo generate":    true,
		"make test":                         true,
		"cybindgo check":                    true,
		"CUDA_HOME=/opt/cuda pip install .": true,
		"headers -> parser -> ir":           false,
		"$ cybindgo check":                  false,
	} {
		if got := unprompted.MatchString(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

func TestAnchors(t *testing.T) {
	want := map[string]bool{"#page": true, "#one-or-two": true, "#a_bcode-and-more": true}
	if d := cmp.Diff(want, anchors("# Page\n## One or two\ntext\n### `a_b`:code, and more\n")); d != "" {
		t.Errorf("anchors (-want +got):\n%s", d)
	}
}
