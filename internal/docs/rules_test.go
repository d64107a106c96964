package docs

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/internal/audit"
	"github.com/cybindgo/cybindgo/internal/finding"
)

// The tables in docs/checks.md list all rules of each check, with the words that
// the check itself has for them.
func TestRulesAreListed(t *testing.T) {
	dir := t.TempDir()
	copyProject(t, dir)
	loader := "generated/cuda_bindings_13/cuda/bindings/_internal/driver_"
	rules := map[string][]finding.Rule{
		"check":         printedRules(t, dir, "check"),
		"verify":        printedRules(t, dir, "verify generated"),
		"align":         printedRules(t, dir, "align "+loader+"linux.pyx "+loader+"windows.pyx"),
		"thread safety": audit.Rules,
	}
	page := read(t, "docs/checks.md")
	for name, list := range rules {
		begin := "<!-- rules: " + name + " -->\n"
		before, rest, found := strings.Cut(page, begin)
		_, after, ended := strings.Cut(rest, "<!-- end -->")
		if !found || !ended {
			t.Fatalf("docs/checks.md has no place for the rules of %s: expected %q and a line that ends it", name, begin)
		}
		page = before + begin + table(list) + "<!-- end -->" + after
	}
	for _, m := range regexp.MustCompile(`<!-- rules: (.*) -->`).FindAllStringSubmatch(page, -1) {
		if len(rules[m[1]]) == 0 {
			t.Errorf("docs/checks.md has a place for the rules of %q, which has none", m[1])
		}
	}
	hold(t, "docs/checks.md", page)
}

func table(rules []finding.Rule) string {
	var b strings.Builder
	b.WriteString("| rule | severity | is found | what to do |\n|---|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Severity, cellText(r.Text), cellText(r.Help))
	}
	return b.String()
}

func cellText(s string) string {
	return strings.ReplaceAll(s, "|", `\|`)
}

// printedRules are the rules that a command declares in SARIF, whatever it finds.
func printedRules(t *testing.T, dir, command string) []finding.Rule {
	t.Helper()
	out, code := shell(t, dir, "cybindgo "+command+" --format sarif", 0)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", command, code, out)
	}
	type text struct{ Text string }
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID                   string
						ShortDescription     text
						Help                 text
						DefaultConfiguration struct{ Level finding.Severity }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%s: %v in\n%s", command, err, out)
	}
	var rules []finding.Rule
	for _, r := range log.Runs[0].Tool.Driver.Rules {
		rules = append(rules, finding.Rule{ID: r.ID, Severity: r.DefaultConfiguration.Level, Text: r.ShortDescription.Text, Help: r.Help.Text})
	}
	return rules
}

// No page names a path of the machine that it was written on, and none has tabs.
func TestPagesAreTidy(t *testing.T) {
	machine := regexp.MustCompile(`/(tmp|root|work|home)/`)
	for _, page := range pages(t) {
		for i, line := range strings.Split(read(t, page), "\n") {
			if machine.MatchString(line) {
				t.Errorf("%s:%d: a path of one machine: %s", filepath.ToSlash(page), i+1, line)
			}
			if strings.Contains(line, "\t") {
				t.Errorf("%s:%d: a tab", page, i+1)
			}
		}
	}
}
