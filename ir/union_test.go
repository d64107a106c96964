package ir

import (
	"fmt"
	"strings"
	"testing"
)

// covered are the labels of the releases that a union covers.
func covered(u *Union) []string {
	var labels []string
	for _, r := range u.Releases {
		labels = append(labels, r.Label)
	}
	return labels
}

func TestACandidateCountsOnlyWhileNoLaterFinalReleaseDoes(t *testing.T) {
	h := NewHistory("demo")
	for _, label := range []string{"13.3.0", "13.4.0rc1", "13.4.0rc2", "13.4.0", "13.5.0rc1"} {
		v, err := ParseVersion(label)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Add(&Snapshot{Library: "demo", Targets: DefaultTargets, Release: Release{Label: label, Prerelease: v.Prerelease()}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		from, to  string
		want      string
		candidate string
	}{
		{"", "", "13.3.0 13.4.0 13.5.0rc1", "13.5.0rc1"},
		{"", "13.4.0", "13.3.0 13.4.0", ""},
		{"", "13.4.0rc2", "13.3.0 13.4.0rc1 13.4.0rc2", "13.4.0rc2"},
		{"13.4.0rc1", "13.4.0rc1", "13.4.0rc1", "13.4.0rc1"},
		{"13.4.0rc2", "13.4.0", "13.4.0", ""},
		{"13.4.0", "", "13.4.0 13.5.0rc1", "13.5.0rc1"},
		{"13.3.0", "13.3.0", "13.3.0", ""},
	} {
		t.Run(c.from+".."+c.to, func(t *testing.T) {
			u, err := h.Range(c.from, c.to)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "covered", c.want, strings.Join(covered(u), " "))
			if u.Candidate() != c.candidate {
				t.Errorf("candidate %q, want %q", u.Candidate(), c.candidate)
			}
		})
	}
}

func TestWrongRangesAreRefused(t *testing.T) {
	for _, c := range []struct {
		h        *History
		from, to string
		want     string
	}{
		{demo(t), "1.1.0", "1.0.0", "the range 1.1.0..1.0.0 of demo ends before it begins"},
		{NewHistory("demo"), "", "", "the history of demo is empty: add a release first"},
		{demo(t), "", "2.0.0", `demo has no release "2.0.0"; it has 1.0.0, 1.1.0rc1, 1.1.0; did you mean 1.0.0?`},
	} {
		if _, err := c.h.Range(c.from, c.to); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func find[T any, P entity[T]](t *testing.T, list []Entry[T], key string) *Entry[T] {
	t.Helper()
	for i := range list {
		if P(list[i].Shape()).Key() == key {
			return &list[i]
		}
	}
	t.Fatalf("the union has no %s", key)
	return nil
}

func demoRange(t *testing.T, from, to string) *Union {
	t.Helper()
	u, err := demo(t).Range(from, to)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestAUnionHasWhatAnyReleaseHadAndTheNewestShape(t *testing.T) {
	u := demoRange(t, "", "")
	same(t, "covered", []string{"1.0.0", "1.1.0"}, covered(u))
	var got []string
	for _, e := range u.Functions {
		got = append(got, fmt.Sprintf("%s %s, %d to %d, changed in %v, current %v", e.Shape().Key(), e.Shape().Type, e.First, e.Last, e.Changed, u.Current(e.Last)))
	}
	same(t, "functions", []string{
		"demoAlloc demoStatus(stdcall:void** out, unsigned int n), 0 to 0, changed in [], current false", // superseded in 1.1.0
		"demoAlloc=demoAlloc_v2 demoStatus(stdcall:void** out, size_t n), 1 to 1, changed in [], current true",
		"demoMin int(int, int), 0 to 1, changed in [], current true",
		"demoOld void(stdcall:), 0 to 0, changed in [], current false",
	}, got)
	got = nil
	for _, e := range u.Constants {
		got = append(got, fmt.Sprintf("%s %s, %d to %d, changed in %v", e.Shape().Name, e.Shape().Value, e.First, e.Last, e.Changed))
	}
	same(t, "constants", []string{
		"DEMO_API , 0 to 1, changed in []",
		"DEMO_NAME a \"demo\"\n\tof \\ and ü, 0 to 0, changed in []",
		"DEMO_VERSION 1010, 0 to 1, changed in [1]",
	}, got)
	if n := len(u.Typedefs); n != 4 {
		t.Errorf("%d typedefs", n)
	}
}

func TestEveryTargetKeepsItsShapeTheReferenceFirst(t *testing.T) {
	u := demoRange(t, "", "")
	e := find(t, u.Records, "demoInfo")
	var got []string
	for _, s := range e.Shapes {
		got = append(got, fmt.Sprintf("%v %d", s.On.Names(u.Targets), s.Size))
	}
	same(t, "shapes", []string{"[linux/amd64 linux/arm64] 16", "[windows/amd64] 8"}, got)
	same(t, "changed", []int{1}, e.Changed)
	if e.Shape().Size != 16 {
		t.Errorf("the reference target's size is %d", e.Shape().Size)
	}
}

func TestAReleaseReadForFewerTargetsChangesNothing(t *testing.T) {
	// demoInfo is the same in 1.1.0rc1 and 1.1.0, but the candidate was not
	// read for linux/arm64.
	h := demo(t)
	h.Releases[1].Prerelease = false
	u, err := h.Range("1.1.0rc1", "1.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if changed := find(t, u.Records, "demoInfo").Changed; len(changed) > 0 {
		t.Errorf("changed in %v", changed)
	}
	// It changed from 1.0.0 on, on linux/arm64 as well.
	if u, err = h.Range("", ""); err != nil {
		t.Fatal(err)
	}
	same(t, "changed", []int{1, 2}, find(t, u.Records, "demoInfo").Changed)
}

func TestRemovedEnumeratorsStayWithTheirLastValue(t *testing.T) {
	u := demoRange(t, "", "")
	same(t, "removed", []string{"DEMO_FIRST []", "enum demoStatus_enum [{DEMO_ALIAS 0} {DEMO_OLD 7}]"}, func() []string {
		var got []string
		for _, e := range u.Enums {
			got = append(got, fmt.Sprintf("%s %v", e.Shape().Key(), e.Removed))
		}
		return got
	}())

	// Values move, names go and come back, targets differ.
	h := NewHistory("demo")
	add := func(label string, shapes ...Enum) {
		t.Helper()
		s := &Snapshot{Library: "demo", Targets: DefaultTargets, Release: Release{Label: label}}
		s.Enums = shapes
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	enum := func(on TargetSet, enumerators ...Enumerator) Enum {
		return Enum{Meta: Meta{On: on}, Name: "e", Enumerators: enumerators}
	}
	add("1.0.0", enum(0, Enumerator{"A", "1"}, Enumerator{"GONE", "2"}, Enumerator{"BACK", "3"}, Enumerator{"LOW", "-18446744073"}))
	add("2.0.0", enum(0, Enumerator{"A", "1"}, Enumerator{"GONE", "20"}))
	add("3.0.0",
		enum(0b011, Enumerator{"A", "1"}, Enumerator{"BACK", "30"}, Enumerator{"REFERENCE", "7"}),
		enum(0b100, Enumerator{"A", "1"}, Enumerator{"WINDOWS", "-5"}, Enumerator{"REFERENCE", "8"}))
	add("4.0.0",
		enum(0b011, Enumerator{"BACK", "30"}),
		enum(0b100, Enumerator{"A", "1"}))
	add("5.0.0") // the enum is gone, and keeps what it had last
	if u, err := h.Range("", ""); err != nil {
		t.Fatal(err)
	} else {
		e := u.Enums[0]
		same(t, "removed", []Enumerator{{"LOW", "-18446744073"}, {"WINDOWS", "-5"}, {"REFERENCE", "7"}, {"GONE", "20"}}, e.Removed)
		same(t, "changed", []int{1, 2, 3}, e.Changed)
		same(t, "first and last", []int{0, 3}, []int{e.First, e.Last})
		same(t, "the newest", []Enumerator{{"BACK", "30"}}, e.Shape().Enumerators)
	}
}

func TestTheReferenceTargetIsFirstWhateverWasReadFirst(t *testing.T) {
	h := NewHistory("demo")
	for i, label := range []string{"2.0.0", "1.0.0"} {
		s := &Snapshot{Library: "demo", Targets: []Target{WindowsAMD64, LinuxAMD64}, Release: Release{Label: label}}
		s.Constants = []Constant{
			{Meta: Meta{On: 0b01}, Name: "C", Type: mustType("int"), Value: "1"},
			{Meta: Meta{On: 0b10}, Name: "C", Type: mustType("int"), Value: fmt.Sprint(2 + i)},
		}
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	u, err := h.Range("", "")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "targets", []Target{LinuxAMD64, WindowsAMD64}, u.Targets)
	got := []string{u.Constants[0].Shapes[0].Value, u.Constants[0].Shapes[1].Value}
	same(t, "values of linux and windows", []string{"2", "1"}, got)
	same(t, "changed", []int{1}, u.Constants[0].Changed)
}
