package cli

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkFromHeaders reads the driver's real headers of 13.5.0 for one target
// and generates, without a history: the public view, and all of them.
func BenchmarkFromHeaders(b *testing.B) {
	wheels, err := filepath.Glob(filepath.Join(os.Getenv("CYBINDGO_HEADERS"), "13.5.0", "nvidia_*.whl"))
	if err != nil || len(wheels) != 2 {
		b.Fatalf("expected two wheels below CYBINDGO_HEADERS (%v); `make setup` fetches them", wheels)
	}
	atRoot(b)
	args := []string{"generate", "driver", "--dry-run", "--release", "13.5.0", "--target", "linux/amd64", "--headers", wheels[0], "--headers", wheels[1]}
	for name, args := range map[string][]string{"public": append(args[:len(args):len(args)], "--public-only"), "full": args} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if code := Run(args, io.Discard, os.Stderr); code != 0 {
					b.Fatalf("exit code %d", code)
				}
			}
		})
	}
}
