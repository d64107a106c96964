package parser

import (
	"bytes"
	"strings"
)

// The front end has no `#pragma once`, and does not tell which file it is in.
// Each header is therefore wrapped in two pragmas of our own; the line number
// is set right again, so that positions are those of the header.
const (
	pragmaName = "cybindgo"
	enterLine  = "#pragma " + pragmaName + " enter\n#line 1\n"
	leaveLine  = "\n#pragma " + pragmaName + " leave\n"
)

var (
	newline = []byte("\n")
	// special are the bytes at which clean has to look closer.
	special = [256]bool{'/': true, '"': true, '\'': true, '\r': true}
)

// clean takes from a header what costs time and says nothing to the front end:
// the text of comments (nine tenths of cuda.h), carriage returns and a byte
// order mark. Lines and columns of everything else stay as they are.
func clean(raw []byte) []byte {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	out := make([]byte, 0, len(raw)/4+len(enterLine)+len(leaveLine))
	out = append(out, enterLine...)
	start := 0 // of the text that is not copied yet
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case !special[c]:
			i++
		case c == '"' || c == '\'':
			i = literalEnd(raw, i)
		case c == '/':
			end := commentEnd(raw, i)
			if end == i {
				i++
				break
			}
			out = append(out, raw[start:i]...)
			out = blank(out, raw[i:end], raw[end:])
			i, start = end, end
		default: // '\r'
			if i+1 < len(raw) && raw[i+1] == '\n' {
				out = append(out, raw[start:i]...)
				start = i + 1
			}
			i++
		}
	}
	out = append(out, raw[start:]...)
	return append(out, leaveLine...)
}

// literalEnd is where the string or character that begins at i ends. A quote
// without its partner on the line, as in `#error don't`, is taken alone.
func literalEnd(text []byte, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case text[i]:
			return j + 1
		case '\\':
			j++
		case '\n':
			return i + 1
		}
	}
	return i + 1
}

// commentEnd is where the comment that begins at i ends, or i if none begins
// there. One that is never closed is left to the front end, which reports it.
func commentEnd(text []byte, i int) int {
	switch {
	case bytes.HasPrefix(text[i:], []byte("/*")):
		if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2
		}
	case bytes.HasPrefix(text[i:], []byte("//")):
		for j := i; ; {
			n := bytes.IndexByte(text[j:], '\n')
			if n < 0 {
				return len(text)
			}
			j += n
			// A backslash takes the comment over the end of the line.
			if before := bytes.TrimSuffix(text[:j], []byte("\r")); before[len(before)-1] != '\\' {
				return len(before)
			}
			j++
		}
	}
	return i
}

// blank appends what stands in for a comment: nothing at the end of a line,
// else white space of the same extent.
func blank(out, comment, rest []byte) []byte {
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	width := 0
	if len(bytes.TrimSpace(rest)) > 0 {
		width = len(comment) - 1 - bytes.LastIndexByte(comment, '\n')
	}
	lines := bytes.Count(comment, newline)
	if lines == 0 {
		return append(out, bytes.Repeat([]byte(" "), width)...)
	}
	// Line ends inside a comment are no ends of a line, and cost the front end
	// less.
	out = append(out, "/*"...)
	out = append(out, bytes.Repeat(newline, lines)...)
	out = append(out, bytes.Repeat([]byte(" "), max(width-2, 0))...)
	return append(out, "*/"...)
}

// directives is the text with the preprocessor's lines alone. Line numbers are
// lost.
func directives(code []byte) []byte {
	var out []byte
	for i := 0; i < len(code); {
		i = skipSpace(code, i)
		end, plain := lineEnd(code, i)
		if i < len(code) && code[i] == '#' {
			if plain {
				out = append(out, code[i:end]...)
			} else {
				out = appendLogical(out, code[i:end])
			}
			out = append(out, '\n')
		}
		i = end + 1
	}
	return out
}

// skipSpace skips white space, line ends and comments.
func skipSpace(code []byte, i int) int {
	for i < len(code) {
		switch c := code[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\v':
			i++
		case c == '/':
			end := commentEnd(code, i)
			if end == i {
				return i
			}
			i = end
		default:
			return i
		}
	}
	return i
}

// lineEnd is where the line that holds i ends, continuation lines and comments
// included. It is plain if there are none.
func lineEnd(code []byte, i int) (end int, plain bool) {
	plain = true
	for i < len(code) {
		switch code[i] {
		case '\n':
			return i, plain
		case '\\':
			plain = false
			i += 2
		case '"', '\'':
			i = literalEnd(code, i)
		case '/':
			if end := commentEnd(code, i); end > i {
				plain = false
				i = end
				break
			}
			i++
		default:
			i++
		}
	}
	return len(code), plain
}

// appendLogical appends a line of several lines as one.
func appendLogical(out, line []byte) []byte {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] == '\n':
			i += 2
		case c == '"' || c == '\'':
			end := literalEnd(line, i)
			out = append(out, line[i:end]...)
			i = end
		case c == '/' && commentEnd(line, i) > i:
			out = append(out, ' ')
			i = commentEnd(line, i)
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// directive splits a line into the directive's name and the rest.
func directive(line []byte) (name string, rest []byte) {
	line = bytes.TrimLeft(bytes.TrimPrefix(line, []byte("#")), " \t")
	n := wordLen(line)
	return string(line[:n]), bytes.TrimLeft(line[n:], " \t")
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '$'
}

// wordLen is the length of the identifier or number that text begins with.
func wordLen(text []byte) int {
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return n
}

// sourceLine is line n of a header as its author sees it.
func sourceLine(raw []byte, n int) string {
	for ; n > 1; n-- {
		i := bytes.IndexByte(raw, '\n')
		if i < 0 {
			return ""
		}
		raw = raw[i+1:]
	}
	if i := bytes.IndexByte(raw, '\n'); i >= 0 {
		raw = raw[:i]
	}
	raw = bytes.TrimPrefix(bytes.TrimSuffix(raw, []byte("\r")), []byte("\ufeff"))
	const widest = 200
	line := strings.ToValidUTF8(string(raw[:min(len(raw), widest)]), "?")
	return line
}
