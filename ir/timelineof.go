package ir

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// Of lists the timelines of a name: a function's public name or a symbol, a
// type by its name or tag, an enumerator, a constant, or a field as
// RECORD.PATH. A typedef's name also stands for the record or enum that it
// names. There is none for a name that the history does not know.
func (c *Chronicle) Of(name string) []Timeline {
	lines := slices.Concat(c.functions(name), c.types(name), c.enumerators(name), c.constants(name))
	for at := range name {
		if name[at] == '.' {
			lines = append(lines, c.fields(name[:at], name[at+1:])...)
		}
	}
	return lines
}

// For is the timeline of what a change is about.
func (c *Chronicle) For(x *Change) Timeline {
	name := x.Name
	var lines []Timeline
	switch x.Subject {
	case FunctionSubject, SymbolSubject:
		lines = c.functions(name)
	case EnumSubject, RecordSubject:
		lines = c.byKey(x.Subject, name)
	case EnumeratorSubject:
		lines = c.enumerators(name)
	case FieldSubject:
		lines = c.fields(x.In, name)
	case TypedefSubject:
		lines = c.typedefs(name)
	case ConstantSubject:
		lines = c.constants(name)
	}
	if len(lines) == 0 {
		return Timeline{Subject: x.Subject, Name: name, In: x.In}
	}
	return lines[0]
}

// about makes a filter of changes by subject and name.
func about(subject Subject, name string) func(*Change) bool {
	return func(x *Change) bool {
		return x.Subject == subject && (x.Name == name || x.What == Renamed && (x.Old == name || x.New == name))
	}
}

// functions is the timeline of a public name, or of a symbol that never was one.
func (c *Chronicle) functions(name string) []Timeline {
	public, symbol := c.h.newState(), c.h.newState()
	perThread := ""
	for _, row := range c.h.functions.rows {
		for _, s := range row.shapes {
			f := &s.value
			if f.Name == name && !f.Superseded {
				public.note(c.h, s.in, f.On, shownFunction(f.Name, f.Type))
			}
			if f.Symbol == name {
				led := "no public name leads to it"
				if !f.Superseded {
					led = "the symbol of " + f.Name
				}
				symbol.note(c.h, s.in, f.On, led)
			}
			if f.PerThread == name && !f.Superseded {
				perThread = f.Name
			}
		}
	}
	switch {
	case !public.span().empty():
		return []Timeline{c.timeline(FunctionSubject, name, "", public, about(FunctionSubject, name))}
	case !symbol.span().empty():
		line := c.timeline(SymbolSubject, name, "", symbol, func(x *Change) bool {
			return x.Subject == SymbolSubject && x.Name == name && x.What != Added && x.What != Removed
		})
		return []Timeline{c.led(line, symbol)}
	case perThread != "":
		return c.functions(perThread)
	}
	return nil
}

// order sorts events by release, and those of one release so that members come
// after the whole, each kind of change together.
func (c *Chronicle) order(line *Timeline) {
	labels := c.h.Labels()
	slices.SortStableFunc(line.Events, func(a, b Event) int {
		if n := slices.Index(labels, a.Release) - slices.Index(labels, b.Release); n != 0 {
			return n
		}
		whole, other := a.Change.Subject == line.Subject, b.Change.Subject == line.Subject
		switch {
		case whole && other:
			return 0
		case whole:
			return -1
		case other:
			return 1
		}
		return cmp.Or(strings.Compare(string(a.Change.What), string(b.Change.What)), slices.Compare(a.Change.On, b.Change.On))
	})
}

// led adds when another public name leads to a symbol, or none any more.
func (c *Chronicle) led(line Timeline, s state) Timeline {
	for i := 1; i < len(s); i++ {
		old, new := s[i-1][0], s[i][0]
		if old.there && new.there && old != new {
			x := Change{Subject: SymbolSubject, What: PublicChanged, Name: line.Name, Old: old.text, New: new.text}
			line.Events = append(line.Events, Event{c.h.Releases[i].Label, c.h.Releases[i].Date, false, x})
		}
	}
	c.order(&line)
	for i := range line.Events { // nobody can write its name: nothing breaks
		line.Events[i].Change.Breaks = 0
	}
	return line
}

func (c *Chronicle) constants(name string) []Timeline {
	r, ok := c.h.constants.find(name)
	if !ok {
		return nil
	}
	s := c.h.newState()
	for _, sh := range c.h.constants.rows[r].shapes {
		s.note(c.h, sh.in, sh.value.On, sh.value.shown())
	}
	return []Timeline{c.timeline(ConstantSubject, name, "", s, about(ConstantSubject, name))}
}

func (c *Chronicle) enumerators(name string) []Timeline {
	s, in := c.h.newState(), ""
	last := -1
	for _, row := range c.h.enums.rows {
		for _, sh := range row.shapes {
			at := slices.IndexFunc(sh.value.Enumerators, func(v Enumerator) bool { return v.Name == name })
			if at < 0 {
				continue
			}
			s.note(c.h, sh.in, sh.value.On, string(sh.value.Enumerators[at].Value))
			if newest := sh.in.last(); newest >= last {
				last, in = newest, row.key
			}
		}
	}
	if last < 0 {
		return nil
	}
	return []Timeline{c.timeline(EnumeratorSubject, name, in, s, about(EnumeratorSubject, name))}
}

// last is the place of the newest release of a span.
func (s span) last() int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] {
			return i
		}
	}
	return -1
}

// types lists the timelines of typedefs, records and enums of a name.
func (c *Chronicle) types(name string) []Timeline {
	lines := c.typedefs(name)
	keys := []string{name, "struct " + name, "union " + name, "enum " + name}
	keys = append(keys, c.meant(name)...)
	seen := map[string]bool{}
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			lines = append(lines, c.byKey(RecordSubject, key)...)
			lines = append(lines, c.byKey(EnumSubject, key)...)
		}
	}
	return lines
}

// meant lists the keys that typedefs of a name lead to, by way of others.
func (c *Chronicle) meant(name string) []string {
	var keys []string
	for todo := []string{name}; len(todo) > 0; todo = todo[1:] {
		r, ok := c.h.typedefs.find(todo[0])
		if !ok {
			continue
		}
		for _, s := range c.h.typedefs.rows[r].shapes {
			if t := s.value.Type; t.Kind == Named && !slices.Contains(keys, t.key()) {
				keys = append(keys, t.key())
				todo = append(todo, t.key())
			}
		}
	}
	return keys
}

func (c *Chronicle) typedefs(name string) []Timeline {
	r, ok := c.h.typedefs.find(name)
	if !ok {
		return nil
	}
	s := c.h.newState()
	for _, sh := range c.h.typedefs.rows[r].shapes {
		s.note(c.h, sh.in, sh.value.On, shown(sh.value.Type))
	}
	return []Timeline{c.timeline(TypedefSubject, name, "", s, about(TypedefSubject, name))}
}

// byKey is the timeline of a record or an enum with what became of its members.
func (c *Chronicle) byKey(subject Subject, key string) []Timeline {
	s := c.h.newState()
	member := FieldSubject
	if subject == RecordSubject {
		r, ok := c.h.records.find(key)
		if !ok {
			return nil
		}
		for _, sh := range c.h.records.rows[r].shapes {
			s.note(c.h, sh.in, sh.value.On, sh.value.shown())
		}
	} else {
		r, ok := c.h.enums.find(key)
		if !ok {
			return nil
		}
		member = EnumeratorSubject
		for _, sh := range c.h.enums.rows[r].shapes {
			s.note(c.h, sh.in, sh.value.On, sh.value.shown())
		}
	}
	retag := func(x *Change) bool { return x.What == TagChanged && (x.Old == key || x.New == key) }
	line := c.timeline(subject, key, "", s, func(x *Change) bool {
		switch x.Subject {
		case subject:
			return x.Name == key || retag(x)
		case member:
			return x.In == key || x.What == Moved && x.Old == key
		}
		return false
	})
	line.Events = withoutFirstMembers(line.Events, member)
	c.order(&line)
	return []Timeline{line}
}

// withoutFirstMembers leaves out the members that came and went with the enum
// itself.
func withoutFirstMembers(events []Event, member Subject) []Event {
	whole := map[string]What{} // by release
	for _, e := range events {
		if e.Change.Subject != member && (e.Change.What == Added || e.Change.What == Removed) && e.Change.On == nil {
			whole[e.Release] = e.Change.What
		}
	}
	return slices.DeleteFunc(events, func(e Event) bool {
		return e.Change.Subject == member && e.Change.What == whole[e.Release]
	})
}

// fields is the timeline of a field. The record may be given by a typedef that
// leads to it.
func (c *Chronicle) fields(record, path string) []Timeline {
	keys := append([]string{record, "struct " + record, "union " + record}, c.meant(record)...)
	seen := map[string]bool{}
	var lines []Timeline
	for _, key := range keys {
		r, ok := c.h.records.find(key)
		if !ok || seen[key] {
			continue
		}
		seen[key] = true
		s, offsets := c.h.newState(), c.h.newState()
		for _, sh := range c.h.records.rows[r].shapes {
			for _, m := range members(&sh.value) {
				if m.path == path {
					s.note(c.h, sh.in, sh.value.On, m.f.shown()+" "+m.place())
					offsets.note(c.h, sh.in, sh.value.On, size(m.offset))
				}
			}
		}
		if s.span().empty() {
			continue
		}
		mine := about(FieldSubject, path)
		line := c.timeline(FieldSubject, path, key, s, func(x *Change) bool {
			return x.In == key && x.What != OffsetChanged && mine(x)
		})
		lines = append(lines, c.moves(line, offsets))
	}
	return lines
}

// moves adds when a field is elsewhere. A report of changes tells of neighbours
// that moved alike only once, with the first of them.
func (c *Chronicle) moves(line Timeline, offsets state) Timeline {
	breaks, detail := BreaksABI, ""
	if spareName(line.Name[strings.LastIndexByte(line.Name, '.')+1:]) {
		breaks, detail = 0, spareDetail
	}
	h := c.h
	for i, r := range h.Releases {
		if i == 0 {
			continue
		}
		byText := map[[2]string][]Target{}
		var order [][2]string
		common := 0
		for t, target := range h.Targets {
			old, new := offsets[i-1][t], offsets[i][t]
			if !old.there || !new.there {
				continue
			}
			if common++; old != new {
				key := [2]string{old.text, new.text}
				if byText[key] == nil {
					order = append(order, key)
				}
				byText[key] = append(byText[key], target)
			}
		}
		for _, key := range order {
			x := Change{Subject: FieldSubject, What: OffsetChanged, Name: line.Name, In: line.In, Old: key[0], New: key[1], Detail: detail, Breaks: breaks, On: byText[key]}
			if len(x.On) == common {
				x.On = nil
			}
			line.Events = append(line.Events, Event{r.Label, r.Date, false, x})
		}
	}
	c.order(&line)
	return line
}

// Knows reports whether a chronicle of the history has a timeline of a name. It
// compares no releases.
func (h *History) Knows(name string) bool {
	c := &Chronicle{h: h, changes: make([]*Changes, len(h.Releases))}
	for i := range c.changes {
		c.changes[i] = &Changes{}
	}
	return len(c.Of(name)) > 0
}

// NearNames lists what somebody may have meant by a name that the history does
// not know: all names, or the fields of a record, of that name or the nearest.
func (h *History) NearNames(name string) []string {
	n := h.Names()
	if record, _, field := strings.Cut(name, "."); field {
		out := h.fieldsOf(record)
		if len(out) == 0 {
			out = h.fieldsOf(suggest.Nearest(record, sortedKeys(n.Types)))
		}
		return out
	}
	return slices.Concat(sortedKeys(n.Functions), sortedKeys(n.Enumerators), sortedKeys(n.Types), sortedKeys(n.Constants))
}

// fieldsOf lists the fields that a record ever had, as RECORD.FIELD.
func (h *History) fieldsOf(record string) (out []string) {
	c := &Chronicle{h: h}
	for _, key := range append([]string{record, "struct " + record, "union " + record}, c.meant(record)...) {
		if r, ok := h.records.find(key); ok {
			for _, s := range h.records.rows[r].shapes {
				for _, m := range members(&s.value) {
					out = append(out, record+"."+m.path)
				}
			}
		}
	}
	return out
}
