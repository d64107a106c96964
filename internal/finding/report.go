package finding

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// Report is what one command found, ready to be printed.
type Report struct {
	Command  string    // the command's name: check, verify, align, audit
	Rules    []Rule    // what the command can find, in a fixed order
	Findings []Finding // in the order to print
	Files    int       // how many files were looked at
	Summary  string    // one line for people: how many of what
	// Source gives the content of a file, by the name that findings use, or
	// nil. It may be nil itself: then columns of text outside ASCII are a
	// little off in formats that count letters.
	Source func(file string) []byte
}

// Rule is a kind of finding.
type Rule struct {
	ID       string // as in Finding.Rule
	Severity Severity
	Text     string // what it means that there is one, in one sentence
	Help     string // why it matters and what to do
}

// Count is a number with what it counts: 1 file, 2 files.
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Failed reports whether any finding is worse than a note: then a command
// exits with 1.
func Failed(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity != Note })
}

// Format is how findings are printed.
type Format string

// The formats.
const (
	Text   Format = "text"   // for people: places that editors and terminals follow
	JSON   Format = "json"   // for programs: see PrintJSON for the shape
	GitHub Format = "github" // annotations of a GitHub Actions run
	SARIF  Format = "sarif"  // SARIF 2.1.0, for code scanners
)

// Formats are all formats.
var Formats = []Format{Text, JSON, GitHub, SARIF}

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	var f Format
	return f, f.Set(name)
}

// Set is ParseFormat; with String and Type it makes a Format the value of a
// command-line flag.
func (f *Format) Set(name string) error {
	if !slices.Contains(Formats, Format(name)) {
		names := make([]string, len(Formats))
		for i, f := range Formats {
			names[i] = string(f)
		}
		last := len(names) - 1
		return fmt.Errorf("format %q: expected %s or %s%s", name, strings.Join(names[:last], ", "), names[last], suggest.Hint(name, names))
	}
	*f = Format(name)
	return nil
}

func (f *Format) String() string { return string(*f) }

// Type names the flag's value in help.
func (f *Format) Type() string { return "FORMAT" }

// AllLines, as a number of lines, is no limit.
const AllLines = -1

// Print prints a report. diffLines is the most lines of each finding's diff to
// print as text, or AllLines; other formats hold a diff whole, and none if it
// is 0.
func (r *Report) Print(w io.Writer, format Format, diffLines int) error {
	if diffLines == 0 {
		r = r.withoutDiffs()
	}
	switch format {
	case JSON:
		return r.printJSON(w)
	case GitHub:
		return r.printGitHub(w)
	case SARIF:
		return r.printSARIF(w)
	}
	return r.printText(w, diffLines)
}

func (r *Report) withoutDiffs() *Report {
	c := *r
	c.Findings = slices.Clone(r.Findings)
	for i := range c.Findings {
		c.Findings[i].Diff = ""
	}
	return &c
}
