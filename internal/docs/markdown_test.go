package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a piece of Markdown that is not prose.
type block struct {
	section  string // the last heading of the second level above it, or ""
	line     int    // of its first line of text
	language string // behind the fence; "" for an indented block too
	path     string // behind the language: the file that the block is the text of
	text     []string
}

var (
	fence = regexp.MustCompile("^```([a-z]*) ?(.*)$")
	// A command that is shown without a prompt would not be run.
	unprompted = regexp.MustCompile(`^(go|make|cybindgo|git|pip|[A-Z_]+=\S+) [a-z./-]`)
)

// blocks lists the fenced and indented blocks of a Markdown text.
func blocks(text string) []block {
	var out []block
	var open *block
	fenced, section := false, ""
	end := func() {
		if open != nil {
			out = append(out, *open)
		}
		open, fenced = nil, false
	}
	previous := ""
	for i, line := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case fenced && line == "```":
			end()
		case fenced:
			open.text = append(open.text, line)
		case m != nil:
			end()
			open, fenced = &block{section: section, line: i + 2, language: m[1], path: m[2]}, true
		case strings.HasPrefix(line, "    ") && (open != nil || previous == ""):
			if open == nil {
				open = &block{section: section, line: i + 1}
			}
			open.text = append(open.text, line[4:])
		default:
			end()
			if s, ok := strings.CutPrefix(line, "## "); ok {
				section = s
			}
		}
		previous = line
	}
	end()
	return out
}

// step is a command and the output that is shown for it.
type step struct {
	line    int
	command string
	output  []string
}

// steps reads a console block. A command stands behind `$ ` and goes on in the
// next line after a backslash.
func steps(b block) ([]step, error) {
	var out []step
	more := false
	for i, line := range b.text {
		command, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case more:
			last := &out[len(out)-1]
			last.command += "\n" + line
			command = line
		case prompt:
			out = append(out, step{line: b.line + i, command: command})
		case len(out) == 0:
			return nil, fmt.Errorf("line %d: %q stands before the first command", b.line+i, line)
		default:
			last := &out[len(out)-1]
			last.output = append(last.output, line)
			continue
		}
		more = strings.HasSuffix(command, `\`)
	}
	return out, nil
}

// console reports whether a block shows commands.
func (b block) console() bool {
	return b.language == "console" || b.language == "" && strings.HasPrefix(b.text[0], "$ ")
}

// pages lists the files with documentation, by their path from the root.
func pages(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md", "CONTRIBUTING.md"}
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	for _, p := range docs {
		found = append(found, "docs/"+filepath.Base(p))
	}
	return found
}

// read reads a file of the repository by its path from the root.
func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var link = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)

// Every link leads to a file, and every anchor to a heading.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := page
			if m[1] != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), m[1]))
			}
			if _, err := os.Stat(filepath.Join("..", "..", target)); err != nil {
				t.Errorf("%s: link to %s: %v", page, m[1], err)
				continue
			}
			if m[2] != "" && !anchors(read(t, target))[m[2]] {
				t.Errorf("%s: %s has no heading %s", page, target, m[2])
			}
		}
	}
}

// anchors are the names that headings get, as on GitHub.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(h[1]), "")
		out["#"+strings.ReplaceAll(name, " ", "-")] = true
	}
	return out
}

// Every page is in the index.
func TestEveryPageIsInTheIndex(t *testing.T) {
	index := read(t, "docs/README.md")
	for _, page := range pages(t) {
		name, in := strings.CutPrefix(page, "docs/")
		if in && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not name %s", name)
		}
	}
}
