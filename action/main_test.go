package action

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cybindgo/cybindgo/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"cybindgo": func() { os.Exit(cli.Run(os.Args[1:], os.Stdout, os.Stderr)) },
		"gh":       func() { os.Exit(gh(os.Args[1:])) },
	})
}

// workflow is a job in which the action's steps run: a checkout, and what a
// runner sets.
type workflow struct {
	dir, temp string
	env       []string
}

func newWorkflow(t *testing.T) *workflow {
	t.Helper()
	for _, program := range []string{"bash", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is needed: %v", program, err)
		}
	}
	w := &workflow{dir: filepath.Join(t.TempDir(), "checkout"), temp: t.TempDir()}
	for _, name := range []string{"output", "path", "summary"} {
		write(t, filepath.Join(w.temp, name), "")
	}
	w.env = append(os.Environ(), "RUNNER_TEMP="+w.temp, "GITHUB_OUTPUT="+filepath.Join(w.temp, "output"), "GITHUB_PATH="+filepath.Join(w.temp, "path"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(w.temp, "summary"), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	return w
}

// result is how a step ended.
type result struct {
	code                int
	out, err            string
	outputs             map[string]string
	summary, pathsAdded string
}

// step runs one of the action's scripts, with inputs NAME=VALUE.
func (w *workflow) step(t *testing.T, script string, inputs ...string) result {
	t.Helper()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"output", "path", "summary"} {
		write(t, filepath.Join(w.temp, name), "")
	}
	cmd := exec.Command("bash", filepath.Join(here, script))
	cmd.Dir, cmd.Env = w.dir, append(w.env, inputs...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{code: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String(), outputs: map[string]string{},
		summary: read(t, filepath.Join(w.temp, "summary")), pathsAdded: read(t, filepath.Join(w.temp, "path"))}
	for line := range strings.Lines(read(t, filepath.Join(w.temp, "output"))) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		r.outputs[name] = value
	}
	return r
}

// git runs git in the checkout and gives what it prints.
func (w *workflow) git(t *testing.T, args ...string) string {
	t.Helper()
	return w.run(t, "git", args...)
}

func (w *workflow) run(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = w.dir
	cmd.Env = append(w.env, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
