package fetch

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/cache"
	"github.com/cybindgo/cybindgo/internal/index"
	"github.com/cybindgo/cybindgo/internal/indextest"
)

const (
	linux   = "manylinux2014_x86_64.manylinux_2_17_x86_64"
	windows = "win_amd64"
	onLinux = "sys_platform == 'linux' and platform_machine == 'x86_64'"
	include = "nvidia/cu13/include/"
)

func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// demo is an index with the invented releases 13.0.2, 13.4.0rc1 and 13.5.0.
func demo(t testing.TB) *indextest.Server {
	t.Helper()
	s := indextest.New(t)
	runtime := indextest.Component{Name: "nvidia-cuda-runtime", Version: "13.5.37"}
	profiler := indextest.Component{Name: "nvidia-cuda-profiler-api", Version: "13.5.25"}
	link := indextest.Component{Name: "nvidia-nvjitlink", Version: "13.5.37", Pin: "<14,>=13.5.37"}
	file := indextest.Component{Name: "nvidia-cufile", Version: "1.20.0.107", Marker: "sys_platform == 'linux'"}
	bare := indextest.Component{Name: "nvidia-cuda-nvcc", Version: "13.5.37"}
	s.Release(t, "13.5.0", day("2026-11-05"), runtime, profiler, link, file, bare)
	s.Component(t, runtime, linux, 3<<20, day("2026-11-04"), map[string]string{
		include + "cuda.h": "int cuInit(unsigned);\n", include + "crt/host_defines.h": "#define HOST\n",
		include + "nv/target": "#define NV_TARGET\n", include + "__init__.py": "",
	})
	s.Component(t, runtime, windows, 3<<20, day("2026-11-04"), map[string]string{include + "cuda.h": "int cuInit(unsigned);\r\n"})
	s.Component(t, profiler, linux, 0, day("2026-11-04"), map[string]string{include + "cudaProfiler.h": "int cuProfilerStart(void);\n"})
	s.Component(t, link, linux, -2<<20, day("2026-11-03"), map[string]string{include + "nvJitLink.h": "int link1(void);\n"})
	newer := link
	newer.Version = "13.6.1"
	s.Component(t, newer, linux, 0, day("2026-12-03"), map[string]string{include + "nvJitLink.h": "int link2(void);\n"})
	s.Component(t, file, linux, 0, day("2026-11-02"), map[string]string{include + "cufile.h": "int file(void);\n"})
	s.Component(t, bare, linux, 0, day("2026-11-02"), map[string]string{"nvidia/cu13/bin/nvcc": "x"})

	runtime.Version = "13.0.96"
	s.Release(t, "13.0.2", day("2025-12-19"), runtime)
	s.Component(t, runtime, linux, 2<<20, day("2025-10-09"), map[string]string{include + "cuda.h": "int cuInit(unsigned); // 13.0\n"})
	runtime.Version, runtime.Pin = "13.4.46rc1", "==13.4.46rc1"
	s.Release(t, "13.4.0rc1", day("2026-08-05"), runtime)
	s.Add("cuda-toolkit", &indextest.File{Name: "cuda_toolkit-0.0.0a0-py2.py3-none-any.whl", Data: []byte("x")})
	s.Add("nvidia-cuda-runtime", &indextest.File{Name: "nvidia_cuda_runtime-0.0.0a0-py2.py3-none-any.whl", Data: []byte("x")})
	s.Add("nvidia-cuda-runtime", &indextest.File{Name: "nvidia-cuda-runtime-0.0.1.dev5.tar.gz", Data: []byte("x")})
	return s
}

// fetcher makes a fetcher that is quick to give up.
func fetcher(t testing.TB, s *indextest.Server, dir string) *Fetcher {
	t.Helper()
	f := &Fetcher{Cache: cache.Open(dir)}
	f.Connect = func(context.Context) (*index.Client, error) {
		u, err := url.Parse(s.Index())
		if err != nil {
			return nil, err
		}
		c, err := index.NewClient(&index.Location{URL: u, From: "a test"})
		if err == nil {
			c.Tries, c.Pause, c.LongestPause, c.Stall = 3, time.Millisecond, 20*time.Millisecond, 300*time.Millisecond
		}
		return c, err
	}
	return f
}

var all = Request{Release: "13.5.0", Platform: Reference, Packages: []string{"nvidia-cuda-runtime", "nvidia-cuda-profiler-api", "nvidia-nvjitlink", "nvidia-cufile"}}

// texts reads all headers of a release.
func texts(t testing.TB, r *Release) map[string]string {
	t.Helper()
	set, err := r.Set()
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	got := map[string]string{}
	err = fs.WalkDir(set.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(set.FS(), name)
		got[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var allTexts = map[string]string{
	"cuda.h": "int cuInit(unsigned);\n", "crt/host_defines.h": "#define HOST\n", "nv/target": "#define NV_TARGET\n",
	"cudaProfiler.h": "int cuProfilerStart(void);\n", "nvJitLink.h": "int link1(void);\n", "cufile.h": "int file(void);\n",
}

func TestHeadersOfARelease(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	f := fetcher(t, s, dir)
	r, err := f.Fetch(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	// The page and the wheel of the toolkit, a page a component, the end and the
	// headers of what is large, unless they are in the end, once what is small.
	if requests, _ := f.Spent(); requests != 2+4+2+1+1+1 {
		t.Errorf("%d requests: %q", requests, s.Log())
	}
	if r.Requests != 5 || r.Trips != 5 || r.Bytes > 140_000 {
		t.Errorf("%d requests for wheels, %d one after the other, %d bytes", r.Requests, r.Trips, r.Bytes)
	}
	var got []string
	for _, c := range r.Components {
		got = append(got, c.Package+" "+c.Version+" "+c.Uploaded.Format(time.DateOnly)+map[bool]string{true: " whole", false: ""}[c.Whole])
	}
	want := []string{"nvidia-cuda-runtime 13.5.37 2026-11-04", "nvidia-cuda-profiler-api 13.5.25 2026-11-04 whole",
		"nvidia-nvjitlink 13.5.37 2026-11-03", "nvidia-cufile 1.20.0.107 2026-11-02 whole"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	set, err := r.Set()
	if err != nil {
		t.Fatal(err)
	}
	if err := set.CheckPins(); err != nil || !set.Exact() || set.ToolkitRelease() != "13.5.0" {
		t.Errorf("pins %v, exact %v, release %s", err, set.Exact(), set.ToolkitRelease())
	}

	// A second time, and offline, nothing is asked.
	s.Mend()
	f = fetcher(t, s, dir)
	f.Offline = true
	r, err = f.Fetch(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" || len(s.Log()) != 0 {
		t.Errorf("from the cache, with the requests %q (-want +got):\n%s", s.Log(), diff)
	}
}

func TestWhatAReleaseLacks(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	for _, c := range []struct {
		name, release string
		platform      Platform
		packages      []string
		want          []string // what is there
		lacking       string
		err           string
	}{
		{"the first of several that there is", "13.5.0", Reference, []string{"nvidia-crt|nvidia-cuda-runtime"}, []string{"nvidia-cuda-runtime 13.5.37"}, "", ""},
		{"a package that the release does not pin", "13.0.2", Reference, []string{"nvidia-cuda-runtime", "nvidia-cufile"},
			[]string{"nvidia-cuda-runtime 13.0.96"}, "CUDA 13.0.2 has no nvidia-cufile", ""},
		{"another platform", "13.5.0", "windows/amd64", []string{"nvidia-cuda-runtime", "nvidia-cufile", "nvidia-nvjitlink"},
			[]string{"nvidia-cuda-runtime 13.5.37"}, "CUDA 13.5.0 has no nvidia-cufile for windows/amd64\nCUDA 13.5.0: nvidia-nvjitlink 13.6.1 has no wheel for windows/amd64", ""},
		{"a package without headers", "13.5.0", Reference, []string{"nvidia-cuda-runtime", "nvidia-cuda-nvcc"},
			[]string{"nvidia-cuda-runtime 13.5.37"}, "CUDA 13.5.0: nvidia-cuda-nvcc 13.5.37 has no headers", ""},
		{"a version that the index does not have", "13.4.0rc1", Reference, []string{"nvidia-cuda-runtime"}, nil, "",
			"nothing to fetch for linux/amd64: CUDA 13.4.0rc1: the index has no nvidia-cuda-runtime ==13.4.46rc1"},
		{"nothing at all", "13.0.2", Reference, []string{"nvidia-nvvm|nvidia-cuda-nvcc"}, nil, "",
			"nothing to fetch for linux/amd64: CUDA 13.0.2 has no nvidia-nvvm and no nvidia-cuda-nvcc"},
		{"no such release", "13.5.1", Reference, []string{"nvidia-cuda-runtime"}, nil, "",
			"there is no CUDA 13.5.1; the nearest releases are 13.5.0 (3 in all, 13.0.2 to 13.5.0)"},
		{"no such minor release", "13.2.0", Reference, []string{"nvidia-cuda-runtime"}, nil, "",
			"there is no CUDA 13.2.0; the nearest releases are 13.0.2, 13.4.0rc1 (3 in all, 13.0.2 to 13.5.0)"},
		{"one after the last", "14.0.0", Reference, []string{"nvidia-cuda-runtime"}, nil, "",
			"there is no CUDA 14.0.0; the nearest releases are 13.5.0 (3 in all, 13.0.2 to 13.5.0)"},
		{"the placeholder", "0.0.0a0", Reference, []string{"nvidia-cuda-runtime"}, nil, "",
			"there is no CUDA 0.0.0a0; the nearest releases are 13.0.2 (3 in all, 13.0.2 to 13.5.0)"},
		{"no version", "newest", Reference, nil, nil, "", `release "newest": expected a full version such as 13.5.0`},
		{"another way to write it", "13.5", Reference, []string{"nvidia-cuda-runtime"}, []string{"nvidia-cuda-runtime 13.5.37"}, "", ""},
	} {
		// What is lacking is remembered, and said again without a network.
		for _, offline := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", offline"}[offline], func(t *testing.T) {
				f := fetcher(t, s, dir)
				f.Offline = offline
				r, err := f.Fetch(t.Context(), Request{c.release, c.platform, c.packages})
				if c.err != "" {
					if err == nil || !offline && err.Error() != c.err {
						t.Errorf("got %v\nwant %s", err, c.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				var got, lacking []string
				for _, c := range r.Components {
					got = append(got, c.Package+" "+c.Version)
				}
				for _, l := range r.Lacking {
					lacking = append(lacking, l.Reason)
				}
				if diff := cmp.Diff(c.want, got) + cmp.Diff(c.lacking, strings.Join(lacking, "\n")); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestReleases(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	f := fetcher(t, s, dir)
	want := []string{"13.0.2", "13.4.0rc1", "13.5.0"}
	got, err := f.Releases(t.Context())
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	// When the last component was there first, but no later than the meta-package.
	for release, want := range map[string]string{"13.5.0": "2026-11-04", "13.0.2": "2025-10-09"} {
		if got, err := f.Date(t.Context(), release); err != nil || got != want {
			t.Errorf("%s: published %s, %v, want %s", release, got, err, want)
		}
	}
	f.Offline = true
	if got, err := f.Releases(t.Context()); err != nil || !slices.Equal(got, []string{"13.0.2", "13.5.0"}) {
		t.Errorf("offline: %q, %v", got, err)
	}
	if got, err := f.Date(t.Context(), "13.0.2"); err != nil || got != "2025-10-09" {
		t.Errorf("offline: %s, %v", got, err)
	}
}

func TestFolderForACompiler(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	f := fetcher(t, s, dir)
	r, err := f.Fetch(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Tree()
	if err != nil {
		t.Fatal(err)
	}
	read := func() map[string]string {
		got := map[string]string{}
		err := fs.WalkDir(os.DirFS(tree), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(tree, name))
			got[name] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff(allTexts, read()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// It is mended if somebody spoils it: what is changed, gone, or too much.
	for name, spoil := range map[string]func() error{
		"changed": func() error {
			os.Chmod(filepath.Join(tree, "cuda.h"), 0o666)
			return os.WriteFile(filepath.Join(tree, "cuda.h"), []byte("int other;\n"), 0o666)
		},
		"gone":     func() error { return os.Remove(filepath.Join(tree, "cuda.h")) },
		"too much": func() error { return os.WriteFile(filepath.Join(tree, "more.h"), nil, 0o666) },
		"no folder": func() error {
			if err := os.RemoveAll(tree); err != nil {
				return err
			}
			return os.WriteFile(tree, nil, 0o666)
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		again, err := r.Tree()
		if diff := cmp.Diff(allTexts, read()); err != nil || again != tree || diff != "" {
			t.Errorf("%s: %s, %v (-want +got):\n%s", name, again, err, diff)
		}
	}
}

// TestTwoAtOnce has several fetchers fill one cache at the same time. Each gets
// what it should, and no wheel is read twice.
func TestTwoAtOnce(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			r, err := fetcher(t, s, dir).Fetch(t.Context(), all)
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	wg.Wait()
	wheels := 0
	for _, line := range s.Log() {
		if strings.Contains(line, ".whl") && !strings.Contains(line, "cuda_toolkit") {
			wheels++
		}
	}
	if wheels != 5 {
		t.Errorf("%d requests for wheels, want 5: %q", wheels, s.Log())
	}
}
