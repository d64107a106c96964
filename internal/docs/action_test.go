package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
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
