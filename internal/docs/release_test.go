package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// The workflow that publishes does so after every check, with no more rights than
// each job needs and without a secret.
func TestReleaseWorkflow(t *testing.T) {
	text := read(t, ".github/workflows/release.yml")
	var workflow struct {
		On          map[string]map[string][]string
		Permissions map[string]string
		Jobs        map[string]struct {
			Needs       any
			Permissions map[string]string
			Environment string
			Steps       []struct{ Uses, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]map[string][]string{"push": {"tags": {"v[0-9]*"}}}, workflow.On); d != "" {
		t.Errorf("runs on %s", d)
	}
	for _, word := range []string{"secrets.", "password", "://"} {
		// What a comment says is no setting.
		if regexp.MustCompile(`(?m)^[^#\n]*` + regexp.QuoteMeta(word)).MatchString(text) {
			t.Errorf("it has %s", word)
		}
	}
	rights := map[string]map[string]string{"": workflow.Permissions}
	needs := map[string][]string{}
	for name, job := range workflow.Jobs {
		if job.Permissions != nil {
			rights[name] = job.Permissions
		}
		switch n := job.Needs.(type) {
		case string:
			needs[name] = []string{n}
		case []any:
			for _, x := range n {
				needs[name] = append(needs[name], x.(string))
			}
		}
		for _, s := range job.Steps {
			if s.Uses != "" && !regexp.MustCompile(`^(actions/[a-z-]+@v\d+|pypa/gh-action-pypi-publish@release/v1)$`).MatchString(s.Uses) {
				t.Errorf("job %s uses %s", name, s.Uses)
			}
			if strings.Contains(s.Run, "${{") {
				t.Errorf("job %s puts a value into a script: %s", name, s.Run)
			}
			for _, target := range regexp.MustCompile(`\bmake ([a-z-]+)`).FindAllStringSubmatch(s.Run, -1) {
				if !regexp.MustCompile(`(?m)^` + target[1] + `:`).MatchString(read(t, "Makefile")) {
					t.Errorf("job %s runs make %s, which there is not", name, target[1])
				}
			}
		}
	}
	want := map[string]map[string]string{
		"":       {"contents": "read"},
		"attest": {"attestations": "write", "id-token": "write"},
		"wheels": {"id-token": "write"},
		"page":   {"contents": "write"},
	}
	if d := cmp.Diff(want, rights); d != "" {
		t.Errorf("rights (-want +got):\n%s", d)
	}
	// Whatever publishes comes after every check.
	var before func(name string) []string
	before = func(name string) (all []string) {
		for _, n := range needs[name] {
			if _, ok := workflow.Jobs[n]; !ok {
				t.Fatalf("job %s needs %s, which there is not", name, n)
			}
			all = append(append(all, n), before(n)...)
		}
		return all
	}
	for _, name := range []string{"attest", "wheels", "page"} {
		for _, check := range []string{"build", "again", "try"} {
			if !slices.Contains(before(name), check) {
				t.Errorf("job %s does not wait for %s", name, check)
			}
		}
	}
}
