package ir

import "strings"

func (d *differ) typedefs() {
	before := make(map[string]bool, len(d.old.Typedefs))
	for i := range d.old.Typedefs {
		old := &d.old.Typedefs[i]
		before[old.Name] = true
		switch new := d.new.typedefs[old.Name]; {
		case new != nil:
			d.typedef(old, new)
		case d.retagged(d.new, d.old, old.Name):
			// Its type has no tag any more, and the name for its own.
		default:
			d.add(change{Subject: TypedefSubject, What: Removed, Name: old.Name, Old: shown(old.Type), Header: old.Header, Breaks: BreaksSource})
		}
	}
	for i := range d.new.Typedefs {
		if new := &d.new.Typedefs[i]; !before[new.Name] && !d.retagged(d.old, d.new, new.Name) {
			d.add(change{Subject: TypedefSubject, What: Added, Name: new.Name, New: shown(new.Type), Header: new.Header})
		}
	}
}

// retagged reports whether a name is a record's or an enum's own in one world
// and a typedef for the same type, with a tag, in the other.
func (d *differ) retagged(own, typedef *world, name string) bool {
	if own.records[name] == nil && own.enums[name] == nil {
		return false
	}
	key := typedef.resolve(&Type{Kind: Named, Name: name}).key()
	return own == d.old && d.paired[name] == key || own == d.new && d.paired[key] == name
}

func (d *differ) typedef(old, new *Typedef) {
	if *old == *new {
		return
	}
	put := func(x change) {
		x.Subject, x.Name, x.Header = TypedefSubject, new.Name, new.Header
		d.add(x)
	}
	if old.Type != new.Type {
		for _, x := range d.meaning(old, new) {
			put(x)
		}
	}
	if old.Macro != new.Macro {
		words := map[bool]string{true: "macro", false: "typedef"}
		put(change{What: KindChanged, Old: words[old.Macro], New: words[new.Macro]})
	}
	d.header(TypedefSubject, new.Name, &old.Meta, &new.Meta)
}

// meaning compares what a typedef stands for.
func (d *differ) meaning(old, new *Typedef) []change {
	a, b := old.Type, new.Type
	if a.Kind == Pointer && b.Kind == Pointer && a.Elem.Kind == Func && b.Elem.Kind == Func {
		// A callback. Nobody is checked against its signature, but code that is
		// called with other arguments goes wrong.
		out := d.signature(old.Name, a.Elem, b.Elem)
		for i := range out {
			if out[i].What == SignatureChanged {
				out[i].Breaks = d.typeBreaks(a, b)
			}
		}
		if a.Const == b.Const {
			return out
		}
	}
	if shown(a) != shown(b) {
		x := change{What: TypeChanged, Old: shown(a), New: shown(b), Breaks: d.typeBreaks(a, b)}
		switch {
		case d.sameType(a, b):
			x.Detail = "the same type under another name"
		case d.sameConst(a, b):
			x.Detail = "const"
		default:
			x.Detail = d.retargeted(a, b)
		}
		return []change{x}
	}
	if d.target.OS() == "windows" && a.String() != b.String() {
		return []change{{What: ConventionChanged, Old: a.String(), New: b.String(), Breaks: d.conventionBreaks()}}
	}
	return nil
}

// typeBreaks is what another type in the same place breaks.
func (d *differ) typeBreaks(old, new *Type) (b Breaks) {
	if !d.sameType(old, new) {
		b |= BreaksSource
	}
	if !d.sameBits(old, new) {
		b |= BreaksABI
	}
	return b
}

// retargeted says how two records differ that a name stands for one after the
// other.
func (d *differ) retargeted(old, new *Type) string {
	a, b := d.old.resolve(old), d.new.resolve(new)
	x, y := d.old.records[a.key()], d.new.records[b.key()]
	if a.Kind != Named || b.Kind != Named || x == nil || y == nil || a.key() == b.key() {
		return ""
	}
	changes := d.recordChanges(x, y)
	if len(changes) == 0 {
		return "the same fields"
	}
	var parts []string
	for i, c := range changes {
		if i == 4 {
			parts = append(parts, "and more")
			break
		}
		part := string(c.What)
		if c.Name != "" {
			part = c.Name + " " + part
		}
		if c.Old != "" && c.New != "" {
			part += " from " + c.Old + " to " + c.New
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

func (d *differ) constants() {
	before := make(map[string]*Constant, len(d.old.Constants))
	for i := range d.old.Constants {
		before[d.old.Constants[i].Name] = &d.old.Constants[i]
	}
	for i := range d.new.Constants {
		new := &d.new.Constants[i]
		old := before[new.Name]
		delete(before, new.Name)
		if old == nil {
			d.add(change{Subject: ConstantSubject, What: Added, Name: new.Name, New: new.shown(), Header: new.Header})
		} else if *old != *new {
			d.constant(old, new)
		}
	}
	for _, old := range before {
		d.add(change{Subject: ConstantSubject, What: Removed, Name: old.Name, Old: old.shown(), Header: old.Header, Breaks: old.breaks()})
	}
}

// breaks is what breaks without the constant. A macro that has no value is not
// bound.
func (c *Constant) breaks() Breaks {
	if c.Type == nil {
		return 0
	}
	return BreaksSource
}

func (c *Constant) shown() string {
	if c.Type == nil {
		return "no value: " + c.Reason
	}
	return c.Value
}

func (d *differ) constant(old, new *Constant) {
	put := func(x change) {
		x.Subject, x.Name, x.Header = ConstantSubject, new.Name, new.Header
		d.add(x)
	}
	if old.shown() != new.shown() || (old.Type == nil) != (new.Type == nil) {
		x := change{What: ValueChanged, Old: old.shown(), New: new.shown()}
		switch {
		case new.Type == nil:
			x.Breaks = old.breaks()
		case old.Type != nil && !movingConstant(new.Name):
			x.Breaks = BreaksABI
		}
		put(x)
	}
	if old.Type != nil && new.Type != nil && shown(old.Type) != shown(new.Type) {
		put(change{What: TypeChanged, Old: shown(old.Type), New: shown(new.Type)})
	}
	d.header(ConstantSubject, new.Name, &old.Meta, &new.Meta)
}
