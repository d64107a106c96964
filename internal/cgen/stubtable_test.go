package cgen

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStubResolvesItsOwnSymbols(t *testing.T) {
	source := stub(t, demo(t), StubOptions{ProcAddress: demoResolver})
	main := program(t, source, `
static const char *named(void *f) {
    for (size_t i = 0; i < sizeof stub_symbols / sizeof *stub_symbols; i++) {
        if (f == stub_symbols[i].function)
            return stub_symbols[i].name;
        if (f != NULL && f == stub_symbols[i].stream_function)
            return stub_symbols[i].stream_name;
    }
    return f == NULL ? "NULL" : "untouched";
}
static void ask(const char *name, int version, uint64_t flags) {
    void *f = (void *)ask;
    demoQuery status = 77;
    int result = demoGetProcAddress_v2(name, &f, version, flags, &status);
    printf("%d %d %s\n", result, status, named(f));
}
int main(void) {
    ask("demoInit", 2000, 0);
    ask("demoAlloc", 13000, 0);
    ask("demoAlloc", 3020, 0);
    ask("demoAlloc", 3010, 0);
    ask("demoAlloc", 1000, 0);
    ask("demoAlloc_v2", 13000, 0);
    ask("demoCopy", 7000, 0);
    ask("demoCopy", 7000, 1);
    ask("demoCopy", 7000, 2);
    ask("demoCopy", 4000, 2);
    ask("demoInit", 7000, 2);
    ask("demoFree", 1, 0);
    ask("zzz", 1, 0);
    ask("", 1, 0);
    ask("demoGetProcAddress", 11030, 0);
    void *f = NULL;
    int result = demoGetProcAddress("demoCopy", &f, 7000, 2);
    printf("%d %s\n", result, named(f));
    result = demoGetProcAddress_v2("demoCopy", &f, 7000, 0, NULL);
    printf("%d %s\n", result, named(f));
}
`)
	lines := func(list ...string) string { return strings.Join(list, "\n") + "\n" }
	wanted := []string{
		"0 0 demoInit", "0 0 demoAlloc_v2", "0 0 demoAlloc_v2", "0 0 demoAlloc", "500 2 NULL", "500 1 NULL",
		"0 0 demoCopy", "0 0 demoCopy", "0 0 demoCopy_ptds", "0 0 demoCopy", "0 0 demoInit", "0 0 demoFree",
		"500 1 NULL", "500 1 NULL", "0 0 demoGetProcAddress", "0 demoCopy_ptds", "0 demoCopy",
	}
	printed, logged := call(t, main)
	if diff := cmp.Diff(lines(wanted...), printed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if first, _, _ := strings.Cut(logged, "\n"); first != "demoGetProcAddress_v2 demoInit 2000 0" {
		t.Errorf("the first line of the log is %q", first)
	}
	if !strings.Contains(logged, "\ndemoGetProcAddress demoCopy 7000 2\n") {
		t.Errorf("the older look-up is not in the log:\n%s", logged)
	}

	for _, c := range []struct {
		env  []string
		want map[int]string // line to what it is instead
	}{
		{[]string{"CYBINDGO_STUB_LACK=demoInit,demoAlloc_v2"}, map[int]string{0: "500 1 NULL", 1: "500 1 NULL", 2: "500 1 NULL", 10: "500 1 NULL"}},
		{[]string{"CYBINDGO_STUB_LACK=demoCopy_ptds"}, map[int]string{6: "500 1 NULL", 7: "500 1 NULL", 8: "500 1 NULL", 9: "500 1 NULL", 15: "500 NULL", 16: "500 NULL"}},
		{[]string{"CYBINDGO_STUB_FAIL=demoInit"}, map[int]string{0: "999 77 untouched", 10: "999 77 untouched"}},
		{[]string{"CYBINDGO_STUB_FAIL=demo", "CYBINDGO_STUB_LACK=demoIni,Init"}, nil},
	} {
		want := slices.Clone(wanted)
		for i, line := range c.want {
			want[i] = line
		}
		if printed, _ := call(t, main, c.env...); printed != lines(want...) {
			t.Errorf("%v (-want +got):\n%s", c.env, cmp.Diff(lines(want...), printed))
		}
	}
}

func TestStubWaitsAsLongAsItIsTold(t *testing.T) {
	main := program(t, stub(t, demo(t), StubOptions{ProcAddress: demoResolver}), `
int main(void) {
    struct timespec before, after;
    void *found;
    clock_gettime(CLOCK_MONOTONIC, &before);
    demoGetProcAddress_v2("demoInit", &found, 7000, 0, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%d", (after.tv_sec - before.tv_sec) * 1000000L + (after.tv_nsec - before.tv_nsec) / 1000 >= 30000);
}
`)
	if printed, _ := call(t, main, "CYBINDGO_STUB_DELAY_US=30000"); printed != "1" {
		t.Error("the look-up took less than the 30 ms that it was told to wait")
	}
}
