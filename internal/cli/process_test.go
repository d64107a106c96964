package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// processes is a project of its own in which the program runs as a process:
// killed, beside others, and with its time and memory counted.
type processes struct {
	dir    string
	binary string
}

// demoConfig binds some releases of the driver.
const demoConfig = `licence: []
packages:
  - name: demo
    version: 1.0.0
    module: demo.bindings
    output: out
    libraries:
      driver: {releases: RELEASES}
`

func newProcesses(t *testing.T) *processes {
	t.Helper()
	dir := t.TempDir()
	p := &processes{dir: dir, binary: filepath.Join(t.TempDir(), "cybindgo")}
	build := exec.Command("go", "build", "-o", p.binary, "github.com/cybindgo/cybindgo/cmd/cybindgo")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return p
}

// config writes a configuration that covers the releases.
func (p *processes) config(t *testing.T, name, releases string) {
	t.Helper()
	p.write(t, name, strings.ReplaceAll(demoConfig, "RELEASES", releases))
}

func (p *processes) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (p *processes) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.binary, args...)
	cmd.Dir = p.dir
	return cmd
}

// run runs the program to its end, which must be a clean one.
func (p *processes) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		t.Fatalf("cybindgo %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// tree reads all files below a folder, those that are being written aside,
// whose number it gives.
func (p *processes) tree(t *testing.T, folder string) (files map[string]string, temporary int) {
	t.Helper()
	files = map[string]string{}
	root := filepath.Join(p.dir, folder)
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasPrefix(d.Name(), ".cybindgo-") {
			temporary++
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, temporary
}

// times is how often a test repeats what is left to chance: as many times as
// CYBINDGO_SOAK says, where it is set (`make soak`).
func times(t *testing.T, usual int) int {
	t.Helper()
	s := os.Getenv("CYBINDGO_SOAK")
	if s == "" {
		return usual
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		t.Fatalf("CYBINDGO_SOAK is %q: expected a number from 1", s)
	}
	return n
}
