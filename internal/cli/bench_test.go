package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// project's root, from this package's folder.
func atRoot(b testing.TB) {
	b.Helper()
	old, err := os.Getwd()
	if err != nil {
		b.Fatal(err)
	}
	if err := os.Chdir("../.."); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.Chdir(old) })
}

// BenchmarkCheck is the whole command on the committed project: load the
// history, generate both packages, compare.
func BenchmarkCheck(b *testing.B) {
	atRoot(b)
	b.ReportAllocs()
	for b.Loop() {
		if code := Run([]string{"check"}, io.Discard, os.Stderr); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
}

// BenchmarkStart is a process of its own that prints its help: what every
// command costs before it does anything. The floor is the system's own cost of
// a process, printed beside it.
func BenchmarkStart(b *testing.B) {
	name := filepath.Join(b.TempDir(), "cybindgo")
	if out, err := exec.Command("go", "build", "-o", name, "../../cmd/cybindgo").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name string
		args []string
	}{{"help", []string{name, "--help"}}, {"floor", []string{"go", "version"}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := exec.Command(c.args[0], c.args[1:]...).Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkVerify is the whole command on the committed packages.
func BenchmarkVerify(b *testing.B) {
	atRoot(b)
	b.ReportAllocs()
	for b.Loop() {
		if code := Run([]string{"verify", "generated"}, io.Discard, os.Stderr); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
}
