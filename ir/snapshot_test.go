package ir

import (
	"fmt"
	"slices"
	"testing"
)

func TestWhatTargetsAgreeOnStandsOnce(t *testing.T) {
	api := func(size int64, extra ...Constant) *API {
		return &API{
			Functions: []Function{{Meta: Meta{Header: "demo.h"}, Name: "f", Symbol: "f", Type: mustType("int(int a)")}},
			Records:   []Record{{Name: "r", Size: size, Align: 4}},
			Constants: extra,
		}
	}
	only := Constant{Name: "ONLY", Type: mustType("int"), Value: "1"}
	s := Merge("demo", demoRelease("1.0.0"), DefaultTargets, []*API{api(8), api(8, only), api(4, only)})
	same(t, "functions", []Function{{Meta: Meta{Header: "demo.h"}, Name: "f", Symbol: "f", Type: mustType("int(int a)")}}, s.Functions)
	same(t, "records", []Record{{Meta: Meta{On: 0b011}, Name: "r", Size: 8, Align: 4}, {Meta: Meta{On: 0b100}, Name: "r", Size: 4, Align: 4}}, s.Records)
	only.On = 0b110
	same(t, "constants", []Constant{only}, s.Constants)
	same(t, "library, targets and release", &Snapshot{Library: "demo", Targets: DefaultTargets, Release: demoRelease("1.0.0")},
		&Snapshot{Library: s.Library, Targets: s.Targets, Release: s.Release})
}

func TestTheOrderOfTargetsDecidesNothingButNumbers(t *testing.T) {
	a := &API{Constants: []Constant{{Name: "A", Reason: "a"}, {Name: "B", Reason: "b"}}}
	b := &API{Constants: []Constant{{Name: "B", Reason: "b"}, {Name: "A", Reason: "other"}}}
	s := Merge("demo", Release{}, []Target{WindowsAMD64, LinuxAMD64}, []*API{b, a})
	s.Sort()
	same(t, "constants", []Constant{
		{Meta: Meta{On: 0b01}, Name: "A", Reason: "other"},
		{Meta: Meta{On: 0b10}, Name: "A", Reason: "a"},
		{Name: "B", Reason: "b"},
	}, s.Constants)
}

func TestTheCallingConventionOfOneTargetIsNoDifference(t *testing.T) {
	with := func(convention string) *API {
		return &API{
			Functions: []Function{{Name: "f", Symbol: "f", Type: mustType("int(" + convention + "int(" + convention + "int)* callback)")}},
			Typedefs:  []Typedef{{Name: "cb", Type: mustType("void(" + convention + ")*")}},
			Records:   []Record{{Name: "r", Fields: []Field{{Name: "cb", Type: mustType("void(" + convention + ")*")}}}},
		}
	}
	none, std := with(""), with("stdcall:")
	for _, apis := range [][]*API{{none, none, std}, {std, none, none}, {none, std, none}} {
		s := Merge("demo", Release{}, DefaultTargets, apis)
		same(t, "functions", std.Functions, s.Functions)
		same(t, "typedefs", std.Typedefs, s.Typedefs)
		same(t, "records", std.Records, s.Records)
	}
}

func TestMergeLeavesTheAPIsAsTheyAre(t *testing.T) {
	api := func() *API {
		return &API{Constants: []Constant{{Meta: Meta{On: 0b10, Pos: Position{"demo.h", 1, 2}}, Name: "A", Reason: "a"}}}
	}
	one, two := api(), api()
	Merge("demo", Release{}, DefaultTargets[:2], []*API{one, two})
	same(t, "the first", api(), one)
	same(t, "the second", api(), two)
}

func TestForSeesOneTargetAlone(t *testing.T) {
	s := demoSnapshots()[0]
	for target, size := range map[Target]int64{LinuxAMD64: 24, LinuxARM64: 24, WindowsAMD64: 8} {
		api := s.For(target)
		var got []string
		for _, r := range api.Records {
			got = append(got, fmt.Sprintf("%s %d %d", r.Key(), r.Size, r.On))
		}
		same(t, string(target), []string{"struct demoCtx_st 0 0", fmt.Sprintf("demoInfo %d 0", size)}, got)
		same(t, "functions", s.Functions, api.Functions)
		same(t, "enums", s.Enums, api.Enums)
		same(t, "typedefs", s.Typedefs, api.Typedefs)
		same(t, "constants", s.Constants, api.Constants)
	}
	same(t, "a target that was not read", &API{}, s.For("aix/ppc64"))
	same(t, "the snapshot", demoSnapshots()[0], s)
}

func TestForUndoesMerge(t *testing.T) {
	s := demoSnapshots()[0]
	apis := []*API{s.For(LinuxAMD64), s.For(LinuxARM64), s.For(WindowsAMD64)}
	merged := Merge("demo", s.Release, s.Targets, apis)
	same(t, "merged again", s, merged)
	merged = Merge("demo", s.Release, []Target{WindowsAMD64, LinuxAMD64}, []*API{apis[2], apis[0]})
	same(t, "linux", apis[0], sorted(merged.For(LinuxAMD64), apis[0]))
}

// sorted is a in the order of the entities of like.
func sorted(a, like *API) *API {
	slices.SortStableFunc(a.Records, func(x, y Record) int {
		place := func(r Record) int {
			return slices.IndexFunc(like.Records, func(s Record) bool { return s.Key() == r.Key() })
		}
		return place(x) - place(y)
	})
	return a
}
