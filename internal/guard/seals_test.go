package guard

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/finding"
)

func sealLine(rest string) string {
	return fmt.Sprintf("# CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE: format=1; content-sha256=%x\n", sha256.Sum256([]byte(rest)))
}

// tree writes files below a fresh folder and goes there.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSeals(t *testing.T) {
	good := "# top\n" + sealLine("# top\nx = 1\n") + "x = 1\n"
	tree(t, map[string]string{
		"t/good.pyx":         good,
		"t/deep/er/good.pyi": good,
		"t/edited.pxd":       good + "y\n",
		"t/filled.pxi":       strings.Replace(good, "x = 1", "x = 2", 1),
		"t/filled.pxi.in":    good,
		"t/twice.py":         good + good,
		"t/form.toml":        "# CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE: format=1\n",
		"t/crlf.pyx":         strings.ReplaceAll(good, "\n", "\r\n"),
		"t/plain.py":         "x = 1\n",
		"t/notes.txt":        "x = 1\n",
		"t/.git/edited.pyx":  good + "y\n",
		"t/image.png":        good + "y\n",
	})
	at := func(file string, line int) finding.Place { return finding.Place{File: file, Line: line} }
	edited := finding.Finding{
		Rule: "broken-seal", Severity: finding.Error, Place: at("t/edited.pxd", 2),
		Message: "the content does not match the seal: the file was edited",
		Hint:    "restore it, or move the edit to where it is generated from",
	}
	filled := edited
	filled.Place = at("t/filled.pxi", 2)
	filled.Related = []finding.Related{{Place: at("t/filled.pxi.in", 2), Message: "this template has the same seal: the file was made from it, seal and all"}}
	noSeal := func(file string) finding.Finding {
		return finding.Finding{
			Rule: "no-seal", Severity: finding.Error, Place: at(file, 0),
			Message: "no seal: the file is not a generated one, or its seal line was removed", Hint: "generate it again, or leave it out",
		}
	}
	crlf := finding.Finding{
		Rule: "line-ends", Severity: finding.Error, Place: at("t/crlf.pyx", 1),
		Message: "the file has CRLF line ends; with LF the seal matches: set `eol=lf` in .gitattributes",
	}
	walked := []finding.Finding{
		crlf, edited, filled,
		{
			Rule: "malformed-seal", Severity: finding.Error, Place: at("t/form.toml", 1),
			Message: "malformed seal: expected format=1; content-sha256= and 64 hexadecimal digits", Hint: "generate it again",
		},
		{
			Rule: "two-seals", Severity: finding.Error, Place: at("t/twice.py", 5),
			Message: "more than one seal line", Hint: "generate it again",
			Related: []finding.Related{{Place: at("t/twice.py", 2), Message: "the first seal line"}},
		},
	}
	for _, c := range []struct {
		paths   []string
		all     bool
		want    []finding.Finding
		summary string
	}{
		{[]string{"t"}, false, walked, "8 files checked, 5 wrong"},
		{[]string{"t/", "./t/deep", "t/good.pyx"}, false, walked, "8 files checked, 5 wrong"},
		{[]string{"t"}, true, append(append([]finding.Finding{}, walked[:4]...), noSeal("t/plain.py"), walked[4]), "9 files checked, 6 wrong"},
		{[]string{"t/plain.py", "t/notes.txt", "t/good.pyx"}, false, []finding.Finding{noSeal("t/notes.txt"), noSeal("t/plain.py")}, "3 files checked, 2 wrong"},
		{[]string{"t/.git"}, false, []finding.Finding{{
			Rule: "broken-seal", Severity: finding.Error, Place: at("t/.git/edited.pyx", 2), Message: edited.Message, Hint: edited.Hint,
		}}, "1 file checked, 1 wrong"},
		{[]string{"t/deep"}, false, nil, "1 file checked: every seal is valid"},
	} {
		r, err := Seals(c.paths, c.all)
		if err != nil {
			t.Errorf("%v: %v", c.paths, err)
			continue
		}
		if diff := cmp.Diff(c.want, r.Findings); diff != "" {
			t.Errorf("%v, all %v (-want +got):\n%s", c.paths, c.all, diff)
		}
		if r.Summary != c.summary {
			t.Errorf("%v, all %v: %q, want %q", c.paths, c.all, r.Summary, c.summary)
		}
	}
}

func TestSealsOfNothing(t *testing.T) {
	tree(t, map[string]string{"empty/plain.py": "x = 1\n"})
	for path, want := range map[string]string{
		"nowhere": "nowhere",
		"empty":   "empty: no sealed file there: expected generated files, or folders that hold some",
	} {
		if _, err := Seals([]string{path}, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestPublishedSeals holds the reader against files that another program
// sealed. Of 12.9.10's wrong ones all but the last were made from a sealed
// template with the template's seal left in them.
func TestPublishedSeals(t *testing.T) {
	published := os.Getenv("CYBINDGO_PUBLISHED")
	if published == "" {
		t.Fatal("CYBINDGO_PUBLISHED is not set: `make setup` says how to get the published packages")
	}
	bindings := "12.9.10/cuda/bindings/"
	for _, c := range []struct {
		release string
		files   int
		broken  []string
	}{
		{"13.5.0", 31, nil},
		{"12.9.10", 76, []string{
			bindings + "_bindings/cyruntime.pxd < template", bindings + "_bindings/cyruntime.pyx < template",
			bindings + "_bindings/cyruntime_ptds.pxd < template", bindings + "_bindings/cyruntime_ptds.pyx < template",
			bindings + "cyruntime.pxd < template", bindings + "cyruntime.pyx < template",
			bindings + "cyruntime_functions.pxi < template", bindings + "runtime.pxd < template",
			bindings + "runtime.pyx < template", bindings + "runtime.pyx.in",
		}},
	} {
		r, err := Seals([]string{filepath.Join(published, c.release)}, false)
		if err != nil {
			t.Fatal(err)
		}
		var broken []string
		for _, f := range r.Findings {
			if f.Rule != "broken-seal" || f.Line == 0 {
				t.Errorf("%s: %s in line %d", f.File, f.Rule, f.Line)
			}
			name, err := filepath.Rel(published, f.File)
			if err != nil {
				t.Fatal(err)
			}
			if name = filepath.ToSlash(name); len(f.Related) > 0 {
				name += " < template"
			}
			broken = append(broken, name)
		}
		if diff := cmp.Diff(c.broken, broken); diff != "" || r.Files != c.files {
			t.Errorf("%s: %d files, want %d; broken (-want +got):\n%s", c.release, r.Files, c.files, diff)
		}
	}
}

// BenchmarkSeals reads both published packages.
func BenchmarkSeals(b *testing.B) {
	published := os.Getenv("CYBINDGO_PUBLISHED")
	if published == "" {
		b.Fatal("CYBINDGO_PUBLISHED is not set: `make setup` says how to get the published packages")
	}
	for b.Loop() {
		if _, err := Seals([]string{filepath.Join(published, "12.9.10"), filepath.Join(published, "13.5.0")}, false); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "threads")
}
