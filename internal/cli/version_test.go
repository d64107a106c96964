package cli

import (
	"bytes"
	"regexp"
	"runtime/debug"
	"testing"
)

func TestVersions(t *testing.T) {
	built := func(version, revision string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		if revision != "" {
			info.Settings = []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}}
		}
		return info
	}
	const full = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		name, version, commit string
		info                  *debug.BuildInfo
		want                  string
	}{
		{"a release, linked in", "1.2.0", full, built("(devel)", ""), "1.2.0 (0123456789ab)"},
		{"linked in without a commit", "1.2.0", "", nil, "1.2.0"},
		{"the commit alone", "", full, built("v1.2.0", ""), "1.2.0 (0123456789ab)"},
		{"go install of a version", "", "", built("v1.2.0", ""), "1.2.0"},
		{"a version's own commit in a checkout", "", "", built("v1.2.0", full), "1.2.0 (0123456789ab)"},
		{"go install of a commit", "", "", built("v0.0.0-20261105083000-0123456789ab", ""), "devel (0123456789ab)"},
		{"a commit behind a version", "", "", built("v1.2.1-0.20261105083000-0123456789ab", ""), "devel (0123456789ab)"},
		{"a commit behind a candidate", "", "", built("v1.2.0-rc1.0.20261105083000-0123456789ab+dirty", ""), "devel (0123456789ab)"},
		{"a candidate", "", "", built("v1.2.0-rc1", ""), "1.2.0-rc1"},
		{"a checkout", "", "", built("(devel)", full), "devel (0123456789ab)"},
		{"a checkout without its history", "", "", built("(devel)", ""), "devel"},
		{"a short commit", "1.0", "abc", nil, "1.0 (abc)"},
		{"nothing known", "", "", nil, "devel"},
	} {
		if got := versionText(c.version, c.commit, c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestVersionFlag(t *testing.T) {
	var out, errs bytes.Buffer
	code := Run([]string{"--version"}, &out, &errs)
	if form := regexp.MustCompile(`^cybindgo \S+( \([0-9a-f]+\))?\n$`); code != 0 || errs.Len() != 0 || !form.Match(out.Bytes()) {
		t.Errorf("code %d, %q, %q", code, out.String(), errs.String())
	}
}
