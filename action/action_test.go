package action

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// manifest is action.yml. Keys that it does not know are errors.
type manifest struct {
	Name, Description, Author string
	Branding                  struct{ Icon, Color string }
	Inputs                    map[string]struct {
		Description string
		Default     *string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Uses, Shell, Run string
			With, Env                map[string]string
		}
	}
}

var (
	expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)
	inputName  = regexp.MustCompile(`\binputs\.([a-z-]+)`)
	variable   = regexp.MustCompile(`\b(INPUT_[A-Z_]+|ACTION_REF|GH_TOKEN)\b`)
	script     = regexp.MustCompile(`^bash "\$GITHUB_ACTION_PATH/action/([a-z]+\.sh)"$`)
	setOutput  = regexp.MustCompile(`(?m)\boutput ([a-z-]+) `)
)

func TestManifest(t *testing.T) {
	text := read(t, filepath.Join(root, "action.yml"))
	var m manifest
	if err := yaml.NewDecoder(strings.NewReader(text), yaml.DisallowUnknownField()).Decode(&m); err != nil {
		t.Fatal(err)
	}
	if m.Name == "" || m.Description == "" || m.Runs.Using != "composite" {
		t.Errorf("%+v", m)
	}
	used := map[string]bool{}
	for _, found := range inputName.FindAllStringSubmatch(text, -1) {
		used[found[1]] = true
		if _, ok := m.Inputs[found[1]]; !ok {
			t.Errorf("inputs.%s is used and not declared", found[1])
		}
	}
	for name, input := range m.Inputs {
		if !used[name] {
			t.Errorf("input %s is declared and not used", name)
		}
		if input.Description == "" || input.Default == nil {
			t.Errorf("input %s has no description or no default", name)
		}
	}
	outputs := map[string]bool{}
	for _, s := range m.Runs.Steps {
		if s.Uses != "" {
			if !regexp.MustCompile(`^actions/[a-z-]+@v\d+$`).MatchString(s.Uses) {
				t.Errorf("uses %s: expected an action of GitHub itself, with its version", s.Uses)
			}
			continue
		}
		// Nothing is put into a script's text: what a workflow passes may be
		// anybody's.
		if expression.MatchString(s.Run) || s.Shell != "bash" {
			t.Errorf("run: %q", s.Run)
		}
		file := script.FindStringSubmatch(s.Run)
		if file == nil {
			t.Errorf("%q runs no script of this folder", s.Run)
			continue
		}
		code := read(t, file[1]) + read(t, "common.sh")
		for name := range s.Env {
			if name != "GH_TOKEN" && !strings.Contains(code, name) {
				t.Errorf("%s does not read %s", file[1], name)
			}
		}
		for _, name := range variable.FindAllString(read(t, file[1]), -1) {
			if _, ok := s.Env[name]; !ok {
				t.Errorf("%s reads %s, which the step does not set", file[1], name)
			}
		}
		for _, found := range setOutput.FindAllStringSubmatch(read(t, file[1]), -1) {
			outputs["steps."+s.ID+".outputs."+found[1]] = true
		}
	}
	for name, o := range m.Outputs {
		if e := expression.FindStringSubmatch(o.Value); e == nil || !outputs[e[1]] {
			t.Errorf("output %s is %s, which no script sets", name, o.Value)
		}
	}
	if len(outputs) != len(m.Outputs) {
		t.Errorf("scripts set %d outputs, %d are declared", len(outputs), len(m.Outputs))
	}
}

// Every script is run by the action, or by one that is.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("*.sh")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(root, "action.yml"))
	for _, file := range files {
		if file != "common.sh" && !strings.Contains(text, "/action/"+file+`"`) {
			t.Errorf("action.yml does not run %s", file)
		}
		lines := strings.Split(read(t, file), "\n")
		if file != "common.sh" && (lines[0] != "#!/usr/bin/env bash" || !slices.Contains(lines, "set -euo pipefail")) {
			t.Errorf("%s does not stop at the first error", file)
		}
		if info, err := os.Stat(file); err != nil || info.Size() > 6000 {
			t.Errorf("%s: %v: a script of that length is a program: write it in Go", file, err)
		}
	}
}
