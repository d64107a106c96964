package emit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// publishedCAPI asks the published package what its modules export. Importing
// them loads no CUDA library.
const publishedCAPI = `
import ctypes, importlib, json, sys
name = ctypes.pythonapi.PyCapsule_GetName
name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
print(json.dumps({
    module: {function: name(capsule).decode() for function, capsule in importlib.import_module(module).__pyx_capi__.items()}
    for module in sys.argv[1:]}))
`

// TestCapsulesAreThePublishedOnes compares every signature string with those
// that Cython wrote into the published packages.
func TestCapsulesAreThePublishedOnes(t *testing.T) {
	published, python := os.Getenv("CYBINDGO_PUBLISHED"), os.Getenv("CYBINDGO_PYTHON")
	if published == "" || python == "" {
		t.Fatal("CYBINDGO_PUBLISHED and CYBINDGO_PYTHON are not set: `make setup` fetches the published packages and a Python that they run on, and says where they are")
	}
	in := committed(t)
	for i := range in.Project.Packages {
		pkg := &in.Project.Packages[i]
		t.Run(pkg.Version, func(t *testing.T) {
			capsules, err := Capsules(in, pkg, "driver")
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]map[string]string{"cuda.bindings.cydriver": {}, "cuda.bindings._internal.driver": {}}
			for _, c := range capsules {
				got[c.Module][c.Name] = c.Signature
			}
			cmd := exec.Command(python, "-c", publishedCAPI, "cuda.bindings.cydriver", "cuda.bindings._internal.driver")
			cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(published, pkg.Version))
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
			}
			var want map[string]map[string]string
			if err := json.Unmarshal(out, &want); err != nil {
				t.Fatal(err)
			}
			if len(want["cuda.bindings.cydriver"]) < 400 {
				t.Fatalf("the published package exports %d functions", len(want["cuda.bindings.cydriver"]))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("signatures (-published +ours):\n%s", d)
			}
		})
	}
}

func TestCapsulesKnowSinceWhen(t *testing.T) {
	in := committed(t)
	capsules, err := Capsules(in, &in.Project.Packages[1], "driver")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Capsule{}
	for _, c := range capsules {
		got[c.Name] = c
	}
	for _, want := range []Capsule{
		{"cuda.bindings.cydriver", "cuInit", "cuInit", "CUresult (unsigned int)", "11.8.0", "11.8.0"},
		{"cuda.bindings.cydriver", "cuCtxCreate", "cuCtxCreate_v4", "CUresult (CUcontext *, CUctxCreateParams *, unsigned int, CUdevice)", "11.8.0", "13.0.0"},
		{"cuda.bindings.cydriver", "cuCtxCreate_v2", "cuCtxCreate_v2", "CUresult (CUcontext *, unsigned int, CUdevice)", "11.8.0", "11.8.0"},
		{"cuda.bindings._internal.driver", "_cuCtxCreate_v2", "cuCtxCreate_v2", "CUresult (CUcontext *, unsigned int, CUdevice)", "11.8.0", "11.8.0"},
		{"cuda.bindings.cydriver", "cuCheckpointOperationComplete", "cuCheckpointOperationComplete", "CUresult (CUcheckpointOperationHandle)", "13.4.1.0", "13.4.1.0"},
	} {
		if d := cmp.Diff(want, got[want.Name]); d != "" {
			t.Errorf("%s (-want +got):\n%s", want.Name, d)
		}
	}
}

// What ir.Diff says of the ABI of functions is what becomes of the signature
// strings, for every two neighbours of the committed releases.
func TestABIBreaksAreChangedSignatures(t *testing.T) {
	in := committed(t)
	history := in.Histories["driver"]
	signatures := func(release string) map[string]string {
		pkg := in.Project.Packages[0]
		pkg.Libraries = map[string]config.Binding{"driver": {Releases: release}}
		capsules, err := Capsules(in, &pkg, "driver")
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]string{}
		for _, c := range capsules {
			if c.Module == "cuda.bindings.cydriver" {
				m[c.Name] = c.Signature
			}
		}
		return m
	}
	labels := history.Labels()
	before, broken := signatures(labels[0]), 0
	for i := 1; i < len(labels); i++ {
		after := signatures(labels[i])
		want, got := map[string]bool{}, map[string]bool{}
		for name, signature := range before {
			if after[name] != signature {
				want[name] = true
			}
		}
		changes, err := history.Diff(labels[i-1], labels[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range changes.List {
			if x.Subject == ir.FunctionSubject && x.Breaks&ir.BreaksABI != 0 {
				got[x.Name] = true
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s..%s (-signatures +diff):\n%s", labels[i-1], labels[i], d)
		}
		before, broken = after, broken+len(want)
	}
	if broken < 20 {
		t.Errorf("only %d signatures changed in all releases: the test saw nothing", broken)
	}
}

// How Cython spells types that the driver's functions do not have: measured on
// what 3.2.9 and 3.3.1 write for these prototypes.
func TestSignaturesAreSpelledAsCythonDoes(t *testing.T) {
	for _, c := range []struct{ typ, want string }{
		{"void()", "void (void)"},
		{"int(char* s, const char*const* list)", "int (char *, char const *const *)"},
		{"void*const(long long a, unsigned long long* b, signed char c)", "void *(PY_LONG_LONG, unsigned PY_LONG_LONG *, signed char)"},
		{"int(int(void* p, int)* callback, void* data)", "int (int (*)(void *, int), void *)"},
		{"void*(int[4] a, double[2][3] b, const int[] c)", "void *(int *, double (*)[3], int const *)"},
		{"int(_Bool flag, size_t n)", "int (bool, size_t)"},
		{"void(ssize_t a, ptrdiff_t b)", "void (Py_ssize_t, ptrdiff_t)"},
		{"void(void*const* a, long double b)", "void (void *const *, long double)"},
		{"demoT*(struct demo_st* a, demoT b)", "demoT *(struct demo_st *, demoT)"},
	} {
		f := function("f", "f")
		f.Type = mustType(c.typ)
		r := release("1.0.0", f)
		r.Records = []ir.Record{{Meta: ir.Meta{Header: "demo.h"}, Name: "demo_st", Tagged: true, Size: 4, Align: 4, Fields: []ir.Field{{Name: "a", Type: mustType("int")}}}}
		r.Typedefs = []ir.Typedef{{Meta: ir.Meta{Header: "demo.h"}, Name: "demoT", Type: mustType("int")}}
		names := cNames{plan: planTypes(unionOf(t, r), config.TypeModes{Default: config.Extern}), module: "demo.cydemo"}
		if got := names.declare(f.Type, ""); got != c.want {
			t.Errorf("%s: %q, want %q", c.typ, got, c.want)
		}
	}
}
