package ir

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// TestTimelinesOfRandomHistories follows the events of every name, whatever the
// history holds: what they say is there must be there, release by release and
// target by target.
func TestTimelinesOfRandomHistories(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+int64(*histories/5+1); seed++ {
		g := &generator{rand.New(rand.NewSource(seed))}
		snapshots, _ := g.snapshots()
		h := NewHistory(snapshots[0].Library)
		for _, s := range snapshots {
			if err := h.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		c := h.Chronicle()
		for subject, names := range namesBySubject(h) {
			for name := range names {
				if twice(h, subject, name) {
					continue // no header could declare that
				}
				lines := slices.DeleteFunc(c.Of(name), func(l Timeline) bool { return l.Subject != subject || l.Name != name })
				if len(lines) != 1 {
					t.Fatalf("seed %d: %s %s has %d timelines", seed, subject, name, len(lines))
				}
				if problem := follow(h, &lines[0]); problem != "" {
					t.Fatalf("%s\n%s\nagain with: go test ./ir -run TestTimelinesOfRandomHistories -seed %d -histories 1", problem, lines[0].Text(), seed)
				}
			}
		}
	}
}

// namesBySubject lists what has a timeline by its name.
func namesBySubject(h *History) map[Subject]map[string]bool {
	names := map[Subject]map[string]bool{FunctionSubject: {}, EnumeratorSubject: {}, TypedefSubject: {}, ConstantSubject: {}}
	for _, life := range h.Lives() {
		for _, s := range life.Shapes {
			switch e := s.Entity.(type) {
			case *Function:
				if !e.Superseded {
					names[FunctionSubject][e.Name] = true
				}
			case *Enum:
				for _, v := range e.Enumerators {
					names[EnumeratorSubject][v.Name] = true
				}
			case *Typedef:
				names[TypedefSubject][e.Name] = true
			case *Constant:
				names[ConstantSubject][e.Name] = true
			}
		}
	}
	return names
}

// twice reports whether some release declares a name more than once.
func twice(h *History, subject Subject, name string) bool {
	for i := range h.Releases {
		s := h.whole(i)
		for _, target := range s.Targets {
			if s.declared(target, subject, name) > 1 {
				return true
			}
		}
	}
	return false
}

// declared counts how often a release declares a name on a target.
func (s *Snapshot) declared(t Target, subject Subject, name string) (n int) {
	api := s.For(t)
	for _, f := range api.Functions {
		if subject == FunctionSubject && f.Name == name && !f.Superseded {
			n++
		}
	}
	for _, e := range api.Enums {
		for _, v := range e.Enumerators {
			if subject == EnumeratorSubject && v.Name == name {
				n++
			}
		}
	}
	for _, td := range api.Typedefs {
		if subject == TypedefSubject && td.Name == name {
			n++
		}
	}
	for _, c := range api.Constants {
		if subject == ConstantSubject && c.Name == name {
			n++
		}
	}
	return n
}

// follow goes through the events of a timeline and says where they are wrong.
func follow(h *History, l *Timeline) string {
	there := map[Target]bool{}
	for i, r := range h.Releases {
		s := h.whole(i)
		if i > 0 {
			// Of a target that the release before was not read for, nothing is told.
			before := h.read[i-1]
			for _, target := range s.Targets {
				if !slices.Contains(before, target) {
					there[target] = s.declared(target, l.Subject, l.Name) == 1
				}
			}
		}
		for _, e := range l.Events {
			if e.Release != r.Label {
				continue
			}
			if e.OrBefore != (i == 0) {
				return fmt.Sprintf("%s: or before: %v", r.Label, e.OrBefore)
			}
			for _, target := range s.Targets {
				if !e.Change.Concerns(target) || i > 0 && !slices.Contains(h.read[i-1], target) {
					continue
				}
				switch {
				case e.Change.comes(l.Name):
					there[target] = true
				case e.Change.goes(l.Name):
					there[target] = false
				}
			}
		}
		for _, target := range s.Targets {
			if want := s.declared(target, l.Subject, l.Name) == 1; there[target] != want {
				return fmt.Sprintf("%s on %s: declared: %v", r.Label, target, want)
			}
		}
	}
	return ""
}
