package ir

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATargetHasAnOSAndAnArch(t *testing.T) {
	got, err := ParseTarget("windows/amd64")
	if err != nil || got != WindowsAMD64 || got.OS() != "windows" || got.Arch() != "amd64" {
		t.Errorf("%q %v: OS %q, Arch %q", got, err, got.OS(), got.Arch())
	}
	for _, s := range []string{"", "linux", "/", "linux/", "/amd64", "linux/arm/v7"} {
		_, err := ParseTarget(s)
		if err == nil {
			t.Errorf("%q was accepted", s)
			continue
		}
		if want := `target "` + s + `": expected os/arch, such as linux/amd64`; err.Error() != want {
			t.Errorf("got %s, want %s", err, want)
		}
	}
}

func TestTargetSets(t *testing.T) {
	abc := []Target{"a/a", "b/b", "c/c"}
	for _, c := range []struct {
		name  string
		set   TargetSet
		names []Target
		first int
		spelt TargetSet
	}{
		{"zero is all", 0, abc, 0, 0b111},
		{"the first", 0b001, abc[:1], 0, 0b001},
		{"the last", 0b100, abc[2:], 2, 0b100},
		{"two", 0b110, abc[1:], 1, 0b110},
		{"all spelt out", 0b111, abc, 0, 0b111},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.names, c.set.Names(abc)); diff != "" {
				t.Error(diff)
			}
			for i, target := range abc {
				if c.set.Has(i) != slices.Contains(c.names, target) {
					t.Errorf("Has(%d) = %v", i, c.set.Has(i))
				}
			}
			if got := c.set.firstBit(); got != c.first {
				t.Errorf("firstBit = %d, want %d", got, c.first)
			}
			if got := c.set.spell(3); got != c.spelt {
				t.Errorf("spell = %b, want %b", got, c.spelt)
			}
			short := c.set
			if len(c.names) == 3 {
				short = 0
			}
			if got := c.set.short(3); got != short {
				t.Errorf("short = %b, want %b", got, short)
			}
		})
	}
}

func TestTargetSetsMoveToOtherLists(t *testing.T) {
	from := []Target{"a/a", "b/b", "c/c"}
	to := []Target{"c/c", "x/x", "a/a", "b/b"}
	for set, want := range map[TargetSet]TargetSet{0b001: 0b0100, 0b010: 0b1000, 0b101: 0b0101, 0b111: 0b1101, 0: 0b1101} {
		moved := set.move(from, to)
		if moved != want {
			t.Errorf("%b moved to %b, want %b", set, moved, want)
		}
		if back := moved.move(to, from); back != set.spell(3) {
			t.Errorf("%b moved back to %b", set, back)
		}
	}
}

func TestTheReferenceTargetComesFirst(t *testing.T) {
	list := []Target{"aix/ppc64", "windows/amd64", "windows/arm64", "linux/arm64", "linux/amd64"}
	slices.SortFunc(list, Target.compare)
	want := []Target{LinuxAMD64, LinuxARM64, WindowsAMD64, "aix/ppc64", "windows/arm64"}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
}
