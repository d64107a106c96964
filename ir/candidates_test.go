package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCandidatesAreNewestFirst(t *testing.T) {
	h := NewHistory("demo")
	for _, r := range []struct{ label, symbol string }{
		{"1.0.0", "__demoCreate_1_0"}, {"1.1.0", "__demoCreate_1_1"}, {"2.0.0", "__demoCreate_2_0"},
	} {
		s := &Snapshot{Library: "demo", Targets: []Target{LinuxAMD64}, Release: Release{Label: r.label}}
		typ, err := ParseType("int(void** out)")
		if err != nil {
			t.Fatal(err)
		}
		s.Functions = []Function{{Name: "demoCreate", Symbol: r.symbol, Type: typ}}
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	u, err := h.Range("", "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"__demoCreate_2_0", "__demoCreate_1_1", "__demoCreate_1_0"}
	if d := cmp.Diff(want, u.Candidates("demoCreate")); d != "" {
		t.Errorf("candidates (-want +got):\n%s", d)
	}
	if got := u.Candidates("demoNone"); got != nil {
		t.Errorf("candidates of an unknown name: %v", got)
	}
}
