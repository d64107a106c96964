package guard

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/finding"
)

func TestDrift(t *testing.T) {
	want := []byte("a\nb\nc\n")
	out := &emit.Output{Files: map[string][]byte{"p/same": want, "p/missing": want, "p/changed": want, "p/edited": want, "p/crlf": want}}
	states := []emit.FileState{
		{Path: "p/changed", State: emit.Changed, Old: []byte("a\nB\nc\n")},
		{Path: "p/crlf", State: emit.LineEnds, Old: []byte("a\nb\r\nc\r\n")},
		{Path: "p/edited", State: emit.Edited, Old: []byte("a\r\nb\r\nc\r\nd\r\n"), Seal: &emit.SealError{Reason: emit.ErrNoSeal}},
		{Path: "p/missing", State: emit.Missing},
		{Path: "p/same", State: emit.Same, Old: want},
		{Path: "p/stale", State: emit.Stale, Old: want},
		{Path: "p/unknown", State: emit.Unknown, Old: want},
		{Path: "p/worked", State: emit.Unknown, Old: want, Seal: &emit.SealError{Reason: emit.ErrSealDigest}},
	}
	at := func(file string, line int) finding.Place { return finding.Place{File: "root/p/" + file, Line: line} }
	wantFindings := []finding.Finding{
		{
			Rule: "changed", Severity: finding.Error, Place: at("changed", 2),
			Message: "differs from what is generated", Hint: "run `cybindgo generate`",
			Diff: "--- a/p/changed\n+++ b/p/changed\n@@ -1,3 +1,3 @@\n a\n-B\n+b\n c\n",
		},
		{
			Rule: "line-ends", Severity: finding.Error, Place: at("crlf", 2),
			Message: "line endings are CRLF, expected LF; nothing else differs",
			Hint:    "set `eol=lf` for it in .gitattributes and run `cybindgo generate`",
		},
		{
			Rule: "edited", Severity: finding.Error, Place: at("edited", 4),
			Message: "no seal: the file is not a generated one, or its seal line was removed",
			Hint:    "restore it, or move the edit into the configuration or a snippet file; `cybindgo generate --force` overwrites it",
			Diff:    "--- a/p/edited\n+++ b/p/edited\n@@ -1,4 +1,3 @@\n a\n b\n c\n-d\n",
		},
		{
			Rule: "missing", Severity: finding.Error, Place: at("missing", 0),
			Message: "missing: the configuration asks for this file", Hint: "run `cybindgo generate`",
		},
		{Rule: "stale", Severity: finding.Error, Place: at("stale", 0), Message: "stale: it is generated no more", Hint: "delete it"},
		{
			Rule: "unknown", Severity: finding.Warning, Place: at("unknown", 0),
			Message: "unknown: marked as generated, and not a file that cybindgo generates here",
			Hint:    "delete it, or move it out of the package's folder",
		},
		{
			Rule: "unknown", Severity: finding.Warning, Place: at("worked", 0),
			Message: "unknown: marked as generated, and not a file that cybindgo generates here; the content does not match the seal: the file was edited",
			Hint:    "delete it, or move it out of the package's folder",
		},
	}
	name := func(p string) string { return "root/" + p }
	r := Drift(out, states, name, true)
	if diff := cmp.Diff(wantFindings, r.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if want := "7 of 8 files are not as generated"; r.Summary != want || r.Files != 8 || r.Command != "check" {
		t.Errorf("%s: %q, %d files; want %q, 8 files", r.Command, r.Summary, r.Files, want)
	}
	for _, f := range Drift(out, states, name, false).Findings {
		if f.Diff != "" {
			t.Errorf("%s: a diff that nobody asked for", f.File)
		}
	}
	if r := Drift(out, states[4:5], name, true); len(r.Findings) > 0 || r.Summary != "1 files are as generated" {
		t.Errorf("a clean tree: %q, %v", r.Summary, r.Findings)
	}
}

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"a\nb\n", "x\nb\n", 1}, {"a\nb\n", "a\nx\n", 2}, {"a\nb\n", "a\n", 2}, {"a\n", "a\nb\n", 1}, {"a", "a\n", 1}, {"", "a\n", 1}, {"a\nbc\n", "a\nbd\n", 2},
	} {
		if got := firstDifference(c.a, c.b); got != c.want {
			t.Errorf("firstDifference(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestLongDiffs: a file of 20,000 lines of which each differs takes no time
// that anybody notices.
func TestLongDiffs(t *testing.T) {
	var old, new strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&old, "line %d of the old file\n", i)
		fmt.Fprintf(&new, "line %d of the new file\n", i)
	}
	out := &emit.Output{Files: map[string][]byte{"p": []byte(new.String())}}
	start := time.Now()
	r := Drift(out, []emit.FileState{{Path: "p", State: emit.Changed, Old: []byte(old.String())}}, func(p string) string { return p }, true)
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
	if n := strings.Count(r.Findings[0].Diff, "\n"); n != 40003 {
		t.Errorf("%d lines of diff, want 40003", n)
	}
	var b strings.Builder
	if err := r.Print(&b, finding.Text, 40); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "    ... 39963 more lines of the diff; --diff-lines=-1 prints all\n") || strings.Count(b.String(), "\n") != 44 {
		t.Errorf("printed %d lines:\n%s", strings.Count(b.String(), "\n"), b.String()[:500])
	}
}
