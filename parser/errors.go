package parser

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// Error is one thing that is wrong with the headers.
type Error struct {
	Pos    ir.Position // Line is 0 where no line can be named
	Msg    string
	Source string   // the source line, without its end
	Notes  []string // more about it, such as the chain of includes
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos.File != "" {
		b.WriteString(e.Pos.File)
		if e.Pos.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", e.Pos.Line, e.Pos.Col)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Source != "" {
		fmt.Fprintf(&b, "\n\t%s", e.Source)
		if e.Pos.Col <= len(e.Source)+1 {
			fmt.Fprintf(&b, "\n\t%s^", indent(e.Source, e.Pos.Col))
		}
	}
	for _, n := range e.Notes {
		b.WriteString("\n\t")
		b.WriteString(n)
	}
	return b.String()
}

// indent is white space as wide as the line before column col.
func indent(line string, col int) string {
	n := min(max(col-1, 0), len(line))
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, line[:n])
}

// Errors is everything that is wrong with the headers, sorted by place.
type Errors []*Error

func (list Errors) Error() string {
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

func (list Errors) sorted() Errors {
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(
			strings.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			strings.Compare(a.Msg, b.Msg))
	})
	return slices.CompactFunc(list, func(a, b *Error) bool { return a.Pos == b.Pos && a.Msg == b.Msg })
}

var (
	// ccError is the form of the front end's messages.
	ccError = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)
	// ccOrigin is where in its own source the front end found an error.
	ccOrigin = regexp.MustCompile(` *\(\w+\.go:\d+:\w+:\)$`)
	// ccPlace is a place inside a message.
	ccPlace = regexp.MustCompile(`([^\s:]+):(\d+):(\d+):?`)
	// ccUnexpected is the message about a token that the grammar does not
	// allow.
	ccUnexpected = regexp.MustCompile(`^unexpected (.*), expected (.*)$`)
	// ccInternal begins the messages about what the front end did not foresee,
	// or could not make sense of after another error.
	ccInternal = "TODO "
)

// frontEndErrors takes apart the text in which the front end reports its
// errors, one a line.
func (u *unit) frontEndErrors(err error) Errors {
	var list, vague Errors
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = ccOrigin.ReplaceAllString(line, "")
		e := &Error{Msg: line}
		m := ccError.FindStringSubmatch(strings.TrimPrefix(line, ccInternal))
		if m == nil {
			switch bad := u.badCondition(); {
			case strings.HasPrefix(line, ccInternal):
				e.Msg = msgVague
				vague = append(vague, e)
			case bad != nil:
				list = append(list, bad)
			default:
				vague = append(vague, e)
			}
			continue
		}
		e.Msg = m[4]
		e.Pos.Line, _ = strconv.Atoi(m[2])
		e.Pos.Col, _ = strconv.Atoi(m[3])
		f := u.set.files[m[1]]
		if f == nil {
			// The last header ends in the middle of something.
			vague = append(vague, u.atEnd())
			continue
		}
		e.Pos.File = u.set.cfg.display(m[1])
		u.explain(e, f)
		e.Source = u.set.line(f, e.Pos.Line)
		if strings.HasPrefix(e.Msg, ccInternal) || strings.HasPrefix(line, ccInternal) {
			e.Msg = msgVague
			vague = append(vague, e)
			continue
		}
		list = append(list, e)
	}
	// What follows from another error adds nothing, nor does a place when
	// there is a better one.
	slices.SortStableFunc(vague, func(a, b *Error) int { return cmp.Compare(min(b.Pos.Line, 1), min(a.Pos.Line, 1)) })
	for _, e := range vague {
		if len(list) == 0 || e.Pos.Line > 0 && e.Msg == msgVague && !list.mentions(e.Pos) {
			list = append(list, e)
		}
	}
	return list
}

// unplaced reports whether none of the errors has a line.
func (list Errors) unplaced() bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(e *Error) bool { return e.Pos.Line > 0 })
}

// msgVague is said where the front end has no words either.
const msgVague = "the C front end cannot make sense of this declaration"

// mentions reports whether an error on the same line is in the list.
func (list Errors) mentions(pos ir.Position) bool {
	return slices.ContainsFunc(list, func(e *Error) bool { return e.Pos.File == pos.File && e.Pos.Line == pos.Line })
}

// atEnd is the error that the last of the headers is not complete.
func (u *unit) atEnd() *Error {
	e := &Error{Msg: "the header ends in the middle of a declaration"}
	for _, f := range slices.Backward(u.set.order) {
		if f.class != bound && f.class != consult {
			continue
		}
		e.Pos = pos0(u.set.cfg.display(f.name))
		e.Pos.Line = 1 + bytes.Count(bytes.TrimSpace(f.code[len(enterLine):len(f.code)-len(leaveLine)]), newline)
		e.Source = u.set.line(f, e.Pos.Line)
		e.Pos.Col = len(e.Source) + 1
		break
	}
	return e
}

// explain words an error of the front end for the reader of a header.
func (u *unit) explain(e *Error, f *file) {
	if e.Msg == "expected #endif" {
		e.Msg = "the #if has no #endif"
		e.Pos.Line, e.Pos.Col = f.openIf(), 1
		return
	}
	switch {
	case e.Msg == "invalid argument":
		e.Msg = "expected the name of a header in quotes or angle brackets"
	case strings.HasPrefix(e.Msg, "macro expansion limit exceeded"):
		e.Msg = "macros expand to more text than any header has"
	}
	if m := ccUnexpected.FindStringSubmatch(e.Msg); m != nil {
		line := u.set.line(f, e.Pos.Line)
		found := m[1]
		if word := wordAt(line, e.Pos.Col); word != "" {
			found = strconv.Quote(word)
		}
		after := ""
		if word := wordBefore(line, e.Pos.Col); word != "" {
			after = fmt.Sprintf(" after %q", word)
		}
		e.Msg = fmt.Sprintf("expected %s%s, found %s", m[2], after, found)
		if after != "" && (m[1] == "identifier" || m[1] == "'*'") {
			e.Msg += " (is the type unknown?)"
		}
	}
	e.Msg = ccPlace.ReplaceAllStringFunc(e.Msg, func(s string) string {
		m := ccPlace.FindStringSubmatch(s)
		if u.set.files[m[1]] == nil {
			return s
		}
		return u.set.cfg.display(m[1]) + ":" + m[2] + ":" + m[3]
	})
}

// openIf is the line of the last #if that is not closed.
func (f *file) openIf() int {
	var open []int
	line := 0
	for text := range bytes.Lines(f.code[len(enterLine):]) {
		line++
		text = bytes.TrimLeft(text, " \t")
		if !bytes.HasPrefix(text, []byte("#")) {
			continue
		}
		switch verb, _ := directive(text); verb {
		case "if", "ifdef", "ifndef":
			open = append(open, line)
		case "endif":
			open = open[:max(len(open)-1, 0)]
		}
	}
	if len(open) == 0 {
		return line
	}
	return open[len(open)-1]
}

// wordAt is the identifier at a column of a line.
func wordAt(line string, col int) string {
	if col < 1 || col > len(line) {
		return ""
	}
	rest := line[col-1:]
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	return rest[:n]
}

// wordBefore is the identifier that ends before a column of a line.
func wordBefore(line string, col int) string {
	if col < 1 || col > len(line)+1 {
		return ""
	}
	rest := strings.TrimRight(line[:col-1], " \t")
	n := len(rest)
	for n > 0 && isWord(rest[n-1]) {
		n--
	}
	return rest[n:]
}

// chain tells how a header came to be included.
func (u *unit) chain(name string) []string {
	var notes []string
	for i := len(u.stack) - 1; i > 0; i-- {
		if u.stack[i] != name {
			continue
		}
		by := u.stack[i-1]
		line, _ := u.set.files[by].includeLine(name)
		notes = append(notes, fmt.Sprintf("%s is included from %s:%d", u.set.cfg.display(name), u.set.cfg.display(by), line))
		name = by
	}
	return notes
}
