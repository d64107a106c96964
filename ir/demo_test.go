package ir

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// same fails when two values differ. Empty and nil lists are the same.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // much quicker, and nearly always true
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func mustType(text string) *Type {
	t, err := ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

// historyOf adds snapshots in the order given.
func historyOf(t *testing.T, snapshots ...*Snapshot) *History {
	t.Helper()
	h := NewHistory("demo")
	for _, s := range snapshots {
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func at(t *testing.T, h *History, label string) *Snapshot {
	t.Helper()
	s, err := h.At(label)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func demoRelease(label string) Release {
	return Release{
		Label:      label,
		Date:       "2025-03-01",
		Components: map[string]string{"demo-runtime": label + ".7", "demo-profiler": label},
		Headers:    map[string]string{"demo.h": "0a0b", "demoGL.h": "0c0d"},
	}
}

var demoHeader = Meta{Header: "demo.h", Pos: Position{File: "include/demo.h", Line: 4, Col: 2}}

// demoSnapshots are three releases of a small library. It has one of
// everything: a function that is renamed by macro and one that goes away, an
// enum that loses a name, a record that differs on a target, and a release that
// was read for fewer targets.
func demoSnapshots() []*Snapshot {
	one := &Snapshot{Library: "demo", Targets: DefaultTargets, Release: demoRelease("1.0.0")}
	one.Release.Asserted = true
	one.Functions = []Function{
		{Meta: demoHeader, Name: "demoOld", Symbol: "demoOld", Type: mustType("void(stdcall:)"), Deprecated: true},
		{Meta: demoHeader, Name: "demoAlloc", Symbol: "demoAlloc", Type: mustType("demoStatus(stdcall:void** out, unsigned int n)"), Query: Query{Base: "demoAlloc", Version: 1000}},
		{Meta: demoHeader, Name: "demoMin", Symbol: "demoMin", Type: mustType("int(int, int)"), Inline: true},
	}
	one.Enums = []Enum{
		{Meta: demoHeader, Name: "demoStatus_enum", Tagged: true, Underlying: "int", Enumerators: []Enumerator{{"DEMO_OK", "0"}, {"DEMO_BAD", "-1"}, {"DEMO_OLD", "7"}, {"DEMO_ALIAS", "0"}}},
		{Meta: demoHeader, Name: "DEMO_FIRST", Anonymous: true, Underlying: "unsigned long", Enumerators: []Enumerator{{"DEMO_FIRST", "18446744073709551615"}}},
	}
	one.Records = []Record{
		{Meta: demoHeader, Name: "demoCtx_st", Tagged: true, Incomplete: true},
		{Meta: Meta{Header: "demo.h", On: 0b011}, Name: "demoInfo", Size: 24, Align: 8, Fields: []Field{
			{Name: "words", Type: mustType("unsigned long[2]")},
			{Offset: 16, Record: &Record{Union: true, Size: 4, Align: 4, Fields: []Field{
				{Name: "whole", Type: mustType("int")},
				{Name: "parts", Record: &Record{Size: 1, Align: 1, Fields: []Field{{Name: "low", Type: mustType("unsigned char"), Bits: 3}, {Name: "high", Type: mustType("unsigned char"), Bits: 5, Bit: 3}}}, Type: nil, Dims: []int64{4}},
			}}},
			{Name: "tail", Type: mustType("char[]"), Offset: 20, Flex: true},
		}},
		{Meta: Meta{Header: "demo.h", On: 0b100}, Name: "demoInfo", Size: 8, Align: 4, Fields: []Field{{Name: "words", Type: mustType("unsigned long[2]")}}},
	}
	one.Typedefs = []Typedef{
		{Meta: demoHeader, Name: "demoStatus", Type: mustType("enum demoStatus_enum")},
		{Meta: demoHeader, Name: "demoCtx", Type: mustType("struct demoCtx_st*")},
		{Meta: demoHeader, Name: "demoCallback", Type: mustType("void(stdcall:demoCtx ctx, void* data)*")},
		{Meta: demoHeader, Name: "demoContext", Type: mustType("demoCtx"), Macro: true},
	}
	one.Constants = []Constant{
		{Meta: demoHeader, Name: "DEMO_VERSION", Type: mustType("int"), Value: "1000"},
		{Meta: demoHeader, Name: "DEMO_NAME", Type: mustType("const char*"), Value: "a \"demo\"\n\tof \\ and ü"},
		{Meta: demoHeader, Name: "DEMO_API", Reason: "expands to nothing"},
	}

	two := &Snapshot{Library: "demo", Targets: []Target{WindowsAMD64, LinuxAMD64}, Release: demoRelease("1.1.0rc1")}
	two.Release.Prerelease = true
	two.Release.OtherHeaders = map[Target]map[string]string{WindowsAMD64: {"demo.h": "0e0f"}}
	two.Functions = []Function{
		{Meta: demoHeader, Name: "demoAlloc", Symbol: "demoAlloc_v2", PerThread: "demoAlloc_v2_ptds", Type: mustType("demoStatus(stdcall:void** out, size_t n)"), Query: Query{Base: "demoAlloc", Version: 1010, PerThread: 1011}},
		{Meta: demoHeader, Name: "demoAlloc", Symbol: "demoAlloc", Superseded: true, Type: mustType("demoStatus(stdcall:void** out, unsigned int n)"), Query: Query{Base: "demoAlloc", Version: 1000}},
		{Meta: demoHeader, Name: "demoMin", Symbol: "demoMin", Type: mustType("int(int, int)"), Inline: true},
	}
	two.Enums = []Enum{{Meta: demoHeader, Name: "demoStatus_enum", Tagged: true, Underlying: "int", Enumerators: []Enumerator{{"DEMO_OK", "0"}, {"DEMO_BAD", "-1"}, {"DEMO_NEW", "8"}}}}
	two.Records = []Record{
		{Meta: demoHeader, Name: "demoCtx_st", Tagged: true, Incomplete: true},
		{Meta: Meta{Header: "demo.h", On: 0b01}, Name: "demoInfo", Size: 8, Align: 4, Fields: []Field{{Name: "words", Type: mustType("unsigned long[2]")}}},
		{Meta: Meta{Header: "demo.h", On: 0b10}, Name: "demoInfo", Size: 16, Align: 8, Fields: []Field{{Name: "words", Type: mustType("unsigned long[2]")}}},
	}
	two.Typedefs = one.Typedefs[:3]
	two.Constants = []Constant{
		{Meta: demoHeader, Name: "DEMO_VERSION", Type: mustType("int"), Value: "1010"},
		{Meta: demoHeader, Name: "DEMO_API", Reason: "expands to nothing"},
	}

	three := *two
	three.Release = demoRelease("1.1.0")
	three.Targets = DefaultTargets
	three.Records = []Record{
		two.Records[0],
		{Meta: Meta{Header: "demo.h", On: 0b100}, Name: "demoInfo", Size: 8, Align: 4, Fields: two.Records[1].Fields},
		{Meta: Meta{Header: "demo.h", On: 0b011}, Name: "demoInfo", Size: 16, Align: 8, Fields: two.Records[1].Fields},
	}
	return []*Snapshot{one, two, &three}
}

// demoJSON is the history of demoSnapshots.
const demoJSON = `{
"format":1,
"library":"demo",
"targets":["linux/amd64","linux/arm64","windows/amd64"],
"releases":[
{"release":"1.0.0","date":"2025-03-01","asserted":true,"components":{"demo-profiler":"1.0.0","demo-runtime":"1.0.0.7"},"headers":{"demo.h":"0a0b","demoGL.h":"0c0d"}},
{"release":"1.1.0rc1","date":"2025-03-01","prerelease":true,"targets":["windows/amd64","linux/amd64"],"components":{"demo-profiler":"1.1.0rc1","demo-runtime":"1.1.0rc1.7"},"headers":{"demo.h":"0a0b","demoGL.h":"0c0d"},"otherHeaders":{"windows/amd64":{"demo.h":"0e0f"}}},
{"release":"1.1.0","date":"2025-03-01","components":{"demo-profiler":"1.1.0","demo-runtime":"1.1.0.7"},"headers":{"demo.h":"0a0b","demoGL.h":"0c0d"}}
],
"functions":[
{"name":"demoAlloc","is":[{"in":"1.0.0","header":"demo.h","type":"demoStatus(stdcall:void** out, unsigned int n)","base":"demoAlloc","version":1000},{"in":"1.1.0rc1..","header":"demo.h","type":"demoStatus(stdcall:void** out, unsigned int n)","base":"demoAlloc","version":1000,"superseded":true}]},
{"name":"demoAlloc=demoAlloc_v2","is":[{"in":"1.1.0rc1..","header":"demo.h","type":"demoStatus(stdcall:void** out, size_t n)","perThread":"demoAlloc_v2_ptds","base":"demoAlloc","version":1010,"perThreadVersion":1011}]},
{"name":"demoMin","is":[{"in":"1.0.0..","header":"demo.h","type":"int(int, int)","inline":true}]},
{"name":"demoOld","is":[{"in":"1.0.0","header":"demo.h","type":"void(stdcall:)","deprecated":true}]}
],
"enums":[
{"name":"DEMO_FIRST","is":[{"in":"1.0.0","header":"demo.h","anonymous":true,"underlying":"unsigned long","enumerators":{"DEMO_FIRST":18446744073709551615}}]},
{"name":"enum demoStatus_enum","is":[{"in":"1.0.0","header":"demo.h","underlying":"int","enumerators":{"DEMO_OK":0,"DEMO_BAD":-1,"DEMO_OLD":7,"DEMO_ALIAS":0}},{"in":"1.1.0rc1..","header":"demo.h","underlying":"int","enumerators":{"DEMO_OK":0,"DEMO_BAD":-1,"DEMO_NEW":8}}]}
],
"records":[
{"name":"demoInfo","is":[{"in":"1.0.0","on":["linux/amd64","linux/arm64"],"header":"demo.h","size":24,"align":8,"fields":[{"name":"words","type":"unsigned long[2]"},{"record":{"union":true,"size":4,"align":4,"fields":[{"name":"whole","type":"int"},{"name":"parts","record":{"size":1,"align":1,"fields":[{"name":"low","type":"unsigned char","bits":3},{"name":"high","type":"unsigned char","bits":5,"bit":3}]},"dims":[4]}]},"at":16},{"name":"tail","type":"char[]","at":20,"flex":true}]},{"in":"1.0.0..","on":["windows/amd64"],"header":"demo.h","size":8,"align":4,"fields":[{"name":"words","type":"unsigned long[2]"}]},{"in":"1.1.0rc1","on":["linux/amd64"],"header":"demo.h","size":16,"align":8,"fields":[{"name":"words","type":"unsigned long[2]"}]},{"in":"1.1.0..","on":["linux/amd64","linux/arm64"],"header":"demo.h","size":16,"align":8,"fields":[{"name":"words","type":"unsigned long[2]"}]}]},
{"name":"struct demoCtx_st","is":[{"in":"1.0.0..","header":"demo.h","incomplete":true}]}
],
"typedefs":[
{"name":"demoCallback","is":[{"in":"1.0.0..","header":"demo.h","type":"void(stdcall:demoCtx ctx, void* data)*"}]},
{"name":"demoContext","is":[{"in":"1.0.0","header":"demo.h","type":"demoCtx","macro":true}]},
{"name":"demoCtx","is":[{"in":"1.0.0..","header":"demo.h","type":"struct demoCtx_st*"}]},
{"name":"demoStatus","is":[{"in":"1.0.0..","header":"demo.h","type":"enum demoStatus_enum"}]}
],
"constants":[
{"name":"DEMO_API","is":[{"in":"1.0.0..","header":"demo.h","reason":"expands to nothing"}]},
{"name":"DEMO_NAME","is":[{"in":"1.0.0","header":"demo.h","type":"const char*","value":"a \"demo\"\n\tof \\ and ü"}]},
{"name":"DEMO_VERSION","is":[{"in":"1.0.0","header":"demo.h","type":"int","value":"1000"},{"in":"1.1.0rc1..","header":"demo.h","type":"int","value":"1010"}]}
],
"roles":[
{"function":"demoAlloc","param":"out","is":"out"},
{"function":"demoAlloc","param":"n","in":"1.1.0rc1..","is":"in","length":"n","optional":true}
]
}
`

// demo is the history that demoJSON spells.
func demo(t *testing.T) *History {
	t.Helper()
	h := historyOf(t, demoSnapshots()...)
	h.Roles = []Role{
		{Function: "demoAlloc", Param: "out", Is: "out"},
		{Function: "demoAlloc", Param: "n", In: "1.1.0rc1..", Is: "in", Length: "n", Optional: true},
	}
	return h
}
