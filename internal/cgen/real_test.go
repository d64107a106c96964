package cgen

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/releases"
)

// driverReleases are those in the driver's history.
var driverReleases = []string{
	"11.8.0", "12.0.0", "12.1.0", "12.2.0", "12.3.0", "12.4.0", "12.5.0", "12.6.0", "12.8.0", "12.9.0", "12.9.1",
	"13.0.0", "13.0.2", "13.1.0", "13.2.0", "13.3.0", "13.4.0rc1", "13.4.2", "13.5.0",
}

// driverRoots are the driver's headers. That of VDPAU leaves the include of
// VDPAU's own to its user.
var driverRoots = []string{"cuda.h", "cudaProfiler.h", "cudaGL.h", "cudaEGL.h", "vdpau/vdpau.h", "cudaVDPAU.h"}

const internalView, perThreadView = "__CUDA_API_VERSION_INTERNAL", "CUDA_API_PER_THREAD_DEFAULT_STREAM"

var driverResolver = &ProcAddress{
	Symbol: "cuGetProcAddress_v2", PerThreadFlags: 2, NotFound: "CUDA_ERROR_NOT_FOUND", Failed: "CUDA_ERROR_UNKNOWN",
	StatusMissing: "CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND", StatusTooOld: "CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT",
}

// driver is what the committed history says of a release.
func driver(t *testing.T, release string) *ir.Snapshot {
	t.Helper()
	return committed(t, "driver", release)
}

// committed is what the history of a library says of a release.
func committed(t *testing.T, library, release string) *ir.Snapshot {
	t.Helper()
	data, err := releases.FS.ReadFile(library + ".json")
	if err != nil {
		t.Fatal(err)
	}
	history, err := ir.Decode(library+".json", data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := history.At(release)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// driverHeaders is a folder with the headers of a release, for a compiler.
func driverHeaders(t *testing.T, s *ir.Snapshot) string {
	t.Helper()
	all := os.Getenv("CYBINDGO_HEADERS")
	if all == "" {
		t.Fatal("CYBINDGO_HEADERS is not set: expected a folder with the wheels of each release (RELEASE/*.whl); `make setup` fetches them")
	}
	wheels, err := filepath.Glob(filepath.Join(all, s.Release.Label, "*.whl"))
	if err != nil || len(wheels) == 0 {
		t.Fatalf("no wheels in %s; `make setup` fetches them", filepath.Join(all, s.Release.Label))
	}
	set, err := headers.Open(wheels)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	return unpack(t, set.FS(), slices.Sorted(maps.Keys(s.Release.Headers)))
}

// unpack writes headers to a folder, and beside them the parser's stand-ins for
// the graphics headers, which few machines have.
func unpack(t *testing.T, from fs.FS, names []string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte, err error) {
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		data, err := fs.ReadFile(from, name)
		write(name, data, err)
	}
	for _, name := range []string{"GL/gl.h", "EGL/egl.h", "EGL/eglext.h", "vdpau/vdpau.h"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "parser", "stubs", name))
		write(name, data, err)
	}
	return dir
}

var views = []struct {
	name   string
	view   View
	define []string
}{
	{"public", Public, nil},
	{"internal", Internal, []string{internalView}},
	{"per-thread", PerThread, []string{perThreadView}},
}

// TestCompilersConfirmTheModel is the proof that the model is right: clang, for
// each target, and this machine's own compiler accept what the history says of
// the real headers.
func TestCompilersConfirmTheModel(t *testing.T) {
	for _, release := range driverReleases {
		t.Run(release, func(t *testing.T) {
			s := driver(t, release)
			include := driverHeaders(t, s)
			compilers := []compiler{native(t), microsoft(t)}
			for _, target := range s.Targets {
				compilers = append(compilers, zig(t, target))
			}
			facts := map[ir.Target]int{}
			for _, c := range compilers {
				facts[c.target] = 0
				for _, v := range views {
					source := Assertions(s.For(c.target), c.target, AssertOptions{View: v.view, Defines: v.define, Includes: driverRoots})
					if out, failed := c.compile(t, v.name+".c", source, "-std=gnu11", "-O1", "-w", "-I", include); failed {
						t.Errorf("%s: %s does not confirm the %s view:\n%s", c.target, c.c[0], v.name, errorLines(out))
					}
					facts[c.target] += strings.Count(string(source), "\nFACT(")
				}
			}
			t.Logf("facts confirmed: %v", facts)
		})
	}
}

// TestCompilersConfirmTheOtherLibraries: the same of the libraries beside the
// driver, whose headers have no views.
func TestCompilersConfirmTheOtherLibraries(t *testing.T) {
	for _, test := range []struct {
		library, header string
		releases        []string
		facts           int // at least, on each target
	}{
		{"nvrtc", "nvrtc.h", []string{"12.9.0", "13.5.0"}, 40},
		{"nvvm", "nvvm.h", []string{"13.5.0"}, 25},
		{"nvfatbin", "nvFatbin.h", []string{"13.5.0"}, 30},
		{"nvjitlink", "nvJitLink.h", []string{"12.0.0", "13.5.0"}, 30},
		{"nvml", "nvml.h", []string{"12.0.0", "13.5.0"}, 1500},
	} {
		for _, release := range test.releases {
			t.Run(test.library+" "+release, func(t *testing.T) {
				s := committed(t, test.library, release)
				include := filepath.Join(os.Getenv("CYBINDGO_COMPONENTS"), release)
				compilers := []compiler{native(t), microsoft(t)}
				for _, target := range s.Targets {
					// nvml has enumerators above INT_MAX: compilers differ on Windows, and the
					// model follows Microsoft's.
					if test.library != "nvml" || target != ir.WindowsAMD64 {
						compilers = append(compilers, zig(t, target))
					}
				}
				for _, c := range compilers {
					source := Assertions(s.For(c.target), c.target, AssertOptions{View: Public, Includes: []string{test.header}})
					if out, failed := c.compile(t, test.library+".c", source, "-std=gnu11", "-O1", "-w", "-I", include); failed {
						t.Errorf("%s: %s does not confirm the model (`make setup` fetches the headers):\n%s", c.target, c.c[0], errorLines(out))
					}
					if n := strings.Count(string(source), "\nFACT("); n < test.facts {
						t.Errorf("%s: %d facts", c.target, n)
					}
				}
			})
		}
	}
}

// errorLines are the lines that say what is wrong.
func errorLines(out string) string {
	var list []string
	for line := range strings.Lines(out) {
		if strings.Contains(line, "error") {
			list = append(list, line)
		}
	}
	return limit(strings.Join(list, ""))
}

// TestCompilersRefutePlantedMistakes shows that the assertions can fail: one
// mistake of each kind in each view, and the compiler names each.
func TestCompilersRefutePlantedMistakes(t *testing.T) {
	s := driver(t, "13.5.0")
	include := driverHeaders(t, s)
	planted := 0
	for _, c := range []compiler{native(t), zig(t, ir.LinuxARM64)} {
		api := s.For(c.target)
		for _, v := range views {
			wrong := api
			var facts []string
			for _, mistake := range Mistakes {
				// One after the other in one model, each in another place.
				next, fact, ok := Plant(wrong, v.view, mistake, 7*len(facts)+3)
				if !ok || !appliesTo(mistake, v.view) {
					continue
				}
				wrong, facts = next, append(facts, fact)
			}
			source := Assertions(wrong, c.target, AssertOptions{View: v.view, Defines: v.define, Includes: driverRoots})
			out, failed := c.compile(t, "planted.c", source, "-std=gnu11", "-O1", "-w", "-I", include)
			if !failed {
				t.Errorf("%s: the %s view with %d mistakes is accepted", c.c[0], v.name, len(facts))
			}
			for _, fact := range facts {
				if !strings.Contains(out, strings.Trim(text(fact), `"`)) {
					t.Errorf("%s: in the %s view it is not noticed that not: %s", c.c[0], v.name, fact)
				}
			}
			planted += len(facts)
		}
	}
	t.Logf("mistakes planted and refuted: %d", planted)
}

// appliesTo reports whether a view asserts what a mistake is about.
func appliesTo(m Mistake, v View) bool {
	functions := []Mistake{WrongParameter, MissingParam, WrongResult, LostConst, WrongSymbol}
	return v == Public || slices.Contains(functions, m)
}

// TestDriverDefinitionsCompile holds the layouts of all releases against those
// that compilers give to our own definitions.
func TestDriverDefinitionsCompile(t *testing.T) {
	for _, release := range driverReleases {
		t.Run(release, func(t *testing.T) {
			s := driver(t, release)
			source, err := Definitions(s, DefinitionOptions{Checks: true})
			if err != nil {
				t.Fatal(err)
			}
			native(t).accepts(t, "driver.c", source, "-std=c11")
			native(t).accepts(t, "driver.cpp", source, "-std=c++11")
			for _, target := range s.Targets {
				zig(t, target).accepts(t, "driver.c", source, "-std=c11")
			}
			microsoft(t).accepts(t, "driver.c", source, "-std=c11")
		})
	}
}

// TestDriverStubsExportEverySymbol builds the stand-in of every release for
// this machine, and of the newest for every target.
func TestDriverStubsExportEverySymbol(t *testing.T) {
	for _, release := range driverReleases {
		t.Run(release, func(t *testing.T) {
			s := driver(t, release)
			opts := StubOptions{}
			if s.Exports(driverResolver.Symbol) { // from 12.0 on
				opts.ProcAddress = driverResolver
			}
			source := stub(t, s, opts)
			compilers := []compiler{native(t)}
			if release == driverReleases[len(driverReleases)-1] {
				for _, target := range s.Targets {
					compilers = append(compilers, zig(t, target))
				}
			}
			for _, c := range compilers {
				var want []string
				for _, f := range s.For(c.target).Functions {
					want = append(want, f.Symbol)
					if f.PerThread != "" {
						want = append(want, f.PerThread)
					}
				}
				slices.Sort(want)
				got := exports(t, c, source)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: exports (-want +got):\n%s", c.target, diff)
				}
				t.Logf("%s: %d symbols", c.target, len(got))
			}
		})
	}
}
