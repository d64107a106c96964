package ir

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesOfAHistory(t *testing.T) {
	function := func(name, symbol, result string) Function {
		return Function{Meta: Meta{Header: "demo.h"}, Name: name, Symbol: symbol, Type: &Type{Kind: Func, Elem: &Type{Kind: Basic, Name: result}}}
	}
	h := NewHistory("demo")
	for _, s := range []*Snapshot{
		{
			Library: "demo", Targets: []Target{LinuxAMD64},
			Release: Release{Label: "1.0.0", Headers: map[string]string{"demo.h": "1"}, Omitted: map[string]string{"demoLog": "variadic"}},
			API: API{
				Functions: []Function{function("demoA", "demoA", "int"), function("demoGone", "demoGone", "float")},
				Enums:     []Enum{{Meta: Meta{Header: "enum.h"}, Name: "demoKind", Underlying: "unsigned int", Enumerators: []Enumerator{{"DEMO_A", "1"}}}},
			},
		},
		{
			Library: "demo", Targets: []Target{LinuxAMD64},
			Release: Release{Label: "2.0.0"},
			API: API{
				Functions: []Function{function("demoA", "demoA_v2", "int")},
				Records:   []Record{{Meta: Meta{Header: "demo.h"}, Name: "demoBox.inner"}},
				Typedefs:  []Typedef{{Meta: Meta{Header: "GL/gl.h"}, Name: "GLuint", Type: &Type{Kind: Basic, Name: "unsigned int"}}},
				Constants: []Constant{{Meta: Meta{Header: "demo.h"}, Name: "DEMO_MAX", Reason: "none"}},
			},
		},
	} {
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	n := h.Names()
	functions := map[string]Presence{"demoA": {true, true}, "demoA_v2": {false, true}, "demoGone": {true, false}}
	if d := cmp.Diff(functions, n.Functions); d != "" {
		t.Errorf("functions (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]Presence{"DEMO_A": {true, false}}, n.Enumerators); d != "" {
		t.Errorf("enumerators (-want +got):\n%s", d)
	}
	for _, c := range []struct {
		what string
		want []string
		got  map[string]bool
	}{
		{"omitted", []string{"demoLog"}, n.Omitted},
		{"types", []string{"GLuint", "demoBox", "demoKind"}, n.Types},
		{"constants", []string{"DEMO_MAX"}, n.Constants},
		{"results", []string{"float", "int"}, n.Results},
		{"headers", []string{"GL/gl.h", "demo.h", "enum.h"}, n.Headers},
	} {
		if d := cmp.Diff(c.want, slices.Sorted(maps.Keys(c.got))); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, d)
		}
	}
}

func TestPresence(t *testing.T) {
	for _, c := range []struct {
		in              Presence
		first, vanished int
	}{
		{Presence{}, -1, -1},
		{Presence{true, true}, 0, -1},
		{Presence{false, true}, 1, -1},
		{Presence{true, false, true}, 0, 1},
		{Presence{false, true, true, false}, 1, 3},
	} {
		if first, vanished := c.in.First(), c.in.Vanished(); first != c.first || vanished != c.vanished {
			t.Errorf("%v: first %d, vanished %d, want %d and %d", c.in, first, vanished, c.first, c.vanished)
		}
	}
}
