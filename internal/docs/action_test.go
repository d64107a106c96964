package docs

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// The table in docs/ci.md lists the inputs of the action, in its order.
func TestInputsAreListed(t *testing.T) {
	var action struct{ Inputs yaml.MapSlice }
	if err := yaml.Unmarshal([]byte(read(t, "action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	if len(action.Inputs) == 0 {
		t.Fatal("action.yml has no inputs")
	}
	var b strings.Builder
	b.WriteString("| input | default | is |\n|---|---|---|\n")
	for _, input := range action.Inputs {
		var about struct{ Description, Default string }
		text, err := yaml.Marshal(input.Value)
		if err == nil {
			err = yaml.Unmarshal(text, &about)
		}
		if err != nil {
			t.Fatal(err)
		}
		standard := "none"
		if about.Default != "" {
			standard = "`" + about.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", input.Key, standard, cellText(about.Description))
	}
	const begin, end = "<!-- inputs -->\n", "<!-- end -->"
	page := read(t, "docs/ci.md")
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("docs/ci.md has no place for the inputs: expected %q and a line that ends it", begin)
	}
	hold(t, "docs/ci.md", before+begin+b.String()+end+after)
}

// job is one of a workflow, as far as examples have it.
type job struct {
	Permissions map[string]string
	Steps       []struct {
		Uses string
		With map[string]any
	}
}

// Whoever runs the action gives it inputs that it has, and the rights that its
// command needs: the examples, and this repository.
func TestTheActionIsUsedRight(t *testing.T) {
	var action struct{ Inputs map[string]any }
	if err := yaml.Unmarshal([]byte(read(t, "action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{".github/workflows/update.yml": read(t, ".github/workflows/update.yml")}
	for _, b := range blocks(read(t, "docs/ci.md")) {
		if b.language == "yaml" {
			texts[fmt.Sprintf("docs/ci.md:%d", b.line)] = strings.Join(b.text, "\n")
		}
	}
	used := map[string]int{}
	for name, text := range texts {
		for _, j := range jobs(t, name, text) {
			for _, s := range j.Steps {
				if !regexp.MustCompile(`^(\./|cybindgo/cybindgo@v\d+\.\d+\.\d+)$`).MatchString(s.Uses) {
					continue
				}
				command := "check"
				for input, value := range s.With {
					if _, ok := action.Inputs[input]; !ok {
						t.Errorf("%s: the action has no input %s", name, input)
					}
					if input == "command" {
						command = value.(string)
					}
				}
				used[command]++
				want := map[string]map[string]string{"check": {"contents": "read"}, "verify": {"contents": "read", "security-events": "write"}, "update": {"contents": "write", "pull-requests": "write"}}[command]
				if d := cmp.Diff(want, j.Permissions); d != "" && j.Permissions != nil {
					t.Errorf("%s: rights for %s (-want +got):\n%s", name, command, d)
				}
			}
		}
	}
	if d := cmp.Diff(map[string]int{"check": 1, "verify": 1, "update": 3}, used); d != "" {
		t.Errorf("commands (-want +got):\n%s", d)
	}
}

// jobs reads a workflow, or a part of one: a job, or steps.
func jobs(t *testing.T, name, text string) (list []job) {
	t.Helper()
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]job
	}
	var err error
	if strings.HasPrefix(text, " ") {
		var one job
		if !strings.Contains(text, "steps:") {
			text = "    steps:\n" + text
		}
		err = yaml.Unmarshal([]byte(text), &one)
		list = append(list, one)
	} else if err = yaml.Unmarshal([]byte(text), &workflow); err == nil {
		for _, j := range workflow.Jobs {
			if j.Permissions == nil {
				j.Permissions = workflow.Permissions
			}
			list = append(list, j)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return list
}
