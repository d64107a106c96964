package cgen

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func TestValue(t *testing.T) {
	for _, test := range []struct{ typ, value, want string }{
		{"int", "17", "((int)17)"},
		{"int", "-7", "((int)-7)"},
		{"unsigned int", "4294967295", "((unsigned int)4294967295ULL)"},
		{"unsigned long", "18446744073709551615", "((unsigned long)18446744073709551615ULL)"},
		{"long long", "-9223372036854775808", "((long long)(-9223372036854775807LL - 1))"},
		{"kilnStream_t", "1", "((kilnStream_t)1)"},
		{"void*", "1", "((void *)1)"},
		{"int(int)*", "0", "((int (*)(int))0)"},
		{"enum kilnMode", "2", "((enum kilnMode)2)"},
		{"float", "1500.0", "((float)1500.0)"},
		{"double", "+Inf", "((double)1e9999)"},
		{"double", "-Inf", "((double)-1e9999)"},
		{"char[8]", "kilnlib", `"kilnlib"`},
		{"char[3]", "17", `"17"`},
		{"const char*", "a\x01b\"µ", `"a\001b\042\302\265"`},
	} {
		typ, err := ir.ParseType(test.typ)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(test.want, Value(&ir.Constant{Type: typ, Value: test.value})); d != "" {
			t.Errorf("%s %q (-want +got):\n%s", test.typ, test.value, d)
		}
	}
}

func TestValuesByTarget(t *testing.T) {
	long := &ir.Type{Kind: ir.Basic, Name: "unsigned long"}
	shapes := []ir.Constant{
		{Meta: ir.Meta{On: 0b011}, Type: long, Value: "8589934592"},
		{Meta: ir.Meta{On: 0b100}, Type: long, Value: "2"},
	}
	got, err := Values("KILN", shapes, ir.DefaultTargets)
	if err != nil {
		t.Fatal(err)
	}
	want := `#if defined(__linux__)
#define KILN ((unsigned long)8589934592ULL)
#endif
#if defined(_WIN32)
#define KILN ((unsigned long)2)
#endif
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLayoutIn(t *testing.T) {
	field := func(name, typ string, at int64) ir.Field {
		parsed, err := ir.ParseType(typ)
		if err != nil {
			t.Fatal(err)
		}
		return ir.Field{Name: name, Type: parsed, Offset: at}
	}
	bit := field("b", "int", 0)
	bit.Bits = 3
	for _, test := range []struct {
		name   string
		record ir.Record
		want   Layout
	}{
		{"as it stands", ir.Record{Size: 8, Align: 4, Fields: []ir.Field{field("c", "char", 0), field("i", "int", 4)}}, Natural},
		{"packed to the byte", ir.Record{Size: 5, Align: 1, Fields: []ir.Field{field("c", "char", 0), field("i", "int", 1)}}, Packed},
		{"packed to two", ir.Record{Size: 6, Align: 2, Fields: []ir.Field{field("c", "char", 0), field("i", "int", 2)}}, Other},
		{"aligned", ir.Record{Size: 64, Align: 64, Fields: []ir.Field{field("i", "int", 0)}}, Other},
		{"bit-field", ir.Record{Size: 4, Align: 4, Fields: []ir.Field{bit}}, Other},
		{"long, which is short on Windows", ir.Record{Size: 8, Align: 8, Fields: []ir.Field{field("l", "long", 0)}}, Other},
	} {
		test.record.Name = "kiln"
		s := &ir.Snapshot{Targets: ir.DefaultTargets, API: ir.API{Records: []ir.Record{test.record}}}
		if got := LayoutIn(s, "kiln"); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
