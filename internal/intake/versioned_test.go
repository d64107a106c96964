package intake

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func TestSpellingsAreNoFunctions(t *testing.T) {
	snapshot := func() *ir.Snapshot {
		return &ir.Snapshot{API: ir.API{Functions: []ir.Function{
			{Name: "__demoRun_13_5", Symbol: "__demoRun_13_5"},
			{Name: "__demoStop_13_5", Symbol: "__demoStop_13_5"}, // nothing public stands for it
			{Name: "demoHelp", Symbol: "demoHelp", Inline: true}, // nothing is exported for it
			{Name: "demoRun", Symbol: "demoRun", Inline: true},
			{Name: "demoVersion", Symbol: "demoVersion"},
		}}}
	}
	s := snapshot()
	if n := underPublicNames(s, "__{symbol}_{major}_{minor}"); n != 1 {
		t.Errorf("%d spellings", n)
	}
	want := []ir.Function{
		{Name: "__demoStop_13_5", Symbol: "__demoStop_13_5"},
		{Name: "demoHelp", Symbol: "demoHelp", Inline: true},
		{Name: "demoRun", Symbol: "demoRun"},
		{Name: "demoVersion", Symbol: "demoVersion"},
	}
	if d := cmp.Diff(want, s.Functions); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	s = snapshot()
	if n := underPublicNames(s, ""); n != 0 || !cmp.Equal(s.Functions, snapshot().Functions) {
		t.Errorf("without a rule: %d spellings, %v", n, s.Functions)
	}
}
