package csource

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// line is a run of tokens between directives, or one directive.
type chunk struct {
	tokens    []syntax.Token // of text; nil for a directive
	directive string         // define, if, include, ...
	body      []syntax.Token // of a directive
	syntax.Pos
}

type lexer struct {
	text     string
	at       int
	line     int32
	start    int // of the line
	problems []syntax.Problem
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
	c['_'], c['$'] = letter, letter
	for b := 128; b < 256; b++ {
		c[b] = letter
	}
	for b := '0'; b <= '9'; b++ {
		c[b] = digit
	}
	c[' '], c['\t'], c['\r'], c['\f'], c['\v'] = space, space, space, space, space
	return c
}()

var operators = []string{"<<=", ">>=", "...", "->*", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##"}

func operator(s string) string {
	if len(s) > 1 {
		switch s[1] {
		case '=', '>', '<', '.', ':', '&', '|', '+', '-', '#':
			for _, op := range operators {
				if strings.HasPrefix(s, op) {
					return op
				}
			}
		}
	}
	return s[:1]
}

// chunks reads a whole text. base is where it begins in its file.
func (l *lexer) chunks() []chunk {
	var chunks []chunk
	tokens := make([]syntax.Token, 0, len(l.text)/5)
	first := 0
	fresh := true // only white space since the line began
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '\n':
			l.newline()
			fresh = true
			continue
		case class[c] == space:
			l.at++
			continue
		case l.skip():
			continue
		case c == '#' && fresh:
			if len(tokens) > first {
				chunks = append(chunks, chunk{tokens: tokens[first:len(tokens):len(tokens)], Pos: tokens[first].Pos})
				first = len(tokens)
			}
			chunks = append(chunks, l.directive())
			fresh = true
			continue
		}
		fresh = false
		tokens = append(tokens, l.token())
	}
	if len(tokens) > first {
		chunks = append(chunks, chunk{tokens: tokens[first:], Pos: tokens[first].Pos})
	}
	return chunks
}

func (l *lexer) newline() {
	l.at++
	l.line++
	l.start = l.at
}

func (l *lexer) pos() syntax.Pos {
	return syntax.Pos{Line: l.line, Col: int32(l.at-l.start) + 1}
}

// skip passes a comment or a joined line.
func (l *lexer) skip() bool {
	rest := l.text[l.at:]
	switch {
	case strings.HasPrefix(rest, "\\\n"):
		l.at++
		l.newline()
	case strings.HasPrefix(rest, "\\\r\n"):
		l.at += 2
		l.newline()
	case strings.HasPrefix(rest, "//"):
		for l.at < len(l.text) && l.text[l.at] != '\n' {
			if strings.HasPrefix(l.text[l.at:], "\\\n") {
				l.at++
				l.newline() // a line comment goes on after a backslash
				continue
			}
			l.at++
		}
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		stop := l.at + end + 4
		if end < 0 {
			l.problems = append(l.problems, syntax.Problem{Pos: l.pos(), Message: "a comment does not end"})
			stop = len(l.text)
		}
		for l.at < stop {
			if l.text[l.at] == '\n' {
				l.newline()
			} else {
				l.at++
			}
		}
	default:
		return false
	}
	return true
}

// directive reads a line that begins with #, joined lines included.
func (l *lexer) directive() chunk {
	c := chunk{Pos: l.pos()}
	l.at++
	for l.at < len(l.text) && l.text[l.at] != '\n' {
		if class[l.text[l.at]] == space {
			l.at++
			continue
		}
		if strings.HasPrefix(l.text[l.at:], "//") {
			l.skip()
			continue
		}
		if l.skip() {
			continue
		}
		if c.directive == "include" && l.text[l.at] == '<' {
			begin := l.at
			for l.at < len(l.text) && l.text[l.at] != '>' && l.text[l.at] != '\n' {
				l.at++
			}
			if l.at < len(l.text) && l.text[l.at] == '>' {
				l.at++
			}
			c.body = append(c.body, syntax.Token{Kind: syntax.String, Text: l.text[begin:l.at], Pos: c.Pos})
			continue
		}
		t := l.token()
		if c.directive == "" && t.Kind == syntax.Name {
			c.directive = t.Text
			continue
		}
		c.body = append(c.body, t)
	}
	if c.directive == "" {
		c.directive = "empty"
	}
	return c
}

func (l *lexer) token() syntax.Token {
	begin := l.at
	t := syntax.Token{Pos: l.pos(), Off: int32(begin)}
	c := l.text[l.at]
	switch {
	case class[c] == letter:
		t.Kind = syntax.Name
		for l.at < len(l.text) && class[l.text[l.at]]&(letter|digit) != 0 {
			l.at++
		}
		if l.at < len(l.text) && (l.text[l.at] == '"' || l.text[l.at] == '\'') {
			switch word := l.text[begin:l.at]; word {
			case "L", "u", "U", "u8":
				t.Kind = syntax.String
				l.str()
			case "R", "LR", "uR", "UR", "u8R":
				t.Kind = syntax.String
				l.raw()
			}
		}
	case class[c] == digit || c == '.' && l.at+1 < len(l.text) && class[l.text[l.at+1]] == digit:
		t.Kind = syntax.Number
		for l.at < len(l.text) {
			c := l.text[l.at]
			sign := (c == '+' || c == '-') && strings.ContainsRune("eEpP", rune(l.text[l.at-1]))
			quote := c == '\'' && l.at+1 < len(l.text) && class[l.text[l.at+1]]&(letter|digit) != 0
			if class[c]&(letter|digit) == 0 && c != '.' && !sign && !quote {
				break
			}
			l.at++
		}
	case c == '"' || c == '\'':
		t.Kind = syntax.String
		l.str()
	default:
		t.Kind = syntax.Op
		l.at += len(operator(l.text[l.at:]))
	}
	t.Text = l.text[begin:l.at]
	return t
}

func (l *lexer) str() {
	begin := l.pos()
	quote := l.text[l.at]
	for l.at++; l.at < len(l.text); l.at++ {
		switch l.text[l.at] {
		case '\\':
			l.at++
			if l.at < len(l.text) && l.text[l.at] == '\n' {
				l.newline()
				l.at--
			}
		case quote:
			l.at++
			return
		case '\n':
			l.problems = append(l.problems, syntax.Problem{Pos: begin, Message: "a string does not end on its line"})
			return
		}
	}
	l.at = min(l.at, len(l.text))
	l.problems = append(l.problems, syntax.Problem{Pos: begin, Message: "a string does not end"})
}

// raw reads R"delimiter(text)delimiter".
func (l *lexer) raw() {
	rest := l.text[l.at+1:]
	open := strings.IndexByte(rest, '(')
	if open < 0 || open > 16 {
		l.str()
		return
	}
	closing := ")" + rest[:open] + `"`
	end := strings.Index(rest, closing)
	stop := len(l.text)
	if end >= 0 {
		stop = l.at + 1 + end + len(closing)
	} else {
		l.problems = append(l.problems, syntax.Problem{Pos: l.pos(), Message: "a raw string does not end"})
	}
	for l.at < stop {
		if l.text[l.at] == '\n' {
			l.newline()
		} else {
			l.at++
		}
	}
}
