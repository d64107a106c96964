//go:build linux

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/indextest"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/releases"
)

// TestHistoryFromPublishedWheels enters all final releases, of which `make
// setup` has fetched the wheels, from an index that has them. What comes out is
// what the committed history says, for little time and memory.
func TestHistoryFromPublishedWheels(t *testing.T) {
	p := newIndexed(t)
	p.index = indextest.New(t)
	p.env = os.Environ()
	for name, value := range p.index.Environment(t.TempDir()) {
		p.env = append(p.env, name+"="+value)
	}
	final := 0
	for _, variable := range []string{"CYBINDGO_TOOLKIT", "CYBINDGO_HEADERS"} {
		wheels, err := filepath.Glob(filepath.Join(os.Getenv(variable), "*", "*.whl"))
		if err != nil || len(wheels) == 0 || os.Getenv(variable) == "" {
			t.Fatalf("%s has no wheels: expected a folder with the wheels of each release (RELEASE/*.whl); `make setup` fetches them", variable)
		}
		for _, wheel := range wheels {
			data, err := os.ReadFile(wheel)
			if err != nil {
				t.Fatal(err)
			}
			name, err := dist.ParseWheelName(filepath.Base(wheel))
			if err != nil {
				t.Fatal(err)
			}
			p.index.Add(name.Name, &indextest.File{Name: filepath.Base(wheel), Data: data})
			if name.Name == "cuda-toolkit" && !strings.Contains(name.Version, "rc") {
				final++
			}
		}
	}
	peak := peakProgram(t)
	add := func(args ...string) (cpu time.Duration, memory int64) {
		file := filepath.Join(t.TempDir(), "peak")
		cmd := p.command(append([]string{"releases", "add", "--all", "--no-progress"}, args...)...)
		cmd.Path, cmd.Args = peak, append([]string{peak, file}, cmd.Args...)
		got := p.wait(t, cmd)
		if got.code != 0 {
			t.Fatalf("got %+v", got)
		}
		state := cmd.ProcessState
		return state.UserTime() + state.SystemTime(), peakIn(t, file)
	}
	add()
	p.write(t, "releases/driver.json", emptyHistory)
	cpu, memory := add("--offline")
	t.Logf("%d releases from the cache: %v, %d MB", final, cpu, memory>>20)
	// Measured: 0.11 s a release and target.
	if most := time.Duration(final*len(ir.DefaultTargets)) * 300 * time.Millisecond; cpu > most || memory > 500<<20 {
		t.Errorf("%d releases took %v and %d MB, expected at most %v and 500 MB", final, cpu, memory>>20, most)
	}

	got := decode(t, filepath.Join(p.dir, "releases", "driver.json"), nil)
	data, err := releases.FS.ReadFile("driver.json")
	if err != nil {
		t.Fatal(err)
	}
	want := decode(t, "driver.json", data)
	if len(got.Releases) != final {
		t.Errorf("%d releases, want %d", len(got.Releases), final)
	}
	for _, r := range got.Releases {
		is, err := got.At(r.Label)
		if err != nil {
			t.Fatal(err)
		}
		was, err := want.At(r.Label)
		if err != nil {
			t.Fatal(err)
		}
		was.Release.Date = "" // files on a disk do not say when they were published
		if diff := cmp.Diff(encode(t, was), encode(t, is)); diff != "" {
			t.Errorf("%s (-want +got):\n%.3000s", r.Label, diff)
		}
	}
}

func decode(t *testing.T, file string, data []byte) *ir.History {
	t.Helper()
	if data == nil {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	h, err := ir.Decode(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// encode gives a snapshot as the history of one release.
func encode(t *testing.T, s *ir.Snapshot) string {
	t.Helper()
	h := ir.NewHistory("driver")
	if err := h.Add(s); err != nil {
		t.Fatal(err)
	}
	return string(h.Encode())
}
