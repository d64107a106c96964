package headers

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// driverHeaders are those that the driver's bindings are made from.
var driverHeaders = []string{
	"cuda.h", "cudaTypedefs.h", "cudaGL.h", "cudaGLTypedefs.h", "cudaEGL.h", "cudaEGLTypedefs.h",
	"cudaVDPAU.h", "cudaVDPAUTypedefs.h", "cudaProfiler.h", "cudaProfilerTypedefs.h",
	"cuda_runtime_api.h", "driver_types.h",
}

// release gives the folder with the wheels of a CUDA release.
func release(t testing.TB, version string) string {
	t.Helper()
	all := os.Getenv("CYBINDGO_HEADERS")
	if all == "" {
		t.Fatal("CYBINDGO_HEADERS is not set: expected a folder with the wheels of each release (RELEASE/*.whl); `make setup` fetches them")
	}
	dir := filepath.Join(all, version)
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("%v: `make setup` fetches the wheels of CUDA %s", err, version)
	}
	return dir
}

func wheelsOf(t testing.TB, version string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(release(t, version), "*.whl"))
	check(t, err)
	return paths
}

func TestPublishedWheelsHoldTheDriverHeaders(t *testing.T) {
	for _, c := range []struct{ release, suffix, runtime, profiler string }{
		{"12.0.0", "-cu12", "12.0.107", "12.0.76"},
		{"12.9.0", "-cu12", "12.9.37", "12.9.19"},
		{"12.9.1", "-cu12", "12.9.79", "12.9.79"},
		{"13.0.0", "", "13.0.48", "13.0.39"},
		{"13.0.2", "", "13.0.96", "13.0.85"},
		{"13.3.0", "", "13.3.29", "13.3.27"},
		{"13.4.0rc1", "", "13.4.46rc1", "13.4.46rc1"},
		{"13.4.2", "", "13.4.92", "13.4.92"},
		{"13.5.0", "", "13.5.37", "13.5.25"},
	} {
		t.Run(c.release, func(t *testing.T) {
			set := open(t, wheelsOf(t, c.release)...)
			got := slices.DeleteFunc(set.Components(), func(got Component) bool {
				base := withoutMajor(got.Name)
				return base != "nvidia-cuda-runtime" && base != "nvidia-cuda-profiler-api"
			})
			want := []Component{{"nvidia-cuda-profiler-api" + c.suffix, c.profiler}, {"nvidia-cuda-runtime" + c.suffix, c.runtime}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("components (-want +got):\n%s", diff)
			}
			for _, name := range driverHeaders {
				info, err := fs.Stat(set.FS(), name)
				check(t, err)
				data, err := fs.ReadFile(set.FS(), name)
				check(t, err)
				if len(data) < 500 || int64(len(data)) != info.Size() {
					t.Errorf("%s: %d bytes read, %d listed", name, len(data), info.Size())
				}
			}
			if !set.Exact() || set.Err() != nil {
				t.Errorf("exact: %v, failure: %v", set.Exact(), set.Err())
			}
		})
	}
}

// The same headers out of a wheel, out of the folder the wheel lies in, and out
// of the folder it was unpacked into.
func TestEverySourceGivesTheSameBytes(t *testing.T) {
	const version = "13.0.2"
	site := t.TempDir()
	for _, whl := range wheelsOf(t, version) {
		unpack(t, whl, site)
	}
	wheels, folder, unpacked := open(t, wheelsOf(t, version)...), open(t, release(t, version)), open(t, site)
	for _, name := range driverHeaders {
		want, err := unpacked.Sum(name)
		check(t, err)
		for label, set := range map[string]*Set{"wheels": wheels, "folder of wheels": folder} {
			got, err := set.Sum(name)
			if got != want || err != nil {
				t.Errorf("%s in %s: %s, %v; want %s", name, label, got, err, want)
			}
		}
	}
	if unpacked.Exact() || !folder.Exact() {
		t.Errorf("exact: unpacked %v, wheels %v", unpacked.Exact(), folder.Exact())
	}
}

// unpack installs the headers of a wheel of our own choosing into dir.
func unpack(t testing.TB, whl, dir string) {
	t.Helper()
	archive, err := zip.OpenReader(whl)
	check(t, err)
	defer archive.Close()
	for _, f := range archive.File {
		if filepath.Ext(f.Name) != ".h" {
			continue
		}
		r, err := f.Open()
		check(t, err)
		data, err := io.ReadAll(r)
		check(t, err)
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(data))
	}
}

func BenchmarkDriverHeadersOfAWheel(b *testing.B) {
	paths := wheelsOf(b, "13.5.0")
	var size int64
	b.ReportAllocs()
	for b.Loop() {
		set, err := Open(paths)
		check(b, err)
		size = 0
		for _, name := range driverHeaders {
			data, err := fs.ReadFile(set.FS(), name)
			check(b, err)
			size += int64(len(data))
		}
		check(b, set.Close())
	}
	b.SetBytes(size)
}

func BenchmarkOpenWheel(b *testing.B) {
	paths := wheelsOf(b, "13.5.0")
	b.ReportAllocs()
	for b.Loop() {
		set, err := Open(paths)
		check(b, err)
		check(b, set.Close())
	}
}
