package ir

import (
	"cmp"
	"slices"
	"strings"
)

// Timeline is what became of one name over the releases of a history.
type Timeline struct {
	Subject Subject
	// Name and In are those of a [Change]. The enum of an enumerator is the one
	// that had it last.
	Name, In string
	Releases string  // that have it on some target, as runs: "12.0.0..12.9.1,13.4.2.."
	Events   []Event // in the order of releases
}

// Event is a change in one release. A name that the history begins with has an
// event for that: since when it is there is not known.
type Event struct {
	Release  string
	Date     string // of the release, where known
	OrBefore bool   // the first release of the history
	Change   Change
}

// Chronicle tells what became of names. It compares each release with the one
// before it, once.
type Chronicle struct {
	h       *History
	changes []*Changes // by release; that of the first is empty
}

// Chronicle makes one of the history.
func (h *History) Chronicle() *Chronicle {
	c := &Chronicle{h: h, changes: make([]*Changes, len(h.Releases))}
	for i := range h.Releases {
		if i == 0 {
			c.changes[i] = &Changes{}
		} else {
			c.changes[i] = h.between(i-1, i)
		}
	}
	return c
}

// state is what something is in each release, target by target, by place in
// History.Releases and in History.Targets.
type state [][]cell

// cell is whether something is there, and what it is.
type cell struct {
	there bool
	text  string
}

func (h *History) newState() state {
	s := make(state, len(h.Releases))
	for i := range s {
		s[i] = make([]cell, len(h.Targets))
	}
	return s
}

// note enters a text for the releases and targets of a shape.
func (s state) note(h *History, in span, on TargetSet, text string) {
	for i := range s {
		if !in[i] {
			continue
		}
		for t, target := range h.Targets {
			if on.Has(t) && slices.Contains(h.read[i], target) {
				s[i][t] = cell{true, text}
			}
		}
	}
}

func (s state) span() span {
	in := make(span, len(s))
	for i := range s {
		in[i] = s.has(i)
	}
	return in
}

// has reports whether something is there in a release, on any target.
func (s state) has(i int) bool {
	return slices.ContainsFunc(s[i], func(c cell) bool { return c.there })
}

// timeline puts together where something is with what is told of it. mine says
// which changes are; a change that nobody tells of is made up of the states.
func (c *Chronicle) timeline(subject Subject, name, in string, s state, mine func(*Change) bool) Timeline {
	h := c.h
	line := Timeline{Subject: subject, Name: name, In: in, Releases: s.span().text(h.Labels())}
	for i, r := range h.Releases {
		put := func(x Change) { line.Events = append(line.Events, Event{r.Label, r.Date, i == 0, x}) }
		if i == 0 {
			for _, x := range s.turn(h, make([]cell, len(h.Targets)), 0, subject, name, in) {
				put(x)
			}
			continue
		}
		came, went := false, false
		for k := range c.changes[i].List {
			x := &c.changes[i].List[k]
			if !mine(x) || x.What == Renamed && x.New == name && s.has(i-1) {
				continue // not its own, or the end of another name
			}
			put(*x)
			came = came || x.comes(name)
			went = went || x.goes(name)
		}
		for _, x := range s.turn(h, s[i-1], i, subject, name, in) {
			if x.What == Added && !came || x.What == Removed && !went {
				put(x)
			}
		}
	}
	return line
}

// comes reports whether the change makes a name public, goes whether it takes
// it away.
func (x *Change) comes(name string) bool {
	return x.Name == name && (x.What == Added || x.What == Restored) || x.What == Renamed && x.New == name
}

func (x *Change) goes(name string) bool {
	return x.Name == name && (x.What == Removed || x.What == Superseded) || x.What == Renamed && x.Old == name
}

// turn lists what came and went in a release, on the targets that it and the
// one before were read for.
func (s state) turn(h *History, before []cell, i int, subject Subject, name, in string) []Change {
	byCells := map[[2]cell][]Target{}
	common := 0
	for t, target := range h.Targets {
		if !slices.Contains(h.read[i], target) || i > 0 && !slices.Contains(h.read[i-1], target) {
			continue
		}
		common++
		if before[t].there != s[i][t].there {
			key := [2]cell{before[t], s[i][t]}
			byCells[key] = append(byCells[key], target)
		}
	}
	var out []Change
	for cells, on := range byCells {
		x := Change{Subject: subject, What: Added, Name: name, In: in, Old: cells[0].text, New: cells[1].text, On: on}
		if cells[0].there {
			x.What, x.Breaks = Removed, BreaksSource
		}
		if len(on) == common {
			x.On = nil
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(slices.Compare(a.On, b.On), strings.Compare(a.Old+a.New, b.Old+b.New))
	})
	return out
}
