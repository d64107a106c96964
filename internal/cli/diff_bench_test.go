package cli

import (
	"io"
	"os"
	"testing"
)

// BenchmarkDiff is the whole command on two releases of the driver: load the
// history, compare, print. Starting the program comes on top.
func BenchmarkDiff(b *testing.B) {
	atRoot(b)
	for _, format := range []string{"text", "markdown", "json", "html"} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if code := Run([]string{"diff", "driver", "12.9.1", "13.0.0", "--format", format}, io.Discard, os.Stderr); code != 0 {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}

// BenchmarkDiffFarthest compares the oldest release with the newest.
func BenchmarkDiffFarthest(b *testing.B) {
	atRoot(b)
	b.ReportAllocs()
	for b.Loop() {
		if code := Run([]string{"diff", "driver", "11.8.0", "13.5.0"}, io.Discard, os.Stderr); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
}

// BenchmarkSince is the whole command: load the history, compare each release
// with the one before it, print.
func BenchmarkSince(b *testing.B) {
	atRoot(b)
	for _, name := range []string{"cuInit", "CUdevice_attribute"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if code := Run([]string{"since", name}, io.Discard, os.Stderr); code != 0 {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}

// BenchmarkInspect is the whole command on the driver: the table of a release,
// and the manifest of both packages.
func BenchmarkInspect(b *testing.B) {
	atRoot(b)
	for name, args := range map[string][]string{"table": {"inspect", "driver"}, "capi": {"inspect", "driver", "--capi"}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if code := Run(args, io.Discard, os.Stderr); code != 0 {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}
