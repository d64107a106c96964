package finding

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// printText prints a line for each finding, with what belongs to it indented
// below, and the summary at the end.
func (r *Report) printText(w io.Writer, diffLines int) error {
	b := bufio.NewWriter(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(b, "%s: %s: %s [%s]\n", visible(f.Place.String()), f.Severity, visible(f.Message), f.Rule)
		for _, o := range f.Related {
			fmt.Fprintf(b, "    %s: %s\n", visible(o.Place.String()), visible(o.Message))
		}
		if f.Hint != "" {
			fmt.Fprintf(b, "    %s\n", visible(f.Hint))
		}
		printDiff(b, f.Diff, diffLines)
	}
	if r.Summary != "" {
		fmt.Fprintln(b, r.Summary)
	}
	return b.Flush()
}

// printDiff prints the start of a diff and says how much was left out.
func printDiff(w io.Writer, diff string, most int) {
	n := 0
	for line := range strings.Lines(diff) {
		if n++; most < 0 || n <= most {
			fmt.Fprintf(w, "    %s\n", visible(strings.TrimSuffix(line, "\n")))
		}
	}
	if most >= 0 && n > most {
		fmt.Fprintf(w, "    ... %d more lines of the diff; --diff-lines=%d prints all\n", n-most, AllLines)
	}
}

// String is the place as compilers print it: file:line:column, as far as known.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// visible writes control characters as escapes: text from files must not
// steer the terminal, and a carriage return in a diff is worth seeing.
func visible(s string) string {
	hidden := func(r rune) bool { return unicode.IsControl(r) && r != '\t' || r == unicode.ReplacementChar }
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == unicode.ReplacementChar && s[i] >= 0x80 && !strings.HasPrefix(s[i:], string(unicode.ReplacementChar)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\n':
			b.WriteString(`\n`)
		case hidden(r) && r != unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
