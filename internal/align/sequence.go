package align

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// difference is a statement that one side has, the other has not, or both have
// in different forms or places.
type difference struct {
	a, b  *statement // either may be nil
	at    *statement // what follows at the same place on the side that is nil; may be nil
	moved bool
	more  int // how many statements after it are missing with it
}

// missing is a statement that the other side does not have in this form at this
// place.
type missing struct {
	s    *statement
	at   *statement // what the other side has there; may be nil
	hunk int
	used bool // a counterpart was found elsewhere or in another form
}

// sequence compares two lists of statements.
func sequence(a, b []statement) (out []difference) {
	var gone, fresh []missing
	for hunk, d := range lcs.DiffLines(keys(a), keys(b)) {
		for i := d.Start; i < d.End; i++ {
			gone = append(gone, missing{s: &a[i], at: at(b, d.ReplStart), hunk: hunk})
		}
		for i := d.ReplStart; i < d.ReplEnd; i++ {
			fresh = append(fresh, missing{s: &b[i], at: at(a, d.Start), hunk: hunk})
		}
	}
	// pair finds counterparts: what of gives the same text, in order.
	pair := func(moved bool, of func(m *missing) string) {
		waiting := map[string][]*missing{}
		for j := range fresh {
			if text := of(&fresh[j]); text != "" && !fresh[j].used {
				waiting[text] = append(waiting[text], &fresh[j])
			}
		}
		for i := range gone {
			text := of(&gone[i])
			if gone[i].used || len(waiting[text]) == 0 {
				continue
			}
			other := waiting[text][0]
			waiting[text] = waiting[text][1:]
			gone[i].used, other.used = true, true
			out = append(out, difference{a: gone[i].s, b: other.s, moved: moved})
		}
	}
	pair(true, func(m *missing) string {
		if isPunctuation(m.s) {
			return ""
		}
		return m.s.key
	})
	pair(false, func(m *missing) string {
		switch subject := subjectOf(m.s); {
		case subject == "":
			return ""
		case m.s.kind == row: // wherever it stands
			return subject
		default:
			return fmt.Sprint(m.hunk, " ", subject)
		}
	})
	// What is left at the same place, and as much of it on both sides, is the
	// same statement in two forms.
	left := map[int]int{}
	for i := range gone {
		if !gone[i].used {
			left[gone[i].hunk]++
		}
	}
	for j := range fresh {
		if !fresh[j].used {
			left[fresh[j].hunk]--
		}
	}
	pair(false, func(m *missing) string {
		if left[m.hunk] != 0 {
			return ""
		}
		return fmt.Sprint(m.hunk, " ", m.s.kind)
	})
	out = unpaired(out, gone, func(m *missing) difference { return difference{a: m.s, at: m.at} })
	return unpaired(out, fresh, func(m *missing) difference { return difference{b: m.s, at: m.at} })
}

// unpaired enters what has no counterpart: a run of statements as one, but each
// row and each look-up by itself.
func unpaired(out []difference, list []missing, of func(m *missing) difference) []difference {
	run := -1 // its place in out
	for i := range list {
		m := &list[i]
		switch {
		case m.used:
			run = -1
		case run >= 0 && m.hunk == list[i-1].hunk && m.s.kind == list[i-1].s.kind && m.s.kind != row && m.s.kind != lookup:
			out[run].more++
		case !isPunctuation(m.s):
			out = append(out, of(m))
			run = len(out) - 1
		}
	}
	return out
}

func keys(list []statement) []string {
	k := make([]string, len(list))
	for i := range list {
		k[i] = list[i].key
	}
	return k
}

func at(list []statement, i int) *statement {
	if i < len(list) {
		return &list[i]
	}
	if len(list) > 0 {
		return &list[len(list)-1]
	}
	return nil
}

func isPunctuation(s *statement) bool {
	for i := range s.tokens {
		if s.tokens[i].Kind != syntax.Op {
			return false
		}
	}
	return s.kind != marked
}

// subjectOf is what a statement is about: the key of a row, what is looked up
// or assigned to, the function that is called. Two statements about the same
// thing are two forms of one.
func subjectOf(s *statement) string {
	switch s.kind {
	case row, lookup, directive, marked:
		for i := range s.tokens {
			if s.tokens[i].Kind == syntax.String {
				return base(s.tokens[i].Text)
			}
		}
		return ""
	}
	var b strings.Builder
	for i := range s.tokens {
		switch t := &s.tokens[i]; {
		case t.Is("="), t.Is("("):
			// With a first argument that is a text, what is asked for.
			if i+1 < len(s.tokens) && s.tokens[i+1].Kind == syntax.String {
				return b.String() + base(s.tokens[i+1].Text)
			}
			return b.String()
		default:
			b.WriteString(t.Text + " ")
		}
	}
	return ""
}

// base is a symbol without its version: cuMemAlloc_v2, nvJitLinkCreate_12_0.
func base(symbol string) string {
	symbol = strings.Trim(symbol, `"'`)
	for {
		short := strings.TrimRight(symbol, "0123456789")
		if short == symbol {
			return symbol
		}
		short = strings.TrimSuffix(short, "v")
		if !strings.HasSuffix(short, "_") {
			return symbol
		}
		symbol = short[:len(short)-1]
	}
}

// compareSequences reports what differs between two lists of statements. where
// begins each message; one is the rule for statements that are on one side.
func (c *comparison) compareSequences(a, b []statement, where, rule string, aPlace, bPlace finding.Place) {
	for _, d := range sequence(a, b) {
		switch {
		case d.a == nil || d.b == nil:
			c.alone(d, where, rule, aPlace, bPlace)
		case d.moved && !c.strict && isImport(d.a):
			// The order of imports does nothing.
		case d.moved:
			c.add(rule, c.a.span(d.a), c.b.span(d.b), fmt.Sprintf("%s%s stands at another place in the other file", where, quoted(d.a.text)), "here")
		default:
			c.changed(d, where, rule)
		}
	}
}

// alone reports statements that only one file has.
func (c *comparison) alone(d difference, where, rule string, aPlace, bPlace finding.Place) {
	s, has, lacks, place := d.a, c.a, c.b, bPlace
	if s == nil {
		s, has, lacks, place = d.b, c.b, c.a, aPlace
	}
	message := fmt.Sprintf("%s%s is in this file only", where, quoted(s.text))
	if d.more > 0 {
		message = fmt.Sprintf("%s%s and %d more statements are in this file only", where, quoted(s.text), d.more)
	}
	switch {
	case s.kind == marked:
		rule, message = ruleRegion, where+"a platform region begins here and not in the other file"
	case s.kind == lookup:
		rule, message = ruleSymbol, fmt.Sprintf("%s%s is looked up in this file only", where, lastText(s))
	case s.kind == row && firstText(s) != "":
		rule, message = ruleSymbol, fmt.Sprintf("%s%s is in this file's table only", where, firstText(s))
	case !c.strict && rule == ruleDeclaration && isImport(s):
		rule = rulePlatform
	}
	expected := place
	if d.at != nil {
		expected = lacks.span(d.at)
		expected.EndLine, expected.EndCol = 0, 0
	}
	c.add(rule, has.span(s), expected, message, "it is not here")
}

// changed reports one statement in two forms, at the first token that differs.
func (c *comparison) changed(d difference, where, rule string) {
	i := 0
	for i < len(d.a.tokens) && i < len(d.b.tokens) && d.a.tokens[i].Text == d.b.tokens[i].Text {
		i++
	}
	aPlace, bPlace := c.a.token(d.a, i), c.b.token(d.b, i)
	if i == len(d.a.tokens) && i == len(d.b.tokens) {
		c.add(rule, c.a.span(d.a), c.b.span(d.b), fmt.Sprintf("%s%s is in another block in the other file", where, quoted(d.a.text)), "there")
		return
	}
	message := fmt.Sprintf("%s%s here, %s there", where, quoted(d.a.text), quoted(d.b.text))
	if symbol, x, y, ok := versions(d.a, d.b); ok {
		rule = ruleVersion
		message = fmt.Sprintf("%s%s is asked for in version %s here, in version %s there", where, symbol, x, y)
	} else if d.a.kind == lookup && d.b.kind == lookup || d.a.kind == row && firstText(d.a) != firstText(d.b) {
		rule = ruleSymbol
	}
	c.add(rule, aPlace, bPlace, message, "there")
}

// versions tells two statements that ask for one symbol in different versions:
// they differ in numbers alone, or in the version at the end of the symbol.
func versions(a, b *statement) (symbol, x, y string, ok bool) {
	if len(a.tokens) != len(b.tokens) {
		return "", "", "", false
	}
	var xs, ys []string
	for i := range a.tokens {
		s, t := &a.tokens[i], &b.tokens[i]
		if s.Kind == syntax.String && symbol == "" {
			symbol = base(s.Text)
		}
		if s.Text == t.Text {
			continue
		}
		switch {
		case s.Kind == syntax.Number && t.Kind == syntax.Number:
		case s.Kind == syntax.String && t.Kind == syntax.String && base(s.Text) == base(t.Text):
		default:
			return "", "", "", false
		}
		xs, ys = append(xs, strings.Trim(s.Text, `"'`)), append(ys, strings.Trim(t.Text, `"'`))
	}
	return symbol, strings.Join(xs, ", "), strings.Join(ys, ", "), symbol != "" && len(xs) > 0
}

func firstText(s *statement) string {
	for i := range s.tokens {
		if s.tokens[i].Kind == syntax.String {
			return strings.Trim(s.tokens[i].Text, `"'`)
		}
	}
	return ""
}

func lastText(s *statement) string {
	return strings.Trim(s.tokens[len(s.tokens)-1].Text, `"'`)
}

func isImport(s *statement) bool {
	t := s.tokens[0]
	return t.Is("import") || t.Is("cimport") || t.Is("from")
}

func quoted(text string) string { return "`" + text + "`" }

// span is where a statement stands.
func (f *file) span(s *statement) finding.Place {
	first, last := s.tokens[0], s.tokens[len(s.tokens)-1]
	if s.kind == marked {
		return finding.Place{File: f.name, Line: int(first.Line)}
	}
	return f.place(first.Pos, last.End())
}

// token is where the i-th token of a statement stands, or its end.
func (f *file) token(s *statement, i int) finding.Place {
	if i >= len(s.tokens) {
		end := s.tokens[len(s.tokens)-1].End()
		return f.place(end, end)
	}
	return f.place(s.tokens[i].Pos, s.tokens[i].End())
}
