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
	if out, code := shell(t, dir, commands["check"], 0); code != 0 || out != "72 files are as generated\n" {
		t.Errorf("job check, %q: exit code %d\n%s", commands["check"], code, out)
	}
}

// hook is one that others run before a commit.
type hook struct {
	ID            string
	Name          string
	Description   string
	Entry         string
	Args          []string
	Language      string
	PassFilenames *bool `yaml:"pass_filenames"`
	Files         string
}

// The hooks pass on a clean tree, fail on an edit, and are run for the files that
// they look at.
func TestHooks(t *testing.T) {
	var hooks []hook
	decoder := yaml.NewDecoder(strings.NewReader(read(t, ".pre-commit-hooks.yaml")), yaml.DisallowUnknownField())
	if err := decoder.Decode(&hooks); err != nil {
		t.Fatal(err)
	}
	runs := map[string]map[string]bool{
		"cybindgo-check": {
			"cybindgo.yaml": true, "sub/cybindgo.yaml": true, "releases/driver.json": true, "libraries/demo.yaml": true, "libraries/demo.snippet.pyx": true,
			"generated/cuda_bindings_13/cuda/bindings/cydriver.pxd": true, "generated/cuda_bindings_13/pyproject.toml": true,
			"README.md": false, "main.go": false, "notcybindgo.yaml": false,
		},
		"cybindgo-verify": {
			"generated/cuda_bindings_13/cuda/bindings/cydriver.pxd": true, "generated/cuda_bindings_13/pyproject.toml": true, "driver.pyx.in": true, "stub.c": true,
			"README.md": false, "main.go": false, "cybindgo.yaml": false,
		},
	}
	if len(hooks) != len(runs) {
		t.Errorf("%d hooks, expected %d", len(hooks), len(runs))
	}
	read(t, "cmd/cybindgo/main.go") // what language golang installs is called cybindgo
	page := read(t, "docs/ci.md")
	for _, h := range hooks {
		if runs[h.ID] == nil || h.Name == "" || h.Description == "" || h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames {
			t.Errorf("%+v", h)
		}
		files := regexp.MustCompile(h.Files)
		for name, want := range runs[h.ID] {
			if files.MatchString(name) != want {
				t.Errorf("%s runs for %s: %v, want %v", h.ID, name, !want, want)
			}
		}
		if !strings.Contains(page, "id: "+h.ID) {
			t.Errorf("docs/ci.md does not show %s", h.ID)
		}
		dir, command := t.TempDir(), strings.Join(append([]string{h.Entry}, h.Args...), " ")
		copyProject(t, dir)
		if out, code := shell(t, dir, command, 0); code != 0 {
			t.Errorf("%s on a clean tree: exit code %d\n%s", command, code, out)
		}
		edited := filepath.Join(dir, "generated/cuda_bindings_13/setup.py")
		write(t, edited, read(t, "generated/cuda_bindings_13/setup.py")+"# edited\n")
		if out, code := shell(t, dir, command, 0); code != 1 || !strings.Contains(out, "setup.py") {
			t.Errorf("%s with an edit: exit code %d\n%s", command, code, out)
		}
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
