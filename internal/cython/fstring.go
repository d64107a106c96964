package cython

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// interpolate adds the expressions in an f-string to e's Args: what runs when
// the string is made.
func (p *exprParser) interpolate(e *syntax.Expr, t syntax.Token) {
	quote := strings.IndexAny(t.Text, `"'`)
	if quote < 0 || !strings.ContainsAny(t.Text[:quote], "fFtT") {
		return
	}
	p.replacementFields(e, t, t.Text[quote:], 0)
}

// replacementFields reads {expression!r:format} fields in s; the format may
// hold fields itself.
func (p *exprParser) replacementFields(e *syntax.Expr, t syntax.Token, s string, nesting int) {
	if nesting > 8 {
		p.fail("an f-string is nested too deeply")
		return
	}
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "{{"), strings.HasPrefix(s[i:], "}}"):
			i++
		case s[i] == '{':
			length, format := fieldEnd(s[i+1:])
			if length < 0 {
				p.fail("an f-string has a { without }")
				return
			}
			text := s[i+1 : i+1+length]
			if format >= 0 {
				p.replacementFields(e, t, text[format:], nesting+1)
				text = text[:format]
			}
			text = strings.TrimRight(text, " =")
			l := lexer{text: text, line: 1, depth: 1}
			l.logicalLine()
			for k := range l.tokens {
				l.tokens[k].Pos = t.Pos // a string may span lines: its start is near enough
			}
			if len(l.problems) > 0 || len(l.tokens) == 0 {
				p.fail("an f-string has a field that cannot be read")
				return
			}
			e.Args = append(e.Args, parseExpr(l.tokens, p.problems, p.nodes))
			i += length + 1
		}
	}
}

// fieldEnd finds the } of a field, and where its conversion or format begins,
// or -1.
func fieldEnd(s string) (length, format int) {
	depth, format := 0, -1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']':
			depth--
		case '}':
			if depth == 0 {
				return i, format
			}
			depth--
		case '\'', '"':
			if format >= 0 {
				break
			}
			closing := strings.IndexByte(s[i+1:], c)
			if closing < 0 {
				return -1, -1
			}
			i += closing + 1
		case '!':
			if depth == 0 && format < 0 && !strings.HasPrefix(s[i:], "!=") {
				format = i
			}
		case ':':
			if depth == 0 && format < 0 {
				format = i
			}
		}
	}
	return -1, -1
}
