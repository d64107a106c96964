package cython

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// lexer splits a file into logical lines of tokens.
type lexer struct {
	text      string
	at        int
	line      int32
	lineStart int
	depth     int // of brackets: a line end inside them ends nothing
	tokens    []syntax.Token
	problems  []syntax.Problem
}

// logical is a line of tokens as Python counts lines.
type logical struct {
	indent     int
	first, end int // tokens
}

const (
	letter = 1 << iota
	digit
	space
)

var class = func() (c [256]uint8) {
	for b := 'a'; b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = letter, letter
	}
	c['_'] = letter
	for b := 128; b < 256; b++ {
		c[b] = letter // part of a name beyond ASCII
	}
	for b := '0'; b <= '9'; b++ {
		c[b] = digit
	}
	c[' '], c['\t'], c['\r'], c['\f'] = space, space, space, space
	return c
}()

// operators of more than one byte, longest first.
var operators = []string{"**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "<>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**", "//", "<<", ">>"}

// operator finds the operator at the start of s.
func operator(s string, list []string) string {
	if len(s) > 1 {
		switch s[1] {
		case '=', '>', '<', '*', '/', '.', ':', '&', '|', '+', '-', '#':
			for _, op := range list {
				if strings.HasPrefix(s, op) {
					return op
				}
			}
		}
	}
	return s[:1]
}

func (l *lexer) pos(at int) syntax.Pos {
	return syntax.Pos{Line: l.line, Col: int32(at-l.lineStart) + 1}
}

func (l *lexer) problem(at int, message string) {
	l.problems = append(l.problems, syntax.Problem{Pos: l.pos(at), Message: message})
}

func (l *lexer) newline() {
	l.at++
	l.line++
	l.lineStart = l.at
}

// lines reads the whole file.
func (l *lexer) lines() []logical {
	var lines []logical
	l.line = 1
	l.tokens = make([]syntax.Token, 0, len(l.text)/6)
	for l.at < len(l.text) {
		indent := l.indentation()
		if l.at >= len(l.text) {
			break
		}
		if l.text[l.at] == '\n' {
			l.newline()
			continue
		}
		first := len(l.tokens)
		l.logicalLine()
		if len(l.tokens) > first {
			lines = append(lines, logical{indent, first, len(l.tokens)})
		}
	}
	if l.depth > 0 {
		l.problem(len(l.text), "the file ends inside brackets")
	}
	return lines
}

// indentation measures a line's indent and skips a comment on it.
func (l *lexer) indentation() int {
	indent := 0
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case ' ':
			indent++
		case '\t':
			indent += 8 - indent%8
		case '\r', '\f':
		case '#':
			l.comment()
			return indent
		default:
			return indent
		}
		l.at++
	}
	return indent
}

func (l *lexer) comment() {
	if end := strings.IndexByte(l.text[l.at:], '\n'); end >= 0 {
		l.at += end
	} else {
		l.at = len(l.text)
	}
}

func (l *lexer) add(kind syntax.Kind, start int, pos syntax.Pos) {
	l.tokens = append(l.tokens, syntax.Token{Kind: kind, Text: l.text[start:l.at], Pos: pos, Off: int32(start)})
}

// logicalLine reads tokens up to a line end outside brackets.
func (l *lexer) logicalLine() {
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '\n':
			l.newline()
			if l.depth == 0 {
				return
			}
		case class[c] == space:
			l.at++
		case c == '#':
			l.comment()
		case c == '\\' && l.continuation():
		case class[c] == letter:
			start, pos := l.at, l.pos(l.at)
			for l.at < len(l.text) && class[l.text[l.at]]&(letter|digit) != 0 {
				l.at++
			}
			if l.at < len(l.text) && (l.text[l.at] == '"' || l.text[l.at] == '\'') && isPrefix(l.text[start:l.at]) {
				l.str(start, pos)
			} else {
				l.add(syntax.Name, start, pos)
			}
		case class[c] == digit || c == '.' && l.at+1 < len(l.text) && class[l.text[l.at+1]] == digit:
			l.number()
		case c == '"' || c == '\'':
			l.str(l.at, l.pos(l.at))
		default:
			l.op(c)
		}
	}
}

func (l *lexer) op(c byte) {
	start, pos := l.at, l.pos(l.at)
	l.at += len(operator(l.text[l.at:], operators))
	switch c {
	case '(', '[', '{':
		l.depth++
	case ')', ']', '}':
		if l.depth--; l.depth < 0 {
			l.depth = 0
			l.problem(start, "a bracket closes that was not opened")
		}
	case '$', '?', '!', '\\':
		if c == '?' || l.text[start:l.at] == "!=" {
			break // `except? -1`, `a != b`
		}
		l.problem(start, "unexpected character "+string(rune(c)))
	}
	l.add(syntax.Op, start, pos)
}

// continuation skips a backslash that joins lines.
func (l *lexer) continuation() bool {
	rest := l.text[l.at+1:]
	switch {
	case strings.HasPrefix(rest, "\n"):
		l.at++
	case strings.HasPrefix(rest, "\r\n"):
		l.at += 2
	default:
		return false
	}
	l.newline()
	return true
}

func isPrefix(s string) bool {
	if len(s) > 2 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch s[i] | 0x20 {
		case 'r', 'b', 'u', 'f', 'c', 't':
		default:
			return false
		}
	}
	return true
}

func (l *lexer) number() {
	start, pos := l.at, l.pos(l.at)
	for l.at < len(l.text) {
		c := l.text[l.at]
		if class[c]&(letter|digit) == 0 && c != '.' &&
			!((c == '+' || c == '-') && (l.text[l.at-1]|0x20) == 'e' && !strings.HasPrefix(l.text[start:], "0x")) {
			break
		}
		l.at++
	}
	l.add(syntax.Number, start, pos)
}

// str reads a string literal whose prefix begins at start.
func (l *lexer) str(start int, pos syntax.Pos) {
	quote := l.text[l.at : l.at+1]
	if strings.HasPrefix(l.text[l.at:], strings.Repeat(quote, 3)) {
		quote = l.text[l.at : l.at+3]
	}
	l.at += len(quote)
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\\':
			// Also in a raw string: an escaped quote does not end it.
			l.at++
			if l.at < len(l.text) && l.text[l.at] == '\n' {
				l.newline()
			} else {
				l.at++
			}
		case c == '\n':
			if len(quote) == 1 {
				l.problems = append(l.problems, syntax.Problem{Pos: pos, Message: "a string does not end on its line"})
				l.add(syntax.String, start, pos)
				return
			}
			l.newline()
		case c == quote[0] && strings.HasPrefix(l.text[l.at:], quote):
			l.at += len(quote)
			l.add(syntax.String, start, pos)
			return
		default:
			l.at++
		}
	}
	l.at = min(l.at, len(l.text))
	l.problems = append(l.problems, syntax.Problem{Pos: pos, Message: "a string does not end"})
	l.add(syntax.String, start, pos)
}
