package intake

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// What is known of how libraries moved that have no history yet, each with a
// definition of its own in testdata/movements and the releases to read. A
// library that gets a definition, and a history, needs neither here: then its
// rows are compared with that.
var moving = map[string]struct {
	releases []string
	history  func(t *testing.T) *ir.History
}{
	"runtime": {releases: []string{"11.8.0", "12.0.0", "12.9.1", "12.9.2.0", "13.0.0", "13.0.3.0", "13.5.0"}},
	"nvml": {releases: []string{
		"11.8.0", "12.0.0", "12.0.1", "12.1.0", "12.1.1", "12.2.0", "12.2.1", "12.2.2", "12.3.0", "12.3.1", "12.4.1", "12.5.0", "12.8.0", "12.8.1",
		"12.9.1", "13.0.0", "13.0.1", "13.1.0", "13.1.1", "13.2.0", "13.2.1", "13.4.1.0", "13.4.2", "13.5.0",
	}},
	"nvjitlink": {releases: []string{"12.0.0", "13.5.0"}},
}

func init() {
	for library, m := range moving {
		var once sync.Once
		var history *ir.History
		m.history = func(t *testing.T) *ir.History {
			t.Helper()
			once.Do(func() { history = readAll(t, library, m.releases) })
			if history == nil {
				t.Fatalf("the headers of %s could not be read", library)
			}
			return history
		}
		moving[library] = m
	}
}

// readAll makes a history of releases from their headers.
func readAll(t *testing.T, library string, labels []string) *ir.History {
	t.Helper()
	file := filepath.Join("testdata", "movements", library+".yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := config.ParseLibrary(file, data)
	if err != nil {
		t.Fatal(err)
	}
	h := ir.NewHistory(library)
	for _, label := range labels {
		var paths []string
		if library != "runtime" {
			paths = append(paths, component(t, label))
		} else {
			// The crt headers define what marks a declaration for compilers of
			// device code, in every release alike. Those of 12.x come with the
			// compiler itself, which is large.
			paths = append(wheels(t, "CYBINDGO_HEADERS", label), component(t, "13.0.0"))
		}
		read, err := Read(Request{Library: lib, Release: label, Targets: ir.DefaultTargets, Headers: map[ir.Target][]string{"": paths}})
		if err != nil {
			t.Fatalf("%s %s: %v", library, label, err)
		}
		if err := h.Add(read.Snapshot); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// component is the folder with the headers of libraries without a history.
func component(t *testing.T, release string) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("CYBINDGO_COMPONENTS"), release)
	if _, err := os.Stat(dir); os.Getenv("CYBINDGO_COMPONENTS") == "" || err != nil {
		t.Fatalf("no headers of %s below CYBINDGO_COMPONENTS=%q; `make setup` fetches them", release, os.Getenv("CYBINDGO_COMPONENTS"))
	}
	return dir
}

func TestMovements(t *testing.T) {
	for _, c := range []struct {
		name, library, old, new string
		lines                   []string
	}{
		{"the same name with another signature, while the names with _v2 vanish", "runtime", "12.9.1", "13.0.0", []string{
			"function signature changed: cudaMemAdvise (int device, now struct cudaMemLocation location) [Cython ABI break, source break]",
			"function removed: cudaMemAdvise_v2 [Cython ABI break, source break]",
			"function signature changed: cudaMemPrefetchAsync (dstDevice removed; location added; flags added) [Cython ABI break, source break]",
			"function removed: cudaMemPrefetchAsync_v2 [Cython ABI break, source break]",
			"function signature changed: cudaStreamGetCaptureInfo (edgeData_out added) [Cython ABI break, source break]",
			"function removed: cudaStreamGetCaptureInfo_v3 [Cython ABI break, source break]",
		}},
		{"names of parameters change places", "runtime", "12.9.1", "13.0.0", []string{
			"function parameters swapped: cudaGraphKernelNodeCopyAttributes (hSrc, now hDst; hDst, now hSrc) [behaviour only]",
		}},
		{"const", "runtime", "12.9.1", "13.0.0", []string{
			"function signature changed: cudaMemcpyBatchAsync (dsts void**, now void*const*; srcs void**, now const void*const*; sizes size_t*, now const size_t*; failIdx removed) [Cython ABI break, source break]",
		}},
		{"a record grows", "runtime", "11.8.0", "12.0.0", []string{
			"record size changed: struct cudaDeviceProp: 728 -> 1032 [binary layout break]",
			"function symbol changed: cudaGetDeviceProperties: cudaGetDeviceProperties -> cudaGetDeviceProperties_v2 (cudaGetDeviceProperties is declared no more) [behaviour only]",
		}},
		{"and loses fields from its middle", "runtime", "12.9.1", "13.0.0", []string{
			"record size changed: struct cudaDeviceProp: 1032 -> 1008 [binary layout break]",
			"field removed: struct cudaDeviceProp.clockRate: int (at 348) [source break]",
			"field offset changed: struct cudaDeviceProp.multiProcessorCount: 388 -> 384 [binary layout break]",
		}},
		{"platforms differ", "runtime", "12.9.1", "13.0.0", []string{
			"record size changed: struct cudaPointerAttributes: 24 -> 88 [binary layout break] on linux/amd64, linux/arm64",
			"record size changed: struct cudaPointerAttributes: 24 -> 56 [binary layout break] on windows/amd64",
			"field added: struct cudaPointerAttributes.reserved: long[8] (at 24)",
		}},
		{"renamed to _vN", "nvml", "12.4.1", "12.5.0", []string{
			"function symbol changed: nvmlDeviceGetDriverModel: nvmlDeviceGetDriverModel -> nvmlDeviceGetDriverModel_v2 (nvmlDeviceGetDriverModel is declared no more) [behaviour only]",
		}},
		{"an array whose length is an enumerator", "nvml", "11.8.0", "13.5.0", []string{
			"record size changed: nvmlGpmMetricsGet_t: 3944 -> 19104 [binary layout break]",
			"field type changed: nvmlGpmMetricsGet_t.metrics: nvmlGpmMetric_t[98] -> nvmlGpmMetric_t[477] [binary layout break]",
			"enumerator value changed: NVML_GPM_METRIC_MAX in nvmlGpmMetricId_t: 98 -> 477 [noise]",
		}},
		{"values move in a minor release", "nvml", "12.8.0", "12.9.1", []string{
			"constant value changed: NVML_FI_PWR_SMOOTHING_ENABLED: 251 -> 256 [binary layout break]",
		}},
		{"and back in a patch release", "nvml", "13.0.0", "13.0.1", []string{
			"constant value changed: NVML_FI_PWR_SMOOTHING_ENABLED: 256 -> 251 [binary layout break]",
			"function added: nvmlDeviceGetHostname_v1",
			"function added: nvmlDeviceSetHostname_v1",
		}},
		{"removed", "nvml", "12.0.0", "12.1.0", []string{
			"function removed: nvmlDeviceGetVgpuSchedulerCapabilities [Cython ABI break, source break]",
			"function removed: nvmlDeviceGetVgpuSchedulerLog [Cython ABI break, source break]",
			"function removed: nvmlDeviceGetVgpuSchedulerState [Cython ABI break, source break]",
			"function removed: nvmlDeviceSetVgpuSchedulerState [Cython ABI break, source break]",
		}},
		{"and back", "nvml", "12.1.0", "12.2.0", []string{
			"function added: nvmlDeviceGetVgpuSchedulerCapabilities",
			"function added: nvmlDeviceGetVgpuSchedulerLog",
			"function added: nvmlDeviceGetVgpuSchedulerState",
			"function added: nvmlDeviceSetVgpuSchedulerState",
		}},
		{"exported names that carry the release", "nvjitlink", "12.0.0", "13.5.0", []string{
			"function removed: __nvJitLinkCreate_12_0 [Cython ABI break, source break]",
			"function added: __nvJitLinkCreate_13_5",
		}},
	} {
		t.Run(c.library+": "+c.name, func(t *testing.T) {
			changes, err := moving[c.library].history(t).Diff(c.old, c.new)
			if err != nil {
				t.Fatal(err)
			}
			text := changes.Text()
			for _, line := range c.lines {
				if !strings.Contains(text, line+"\n") {
					t.Errorf("not told: %s", line)
				}
			}
		})
	}
}

// Ten functions of the runtime kept their name and got the signature of the one
// with _v2 or _v3, which is gone. Two more lost a parameter.
func TestFunctionsThatTookASignatureOver(t *testing.T) {
	changes, err := moving["runtime"].history(t).Diff("12.9.1", "13.0.0")
	if err != nil {
		t.Fatal(err)
	}
	changed, gone := []string{}, map[string]bool{}
	for _, x := range changes.List {
		switch {
		case x.Subject == ir.FunctionSubject && x.What == ir.SignatureChanged:
			changed = append(changed, x.Name)
		case x.Subject == ir.FunctionSubject && x.What == ir.Removed:
			gone[x.Name] = true
		}
	}
	var took, alone []string
	for _, name := range changed {
		if gone[name+"_v2"] || gone[name+"_v3"] {
			took = append(took, name)
		} else {
			alone = append(alone, name)
		}
	}
	want := []string{
		"cudaGraphAddDependencies", "cudaGraphAddNode", "cudaGraphGetEdges", "cudaGraphNodeGetDependencies", "cudaGraphNodeGetDependentNodes",
		"cudaGraphRemoveDependencies", "cudaMemAdvise", "cudaMemPrefetchAsync", "cudaStreamGetCaptureInfo", "cudaStreamUpdateCaptureDependencies",
	}
	if d := cmp.Diff(want, took); d != "" {
		t.Errorf("those that took one over (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"cudaMemcpy3DBatchAsync", "cudaMemcpyBatchAsync"}, alone); d != "" {
		t.Errorf("those that lost a parameter (-want +got):\n%s", d)
	}
}

// Patch releases changed comments of the runtime's headers, and nothing else.
func TestPatchReleasesDoNotMoveTheRuntime(t *testing.T) {
	for _, step := range [][2]string{{"12.9.1", "12.9.2.0"}, {"13.0.0", "13.0.3.0"}} {
		changes, err := moving["runtime"].history(t).Diff(step[0], step[1])
		if err != nil {
			t.Fatal(err)
		}
		if len(changes.List) > 0 {
			t.Error(changes.Text())
		}
	}
}

// Those that changed the text of nvml.h, and those of them that moved its API.
func TestPatchReleasesMoveNVML(t *testing.T) {
	h := moving["nvml"].history(t)
	steps, moved := []string{}, []string{}
	for i := 1; i < len(h.Releases); i++ {
		old, new := h.Releases[i-1], h.Releases[i]
		if minor(old.Label) != minor(new.Label) {
			continue
		}
		if old.Headers["nvml.h"] == new.Headers["nvml.h"] {
			t.Errorf("%s and %s have one header", old.Label, new.Label)
		}
		changes, err := h.Diff(old.Label, new.Label)
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, new.Label)
		if len(changes.List) > 0 {
			moved = append(moved, new.Label)
		}
	}
	if len(steps) != 10 {
		t.Errorf("%d steps: %v", len(steps), steps)
	}
	if d := cmp.Diff([]string{"12.0.1", "12.2.1", "12.2.2", "12.3.1", "12.8.1", "13.0.1", "13.1.1", "13.2.1"}, moved); d != "" {
		t.Errorf("those that moved the API (-want +got):\n%s", d)
	}
}

// minor is the first two parts of a release.
func minor(label string) string {
	parts := strings.Split(label, ".")
	return parts[0] + "." + parts[1]
}

// Numbers of values that a patch release moved.
func TestValuesThatAPatchReleaseMoved(t *testing.T) {
	changes, err := moving["nvml"].history(t).Diff("13.0.0", "13.0.1")
	if err != nil {
		t.Fatal(err)
	}
	moved, added := 0, 0
	for _, x := range changes.List {
		if x.What == ir.ValueChanged && strings.HasPrefix(x.Name, "NVML_FI_") && x.Class() == ir.Layout {
			moved++
		}
		if x.Subject == ir.FunctionSubject && x.What == ir.Added {
			added++
		}
	}
	if moved != 23 || added != 2 {
		t.Errorf("%d values moved and %d functions came, want 23 and 2", moved, added)
	}
}

// The name that callers write stays, defined in the header; what it calls
// carries the release.
func TestSymbolsThatCarryTheRelease(t *testing.T) {
	h := moving["nvjitlink"].history(t)
	for release, suffix := range map[string]string{"12.0.0": "_12_0", "13.5.0": "_13_5"} {
		s, err := h.At(release)
		if err != nil {
			t.Fatal(err)
		}
		inline, exported := map[string]bool{}, map[string]bool{}
		for _, f := range s.For(ir.LinuxAMD64).Functions {
			if f.Inline {
				inline[f.Name] = true
			} else {
				exported[f.Name] = true
			}
		}
		for name := range inline {
			if symbol := "__" + name + suffix; !exported[symbol] && name != "nvJitLinkVersion" {
				t.Errorf("%s: %s has no %s", release, name, symbol)
			}
		}
		if !inline["nvJitLinkCreate"] || !exported["__nvJitLinkCreate"+suffix] {
			t.Errorf("%s: nvJitLinkCreate is not as expected: %v, %v", release, inline, exported)
		}
	}
}

// Counts of functions, enums and enumerators that were made with another parser.
func TestCountsOfOtherLibraries(t *testing.T) {
	for _, c := range []struct {
		library, release, header string
		functions, enumerators   int
	}{
		{"runtime", "11.8.0", "", 290, 512}, {"runtime", "12.0.0", "", 282, 531}, {"runtime", "12.9.1", "", 317, 618},
		{"runtime", "13.0.0", "", 310, 646}, {"runtime", "13.5.0", "", 338, 724},
		{"nvml", "11.8.0", "", 273, 350}, {"nvml", "12.9.1", "", 364, 537}, {"nvml", "13.0.1", "", 375, 541}, {"nvml", "13.5.0", "", 413, 878},
	} {
		t.Run(fmt.Sprintf("%s %s", c.library, c.release), func(t *testing.T) {
			s, err := moving[c.library].history(t).At(c.release)
			if err != nil {
				t.Fatal(err)
			}
			functions, enumerators := 0, 0
			api := s.For(ir.LinuxAMD64)
			for _, f := range api.Functions {
				if !f.Superseded {
					functions++
				}
			}
			for _, e := range api.Enums {
				if e.Header != "device_types.h" { // not among those that were counted
					enumerators += len(e.Enumerators)
				}
			}
			if functions != c.functions || enumerators != c.enumerators {
				t.Errorf("%d functions and %d enumerators, want %d and %d", functions, enumerators, c.functions, c.enumerators)
			}
		})
	}
}
