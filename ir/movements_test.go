package ir

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is known of how the driver's API moved, independently of this program.
// Each of these is what the committed history must say. Those of libraries
// without a history are in internal/intake.
func TestMovementsOfTheDriver(t *testing.T) {
	h := driver(t)
	for _, c := range []struct {
		name, old, new string
		lines          []string
	}{
		{"renamed to _vN by a macro", "12.9.1", "13.0.0", []string{
			"function symbol changed: cuCtxCreate: cuCtxCreate_v2 -> cuCtxCreate_v4 (cuCtxCreate_v2 is still declared) [behaviour only]",
			"function signature changed: cuCtxCreate (ctxCreateParams added) [Cython ABI break, source break]",
		}},
		{"renamed to _vN with a parameter less", "12.9.1", "13.0.0", []string{
			"function symbol changed: cuMemcpyBatchAsync: cuMemcpyBatchAsync -> cuMemcpyBatchAsync_v2 (cuMemcpyBatchAsync is still declared) [behaviour only]",
			"function signature changed: cuMemcpyBatchAsync (failIdx removed) [Cython ABI break, source break]",
		}},
		{"renamed to another base", "11.8.0", "12.0.0", []string{
			"function symbol changed: cuGraphInstantiate: cuGraphInstantiate_v2 -> cuGraphInstantiateWithFlags (cuGraphInstantiate_v2 is still declared) [behaviour only]",
			"function signature changed: cuGraphInstantiate (phErrorNode removed; logBuffer removed; bufferSize removed; flags added) [Cython ABI break, source break]",
			"function renamed: cuGraphInstantiateWithFlags -> cuGraphInstantiate (the symbol is the same, cuGraphInstantiateWithFlags) [Cython ABI break, source break]",
		}},
		{"a value", "11.8.0", "12.0.0", []string{
			"enumerator value changed: CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS in enum CUdevice_attribute_enum: 93 -> 122 [binary layout break]",
		}},
		{"a mask, which is no limit", "12.0.1", "12.1.0", []string{
			"enumerator value changed: CU_CTX_FLAGS_MASK in enum CUctx_flags_enum: 31 -> 255 [binary layout break]",
		}},
		{"a size inside a parent that keeps its own", "12.9.1", "13.0.0", []string{
			"record size changed: struct CUdevSmResource_st: 4 -> 12 [binary layout break]",
		}},
		{"alignment alone", "12.9.1", "13.0.0", []string{
			"record alignment changed: struct CUtensorMap_st: 64 -> 128 [binary layout break]",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := diffOfDriver(t, h, c.old, c.new).Text()
			for _, line := range c.lines {
				if !strings.Contains(text, line+"\n") {
					t.Errorf("not told: %s", line)
				}
			}
		})
	}
}

func TestMovementsOfTheDriverOverTime(t *testing.T) {
	c := driver(t).Chronicle()
	line := func(name string, subject Subject) Timeline {
		t.Helper()
		lines := c.Of(name)
		i := slices.IndexFunc(lines, func(l Timeline) bool { return l.Subject == subject })
		if i < 0 {
			t.Fatalf("%s has no timeline as a %s", name, subject)
		}
		return lines[i]
	}
	of := func(l Timeline, what What) []string {
		var out []string
		for _, e := range l.Events {
			if e.Change.What == what && e.Change.Subject == l.Subject {
				out = append(out, e.Release+" "+e.Change.Old+" -> "+e.Change.New)
			}
		}
		return out
	}
	same(t, "sizes of CUdevSmResource", []string{"13.0.0 4 -> 12", "13.1.0 12 -> 16", "13.4.0rc1 16 -> 20"}, of(line("CUdevSmResource", RecordSubject), SizeChanged))
	parent := line("CUdevResource", RecordSubject)
	same(t, "what CUdevResource, which holds it, was at first", "struct of 144 bytes", parent.Events[0].Change.New)
	same(t, "its sizes since", []string(nil), of(parent, SizeChanged))
	same(t, "CUtensorMap", "record struct CUtensorMap_st\n  12.0.0  2022-12-08  added: struct of 128 bytes\n  13.0.0  2025-08-04  alignment changed: 64 -> 128 [binary layout break]\n",
		text(line("CUtensorMap", RecordSubject)))
	same(t, "CU_CTX_FLAGS_MASK", []string{"12.1.0 31 -> 255"}, of(line("CU_CTX_FLAGS_MASK", EnumeratorSubject), ValueChanged))
}

func text(l Timeline) string { return l.Text() }

// Patch releases changed comments of the driver's headers, and nothing else.
func TestPatchReleasesDoNotMoveTheDriver(t *testing.T) {
	h := driver(t)
	c := h.Chronicle()
	patches := 0
	for i := 1; i < len(h.Releases); i++ {
		if minor(h.Releases[i-1].Label) != minor(h.Releases[i].Label) {
			continue
		}
		patches++
		if n := len(c.changes[i].List); n > 0 {
			t.Errorf("%s: %s", h.Releases[i].Label, c.changes[i].Text())
		}
	}
	if patches < 20 {
		t.Errorf("only %d patch releases were compared", patches)
	}
}

func minor(label string) string {
	return regexp.MustCompile(`^\d+\.\d+`).FindString(label)
}

// Limits are told apart in every release, and what is told apart is a limit.
func TestNoiseOfTheDriver(t *testing.T) {
	h := driver(t)
	limit := regexp.MustCompile(`(_MAX|_COUNT|_NUM|_END|_LAST|_MAX_VALUE|_MAX_ENUM|_NUM_\w+|_FORCE_INT)$`)
	moved := 0
	for i, c := range h.Chronicle().changes {
		for _, x := range c.List {
			named := limit.MatchString(x.Name)
			switch {
			case x.Class() == Noise && x.Subject == EnumeratorSubject && !named:
				t.Errorf("%s: noise, but not by its name: %s", h.Releases[i].Label, x.String())
			case x.Class() != Noise && x.Subject == EnumeratorSubject && x.What == ValueChanged && named:
				t.Errorf("%s: a limit that is no noise: %s", h.Releases[i].Label, x.String())
			case x.Class() == Noise && x.Subject == ConstantSubject && x.Name != "CUDA_VERSION":
				t.Errorf("%s: a constant that is noise: %s", h.Releases[i].Label, x.String())
			case x.Class() == Noise && x.Subject == EnumeratorSubject && x.What == ValueChanged:
				moved++
			}
		}
	}
	same(t, "limits that moved", 20, moved)
}

// Counts of functions, enums and enumerators of cuda.h that were made with
// another parser.
func TestCountsOfTheDriver(t *testing.T) {
	h := driver(t)
	for release, want := range map[string][3]int{
		"11.8.0": {368, 76, 648}, "12.0.0": {380, 85, 698}, "12.9.1": {452, 106, 845}, "13.0.0": {449, 108, 877}, "13.5.0": {492, 123, 991},
	} {
		api := at(t, h, release).For(LinuxAMD64)
		var got [3]int
		for _, f := range api.Functions {
			if f.Header == "cuda.h" && !f.Superseded {
				got[0]++
			}
		}
		for _, e := range api.Enums {
			if e.Header == "cuda.h" {
				got[1]++
				got[2] += len(e.Enumerators)
			}
		}
		same(t, "functions, enums and enumerators of "+release, want, got)
	}
}
