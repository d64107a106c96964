package cli

import (
	"io"
	"os"
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
