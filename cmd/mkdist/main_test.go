package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/pack"
)

func TestArguments(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "")
	j, err := parse([]string{"-version", "v1.2.0-rc.1", "-platform", "windows/amd64,linux/arm64", "all"})
	if err != nil {
		t.Fatal(err)
	}
	if j.version != "1.2.0rc1" || !j.wheels || !j.archives || len(j.platforms) != 2 || j.platforms[0].String() != "windows/amd64" || !j.at.Equal(pack.FirstTime) {
		t.Errorf("%+v", j)
	}
	if j, err = parse([]string{"wheels"}); err != nil || j.version != "0.0.0.dev0" || !j.wheels || j.archives || len(j.platforms) != 4 {
		t.Errorf("%+v, %v", j, err)
	}
	const names = "linux/amd64, linux/arm64, darwin/arm64, windows/amd64"
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "expected what to make: wheels, archives or all"},
		{[]string{"wheel"}, "expected what to make: wheels, archives or all"},
		{[]string{"wheels", "archives"}, "expected what to make: wheels, archives or all"},
		{[]string{"-version", "newest", "all"}, `the version "newest": expected one of Python, such as 1.2.0 or 1.2.0rc1`},
		{[]string{"-platform", "linux", "all"}, `platform "linux": expected some of ` + names},
	} {
		if _, err := parse(c.args); err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.args, err, c.want)
		}
	}
}

func TestSourceDate(t *testing.T) {
	for _, c := range []struct{ epoch, want, err string }{
		{"", "1980-01-01T00:00:00Z", ""},
		{"0", "1980-01-01T00:00:00Z", ""},
		{"1793795441", "2026-11-04T12:30:41Z", ""},
		{"today", "", `SOURCE_DATE_EPOCH "today": expected seconds since 1970`},
		{"99999999999", "", `SOURCE_DATE_EPOCH "99999999999": expected seconds since 1970`},
	} {
		at, err := sourceDate(c.epoch)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%q: %v, want %s", c.epoch, err, c.err)
			}
			continue
		}
		if got := at.Format(time.RFC3339); err != nil || got != c.want {
			t.Errorf("%q: %s, %v, want %s", c.epoch, got, err, c.want)
		}
	}
}

func TestManual(t *testing.T) {
	j := &job{version: "1.2.0", at: time.Date(2026, 11, 4, 0, 0, 0, 0, time.UTC)}
	files, err := writeManual(j)
	if err != nil {
		t.Fatal(err)
	}
	again, err := writeManual(j)
	if d := cmp.Diff(files, again); err != nil || d != "" {
		t.Errorf("the second time: %v\n%s", err, d)
	}
	text := map[string]string{}
	for _, f := range files {
		text[f.Name] = string(f.Data)
	}
	for _, name := range []string{"completions/_cybindgo", "completions/cybindgo.bash", "completions/cybindgo.fish", "completions/cybindgo.ps1"} {
		if !strings.Contains(text[name], "cybindgo") {
			t.Errorf("%s has %d bytes", name, len(text[name]))
		}
	}
	check := text["man/man1/cybindgo-check.1"]
	if want := `.TH "CYBINDGO-CHECK" "1" "Nov 2026" "cybindgo 1.2.0" "cybindgo"`; !strings.Contains(check, want) {
		t.Errorf("the page of check lacks %s:\n%s", want, check)
	}
	if want := ".EX\n  missing     the configuration asks for it\n"; !strings.Contains(check, want) {
		t.Errorf("the list of findings is no list:\n%s", check)
	}
	if _, ok := text["man/man1/cybindgo-releases-add.1"]; !ok {
		t.Error("no page for releases add")
	}
}

func TestLicencesOfAModule(t *testing.T) {
	dir := t.TempDir()
	if _, err := licencesIn(dir); err == nil || err.Error() != "no licence in "+dir {
		t.Errorf("a module without one: %v", err)
	}
	for name, text := range map[string]string{"LICENSE-MIT": "one\r\ntwo\n\n", "NOTICE": "three", "licenses.go": "no", "COPYING.txt": "four\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := licencesIn(dir)
	var got []string
	for _, text := range texts {
		got = append(got, string(text))
	}
	if d := cmp.Diff([]string{"four\n", "one\ntwo\n", "three\n"}, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
}

// The tags promise what the Go version in go.mod needs at least.
func TestPlatformsFollowGo(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^go (1\.\d+)`).FindSubmatch(mod)
	if m == nil || string(m[1]) != "1.26" {
		t.Fatalf("go.mod names Go %s: look up which macOS it needs, and set the wheels' tag", m)
	}
	i := slices.IndexFunc(platforms, func(p platform) bool { return p.os == "darwin" })
	if d := cmp.Diff([]string{"macosx_12_0_arm64"}, platforms[i].tags); d != "" {
		t.Error(d)
	}
}
