package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func TestVersionedNames(t *testing.T) {
	u := &ir.Union{}
	for _, label := range []string{"12.0.0", "12.0.1", "12.9.2.0", "13.0.0rc1", "13.0.0", "13.10.1"} {
		u.Releases = append(u.Releases, ir.Release{Label: label})
	}
	for _, test := range []struct {
		name string
		want []string
	}{
		{"", nil},
		{"__{symbol}_{major}_{minor}", []string{"__%s_13_10", "__%s_13_0", "__%s_12_9", "__%s_12_0"}},
		{"{symbol}{major}v{minor}x", []string{"%s13v10x", "%s13v0x", "%s12v9x", "%s12v0x"}},
	} {
		if d := cmp.Diff(test.want, versioned(test.name, u)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

// The policy `symbol`: every symbol is public under its own name, once, as its
// newest declaration has it.
func TestSymbolsArePublicNames(t *testing.T) {
	in := committed(t)
	history := in.Histories["nvml"]
	u, err := history.Range("12.9.1", "13.5.0")
	if err != nil {
		t.Fatal(err)
	}
	functions, dropped := publicNames(u, in.Libraries["nvml"].Public)
	has := map[string]int{}
	for i := range functions {
		has[functions[i].public]++
		if functions[i].public != functions[i].symbol() {
			t.Errorf("%s is public for %s", functions[i].public, functions[i].symbol())
		}
	}
	if len(functions) != 413 || len(has) != 413 || len(dropped) != 0 {
		t.Errorf("%d functions, %d names, dropped %v", len(functions), len(has), dropped)
	}
	for name, want := range map[string]int{"nvmlInit_v2": 1, "nvmlInit": 0, "nvmlGetExcludedDeviceCount": 1, "nvmlGetBlacklistDeviceCount": 0, "nvmlDeviceGetMemoryInfo": 1, "nvmlDeviceGetMemoryInfo_v2": 1} {
		if has[name] != want {
			t.Errorf("%s is public %d times, want %d", name, has[name], want)
		}
	}
}
