package diffpage

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

//go:embed page.html.tmpl
var pageText string

//go:embed page.css
var style string

//go:embed page.js
var script string

var page = template.Must(template.New("page").Parse(pageText))

// view is what the template prints.
type view struct {
	Library           string
	Old, New          release
	Targets           []ir.Target
	Total             int
	Summary           string
	Partial           int     // changes that concern some platforms alone
	Classes           []class // those that have changes
	Subjects          []ir.Subject
	History           string // how far it goes, in words
	Style             template.CSS
	Script            template.JS
	StyleIs, ScriptIs string // their hashes, for the policy
}

type release struct{ Label, Date string }

type class struct {
	Name           ir.Class
	Title, Meaning string
	Items          []item
}

// item is a change.
type item struct {
	ID           string
	Subject      ir.Subject
	Name, In     string
	What         ir.What
	Old, New     []part // values or declarations
	Declared     bool   // declarations
	Detail       string
	SourceToo    bool
	On           []ir.Target
	Header       string
	History      []passage
	HistoryWords string
}

// part is a stretch of text that both have, or that is one's own.
type part struct {
	Text string
	Own  bool
}

// passage is an event of a history.
type passage struct {
	ir.Passage
	Within bool // what the page compares
}

// Write writes the page. The history is that of the library, with both releases.
func Write(w io.Writer, c *ir.Changes, h *ir.History) error {
	old, err := h.Find(c.Old)
	if err != nil {
		return err
	}
	new, err := h.Find(c.New)
	if err != nil {
		return err
	}
	v := view{
		Library: c.Library, Targets: c.Targets, Total: len(c.List), Summary: c.Summary(),
		Old: release{c.Old, h.Releases[old].Date}, New: release{c.New, h.Releases[new].Date},
		History: fmt.Sprintf("%d releases, %s to %s", len(h.Releases), h.Releases[0].Label, h.Releases[len(h.Releases)-1].Label),
		Style:   template.CSS(style), Script: template.JS(script),
		StyleIs: digest(style), ScriptIs: digest(script),
	}
	within := map[string]bool{}
	for _, r := range h.Releases[min(old, new)+1 : max(old, new)+1] {
		within[r.Label] = true
	}
	chronicle := h.Chronicle()
	items := map[ir.Class][]item{}
	used := map[string]int{}
	for i := range c.List {
		x := &c.List[i]
		it := newItem(x, chronicle, within)
		if used[it.ID]++; used[it.ID] > 1 {
			it.ID += fmt.Sprintf("-%d", used[it.ID])
		}
		if x.On != nil {
			v.Partial++
		}
		items[x.Class()] = append(items[x.Class()], it)
		if !slices.Contains(v.Subjects, x.Subject) {
			v.Subjects = append(v.Subjects, x.Subject)
		}
	}
	for _, name := range ir.Classes {
		if len(items[name]) > 0 {
			v.Classes = append(v.Classes, class{name, name.Title(), name.Meaning(), items[name]})
		}
	}
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// digest is what a content security policy allows a text by.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func newItem(x *ir.Change, chronicle *ir.Chronicle, within map[string]bool) item {
	it := item{
		Subject: x.Subject, Name: x.Name, In: x.In, What: x.What, Detail: x.Detail, On: x.On, Header: x.Header,
		SourceToo: x.Class() != ir.Source && x.Breaks&ir.BreaksSource != 0,
		ID:        id(string(x.Subject), x.In, x.Name, string(x.What)),
		Declared:  x.Declarations() != nil,
	}
	it.Old, it.New = compare(x.Old, x.New)
	line := chronicle.For(x)
	for _, p := range line.Passages() {
		release, _, _ := strings.Cut(p.When, " ")
		it.History = append(it.History, passage{p, within[release]})
	}
	it.HistoryWords = words(&line, it.History)
	return it
}

// words sums a history up: since when, and in how many releases it changed.
func words(l *ir.Timeline, list []passage) string {
	if len(list) == 0 {
		return ""
	}
	text := "since " + list[0].When
	releases := map[string]bool{}
	for _, e := range l.Events {
		releases[e.Release] = true
	}
	switch n := len(releases) - 1; n {
	case 0:
	case 1:
		text += ", changed in 1 release"
	default:
		text += fmt.Sprintf(", changed in %d releases", n)
	}
	return text
}

// id makes an identifier of a page of names.
func id(names ...string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			return r
		}
		return '-'
	}, strings.Join(names, " "))
	for strings.Contains(text, "--") {
		text = strings.ReplaceAll(text, "--", "-")
	}
	return text
}

// compare parts two texts into what they begin and end with alike, and what is
// each one's own.
func compare(old, new string) (a, b []part) {
	if old == "" || new == "" {
		return parts("", old, ""), parts("", new, "")
	}
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	for inWord(old, head) || inWord(new, head) {
		head--
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for tail > 0 && (inWord(old, len(old)-tail) || inWord(new, len(new)-tail)) {
		tail--
	}
	if head == 0 && tail == 0 {
		return parts("", old, ""), parts("", new, "")
	}
	return parts(old[:head], old[head:len(old)-tail], old[len(old)-tail:]), parts(new[:head], new[head:len(new)-tail], new[len(new)-tail:])
}

// inWord reports whether a place is within a word.
func inWord(s string, at int) bool { return at > 0 && at < len(s) && word(s[at-1]) && word(s[at]) }

// word reports whether a byte is part of a word; those of letters outside ASCII
// are.
func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

func parts(head, own, tail string) []part {
	var list []part
	for _, p := range []part{{head, false}, {own, head+tail != ""}, {tail, false}} {
		if p.Text != "" {
			list = append(list, p)
		}
	}
	return list
}
