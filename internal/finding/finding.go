package finding

import (
	"cmp"
	"slices"
)

// Severity is how bad a finding is.
type Severity string

// The severities, in SARIF's words. An error makes a command exit with 1, a
// warning does too, a note does not.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Finding is one thing that was found.
type Finding struct {
	Rule     string   `json:"rule"` // stable identifier, such as "check-then-assign"
	Severity Severity `json:"severity"`
	Place
	Message string `json:"message"`       // what is wrong, in one sentence
	Hint    string `json:"hint,omitzero"` // what to do about it
	// Related are other places that belong to the finding, such as the other
	// platform's file.
	Related []Related `json:"related,omitzero"`
	// Diff is a unified diff that shows the finding, where there is one.
	Diff string `json:"diff,omitzero"`
}

// Place is a range in a file. Lines and columns count from 1, columns in
// bytes; zero means unknown: a finding about a whole file has no line. The end
// is the last byte that belongs to the range, or zero.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitzero"`
	Col     int    `json:"column,omitzero"`
	EndLine int    `json:"endLine,omitzero"`
	EndCol  int    `json:"endColumn,omitzero"`
}

// Related is another place and what it has to do with the finding.
type Related struct {
	Place
	Message string `json:"message"`
}

// Sort orders findings by place, then by rule and message, so that output does
// not depend on the order in which they were found.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
}
