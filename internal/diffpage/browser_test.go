package diffpage

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cybindgo/cybindgo/ir"
)

// browser finds Chromium. Where it is missing the test is left out, which is
// said where it is seen; in continuous integration it must be there.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "the page of `diff --format html` is not opened: there is no chromium on the PATH"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	fmt.Fprintln(os.Stderr, "!! "+missing+" !!")
	t.Skip(missing)
	return ""
}

// opened is the document that the browser made of a page, after its script.
func opened(t *testing.T, chromium, file, hash string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+filepath.ToSlash(file)+hash)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, stderr.String())
	}
	return stdout.String()
}

var (
	shownLine = regexp.MustCompile(`<output id="shown"[^>]*>([^<]*)</output>`)
	changeTag = regexp.MustCompile(`<li class="change"[^>]*>`)
	openCount = regexp.MustCompile(`<section class="([\w-]+)" aria-labelledby="[\w-]+">\s*<h2[^>]*>[^<]*<span class="count">([^<]*)</span>`)
)

// The script shows what the address asks for, and counts it.
func TestPageInABrowser(t *testing.T) {
	chromium := browser(t)
	h := driver(t)
	for _, c := range []struct {
		name, old, new, hash string
		shown                string
		sections             string // those that are not hidden, with their counts
	}{
		{"everything", "12.9.1", "13.0.0", "", "110 of 110 changes shown", "cython-abi 27, layout 2, source 3, behaviour 15, addition 57, other 2, noise 4"},
		{"a word", "12.9.1", "13.0.0", "#find=cuctxcreate", "4 of 110 changes shown", "cython-abi 3 of 27, behaviour 1 of 15"},
		{"words, all of them", "12.9.1", "13.0.0", "#find=tensor+ALIGNMENT", "1 of 110 changes shown", "layout 1 of 2"},
		{"classes", "12.9.1", "13.0.0", "#class=layout%2Csource", "5 of 110 changes shown", "layout 2, source 3"},
		{"a kind", "12.9.1", "13.0.0", "#kind=record", "", ""},
		{"nothing", "12.9.1", "13.0.0", "#find=nosuchname", "0 of 110 changes shown", ""},
		{"a place in the page", "12.9.1", "13.0.0", "#record-struct-CUtensorMap_st-alignment-changed", "110 of 110 changes shown", "cython-abi 27, layout 2, source 3, behaviour 15, addition 57, other 2, noise 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "changes.html")
			list := changes(t, h, c.old, c.new)
			if err := os.WriteFile(file, []byte(written(t, list, h)), 0o666); err != nil {
				t.Fatal(err)
			}
			document := opened(t, chromium, file, c.hash)
			m := shownLine.FindStringSubmatch(document)
			if m == nil || m[1] == "" {
				t.Fatalf("the script did not run:\n%.2000s", document)
			}
			if strings.Contains(document, `<form id="filter" role="search" aria-label="Filter the changes" hidden`) {
				t.Error("the filter is hidden")
			}
			visible := 0
			for _, tag := range changeTag.FindAllString(document, -1) {
				if !strings.Contains(tag, " hidden") {
					visible++
				}
			}
			if want := fmt.Sprintf("%d of %d changes shown", visible, len(list.List)); m[1] != want {
				t.Errorf("the page says %q; %q are not hidden", m[1], want)
			}
			if c.hash == "#kind=record" {
				want := 0
				for i := range list.List {
					if list.List[i].Subject == "record" {
						want++
					}
				}
				if visible != want || want == 0 {
					t.Errorf("%d changes of records are shown, there are %d", visible, want)
				}
				return
			}
			if m[1] != c.shown {
				t.Errorf("shown: %q, want %q", m[1], c.shown)
			}
			var sections []string
			for _, m := range openCount.FindAllStringSubmatch(document, -1) {
				sections = append(sections, m[1]+" "+m[2])
			}
			if got := strings.Join(sections, ", "); got != c.sections {
				t.Errorf("sections: %q, want %q", got, c.sections)
			}
			if none := !strings.Contains(document, `<p id="none" hidden`); none != (visible == 0) {
				t.Errorf("that nothing matches is said: %v", none)
			}
		})
	}
}

// A change of one platform is shown for it and for all.
func TestPageFiltersByPlatform(t *testing.T) {
	chromium := browser(t)
	h := ir.NewHistory("demo")
	for _, r := range []struct {
		label         string
		unix, windows int64
	}{{"1.0.0", 88, 56}, {"2.0.0", 96, 56}, {"3.0.0", 104, 64}} {
		s := &ir.Snapshot{Library: "demo", Targets: ir.DefaultTargets, Release: ir.Release{Label: r.label}}
		s.Records = []ir.Record{
			{Meta: ir.Meta{Header: "demo.h", On: 0b011}, Name: "demoBox", Size: r.unix, Align: 8},
			{Meta: ir.Meta{Header: "demo.h", On: 0b100}, Name: "demoBox", Size: r.windows, Align: 8},
		}
		if err := h.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "changes.html")
	for _, c := range []struct{ old, new, hash, shown string }{
		{"1.0.0", "2.0.0", "#on=windows/amd64", "0 of 1 changes shown"},
		{"1.0.0", "2.0.0", "#on=linux/arm64", "1 of 1 changes shown"},
		{"2.0.0", "3.0.0", "#on=windows/amd64", "1 of 2 changes shown"},
		{"2.0.0", "3.0.0", "", "2 of 2 changes shown"},
	} {
		if err := os.WriteFile(file, []byte(written(t, changes(t, h, c.old, c.new), h)), 0o666); err != nil {
			t.Fatal(err)
		}
		if text := written(t, changes(t, h, c.old, c.new), h); !strings.Contains(text, " Of some platforms only: ") {
			t.Errorf("%s..%s: that platforms differ is not said", c.old, c.new)
		}
		if m := shownLine.FindStringSubmatch(opened(t, chromium, file, c.hash)); m == nil || m[1] != c.shown {
			t.Errorf("%s..%s%s: %q, want %q", c.old, c.new, c.hash, m, c.shown)
		}
	}
}

// Without the script all is there, and the filter is not.
func TestPageWithoutScript(t *testing.T) {
	h := driver(t)
	text := written(t, changes(t, h, "12.9.1", "13.0.0"), h)
	if !strings.Contains(text, `aria-label="Filter the changes" hidden>`) || strings.Contains(text, `data-platforms="" hidden`) {
		t.Error("the filter is shown, or changes are hidden, before the script ran")
	}
}
