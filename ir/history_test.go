package ir

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestAHistoryGivesBackWhatWasAdded(t *testing.T) {
	h := demo(t)
	for _, s := range demoSnapshots() {
		same(t, "at "+s.Release.Label, s.Stripped(), at(t, h, s.Release.Label))
	}
}

func TestStrippedLeavesTheSnapshotAsItIs(t *testing.T) {
	s, want := demoSnapshots()[0], demoSnapshots()[0]
	c := s.Stripped()
	same(t, "the snapshot", want, s)
	if c.Functions[0].Name != "demoAlloc" || c.Functions[0].Pos != (Position{}) {
		t.Errorf("stripped to %+v", c.Functions[0])
	}
}

// permutations calls f with every order of 0..n-1.
func permutations(n int, f func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var rec func(int)
	rec = func(k int) {
		if k == n {
			f(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			rec(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	rec(0)
}

func TestTheOrderOfAddingMakesNoDifference(t *testing.T) {
	want := string(historyOf(t, demoSnapshots()...).Encode())
	permutations(3, func(order []int) {
		var list []*Snapshot
		for _, i := range order {
			list = append(list, demoSnapshots()[i])
		}
		same(t, fmt.Sprint("added in the order ", order), want, string(historyOf(t, list...).Encode()))
	})
}

func TestReleasesStandInTheOrderOfVersions(t *testing.T) {
	labels := []string{"9.2.148", "12.8.0", "12.8.2.0", "12.10.0", "13.4.0rc1", "13.4.0", "13.4.2"}
	permuted := slices.Clone(labels)
	slices.Reverse(permuted)
	permuted[2], permuted[5] = permuted[5], permuted[2]
	h := NewHistory("demo")
	for _, label := range permuted {
		if err := h.Add(&Snapshot{Library: "demo", Targets: DefaultTargets, Release: Release{Label: label}}); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "labels", labels, h.Labels())
}

func TestRemoveAndAddAgainGivesTheSameBytes(t *testing.T) {
	want := string(demo(t).Encode())
	for _, s := range demoSnapshots() {
		h := demo(t)
		if err := h.Remove(s.Release.Label); err != nil {
			t.Fatal(err)
		}
		if h.Has(s.Release.Label) {
			t.Errorf("%s is still there", s.Release.Label)
		}
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
		same(t, "without and with "+s.Release.Label, want, string(h.Encode()))
	}
}

func TestRemoveLeavesNoTrace(t *testing.T) {
	all := demoSnapshots()
	for i, s := range all {
		h := historyOf(t, all...)
		if err := h.Remove(s.Release.Label); err != nil {
			t.Fatal(err)
		}
		others := slices.Delete(slices.Clone(all), i, i+1)
		same(t, "without "+s.Release.Label, string(historyOf(t, others...).Encode()), string(h.Encode()))
	}
}

func TestTargetsAreThoseOfTheReleases(t *testing.T) {
	h := NewHistory("demo")
	f := Function{Name: "f", Symbol: "f", Type: mustType("void()")}
	first := &Snapshot{Library: "demo", Targets: []Target{"aix/ppc64", WindowsAMD64}, Release: Release{Label: "2.0.0"},
		API: API{Functions: []Function{f}}}
	first.Functions[0].On = 0b10
	second := &Snapshot{Library: "demo", Targets: []Target{LinuxAMD64}, Release: Release{Label: "1.0.0"}, API: API{Functions: []Function{f}}}
	for _, s := range []*Snapshot{first, second} {
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "targets", []Target{LinuxAMD64, WindowsAMD64, "aix/ppc64"}, h.Targets)
	same(t, "2.0.0", first.Stripped(), at(t, h, "2.0.0"))
	same(t, "1.0.0", second.Stripped(), at(t, h, "1.0.0"))
	if err := h.Remove("2.0.0"); err != nil {
		t.Fatal(err)
	}
	same(t, "targets without 2.0.0", []Target{LinuxAMD64}, h.Targets)
	if err := h.Remove("1.0.0"); err != nil {
		t.Fatal(err)
	}
	same(t, "nothing left", string(NewHistory("demo").Encode()), string(h.Encode()))
}

func TestAReleaseThatChangesNothingIsOneMoreLine(t *testing.T) {
	copyOf := func(s *Snapshot, label string) *Snapshot {
		c := *s
		c.Release = demoRelease(label)
		return &c
	}
	newest := demoSnapshots()[2]
	for _, c := range []struct {
		name  string
		h     *History
		added *Snapshot
	}{
		{"after the newest", demo(t), copyOf(newest, "2.0.0")},
		{"between two that are the same", historyOf(t, append(demoSnapshots(), copyOf(newest, "1.3.0"))...), copyOf(newest, "1.2.0")},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := strings.Split(string(c.h.Encode()), "\n")
			if err := c.h.Add(c.added); err != nil {
				t.Fatal(err)
			}
			after := strings.Split(string(c.h.Encode()), "\n")
			// A line gets its comma when it is the last no more.
			isNew := func(line string) bool {
				return !slices.Contains(before, line) && !slices.Contains(before, strings.TrimSuffix(line, ","))
			}
			var added []string
			for _, line := range after {
				if isNew(line) {
					added = append(added, strings.TrimSuffix(line, ","))
				}
			}
			label := c.added.Release.Label
			want := []string{`{"release":"` + label + `","date":"2025-03-01","components":{"demo-profiler":"` + label + `","demo-runtime":"` + label + `.7"},"headers":{"demo.h":"0a0b","demoGL.h":"0c0d"}}`}
			same(t, "added lines", want, added)
			if len(after) != len(before)+1 {
				t.Errorf("%d lines became %d", len(before), len(after))
			}
		})
	}
}

func TestWhatCannotBeAddedIsRefusedAndChangesNothing(t *testing.T) {
	s := func(change func(*Snapshot)) *Snapshot {
		s := demoSnapshots()[0]
		s.Release.Label = "3.0.0"
		change(s)
		return s
	}
	for _, c := range []struct {
		name string
		s    *Snapshot
		want string
	}{
		{"a release twice", demoSnapshots()[1], "release 1.1.0rc1 is in the history of demo already"},
		{"a release in another spelling", s(func(s *Snapshot) { s.Release.Label = "1.0.0.0" }), "release 1.0.0 is in the history of demo already"},
		{"another library", s(func(s *Snapshot) { s.Library = "nvrtc" }), "a snapshot of nvrtc does not belong in the history of demo"},
		{"no version", s(func(s *Snapshot) { s.Release.Label = "newest" }), `release "newest": expected a full version such as 13.5.0, 12.8.2.0 or 13.4.0rc1`},
		{"no targets", s(func(s *Snapshot) { s.Targets = nil }), "the snapshot of demo 3.0.0 has 0 targets, expected 1 to 32"},
		{"an entity twice", s(func(s *Snapshot) { s.Constants = append(s.Constants, s.Constants[0]) }), `the snapshot of demo 3.0.0 has "DEMO_VERSION" twice for one target`},
		{"an entity twice on one target", s(func(s *Snapshot) { s.Records[2].On = 0b110 }), `the snapshot of demo 3.0.0 has "demoInfo" twice for one target`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := demo(t)
			err := h.Add(c.s)
			if err == nil {
				t.Fatal("accepted")
			}
			if err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			same(t, "the history", demoJSON, string(h.Encode()))
		})
	}
}

func TestAnUnknownReleaseGetsAHint(t *testing.T) {
	h := demo(t)
	want := `demo has no release "1.1.0rc2"; it has 1.0.0, 1.1.0rc1, 1.1.0; did you mean 1.1.0rc1?`
	_, atErr := h.At("1.1.0rc2")
	_, findErr := h.Find("1.1.0rc2")
	_, rangeErr := h.Range("1.1.0rc2", "")
	_, rangeToErr := h.Range("", "1.1.0rc2")
	for _, err := range []error{atErr, findErr, h.Remove("1.1.0rc2"), rangeErr, rangeToErr} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v", err)
		}
	}
	long := NewHistory("demo")
	for minor := range 11 {
		s := &Snapshot{Library: "demo", Release: Release{Label: fmt.Sprintf("1.%d", minor)}, Targets: []Target{LinuxAMD64}}
		if err := long.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := long.At("1.12"); err == nil || err.Error() != `demo has no release "1.12"; it has 11, from 1.0 to 1.10; did you mean 1.1?` {
		t.Errorf("got %v", err)
	}
	if _, err := NewHistory("demo").At("1.0.0"); err == nil || err.Error() != `demo has no release "1.0.0": its history is empty` {
		t.Errorf("got %v", err)
	}
	if i, err := h.Find("1.1.0"); i != 2 || err != nil {
		t.Errorf("Find(1.1.0) = %d, %v", i, err)
	}
}
