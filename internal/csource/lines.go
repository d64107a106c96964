package csource

import "github.com/cybindgo/cybindgo/internal/syntax"

// Line is a run of tokens between directives, or one directive, as it stands:
// no condition is decided and no macro replaced.
type Line struct {
	Directive string // define, if, include, ...; "" for tokens of the text
	Tokens    []syntax.Token
	syntax.Pos
}

// Lines reads a text as it stands.
func Lines(t Text) ([]Line, []syntax.Problem) {
	l := lexer{text: t.Text, line: max(t.Line, 1)}
	var lines []Line
	for _, c := range l.chunks() {
		tokens := c.tokens
		if c.directive != "" {
			tokens = c.body
		}
		lines = append(lines, Line{Directive: c.directive, Tokens: tokens, Pos: c.Pos})
	}
	return lines, l.problems
}
