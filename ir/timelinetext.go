package ir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Title is what the timeline is of: "function cuInit", "enumerator X in enum E".
func (l *Timeline) Title() string {
	x := Change{Subject: l.Subject, Name: l.Name, In: l.In}
	subject := string(l.Subject) + " "
	return subject + strings.TrimPrefix(x.Title(), subject)
}

// Text writes the timeline, an event a line, indented below the title.
func (l *Timeline) Text() string { return l.Title() + "\n" + l.EventText() }

// EventText writes the events, each with its release and the date of that.
// Members of an enum or a record that came in one release are one line.
func (l *Timeline) EventText() string {
	passages := l.Passages()
	width, whole := 0, 0
	for _, p := range passages {
		if p.Date != "" {
			width = max(width, len(p.When))
		} else {
			whole = max(whole, len(p.When))
		}
	}
	when := func(p Passage) string {
		if p.Date == "" {
			return p.When
		}
		return fmt.Sprintf("%-*s  %s", width, p.When, p.Date)
	}
	for _, p := range passages {
		whole = max(whole, len(when(p)))
	}
	var b strings.Builder
	for _, p := range passages {
		fmt.Fprintf(&b, "  %-*s  %s\n", whole, when(p), p.Text)
		for _, line := range p.Lines {
			fmt.Fprintf(&b, "  %-*s    %s\n", whole, "", line)
		}
	}
	return b.String()
}

// Passage is an event in words, or some members that came or went together.
type Passage struct {
	When  string // the release, "or before" where that is not known
	Date  string // of the release, where it is known and says when
	Text  string
	Lines []string // old and new declarations
	Class Class    // the gravest of the changes
}

// Passages puts the events in words.
func (l *Timeline) Passages() []Passage {
	var out []Passage
	for i := 0; i < len(l.Events); {
		e := &l.Events[i]
		n := 1
		for e.Change.Subject != l.Subject && i+n < len(l.Events) && alike(e, &l.Events[i+n]) {
			n++
		}
		p := Passage{When: e.Release, Date: e.Date, Class: e.Change.Class()}
		if e.OrBefore {
			p.When, p.Date = e.Release+" or before", ""
		}
		if n > 1 {
			p.Text = together(l.Events[i : i+n])
		} else {
			p.Text, p.Lines = e.text(l.Subject)
		}
		out = append(out, p)
		i += n
	}
	return out
}

// alike reports whether two events of members can share a line.
func alike(a, b *Event) bool {
	x, y := &a.Change, &b.Change
	return a.Release == b.Release && x.Subject == y.Subject && x.What == y.What && (x.What == Added || x.What == Removed) &&
		x.Class() == y.Class() && x.on() == y.on()
}

func together(events []Event) string {
	var parts []string
	for i := range events {
		x := &events[i].Change
		parts = append(parts, x.Name+x.Values())
	}
	x := &events[0].Change
	text := fmt.Sprintf("%d %ss %s: %s", len(events), x.Subject, x.What, strings.Join(parts, ", "))
	if v := x.Verdict(); v != "" {
		text += " [" + v + "]"
	}
	return text + x.on()
}

// text is the event in a line, without what the title says, and declarations
// that come below it.
func (e *Event) text(of Subject) (string, []string) {
	x := &e.Change
	if e.OrBefore {
		return oneLine(x.New) + x.on(), nil
	}
	s := string(x.What)
	lines := x.Declarations()
	switch {
	case x.Subject != of:
		s = x.head() + ": " + x.Name + x.Values()
		if x.What == Renamed {
			s = x.head() + ": " + x.Old + " -> " + x.New
		}
	case x.What == Renamed:
		s += ": " + x.Old + " -> " + x.New
	case x.What == Added, x.What == Removed && (!x.declares() || of == SymbolSubject):
		s, lines = s+": "+oneLine(x.Old+x.New), nil
	default:
		s += x.Values()
	}
	if x.Detail != "" {
		s += " (" + x.Detail + ")"
	}
	if text := x.Verdict(); text != "" {
		s += " [" + text + "]"
	}
	return s + x.on(), lines
}

// MarshalJSON writes the timeline for programs. The events have the properties
// that changes have in [Changes.JSON], after the release.
func (l *Timeline) MarshalJSON() ([]byte, error) {
	type event struct {
		Release  string `json:"release"`
		Date     string `json:"date,omitempty"`
		OrBefore bool   `json:"orBefore,omitempty"`
		changeJSON
	}
	out := struct {
		Subject  Subject `json:"subject"`
		Name     string  `json:"name"`
		In       string  `json:"in,omitempty"`
		Releases string  `json:"releases"`
		Events   []event `json:"events"`
	}{l.Subject, l.Name, l.In, l.Releases, []event{}}
	for i := range l.Events {
		e := &l.Events[i]
		out.Events = append(out.Events, event{e.Release, e.Date, e.OrBefore, e.Change.json()})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return b.Bytes(), err
}
