package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func release(label string, functions ...ir.Function) *ir.Snapshot {
	s := &ir.Snapshot{Library: "demo", Targets: []ir.Target{ir.LinuxAMD64}, Release: ir.Release{Label: label}}
	s.Functions = functions
	return s
}

func function(name, symbol string) ir.Function {
	return ir.Function{Meta: ir.Meta{Header: "demo.h"}, Name: name, Symbol: symbol, Type: mustType("int(int x)")}
}

func superseded(symbol string) ir.Function {
	f := function(symbol, symbol)
	f.Superseded = true
	return f
}

func mustType(s string) *ir.Type {
	t, err := ir.ParseType(s)
	if err != nil {
		panic(err)
	}
	return t
}

// unionOf is the union of all given releases.
func unionOf(t *testing.T, snapshots ...*ir.Snapshot) *ir.Union {
	t.Helper()
	h := ir.NewHistory("demo")
	for _, s := range snapshots {
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	u, err := h.Range("", "")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestNewestSymbolOwnsThePublicName(t *testing.T) {
	for _, c := range []struct {
		name        string
		union       *ir.Union
		want        map[string]string // public name to symbol
		wantDropped []string
	}{
		{
			"a renamed function keeps the older symbol under its own name",
			unionOf(t,
				release("1.0.0", function("demoCreate", "demoCreate_v2"), superseded("demoCreate")),
				release("2.0.0", function("demoCreate", "demoCreate_v4"), superseded("demoCreate"), superseded("demoCreate_v2"))),
			map[string]string{"demoCreate": "demoCreate_v4", "demoCreate_v2": "demoCreate_v2"},
			nil,
		},
		{
			"an older symbol that equals the public name is dropped",
			unionOf(t,
				release("1.0.0", function("demoCopy", "demoCopy")),
				release("2.0.0", function("demoCopy", "demoCopy_v2"), superseded("demoCopy"))),
			map[string]string{"demoCopy": "demoCopy_v2"},
			[]string{"demoCopy"},
		},
		{
			"a versioned name that was public once stays when it is superseded",
			unionOf(t,
				release("1.0.0", function("demoRun", "demoRun_v2"), function("demoRun_v3", "demoRun_v3")),
				release("2.0.0", function("demoRun", "demoRun_v4"), superseded("demoRun_v2"), superseded("demoRun_v3"))),
			map[string]string{"demoRun": "demoRun_v4", "demoRun_v2": "demoRun_v2", "demoRun_v3": "demoRun_v3"},
			nil,
		},
		{
			"a versioned name that becomes the public one's symbol is bound once",
			unionOf(t,
				release("1.0.0", function("demoGet", "demoGet"), function("demoGet_v2", "demoGet_v2")),
				release("2.0.0", function("demoGet", "demoGet_v2"), superseded("demoGet"))),
			map[string]string{"demoGet": "demoGet_v2"},
			[]string{"demoGet"},
		},
		{
			"a superseded symbol is not bound",
			unionOf(t, release("1.0.0", function("demoA", "demoA_v2"), superseded("demoA"))),
			map[string]string{"demoA": "demoA_v2"},
			nil,
		},
	} {
		functions, dropped := baseNames(c.union)
		got := map[string]string{}
		for i := range functions {
			got[functions[i].public] = functions[i].symbol()
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: names (-want +got):\n%s", c.name, d)
		}
		if d := cmp.Diff(c.wantDropped, dropped); d != "" {
			t.Errorf("%s: dropped (-want +got):\n%s", c.name, d)
		}
	}
}

func TestParamNames(t *testing.T) {
	f := mustType("int(int from, int, int from_, int demoT, int _cyb_fn)")
	got := paramNames(f, map[string]bool{"demoT": true})
	want := []string{"from_", "arg1", "from__", "demoT_", "arg_cyb_fn"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
}

func TestDeclare(t *testing.T) {
	n := typeNames{byC: map[string]string{"demoT": "demoT", "struct demoS": "demoS"}, used: map[string]bool{}}
	for typ, want := range map[string]string{
		"int":                        "int x",
		"const void*const*":          "const void* const* x",
		"struct demoS*":              "demoS* x",
		"char[16]":                   "char x[16]",
		"demoT[2][3]":                "demoT x[2][3]",
		"int[4]*":                    "int (*x)[4]",
		"int*[4]":                    "int* x[4]",
		"char[]":                     "char x[1]",
		"void(void* data)*":          "void (*x)(void* data) noexcept nogil",
		"demoT(int, uint32_t from)*": "demoT (*x)(int, uint32_t from_) noexcept nogil",
		"unsigned long long":         "unsigned long long x",
		"int(int x, ...)*":           "int (*x)(int x, ...) noexcept nogil",
		"void(void(int)* callback)*": "void (*x)(void (*callback)(int) noexcept nogil) noexcept nogil",
		"demoT*const":                "demoT* const x",
	} {
		if got := n.declare(mustType(typ), "x"); got != want {
			t.Errorf("%s: %q, want %q", typ, got, want)
		}
	}
	if d := cmp.Diff(map[string]bool{"uint32_t": true}, n.used); d != "" {
		t.Errorf("standard types used (-want +got):\n%s", d)
	}
}
