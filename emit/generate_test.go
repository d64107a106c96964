package emit

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// committed is the input that the repository's own generated files come from.
func committed(t testing.TB) Input {
	t.Helper()
	root := filepath.Join("..")
	data, err := os.ReadFile(filepath.Join(root, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	project, err := config.LoadProject(config.FileName, data)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Project: project, Libraries: map[string]*config.Library{}, Histories: map[string]*ir.History{}}
	for _, name := range project.LibraryNames() {
		if in.Libraries[name], err = config.LoadLibrary(name); err != nil {
			t.Fatal(err)
		}
		if data, err = os.ReadFile(filepath.Join(root, "releases", name+".json")); err != nil {
			t.Fatal(err)
		}
		if in.Histories[name], err = ir.Decode(name+".json", data); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

func generate(t testing.TB, in Input) *Output {
	t.Helper()
	out, err := Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The committed tree is what is generated: drift of a template or of the
// history fails here too.
func TestGeneratedFilesAreCommitted(t *testing.T) {
	out := generate(t, committed(t))
	states, err := Compare("..", out)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if s.State != Same {
			t.Errorf("%s is %s; run `make generate`", s.Path, s.State)
		}
	}
	if len(states) != 72 {
		t.Errorf("%d files, want 72", len(states))
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	first := generate(t, committed(t))
	for range 3 {
		again := generate(t, committed(t))
		if !maps.EqualFunc(first.Files, again.Files, bytes.Equal) {
			t.Fatal("a second run gives other files")
		}
		if d := cmp.Diff(first.Notes, again.Notes); d != "" {
			t.Fatalf("a second run gives other notes (-first +second):\n%s", d)
		}
	}
}

var prototype = regexp.MustCompile(`(?m)^cdef .* nogil(  # .*)?$`)

func TestFunctionCountsOfThePublishedPackages(t *testing.T) {
	out := generate(t, committed(t))
	for path, want := range map[string]int{
		"generated/cuda_bindings_12/cuda/bindings/cydriver.pxd":         483,
		"generated/cuda_bindings_12/cuda/bindings/_internal/driver.pxd": 483,
		"generated/cuda_bindings_13/cuda/bindings/cydriver.pxd":         526,
		"generated/cuda_bindings_13/cuda/bindings/_internal/driver.pxd": 526,
		"generated/cuda_bindings_12/cuda/bindings/cynvrtc.pxd":          24,
		"generated/cuda_bindings_13/cuda/bindings/cynvrtc.pxd":          29,
		"generated/cuda_bindings_12/cuda/bindings/cynvvm.pxd":           14,
		"generated/cuda_bindings_13/cuda/bindings/cynvvm.pxd":           14,
		"generated/cuda_bindings_12/cuda/bindings/cynvfatbin.pxd":       12,
		"generated/cuda_bindings_13/cuda/bindings/cynvfatbin.pxd":       12,
		"generated/cuda_bindings_12/cuda/bindings/cynvjitlink.pxd":      16,
		"generated/cuda_bindings_13/cuda/bindings/cynvjitlink.pxd":      16,
		"generated/cuda_bindings_12/cuda/bindings/cynvml.pxd":           370 + 35, // published, and more
		"generated/cuda_bindings_13/cuda/bindings/cynvml.pxd":           378 + 35,
	} {
		if got := len(prototype.FindAll(out.Files[path], -1)); got != want {
			t.Errorf("%s declares %d functions, want %d", path, got, want)
		}
	}
}

// The loader finds keys by binary search, in strcmp's order.
func TestTableRowsAreSorted(t *testing.T) {
	rows := regexp.MustCompile(`\{ "__(\w+)"`)
	for path, data := range generate(t, committed(t)).Files {
		if !strings.HasSuffix(path, "_linux.pyx") {
			continue
		}
		var keys []string
		for _, m := range rows.FindAllSubmatch(data, -1) {
			keys = append(keys, string(m[1]))
		}
		if len(keys) < 12 || strings.HasSuffix(path, "driver_linux.pyx") && len(keys) < 483 || !slices.IsSorted(keys) {
			t.Errorf("%s: %d rows, sorted: %v", path, len(keys), slices.IsSorted(keys))
		}
	}
}

func TestPlatformFilesDifferInTheirRegionsOnly(t *testing.T) {
	out := generate(t, committed(t))
	dir := "generated/cuda_bindings_13/cuda/bindings/_internal/"
	linux, windows := out.Files[dir+"driver_linux.pyx"], out.Files[dir+"driver_windows.pyx"]
	if bytes.Equal(linux, windows) {
		t.Error("the platform files are the same")
	}
	pkg := &committed(t).Project.Packages[1]
	if err := comparePlatforms(out, pkg, "driver"); err != nil {
		t.Error(err)
	}
	// One statement changed in one of them is refused.
	out.Files[dir+"driver_windows.pyx"] = bytes.Replace(windows, []byte("__ATOMIC_ACQUIRE"), []byte("__ATOMIC_RELAXED"), 1)
	if err := comparePlatforms(out, pkg, "driver"); err == nil {
		t.Error("a weakened load in one platform file was not noticed")
	}
}

func BenchmarkGenerate(b *testing.B) {
	in := committed(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Generate(in); err != nil {
			b.Fatal(err)
		}
	}
}
