package cgen

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

// demo is a small library with one of everything that the stub treats in its
// own way.
func demo(t *testing.T) *ir.Snapshot {
	fn := func(symbol, typ string, more func(*ir.Function)) ir.Function {
		f := ir.Function{Name: symbol, Symbol: symbol, Type: parseType(t, typ)}
		if more != nil {
			more(&f)
		}
		return f
	}
	query := func(base string, version, perThread int) func(*ir.Function) {
		return func(f *ir.Function) { f.Query = ir.Query{Base: base, Version: version, PerThread: perThread} }
	}
	return snapshot(ir.API{
		Enums: []ir.Enum{
			{Name: "demoStatus_enum", Tagged: true, Underlying: "int", Enumerators: []ir.Enumerator{
				{Name: "DEMO_OK", Value: "0"}, {Name: "DEMO_NOT_FOUND", Value: "500"}, {Name: "DEMO_UNKNOWN", Value: "999"}, {Name: "DEMO_ODD", Value: "-42"}}},
			{Name: "demoQuery", Underlying: "int", Enumerators: []ir.Enumerator{
				{Name: "DEMO_FOUND", Value: "0"}, {Name: "DEMO_MISSING", Value: "1"}, {Name: "DEMO_TOO_OLD", Value: "2"}}},
		},
		Records: []ir.Record{
			{Name: "demo_ctx", Tagged: true, Incomplete: true},
			{Name: "demoDim", Size: 8, Align: 4, Fields: []ir.Field{field(t, "x", "int", 0), field(t, "y", "short", 4)}},
			{Name: "demoUnused", Size: 4, Align: 4, Fields: []ir.Field{field(t, "a", "int", 0)}},
		},
		Typedefs: []ir.Typedef{
			{Name: "demoStatus", Type: parseType(t, "enum demoStatus_enum")},
			{Name: "demoCtx", Type: parseType(t, "struct demo_ctx*")},
			{Name: "demoByte", Type: parseType(t, "unsigned char")},
			{Name: "demoCallback", Type: parseType(t, "void(demoCtx, void*)*")},
		},
		Functions: []ir.Function{
			fn("demoInit", "demoStatus(unsigned int flags)", query("demoInit", 2000, 0)),
			fn("demoNumbers", "demoStatus(signed char a, unsigned short b, long long c, uint64_t d, _Bool e, demoStatus f, float g, double h, demoDim i)", nil),
			fn("demoPointers", "demoStatus(demoCtx ctx, const int* in, demoCallback call, void* data, char* text, demoDim* dim, demoByte* raw, struct demo_ctx* direct)", nil),
			fn("demoOutputs", "demoStatus(int* i, size_t* n, float* f, demoStatus* s, demoCtx* ctx, void** p, const char** text, short[4] list, const int* left, char* left2, demoDim* left3, void* left4)", nil),
			fn("demoName", "const char*(int i)", nil),
			fn("demoTime", "double()", nil),
			fn("demoGet", "demoDim()", nil),
			fn("demoFree", "void(demoCtx ctx)", nil),
			fn("demoHidden", "int()", func(f *ir.Function) { f.Inline = true }),
			fn("demoAlloc_v2", "demoStatus(void** p, size_t n)", func(f *ir.Function) {
				f.Name = "demoAlloc"
				f.Query = ir.Query{Base: "demoAlloc", Version: 3020}
			}),
			fn("demoAlloc", "demoStatus(void** p, unsigned int n)", func(f *ir.Function) {
				f.Superseded = true
				f.Query = ir.Query{Base: "demoAlloc", Version: 2000}
			}),
			fn("demoCopy", "demoStatus(void* to, const void* from)", func(f *ir.Function) {
				f.PerThread = "demoCopy_ptds"
				f.Query = ir.Query{Base: "demoCopy", Version: 4000, PerThread: 7000}
			}),
			fn("demoGetProcAddress", "demoStatus(const char* symbol, void** pfn, int version, uint64_t flags)", func(f *ir.Function) {
				f.Superseded = true
				f.Query = ir.Query{Base: "demoGetProcAddress", Version: 11030}
			}),
			fn("demoGetProcAddress_v2", "demoStatus(const char* symbol, void** pfn, int version, uint64_t flags, demoQuery* status)", func(f *ir.Function) {
				f.Name = "demoGetProcAddress"
				f.Query = ir.Query{Base: "demoGetProcAddress", Version: 12000}
			}),
		},
	})
}

var demoResolver = &ProcAddress{
	Symbol: "demoGetProcAddress_v2", PerThreadFlags: 2, NotFound: "DEMO_NOT_FOUND", Failed: "DEMO_UNKNOWN",
	StatusMissing: "DEMO_MISSING", StatusTooOld: "DEMO_TOO_OLD",
}

func stub(t *testing.T, s *ir.Snapshot, opts StubOptions) []byte {
	t.Helper()
	source, err := Stub(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// program compiles the stub and a main function behind it, as one file, and
// gives the path of the program.
func program(t *testing.T, stub []byte, main string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "main.c")
	if err := os.WriteFile(file, append(append([]byte{}, stub...), main...), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "main")
	argv := append(append([]string{}, native(t).c...), "-std=c11", "-Wall", "-Wextra", "-Werror", "-pthread")
	if said, failed := run(t, append(append(argv, flags...), file, "-o", out)...); failed {
		t.Fatal(limit(said))
	}
	return out
}

// call runs a program with the stub's variables set and gives back what it
// printed and what the stub logged.
func call(t *testing.T, program string, env ...string) (printed, logged string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), append(env, "CYBINDGO_STUB_LOG="+log)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(out), string(lines)
}

func TestStubRecordsCallsAndArguments(t *testing.T) {
	main := program(t, stub(t, demo(t), StubOptions{}), `
int main(void) {
    demoDim dim;
    memset(&dim, 0, sizeof dim);
    dim.x = 42;
    dim.y = -2;
    demoStatus s = demoInit(7);
    s += demoNumbers(-1, 65535, -2, UINT64_MAX, 1, DEMO_ODD, 0.5f, -3.25, dim);
    s += demoPointers((demoCtx)16, (const int *)32, (demoCallback)48, (void *)64, (char *)80, (demoDim *)96, (demoByte *)112, NULL);
    demoFree((demoCtx)-1);
    printf("%d %d %g %d\n", s, demoName(-1) == NULL, demoTime(), demoGet().x);
}
`)
	printed, logged := call(t, main)
	want := `demoInit 0x7
demoNumbers 0xff 0xffff 0xfffffffffffffffe 0xffffffffffffffff 0x1 0xffffffd6 0x1p-1 -0x1.ap+1 2a000000feff0000
demoPointers 0x10 0x20 0x30 0x40 0x50 0x60 0x70 0x0
demoFree 0xffffffffffffffff
demoGet
demoTime
demoName 0xffffffff
`
	sorted := func(s string) []string { return slices.Sorted(strings.Lines(s)) }
	if diff := cmp.Diff(sorted(want), sorted(logged)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("0 1 0 0\n", printed); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestStubReturnsWhatItIsTold(t *testing.T) {
	main := program(t, stub(t, demo(t), StubOptions{}), `
static int demoDim_zero(void) { demoDim dim = demoGet(); return dim.x | dim.y; }
int main(void) {
    printf("%d %d %p %g %d\n", demoInit(0), demoDim_zero(), (const void *)demoName(1), demoTime(), demoAlloc(NULL, 1));
}
`)
	for _, c := range []struct{ env, want string }{
		{"CYBINDGO_STUB_RETURN=demoInit=500", "500 0 (nil) 0 0\n"},
		{"CYBINDGO_STUB_RETURN=demoInit=-42;demoTime=2.5;demoName=0x10;demoAlloc_v2=3", "-42 0 0x10 2.5 0\n"},
		{"CYBINDGO_STUB_RETURN=demo=1;nonsense;demoInitial=2;demoAlloc=4", "0 0 (nil) 0 4\n"},
		{"CYBINDGO_STUB_RETURN=", "0 0 (nil) 0 0\n"},
	} {
		if printed, _ := call(t, main, c.env); printed != c.want {
			t.Errorf("%s: got %q, want %q", c.env, printed, c.want)
		}
	}
	bare := program(t, stub(t, demo(t), StubOptions{}), "int main(void) { return demoInit(0); }", "-DCYBINDGO_STUB_BARE")
	if printed, logged := call(t, bare, "CYBINDGO_STUB_RETURN=demoInit=1"); printed+logged != "" {
		t.Errorf("a bare stub heeds the environment: %q %q", printed, logged)
	}
}

func TestStubSetsOutputs(t *testing.T) {
	main := program(t, stub(t, demo(t), StubOptions{}), `
int main(void) {
    int i = 1, left = 1;
    size_t n = 1;
    float f = 1;
    demoStatus s = DEMO_OK;
    demoCtx ctx = NULL;
    void *p = NULL;
    const char *text = NULL;
    short list[4] = {1, 1, 1, 1};
    char c = 1;
    demoDim dim = {1, 1};
    demoOutputs(&i, &n, &f, &s, &ctx, &p, &text, list, &left, &c, &dim, &left);
    printf("%#x %#zx %g %#x %p %p %p %#x %d %d %d %d\n", i, n, f, s, (void *)ctx, p, (const void *)text, list[0], list[1], left, c, dim.x);
    demoOutputs(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}
`)
	for env, want := range map[string]string{
		"CYBINDGO_STUB_OUTPUTS=1": "0x1000 0x1001 4098 0x1003 0x1004 0x1005 0x1006 0x1007 1 1 1 1\n",
		"CYBINDGO_STUB_OUTPUTS=0": "0x1 0x1 1 0 (nil) (nil) (nil) 0x1 1 1 1 1\n",
	} {
		if printed, _ := call(t, main, env); printed != want {
			t.Errorf("%s: got %q, want %q", env, printed, want)
		}
	}
}

func TestStubTakesCallsFromManyThreads(t *testing.T) {
	main := program(t, stub(t, demo(t), StubOptions{ProcAddress: demoResolver}), `
#include <pthread.h>
enum { THREADS = 8, CALLS = 250 };
static void *work(void *number) {
    for (int i = 0; i < CALLS; i++) {
        void *found = NULL;
        demoGetProcAddress_v2("demoCopy", &found, 7000, 2, NULL);
        ((demoStatus (*)(void *, const void *))(uintptr_t)found)(number, (const void *)(uintptr_t)i);
    }
    return NULL;
}
int main(void) {
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}
`)
	_, logged := call(t, main)
	got := map[string]int{}
	for line := range strings.Lines(logged) {
		got[line]++
	}
	want := map[string]int{"demoGetProcAddress_v2 demoCopy 7000 2\n": 8 * 250}
	for thread := range 8 {
		for i := range 250 {
			want[fmt.Sprintf("demoCopy_ptds %#x %#x\n", thread, i)] = 1
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestStubSaysWhatIsWrongWithItsOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		opts StubOptions
		edit func(*ir.Snapshot)
		want string
	}{
		{"a symbol to omit that is not there", StubOptions{Omit: []string{"demoInitt"}}, nil,
			`symbol "demoInitt" to omit: demo does not export it; did you mean demoInit?`},
		{"a look-up that is not there", StubOptions{ProcAddress: &ProcAddress{Symbol: "demoGetProcAddres", NotFound: "DEMO_OK", Failed: "DEMO_OK", StatusMissing: "DEMO_OK", StatusTooOld: "DEMO_OK"}}, nil,
			`demo does not export "demoGetProcAddres", which is to resolve its symbols; did you mean demoGetProcAddress?`},
		{"an enumerator that is not there", StubOptions{ProcAddress: &ProcAddress{Symbol: "demoInit", NotFound: "DEMO_NOTFOUND"}}, nil,
			`not found of demoInit: there is no enumerator "DEMO_NOTFOUND"; did you mean DEMO_NOT_FOUND?`},
		{"a look-up of another shape", StubOptions{ProcAddress: &ProcAddress{Symbol: "demoInit", NotFound: "DEMO_OK", Failed: "DEMO_OK", StatusMissing: "DEMO_OK", StatusTooOld: "DEMO_OK"}}, nil,
			`demoInit: a function that resolves symbols is expected to take (name, pointer, version, flags) and maybe a status, found demoStatus(unsigned int flags)`},
		{"a type without a definition", StubOptions{}, func(s *ir.Snapshot) { s.Typedefs = s.Typedefs[1:] },
			`type "demoStatus" is not defined (used by demoInit())`},
	} {
		s := demo(t)
		if c.edit != nil {
			c.edit(s)
		}
		_, err := Stub(s, c.opts)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
