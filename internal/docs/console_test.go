package docs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cybindgo/cybindgo/internal/cli"
	"github.com/cybindgo/cybindgo/ir"
)

func TestMain(m *testing.M) {
	cybindgo := func(args []string) { os.Exit(cli.Run(args, os.Stdout, os.Stderr)) }
	testscript.Main(m, map[string]func(){
		"cybindgo": func() { cybindgo(os.Args[1:]) },
		// The documentation of the repository runs the program from its source.
		"go": func() {
			if len(os.Args) < 3 || os.Args[1] != "run" || os.Args[2] != "./cmd/cybindgo" {
				fmt.Fprintln(os.Stderr, "the tests of the documentation know `go run ./cmd/cybindgo` alone")
				os.Exit(127)
			}
			cybindgo(os.Args[3:])
		},
	})
}

// unrun are the commands that are shown and not run here, each with the reason.
var unrun = []struct {
	command *regexp.Regexp
	reason  string
}{
	{regexp.MustCompile(`^make `), "runs these tests among others"},
	{regexp.MustCompile(`^git `), "changes a repository, and the scratch copy is none"},
	{regexp.MustCompile(`\bpip install `), "compiles for minutes; tests/test_build.py does it"},
	{regexp.MustCompile(`^(uvx|go install) `), "needs a release; tests/test_wheel.py installs what one has"},
	{regexp.MustCompile(`^(cc|clang) `), "needs a C compiler; internal/cgen and tests/ compile the same files"},
}

// scenes prepare the folder of a section that does not begin with a copy of the
// repository, by page and heading.
var scenes = map[string]func(t *testing.T, dir string){
	"docs/guide.md: A release day": dayBefore,
}

// Every command that the documentation shows does what is shown. Each section of
// the second level has a copy of the project of its own. A block with a path
// behind its language is a file; one of language console is run. A line `...`
// stands for any lines, and ` ...` at the end of one for its rest. A command that
// fails is followed by `echo $?`.
func TestConsoleBlocks(t *testing.T) {
	used := make([]bool, len(unrun))
	for _, page := range pages(t) {
		var order []string
		sections := map[string][]block{}
		for _, b := range blocks(read(t, page)) {
			if len(b.text) == 0 {
				t.Errorf("%s:%d: an empty block", page, b.line)
				continue
			}
			if !b.console() && b.path == "" {
				for i, line := range b.text {
					if (b.language == "" || b.language == "sh" || b.language == "bash") && unprompted.MatchString(line) {
						t.Errorf("%s:%d: %q: a command needs the prompt `$ `, so that it is run", page, b.line+i, line)
					}
				}
				continue
			}
			if sections[b.section] == nil {
				order = append(order, b.section)
			}
			sections[b.section] = append(sections[b.section], b)
		}
		for _, section := range order {
			t.Run(page+": "+section, func(t *testing.T) {
				playSection(t, page, page+": "+section, sections[section], used)
			})
		}
	}
	for i, u := range unrun {
		if !used[i] {
			t.Errorf("no page shows a command that matches %s: take it off the list", u.command)
		}
	}
}

func playSection(t *testing.T, page, scene string, section []block, used []bool) {
	dir := t.TempDir()
	copyProject(t, dir)
	if prepare := scenes[scene]; prepare != nil {
		prepare(t, dir)
	}
	for _, b := range section {
		if !b.console() {
			write(t, filepath.Join(dir, b.path), strings.Join(b.text, "\n")+"\n")
			continue
		}
		list, err := steps(b)
		if err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		code := 0
		for i, s := range list {
			if skipped(s.command, used) {
				code = 0
				continue
			}
			var got string
			got, code = shell(t, dir, s.command, code)
			if d := unlike(s.output, got); d != "" {
				t.Fatalf("%s:%d: $ %s\n(-shown +got):\n%s", page, s.line, s.command, d)
			}
			if code != 0 && (i+1 == len(list) || list[i+1].command != "echo $?") {
				t.Fatalf("%s:%d: $ %s: exit code %d, and the next command is not `echo $?`", page, s.line, s.command, code)
			}
		}
	}
}

func skipped(command string, used []bool) bool {
	for i, u := range unrun {
		if u.command.MatchString(command) {
			used[i] = true
			return true
		}
	}
	return false
}

// shell runs a command line in a folder. last is what `$?` is before.
func shell(t *testing.T, dir, command string, last int) (output string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf("(exit %d)\n%s", last, command))
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "CUDA_HOME=" + filepath.Join(dir, ".cuda")}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// unlike compares what is shown with what came, and gives a difference or "".
func unlike(shown []string, got string) string {
	var pattern strings.Builder
	pattern.WriteString(`^`)
	for _, line := range shown {
		if strings.TrimSpace(line) == "..." {
			pattern.WriteString(`(?:.*\n)*?`)
		} else if start, more := strings.CutSuffix(line, " ..."); more {
			pattern.WriteString(regexp.QuoteMeta(start) + ` .*\n`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(line) + `\n`)
		}
	}
	pattern.WriteString(`$`)
	if regexp.MustCompile(pattern.String()).MatchString(got) {
		return ""
	}
	if len(got) > 5000 {
		got = got[:5000] + "...\n"
	}
	return cmp.Diff(strings.Join(shown, "\n"), strings.TrimSuffix(got, "\n")) + "\nWhat came:\n" + got
}

// copyProject makes a copy of what commands read and write: the configuration,
// the history, what is generated; and beside it, where they are for readers,
// headers and the published packages.
func copyProject(t *testing.T, dir string) {
	t.Helper()
	root := filepath.Join("..", "..")
	for _, name := range []string{"releases", "generated"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "cybindgo.yaml"), read(t, "cybindgo.yaml"))

	wheels, err := filepath.Glob(filepath.Join(environment(t, "CYBINDGO_HEADERS"), "13.5.0", "*.whl"))
	if err != nil || len(wheels) == 0 {
		t.Fatalf("no wheels of 13.5.0 below CYBINDGO_HEADERS: %v", err)
	}
	for _, w := range wheels {
		symlink(t, w, filepath.Join(dir, filepath.Base(w)))
	}
	symlink(t, filepath.Join(environment(t, "CYBINDGO_INCLUDE_TREES"), "13.5.0"), filepath.Join(dir, ".cuda", "include"))
	symlink(t, filepath.Join(environment(t, "CYBINDGO_PUBLISHED"), "13.5.0"), filepath.Join(dir, ".venv", "lib", "python3.13", "site-packages"))
	symlink(t, filepath.Join(environment(t, "CYBINDGO_PUBLISHED"), "12.9.10"), filepath.Join(dir, ".venv12", "lib", "python3.11", "site-packages"))
}

// environment is an environment variable that leads to the tests' inputs.
func environment(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run `make setup`, or the tests with `make test`", name)
	}
	return value
}

// dayBefore takes the project back to the day before 13.5.0.
func dayBefore(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, "releases", "driver.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	history, err := ir.Decode(file, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := history.Remove("13.5.0"); err != nil {
		t.Fatal(err)
	}
	write(t, file, string(history.Encode()))
	project := read(t, "cybindgo.yaml")
	before := strings.NewReplacer("13.5.0}", "13.4.2}", "version: 13.5.0", "version: 13.4.2").Replace(project)
	if before == project {
		t.Fatal("cybindgo.yaml does not end its range with 13.5.0")
	}
	write(t, filepath.Join(dir, "cybindgo.yaml"), before)
	if out, code := shell(t, dir, "cybindgo generate", 0); code != 0 {
		t.Fatal(out)
	}
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
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
