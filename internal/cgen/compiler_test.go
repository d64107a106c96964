package cgen

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/ir"
)

// compiler is a C compiler for one target.
type compiler struct {
	target ir.Target
	c, cpp []string // command lines to which flags and files are added; cpp may be empty
}

var host = ir.Target("linux/" + runtime.GOARCH)

// zigTargets are zig's names of the targets.
var zigTargets = map[ir.Target]string{
	ir.LinuxAMD64:   "x86_64-linux-gnu",
	ir.LinuxARM64:   "aarch64-linux-gnu",
	ir.WindowsAMD64: "x86_64-windows-gnu",
}

// zig is the compiler for any target in the zig that CYBINDGO_ZIG names.
func zig(t *testing.T, target ir.Target) compiler {
	t.Helper()
	command := strings.Fields(os.Getenv("CYBINDGO_ZIG"))
	if len(command) == 0 {
		t.Fatalf("compiling for %s needs CYBINDGO_ZIG to name a zig, such as that of the ziglang wheel (make setup)", target)
	}
	with := func(more ...string) []string { return append(append([]string{}, command...), more...) }
	return compiler{target, with("cc", "-target", zigTargets[target]), with("c++", "-target", zigTargets[target])}
}

// microsoft is clang as Microsoft's compiler, with the parser's stubs for the
// system headers that zig has none of.
func microsoft(t *testing.T) compiler {
	t.Helper()
	c := zig(t, ir.WindowsAMD64)
	c.c[slices.Index(c.c, zigTargets[ir.WindowsAMD64])] = "x86_64-windows-msvc"
	c.c = append(c.c, "-I", filepath.Join("..", "..", "parser", "stubs"))
	return c
}

// native is the machine's own compiler, or zig.
func native(t *testing.T) compiler {
	t.Helper()
	for _, name := range []string{"cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			c := compiler{target: host, c: []string{path}}
			for _, plus := range []string{"c++", "g++", "clang++"} {
				if path, err := exec.LookPath(plus); err == nil {
					c.cpp = []string{path}
					break
				}
			}
			return c
		}
	}
	if os.Getenv("CYBINDGO_ZIG") == "" {
		t.Fatal("there is no C compiler on PATH; install one, or let CYBINDGO_ZIG name a zig (make setup)")
	}
	return zig(t, host)
}

// run runs a command line and gives back what it said; failed is its exit
// status being non-zero.
func run(t *testing.T, argv ...string) (output string, failed bool) {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), err != nil
}

// compile compiles a source to an object, in a folder of its own.
func (c compiler) compile(t *testing.T, name string, source []byte, flags ...string) (output string, failed bool) {
	t.Helper()
	argv := c.c
	if strings.HasSuffix(name, ".cpp") {
		argv = c.cpp
		if len(argv) == 0 {
			t.Fatal("there is a C compiler and no C++ compiler; let CYBINDGO_ZIG name a zig (make setup) and take the other off PATH")
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, source, 0o644); err != nil {
		t.Fatal(err)
	}
	argv = append(append([]string{}, argv...), flags...)
	return run(t, append(argv, "-c", file, "-o", filepath.Join(dir, "out.o"))...)
}

// accepts fails the test if the source does not compile without a warning.
func (c compiler) accepts(t *testing.T, name string, source []byte, flags ...string) {
	t.Helper()
	flags = append([]string{"-Wall", "-Wextra", "-Werror"}, flags...)
	if out, failed := c.compile(t, name, source, flags...); failed {
		t.Errorf("%s: %s refuses %s:\n%s", c.target, c.c[0], name, limit(out))
	}
}

// limit shortens a compiler's output to what a person reads.
func limit(s string) string {
	if len(s) > 4000 {
		return s[:4000] + "\n..."
	}
	return s
}
