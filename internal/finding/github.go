package finding

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// printGitHub prints a workflow command for each finding, which GitHub Actions
// shows beside the line, and the summary as a line of the log. A diff is left
// out: annotations are short.
//
// The commands are those of
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
func (r *Report) printGitHub(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		level := "error"
		switch f.Severity {
		case Warning:
			level = "warning"
		case Note:
			level = "notice"
		}
		fmt.Fprintf(b, "::%s file=%s", level, escapeProperty(f.File))
		number := func(name string, n int) {
			if n > 0 {
				fmt.Fprintf(b, ",%s=%d", name, n)
			}
		}
		number("line", f.Line)
		number("endLine", f.EndLine)
		// Columns of a range over several lines are refused.
		if f.EndLine == 0 || f.EndLine == f.Line {
			number("col", r.letters(f.Place, f.Line, f.Col))
			if f.EndCol > 0 {
				number("endColumn", r.letters(f.Place, f.EndLine, f.EndCol+1)-1)
			}
		}
		text := f.Message
		for _, o := range f.Related {
			text += "\n" + o.Place.String() + ": " + o.Message
		}
		if f.Hint != "" {
			text += "\n" + f.Hint
		}
		fmt.Fprintf(b, ",title=%s::%s\n", escapeProperty(strings.TrimSpace("cybindgo "+r.Command)+": "+f.Rule), escapeData(text))
	}
	if r.Summary != "" {
		fmt.Fprintln(b, r.Summary)
	}
	return b.Flush()
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeData(s string) string     { return dataEscapes.Replace(s) }
func escapeProperty(s string) string { return propertyEscapes.Replace(s) }
