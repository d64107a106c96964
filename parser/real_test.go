package parser

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cybindgo/cybindgo/ir"
	"github.com/google/go-cmp/cmp"
)

// wheels are the include folders of a release's wheels, one over the other.
type wheels []fs.FS

func (w wheels) Open(name string) (fs.File, error) {
	for _, f := range w {
		if file, err := f.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, fs.ErrNotExist
}

// headersOf finds the real headers of a release.
func headersOf(t testing.TB, release string) fs.FS {
	t.Helper()
	dir := os.Getenv("CYBINDGO_HEADERS")
	if dir == "" {
		t.Fatal("CYBINDGO_HEADERS is not set: `make setup` downloads the wheels that carry CUDA's headers and says where they are")
	}
	paths, err := filepath.Glob(filepath.Join(dir, release, "*.whl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no wheels in %s: run `make setup`", filepath.Join(dir, release))
	}
	var w wheels
	for _, path := range paths {
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { z.Close() })
		includes, err := fs.Glob(z, "nvidia/*/include")
		if err != nil {
			t.Fatal(err)
		}
		for _, inc := range includes {
			sub, err := fs.Sub(z, inc)
			if err != nil {
				t.Fatal(err)
			}
			w = append(w, sub)
		}
	}
	return w
}

func driver(t testing.TB, release string, target ir.Target) Config {
	return Config{
		FS:            headersOf(t, release),
		Target:        target,
		Roots:         []string{"cuda.h", "cudaProfiler.h", "cudaGL.h", "cudaEGL.h", "vdpau/vdpau.h", "cudaVDPAU.h"},
		Consult:       []string{"cudaTypedefs.h", "cudaGLTypedefs.h", "cudaEGLTypedefs.h", "cudaVDPAUTypedefs.h", "cudaProfilerTypedefs.h"},
		InternalView:  "__CUDA_API_VERSION_INTERNAL",
		PerThreadView: "CUDA_API_PER_THREAD_DEFAULT_STREAM",
		QueryPrefix:   "PFN_",
	}
}

func parseDriver(t testing.TB, release string, target ir.Target) *Result {
	t.Helper()
	r, err := Parse(driver(t, release, target))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRealCounts holds the driver of every release against what was counted
// before in other ways. Records include those that are defined inside others.
func TestRealCounts(t *testing.T) {
	type counts struct {
		CudaH, Public, Superseded, Records, Enums, Enumerators, Omitted int
	}
	for _, test := range []struct {
		release string
		want    counts
	}{
		{"12.0.0", counts{380, 411, 77, 52, 85, 698, 0}},
		{"12.9.0", counts{452, 483, 77, 84, 106, 845, 0}},
		{"13.0.0", counts{449, 480, 93, 85, 108, 877, 0}},
		{"13.5.0", counts{492, 523, 93, 100, 123, 991, 0}},
	} {
		t.Run(test.release, func(t *testing.T) {
			r := parseDriver(t, test.release, ir.LinuxAMD64)
			got := counts{Omitted: len(r.Omitted)}
			for _, f := range r.API.Functions {
				switch {
				case f.Superseded:
					got.Superseded++
				default:
					got.Public++
					if f.Header == "cuda.h" {
						got.CudaH++
					}
				}
			}
			for _, rec := range r.API.Records {
				if rec.Header == "cuda.h" && !rec.Incomplete {
					got.Records++
				}
			}
			for _, e := range r.API.Enums {
				if e.Header == "cuda.h" {
					got.Enums++
					got.Enumerators += len(e.Enumerators)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if r.Declared != got.Public {
				t.Errorf("%d functions are declared, %d bound", r.Declared, got.Public)
			}
			for _, f := range r.API.Functions {
				if f.Query.Version == 0 && !f.Superseded {
					t.Errorf("%s has no version to ask for", f.Name)
				}
			}
		})
	}
}

func find[T any](t *testing.T, list []T, is func(*T) bool) T {
	t.Helper()
	i := slices.IndexFunc(list, func(e T) bool { return is(&e) })
	if i < 0 {
		t.Fatal("not found")
	}
	return list[i]
}

func function(t *testing.T, api *ir.API, symbol string) ir.Function {
	t.Helper()
	f := find(t, api.Functions, func(f *ir.Function) bool { return f.Symbol == symbol })
	f.Pos = ir.Position{}
	return f
}

func mustType(t *testing.T, s string) *ir.Type {
	t.Helper()
	typ, err := ir.ParseType(s)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestRealFunctions(t *testing.T) {
	api := parseDriver(t, "13.5.0", ir.LinuxAMD64).API
	for _, want := range []ir.Function{
		{
			Name: "cuMemAlloc", Symbol: "cuMemAlloc_v2",
			Type:  mustType(t, "CUresult(CUdeviceptr* dptr, size_t bytesize)"),
			Query: ir.Query{Base: "cuMemAlloc", Version: 3020},
		},
		{
			Name: "cuMemcpyHtoD", Symbol: "cuMemcpyHtoD_v2", PerThread: "cuMemcpyHtoD_v2_ptds",
			Type:  mustType(t, "CUresult(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount)"),
			Query: ir.Query{Base: "cuMemcpyHtoD", Version: 3020, PerThread: 7000},
		},
		{
			Name: "cuGraphInstantiate", Symbol: "cuGraphInstantiateWithFlags",
			Type:  mustType(t, "CUresult(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags)"),
			Query: ir.Query{Base: "cuGraphInstantiateWithFlags", Version: 11040},
		},
		{
			// The header itself defines what a per-thread program calls.
			Name: "cuGetProcAddress", Symbol: "cuGetProcAddress_v2",
			Type:  mustType(t, "CUresult(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags, CUdriverProcAddressQueryResult* symbolStatus)"),
			Query: ir.Query{Base: "cuGetProcAddress", Version: 12000},
		},
		{
			Name: "cuParamSetv", Symbol: "cuParamSetv", Deprecated: true,
			Type:  mustType(t, "CUresult(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes)"),
			Query: ir.Query{Base: "cuParamSetv", Version: 2000},
		},
		{
			Name: "cuMemAlloc", Symbol: "cuMemAlloc", Superseded: true,
			Type:  mustType(t, "CUresult(unsigned int* dptr, unsigned int bytesize)"),
			Query: ir.Query{Base: "cuMemAlloc", Version: 2000},
		},
	} {
		want.Header = "cuda.h"
		if diff := cmp.Diff(want, function(t, api, want.Symbol)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Symbol, diff)
		}
	}
}

// TestRealTypes holds layouts and values against facts that were recorded when
// they changed.
func TestRealTypes(t *testing.T) {
	for _, test := range []struct {
		release, record string
		size, align     int64
	}{
		{"12.9.0", "struct CUtensorMap_st", 128, 64},
		{"13.0.0", "struct CUtensorMap_st", 128, 128},
		{"13.5.0", "struct CUdevSmResource_st", 20, 4},
		{"13.5.0", "struct CUdevResource_st", 144, 8},
	} {
		api := parseDriver(t, test.release, ir.LinuxAMD64).API
		rec := find(t, api.Records, func(r *ir.Record) bool { return r.Key() == test.record })
		if rec.Size != test.size || rec.Align != test.align {
			t.Errorf("%s %s: size %d align %d, want %d and %d", test.release, test.record, rec.Size, rec.Align, test.size, test.align)
		}
	}
	api := parseDriver(t, "13.5.0", ir.LinuxAMD64).API
	for name, want := range map[string]string{
		"CUDA_VERSION":                 "int 13050",
		"CU_STREAM_LEGACY":             "CUstream 1",
		"CU_LAUNCH_PARAM_END":          "void* 0",
		"CU_DEVICE_INVALID":            "CUdevice -2",
		"CU_IPC_HANDLE_SIZE":           "int 64",
		"CU_STREAM_ATTRIBUTE_PRIORITY": "enum CUlaunchAttributeID_enum 8",
	} {
		c := find(t, api.Constants, func(c *ir.Constant) bool { return c.Name == name })
		if got := c.Type.String() + " " + c.Value; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	egl := find(t, api.Typedefs, func(x *ir.Typedef) bool { return x.Name == "EGLint" })
	if egl.Header != "EGL/egl.h" || egl.Type.String() != "unsigned int" {
		t.Errorf("EGLint is %s of %s", egl.Type, egl.Header)
	}
}

// TestRealTargets: Windows has a function and a handle more and a calling
// convention, and otherwise the driver is the same everywhere.
func TestRealTargets(t *testing.T) {
	linux := parseDriver(t, "13.5.0", ir.LinuxAMD64).API
	windows := parseDriver(t, "13.5.0", ir.WindowsAMD64).API
	if diff := cmp.Diff(linux, parseDriver(t, "13.5.0", ir.LinuxARM64).API); diff != "" {
		t.Errorf("linux/arm64 differs from linux/amd64:\n%s", diff)
	}
	for _, f := range windows.Functions {
		if !f.Type.Stdcall {
			t.Errorf("%s has no calling convention on Windows", f.Symbol)
		}
	}
	callback := find(t, windows.Typedefs, func(x *ir.Typedef) bool { return x.Name == "CUhostFn" })
	if got, want := callback.Type.String(), "void(stdcall:void* userData)*"; got != want {
		t.Errorf("CUhostFn is %s, want %s", got, want)
	}
	s := ir.Merge("driver", ir.Release{}, []ir.Target{ir.LinuxAMD64, ir.WindowsAMD64}, []*ir.API{linux, windows})
	var differ []string
	for _, f := range s.Functions {
		if f.On != 0 {
			differ = append(differ, f.Name)
		}
	}
	for _, e := range s.Enums {
		if e.On != 0 {
			differ = append(differ, e.Name)
		}
	}
	for _, rec := range s.Records {
		if rec.On != 0 {
			differ = append(differ, rec.Name)
		}
	}
	for _, x := range s.Typedefs {
		if x.On != 0 {
			differ = append(differ, x.Name)
		}
	}
	if diff := cmp.Diff([]string{"cuWGLGetDevice", "HGPUNV"}, differ); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRealDeterminism(t *testing.T) {
	first := parseDriver(t, "13.5.0", ir.LinuxAMD64)
	if diff := cmp.Diff(first, parseDriver(t, "13.5.0", ir.LinuxAMD64)); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}

// TestRealPublicOnly: without the other views the public functions are the
// same, but for what those views tell.
func TestRealPublicOnly(t *testing.T) {
	full := parseDriver(t, "13.5.0", ir.LinuxAMD64)
	cfg := driver(t, "13.5.0", ir.LinuxAMD64)
	cfg.PublicOnly = true
	public, err := Parse(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var want []ir.Function
	for _, f := range full.API.Functions {
		if !f.Superseded {
			f.PerThread, f.Query.PerThread = "", 0
			want = append(want, f)
		}
	}
	if diff := cmp.Diff(want, public.API.Functions); diff != "" {
		t.Errorf("-full +public:\n%s", diff)
	}
	if diff := cmp.Diff(full.Files, public.Files); diff != "" {
		t.Errorf("files (-full +public):\n%s", diff)
	}
}

// BenchmarkParsePublic is the public view of the driver, for one target.
func BenchmarkParsePublic(b *testing.B) { benchmark(b, true) }

// BenchmarkParseFull adds the internal and the per-thread view.
func BenchmarkParseFull(b *testing.B) { benchmark(b, false) }

func benchmark(b *testing.B, publicOnly bool) {
	cfg := driver(b, "13.5.0", ir.LinuxAMD64)
	cfg.PublicOnly = publicOnly
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(cfg); err != nil {
			b.Fatal(err)
		}
	}
}
