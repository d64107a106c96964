package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// The workflow reads as YAML, what it runs exists, and it runs the test command.
func TestWorkflow(t *testing.T) {
	var workflow struct {
		On          map[string]any
		Permissions map[string]string
		Jobs        map[string]struct {
			Steps []struct {
				Uses, Run string
				With      map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, ".github/workflows/test.yml")), &workflow); err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"push", "pull_request"} {
		if _, ok := workflow.On[event]; !ok {
			t.Errorf("does not run on %s", event)
		}
	}
	if workflow.Permissions["contents"] != "read" || len(workflow.Permissions) != 1 {
		t.Errorf("permissions %v: expected contents: read alone", workflow.Permissions)
	}
	commands := map[string]string{}
	for name, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if s.Run != "" {
				commands[name] += s.Run
			}
			if s.Uses != "" && !regexp.MustCompile(`^actions/[a-z-]+@v\d+$`).MatchString(s.Uses) {
				t.Errorf("uses %s: expected an action of GitHub itself, with its version", s.Uses)
			}
			for key, value := range s.With {
				if strings.HasSuffix(key, "-file") {
					read(t, value)
				}
			}
		}
	}
	if commands["test"] != ".ci/run" {
		t.Errorf("job test runs %q", commands["test"])
	}
	info, err := os.Stat(filepath.Join("..", "..", ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&0o111 == 0 {
		t.Error(".ci/run cannot be executed")
	}
	for _, target := range []string{"test", "test-threads", "test-model", "test-msvc"} {
		if !regexp.MustCompile(`(?m)^timed make ` + target + `$`).MatchString(read(t, ".ci/run")) {
			t.Errorf(".ci/run does not run make %s", target)
		}
	}
	if !strings.Contains(read(t, "README.md"), "make test") {
		t.Error("the README's test command is not make test")
	}

	dir := t.TempDir()
	copyProject(t, dir)
	if out, code := shell(t, dir, commands["check"], 0); code != 0 || out != "22 files are as generated\n" {
		t.Errorf("job check, %q: exit code %d\n%s", commands["check"], code, out)
	}
}

// The hook passes on a clean tree, fails on drift, and is run for the files that
// can drift.
func TestHook(t *testing.T) {
	var hooks []struct {
		ID            string
		Name          string
		Description   string
		Entry         string
		Language      string
		PassFilenames *bool `yaml:"pass_filenames"`
		Files         string
	}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, ".pre-commit-hooks.yaml")), yaml.DisallowUnknownField())
	if err := decoder.Decode(&hooks); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 1 || hooks[0].ID != "cybindgo-check" || hooks[0].Language != "golang" || hooks[0].PassFilenames == nil || *hooks[0].PassFilenames {
		t.Fatalf("hooks: %+v", hooks)
	}
	files := regexp.MustCompile(hooks[0].Files)
	for name, want := range map[string]bool{
		"cybindgo.yaml": true, "sub/cybindgo.yaml": true, "releases/driver.json": true, "libraries/demo.yaml": true, "libraries/demo.snippet.pyx": true,
		"generated/cuda_bindings_13/cuda/bindings/cydriver.pxd": true, "generated/cuda_bindings_13/pyproject.toml": true,
		"README.md": false, "main.go": false, "notcybindgo.yaml": false,
	} {
		if files.MatchString(name) != want {
			t.Errorf("the hook runs for %s: %v, want %v", name, !want, want)
		}
	}
	read(t, "cmd/cybindgo/main.go") // what language golang installs is called cybindgo

	dir := t.TempDir()
	copyProject(t, dir)
	if out, code := shell(t, dir, hooks[0].Entry, 0); code != 0 {
		t.Errorf("on a clean tree: exit code %d\n%s", code, out)
	}
	write(t, filepath.Join(dir, "generated/cuda_bindings_13/setup.py"), "# edited\n")
	if out, code := shell(t, dir, hooks[0].Entry, 0); code != 1 || !strings.Contains(out, "setup.py") {
		t.Errorf("with an edit: exit code %d\n%s", code, out)
	}
}

// What is compared byte for byte keeps its line ends in a checkout on Windows.
func TestGeneratedFilesKeepTheirLineEnds(t *testing.T) {
	attributes := read(t, ".gitattributes")
	for _, pattern := range []string{"generated/**", "golden/**", "releases/*.json"} {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(pattern) + ` +text eol=lf$`).MatchString(attributes) {
			t.Errorf(".gitattributes does not set eol=lf for %s", pattern)
		}
	}
	if !strings.Contains(read(t, ".editorconfig"), "end_of_line = lf") {
		t.Error(".editorconfig does not set the line end")
	}
}
