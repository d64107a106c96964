package cgen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

// snapshot is an API that looks the same on all targets.
func snapshot(api ir.API, targets ...ir.Target) *ir.Snapshot {
	if len(targets) == 0 {
		targets = ir.DefaultTargets
	}
	return &ir.Snapshot{Library: "demo", Targets: targets, API: api}
}

func field(t *testing.T, name, typ string, offset int64) ir.Field {
	return ir.Field{Name: name, Type: parseType(t, typ), Offset: offset}
}

// hardAPI holds one of everything that makes a definition hard: each record
// has the layout that gcc and clang give to the C in its comment.
func hardAPI(t *testing.T) ir.API {
	f := func(name, typ string, offset int64) ir.Field { return field(t, name, typ, offset) }
	bit := func(name, typ string, offset int64, bit, bits int) ir.Field {
		x := f(name, typ, offset)
		x.Bit, x.Bits = bit, bits
		return x
	}
	return ir.API{
		Enums: []ir.Enum{
			{Name: "demo_kind", Tagged: true, Underlying: "int", Enumerators: []ir.Enumerator{
				{Name: "DEMO_A", Value: "-1"}, {Name: "DEMO_B", Value: "1"}, {Name: "DEMO_B_AGAIN", Value: "1"}, {Name: "DEMO_LOW", Value: "-2147483648"}}},
			{Name: "demoFlags", Underlying: "unsigned int", Enumerators: []ir.Enumerator{{Name: "DEMO_TOP", Value: "4294967295"}}},
			{Name: "demoHolder.mode", Underlying: "unsigned int", Enumerators: []ir.Enumerator{{Name: "DEMO_MODE", Value: "7"}}},
			{Name: "DEMO_LONE", Anonymous: true, Underlying: "unsigned int", Enumerators: []ir.Enumerator{{Name: "DEMO_LONE", Value: "3"}}},
		},
		Records: []ir.Record{
			// Holds by value what stands later.
			{Name: "demoHolder", Size: 48, Align: 8, Fields: []ir.Field{
				f("inner", "demoInner", 0), f("list", "struct demo_node*", 16), f("mode", "demoHolder.mode", 24),
				f("kind", "enum demo_kind", 28), f("call", "demoCallback", 32), f("ok", "_Bool", 40),
			}},
			{Name: "demoInner", Size: 16, Align: 8, Fields: []ir.Field{f("a", "uint64_t", 0), f("b", "char[3]", 8)}},
			{Name: "demo_node", Tagged: true, Size: 16, Align: 8, Fields: []ir.Field{f("next", "struct demo_node*", 0), f("holder", "demoHolder*", 8)}},
			{Name: "demo_ctx", Tagged: true, Incomplete: true},
			// struct { int a; union { struct { short x; short y; } pair[2]; double d; }; char end; }
			{Name: "demoNested", Size: 24, Align: 8, Fields: []ir.Field{
				f("a", "int", 0),
				{Offset: 8, Record: &ir.Record{Union: true, Size: 8, Align: 8, Fields: []ir.Field{
					{Name: "pair", Dims: []int64{2}, Record: &ir.Record{Size: 4, Align: 2, Fields: []ir.Field{f("x", "short", 0), f("y", "short", 2)}}},
					f("d", "double", 0),
				}}},
				f("end", "char", 16),
			}},
			// _Alignas(128) on the only member
			{Name: "demo_map", Tagged: true, Size: 128, Align: 128, Fields: []ir.Field{f("opaque", "uint64_t[16]", 0)}},
			// struct { char a; _Alignas(16) int b; }
			{Name: "demoMoved", Size: 32, Align: 16, Fields: []ir.Field{f("a", "char", 0), f("b", "int", 16)}},
			// #pragma pack(1)
			{Name: "demoPacked", Size: 13, Align: 1, Fields: []ir.Field{f("a", "char", 0), f("b", "double", 1), f("c", "int", 9)}},
			// #pragma pack(4)
			{Name: "demoPacked4", Size: 12, Align: 4, Fields: []ir.Field{f("a", "char", 0), f("b", "double", 4)}},
			// packed and aligned(8)
			{Name: "demoPackedAligned", Size: 16, Align: 8, Fields: []ir.Field{f("a", "char", 0), f("b", "int", 1), f("c", "short", 5)}},
			// a natural struct inside a packed one
			{Name: "demoMixed", Size: 13, Align: 1, Fields: []ir.Field{
				f("a", "char", 0),
				{Name: "n", Offset: 1, Record: &ir.Record{Size: 8, Align: 1, Fields: []ir.Field{f("c", "char", 0), f("i", "int", 4)}}},
				f("z", "int", 9),
			}},
			// a packed struct inside a natural one
			{Name: "demoMixed2", Size: 12, Align: 4, Fields: []ir.Field{
				f("a", "char", 0),
				{Name: "n", Offset: 1, Record: &ir.Record{Size: 5, Align: 1, Fields: []ir.Field{f("c", "char", 0), f("i", "int", 1)}}},
				f("z", "int", 8),
			}},
			// a gap that no alignment makes
			{Name: "demoGap", Size: 24, Align: 4, Fields: []ir.Field{f("a", "int", 0), f("b", "int", 12)}},
			{Name: "demoBits", Size: 8, Align: 4, Fields: []ir.Field{
				bit("a", "unsigned int", 0, 0, 3), bit("b", "unsigned int", 0, 3, 29), bit("c", "int", 4, 0, 1),
			}},
			{Name: "demoBitsAligned", Size: 16, Align: 16, Fields: []ir.Field{bit("a", "unsigned int", 0, 0, 3)}},
			{Name: "demoFlex", Size: 8, Align: 4, Fields: []ir.Field{
				f("n", "int", 0), f("c", "char", 4),
				{Name: "rest", Type: parseType(t, "char[]"), Offset: 5, Flex: true},
			}},
			{Name: "demoUnion", Union: true, Size: 16, Align: 8, Fields: []ir.Field{f("i", "int", 0), f("p", "void*", 0), f("pad", "char[9]", 0)}},
		},
		Typedefs: []ir.Typedef{
			{Name: "demoNode", Type: parseType(t, "struct demo_node")},
			{Name: "demoContext", Type: parseType(t, "struct demo_ctx*")},
			{Name: "demoCallback", Type: parseType(t, "void(demoContext ctx, struct demo_node*const* nodes, size_t n)*")},
			{Name: "demoMatrix", Type: parseType(t, "struct demo_map[2][3]")},
			{Name: "demoOther", Type: parseType(t, "demoFlags"), Macro: true},
		},
	}
}

func TestDefinitionsHaveTheRecordedLayout(t *testing.T) {
	api := hardAPI(t)
	source, err := Definitions(snapshot(api), DefinitionOptions{Guard: "DEMO_TYPES", Checks: true})
	if err != nil {
		t.Fatal(err)
	}
	compilers := []compiler{native(t)}
	for _, target := range ir.DefaultTargets {
		compilers = append(compilers, zig(t, target))
	}
	twice := append(append([]byte{}, source...), source...)
	for _, c := range compilers {
		c.accepts(t, "types.c", twice, "-std=c11")
		c.accepts(t, "types.cpp", twice, "-std=c++11")
	}
	// The assertions are worth something: one wrong number is refused.
	for i := range api.Records {
		if api.Records[i].Name == "demoGap" {
			wrong := strings.Replace(string(source), "offsetof(demoGap, b) == 12", "offsetof(demoGap, b) == 8", 1)
			if _, failed := native(t).compile(t, "wrong.c", []byte(wrong)); !failed {
				t.Error("a wrong offset is accepted")
			}
		}
	}
}

func TestDefinitionsReadAsC(t *testing.T) {
	got, err := Definitions(snapshot(ir.API{
		Records: []ir.Record{
			{Name: "demo_st", Tagged: true, Size: 8, Align: 4, Fields: []ir.Field{field(t, "kind", "demoKind", 0), field(t, "flags", "unsigned int", 4)}},
			{Name: "demoPacked", Size: 5, Align: 1, Fields: []ir.Field{field(t, "a", "char", 0), field(t, "b", "int", 1)}},
		},
		Enums:    []ir.Enum{{Name: "demoKind", Underlying: "int", Enumerators: []ir.Enumerator{{Name: "DEMO_NONE", Value: "-1"}}}},
		Typedefs: []ir.Typedef{{Name: "demo", Type: parseType(t, "struct demo_st")}, {Name: "demoSize", Type: parseType(t, "size_t")}},
	}), DefinitionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := `#include <stddef.h>

struct demo_st;
typedef enum {
    DEMO_NONE = -1,
} demoKind;
struct demo_st {
    demoKind kind;
    unsigned int flags;
};
#pragma pack(push, 1)
typedef struct {
    char a;
    int b;
} demoPacked;
#pragma pack(pop)
typedef struct demo_st demo;
typedef size_t demoSize;
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDefinitionsDifferWhereTargetsDo(t *testing.T) {
	on := func(set ir.TargetSet, r ir.Record) ir.Record { r.On = set; return r }
	s := snapshot(ir.API{Records: []ir.Record{
		// `long` has another size on Windows: one text, two layouts.
		on(3, ir.Record{Name: "demoLong", Size: 16, Align: 8, Fields: []ir.Field{field(t, "a", "long[2]", 0)}}),
		on(4, ir.Record{Name: "demoLong", Size: 8, Align: 4, Fields: []ir.Field{field(t, "a", "long[2]", 0)}}),
		on(2, ir.Record{Name: "demoArm", Size: 4, Align: 4, Fields: []ir.Field{field(t, "a", "int", 0)}}),
	}})
	got, err := Definitions(s, DefinitionOptions{Checks: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\ntypedef struct {\n    long a[2];\n} demoLong;\n",
		"#if defined(__linux__)\nCYBINDGO_CHECK(sizeof(demoLong) == 16);\n",
		"#if defined(_WIN32)\nCYBINDGO_CHECK(sizeof(demoLong) == 8);\n",
		"#if defined(__linux__) && (defined(__aarch64__) || defined(_M_ARM64))\ntypedef struct {\n    int a;\n} demoArm;\n#endif\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("expected %q in:\n%s", want, got)
		}
	}
	for _, target := range ir.DefaultTargets {
		zig(t, target).accepts(t, "types.c", got)
	}
}

func TestDefinitionsNameWhatCannotBeWritten(t *testing.T) {
	_, err := Definitions(snapshot(ir.API{
		Records: []ir.Record{
			{Name: "demoOverlap", Size: 6, Align: 4, Fields: []ir.Field{field(t, "a", "int", 0), field(t, "b", "int", 2)}},
			{Name: "demoHolds", Size: 8, Align: 8, Fields: []ir.Field{field(t, "a", "struct demo_opaque", 0)}},
			{Name: "demo_opaque", Tagged: true, Incomplete: true},
		},
		Typedefs: []ir.Typedef{{Name: "demoUser", Type: parseType(t, "demoNowhere*")}},
	}, ir.LinuxAMD64), DefinitionOptions{})
	want := `demoOverlap: its recorded layout (size 6, alignment 4) cannot be written in C
demoHolds: field 1 ("a"): its type struct demo_opaque is incomplete
type "demoNowhere" is not defined (used by demoUser)`
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDefinitionsCanBeRestrictedToSome(t *testing.T) {
	s := snapshot(hardAPI(t))
	got, err := Definitions(s, DefinitionOptions{Only: func(key string) bool { return key == "demoInner" || key == "demoOther" }})
	if err != nil {
		t.Fatal(err)
	}
	want := `
typedef struct {
    uint64_t a;
    char b[3];
} demoInner;
typedef demoFlags demoOther;
`
	if _, body, _ := strings.Cut(string(got), ">\n\n"); body != strings.TrimPrefix(want, "\n") {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, string(got)))
	}
}
