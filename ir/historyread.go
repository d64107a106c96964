package ir

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// historyReader reads the parts of a history around the entities.
type historyReader struct {
	*reader
	h      *History
	labels []string
	read   []TargetSet     // the targets of each release
	spans  map[string]span // spellings read so far; spans are immutable
}

// targets reads the targets of the history. One without releases has none.
func (d *historyReader) targets() []Target {
	return d.targetList(0, func(t Target) {
		if _, err := ParseTarget(string(t)); err != nil {
			d.fail("%v", err)
		}
	})
}

// known reads targets that are among those of the history.
func (d *historyReader) known() []Target {
	return d.targetList(1, func(t Target) {
		if !slices.Contains(d.h.Targets, t) {
			d.fail("target %q is not among the targets of the history (%s)", t, joinTargets(d.h.Targets))
		}
	})
}

func (d *historyReader) targetList(least int, check func(Target)) []Target {
	var list []Target
	d.array(func() {
		t := Target(d.str())
		check(t)
		if slices.Contains(list, t) {
			d.fail("target %q stands twice", t)
		}
		list = append(list, t)
	})
	if d.err == nil && (len(list) < least || len(list) > 32) {
		d.fail("expected %d to 32 targets, found %d", least, len(list))
	}
	return list
}

func joinTargets(list []Target) string {
	var b strings.Builder
	for i, t := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(t))
	}
	return b.String()
}

func (d *historyReader) release() {
	var r Release
	read := d.h.Targets
	d.object(func(name string) {
		switch name {
		case "release":
			r.Label = d.str()
			d.newer(r.Label)
		case "date":
			r.Date = d.str()
		case "prerelease":
			r.Prerelease = d.bool()
		case "asserted":
			r.Asserted = d.bool()
		case "targets":
			read = d.known()
		case "components":
			r.Components = d.stringMap()
		case "omitted":
			r.Omitted = d.stringMap()
		case "headers":
			r.Headers = d.stringMap()
		case "otherHeaders":
			r.OtherHeaders = map[Target]map[string]string{}
			d.object(func(t string) { r.OtherHeaders[Target(t)] = d.stringMap() })
		default:
			d.unknown(name, "release", "date", "prerelease", "asserted", "targets", "components", "omitted", "headers", "otherHeaders")
		}
	})
	if r.Label == "" {
		d.fail("expected a property \"release\"")
	}
	if len(read) == 0 {
		d.fail("release %s: expected the property \"targets\" of the history before its releases", r.Label)
	}
	for t := range r.OtherHeaders {
		if !slices.Contains(read, t) {
			d.fail("release %s: other headers for target %q, which is not among those read (%s)", r.Label, t, joinTargets(read))
		}
	}
	d.h.Releases = append(d.h.Releases, r)
	d.h.read = append(d.h.read, read)
	d.labels = append(d.labels, r.Label)
	if d.err == nil {
		d.read = append(d.read, TargetSet(0).move(read, d.h.Targets))
	}
}

// newer checks that a label comes after the last one.
func (d *historyReader) newer(label string) {
	v, err := ParseVersion(label)
	if d.err != nil {
		return
	}
	if err != nil {
		d.fail("%v", err)
		return
	}
	if n := len(d.labels); n > 0 {
		if last, err := ParseVersion(d.labels[n-1]); err == nil && v.Compare(last) <= 0 {
			d.fail("release %s stands after %s: expected releases in order, each once", label, d.labels[n-1])
		}
	}
}

func (d *historyReader) span() span {
	text := d.str()
	if s, ok := d.spans[text]; ok {
		return s
	}
	if d.err != nil {
		return nil
	}
	s, err := parseSpan(text, d.labels)
	if err != nil {
		d.fail("%v", err)
		return nil
	}
	if d.spans == nil {
		d.spans = map[string]span{}
	}
	d.spans[text] = s
	return s
}

func (d *historyReader) on() TargetSet {
	list := d.known()
	if d.err != nil {
		return 0
	}
	return TargetSet(0).move(list, d.h.Targets)
}

func decodeTable[T any, P entity[T]](d *historyReader, t *table[T, P]) {
	d.array(func() {
		var rw row[T]
		start := d.next()
		d.object(func(name string) {
			switch name {
			case "name":
				if rw.key = d.str(); d.err == nil && len(t.rows) > 0 && rw.key <= t.rows[len(t.rows)-1].key {
					d.fail("%q stands after %q: expected names in order, each once", rw.key, t.rows[len(t.rows)-1].key)
				}
			case "is":
				d.array(func() {
					rw.shapes = append(rw.shapes, shape[T]{})
					sh := &rw.shapes[len(rw.shapes)-1]
					p := P(&sh.value)
					d.object(func(name string) {
						switch name {
						case "in":
							sh.in = d.span()
						case "on":
							p.meta().On = d.on()
						default:
							d.property(p, name)
						}
					})
					if sh.in == nil {
						d.fail("%q: expected a property \"in\"", rw.key)
					}
				})
			default:
				d.unknown(name, "name", "is")
			}
		})
		// What is wrong with all of an entity is told at its beginning.
		d.start = start
		if rw.key == "" || len(rw.shapes) == 0 {
			d.fail("expected the properties \"name\" and \"is\"")
		}
		for i := range rw.shapes {
			d.setKey(P(&rw.shapes[i].value), rw.key)
		}
		checkShapes[T, P](d, rw.key, rw.shapes)
		t.rows = append(t.rows, rw)
	})
}

// checkShapes refuses shapes for targets that a release was not read for, and
// two for the same one.
func checkShapes[T any, P entity[T]](d *historyReader, key string, shapes []shape[T]) {
	if d.err != nil || len(shapes) == 1 && P(&shapes[0].value).meta().On == 0 {
		return
	}
	for release, read := range d.read {
		var taken TargetSet
		for i := range shapes {
			if !shapes[i].in[release] {
				continue
			}
			on := P(&shapes[i].value).meta().On
			switch {
			case on&^read != 0:
				d.fail("%q: release %s was not read for %s", key, d.labels[release], joinTargets((on &^ read).Names(d.h.Targets)))
			case on == 0:
				on = read
			}
			if on&taken != 0 {
				d.fail("%q is declared twice in release %s for %s", key, d.labels[release], joinTargets((on & taken).Names(d.h.Targets)))
			}
			taken |= on
		}
	}
}

// setKey gives an entity the names that its key says, and refuses one that
// lacks what its kind must have.
func (d *historyReader) setKey(x any, key string) {
	name := key
	switch x := x.(type) {
	case *Function:
		var renamed bool
		name, x.Symbol, renamed = strings.Cut(key, "=")
		if renamed && (!isName(x.Symbol) || x.Symbol == name) {
			d.fail("function %q: expected NAME, or NAME=SYMBOL where the symbol differs", key)
		}
		if !renamed {
			x.Symbol = name
		}
		x.Name = name
		if x.Type == nil {
			d.fail("function %q: expected a property \"type\"", key)
		}
	case *Enum:
		name, x.Tagged = strings.CutPrefix(key, "enum ")
		x.Name = name
	case *Record:
		name, x.Tagged = strings.CutPrefix(key, x.Keyword()+" ")
		x.Name = name
	case *Typedef:
		if x.Name = key; x.Type == nil {
			d.fail("typedef %q: expected a property \"type\"", key)
		}
	case *Constant:
		x.Name = key
		switch {
		case x.Type == nil && x.Reason == "":
			d.fail("constant %q: expected a type and a value, or a reason", key)
		case x.Type == nil && x.Value != "":
			d.fail("constant %q: expected a type for its value", key)
		}
	}
	if !isName(name) {
		d.fail("%q is not the name of a C declaration of this kind", key)
	}
}

func (d *historyReader) role() {
	var r Role
	d.object(func(name string) {
		switch name {
		case "function":
			r.Function = d.str()
		case "param":
			r.Param = d.str()
		case "in":
			r.In = d.str()
			if _, err := parseSpan(r.In, d.labels); d.err == nil && err != nil {
				d.fail("%v", err)
			}
		case "is":
			if r.Is = d.str(); !slices.Contains(RoleNames, r.Is) {
				d.fail("role %q: expected one of %s%s", r.Is, strings.Join(RoleNames, ", "), suggest.Hint(r.Is, RoleNames))
			}
		case "length":
			r.Length = d.str()
		case "optional":
			r.Optional = d.bool()
		default:
			d.unknown(name, "function", "param", "in", "is", "length", "optional")
		}
	})
	if r.Function == "" || r.Param == "" || r.Is == "" {
		d.fail("expected the properties \"function\", \"param\" and \"is\"")
	}
	d.h.Roles = append(d.h.Roles, r)
}
