package ir

import "strings"

// maxChain bounds how deep types are followed through typedefs. C has no
// type that leads back to itself but through a record, where this stops; a
// history that was made by hand may.
const maxChain = 100

// resolve follows typedefs to the type that they stand for.
func (w *world) resolve(t *Type) *Type {
	for i := 0; t != nil && t.Kind == Named && t.Tag == "" && i < maxChain; i++ {
		def := w.typedefs[t.Name]
		if def == nil || def.Type == nil {
			break
		}
		to := def.Type
		if t.Const && !to.Const {
			c := *to
			c.Const = true
			to = &c
		}
		t = to
	}
	return t
}

// key is the key of the record or enum that a resolved type names.
func (t *Type) key() string {
	if t.Tag == "" {
		return t.Name
	}
	return t.Tag + " " + t.Name
}

// passed is a parameter's type as a caller sees it: arrays are pointers, and
// its own const means nothing.
func passed(t *Type) *Type {
	if t.Kind == Array {
		return &Type{Kind: Pointer, Elem: t.Elem}
	}
	return unqualified(t)
}

func unqualified(t *Type) *Type {
	if !t.Const {
		return t
	}
	c := *t
	c.Const = false
	return &c
}

// signature is a type as the signature string of a function spells it: by
// names, with const at every level, and without what makes no other type: names
// of parameters, their own const, bounds of arrays that are passed. Conventions
// are left to [differ.convention]. A tag with a typedef of its own name is
// spelled by that.
func (w *world) signature(t *Type) *Type {
	switch t.Kind {
	case Named:
		if t.Tag == "" {
			return t
		}
		def := w.typedefs[t.Name]
		if def == nil || def.Type.Kind != Named || def.Type.Tag != t.Tag || def.Type.Name != t.Name {
			return t
		}
		return &Type{Kind: Named, Const: t.Const, Name: t.Name}
	case Pointer, Array:
		c := *t
		c.Elem = w.signature(t.Elem)
		return &c
	case Func:
		c := Type{Kind: Func, Const: t.Const, Elem: w.signature(unqualified(t.Elem)), Variadic: t.Variadic}
		for _, p := range t.Params {
			c.Params = append(c.Params, Param{Type: w.signature(passed(p.Type))})
		}
		return &c
	}
	return t
}

// constless is a type without const at any level.
func constless(t *Type) *Type {
	c := *t
	c.Const = false
	if t.Elem != nil {
		c.Elem = constless(t.Elem)
	}
	c.Params = nil
	for _, p := range t.Params {
		c.Params = append(c.Params, Param{p.Name, constless(p.Type)})
	}
	return &c
}

// shown is a type as a report shows it. Only one platform has another calling
// convention.
func shown(t *Type) string {
	if t == nil {
		return ""
	}
	return strings.ReplaceAll(t.String(), "stdcall:", "")
}

// shownFunction is a function's declaration.
func shownFunction(name string, t *Type) string {
	result := shown(t.Elem)
	return result + " " + name + strings.TrimPrefix(shown(t), result)
}

// enter counts how deep types are being compared; it reports false where that
// is too deep. leave follows it.
func (d *differ) enter() bool { d.depth++; return d.depth < maxChain }
func (d *differ) leave()      { d.depth-- }

// sameType reports whether an old and a new type are one in C, whatever
// typedefs they are spelled with.
func (d *differ) sameType(old, new *Type) bool {
	if old == nil || new == nil {
		return old == new
	}
	defer d.leave()
	if !d.enter() {
		return old.String() == new.String()
	}
	a, b := d.old.resolve(old), d.new.resolve(new)
	if a.Kind != b.Kind || a.Const != b.Const {
		return false
	}
	switch a.Kind {
	case Basic:
		return a.Name == b.Name
	case Named:
		return d.sameTag(a, b)
	case Array:
		return a.Len == b.Len && d.sameType(a.Elem, b.Elem)
	case Func:
		if a.Variadic != b.Variadic || len(a.Params) != len(b.Params) || !d.sameType(unqualified(a.Elem), unqualified(b.Elem)) {
			return false
		}
		for i := range a.Params {
			if !d.sameType(passed(a.Params[i].Type), passed(b.Params[i].Type)) {
				return false
			}
		}
		return true
	}
	return d.sameType(a.Elem, b.Elem)
}

// sameTag reports whether two resolved names stand for the same record or enum,
// or for the same type that the headers leave to others (size_t).
func (d *differ) sameTag(a, b *Type) bool {
	x, y := a.key(), b.key()
	return x == y || d.paired[x] == y
}

// sameConst reports whether the types differ in nothing but const.
func (d *differ) sameConst(old, new *Type) bool {
	return shown(constless(d.old.signature(old))) == shown(constless(d.new.signature(new)))
}

// converts reports whether C takes a value of the first type, in the world of
// from, where one of the second is wanted, and no compiler says a word: they
// are the same, or pointers of which the second promises more const, at the
// first level.
func (d *differ) converts(old, new *Type, back bool) bool {
	a, b := unqualified(d.old.resolve(old)), unqualified(d.new.resolve(new))
	if a.Kind == Pointer && b.Kind == Pointer {
		x, y := d.old.resolve(a.Elem), d.new.resolve(b.Elem)
		from, to := x, y
		if back {
			from, to = y, x
		}
		return (!from.Const || to.Const) && d.sameType(unqualified(x), unqualified(y))
	}
	return d.sameType(a, b)
}

// callable reports whether every call that was written for the old function
// type compiles with the new one.
func (d *differ) callable(old, new *Type) bool {
	if len(old.Params) != len(new.Params) || old.Variadic != new.Variadic || !d.converts(old.Elem, new.Elem, true) {
		return false
	}
	for i := range old.Params {
		if !d.converts(passed(old.Params[i].Type), passed(new.Params[i].Type), false) {
			return false
		}
	}
	return true
}

// sameBits reports whether values of two types are laid out and passed alike,
// so that code compiled with the one works with the other. Where a pointer
// points does not matter, unless that is code.
func (d *differ) sameBits(old, new *Type) bool {
	if old == nil || new == nil {
		return old == new
	}
	defer d.leave()
	if !d.enter() {
		return old.String() == new.String()
	}
	a, b := d.old.number(d.old.resolve(old)), d.new.number(d.new.resolve(new))
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Basic:
		return a.Name == b.Name || integerSize(a.Name, d.target) != 0 && integerSize(a.Name, d.target) == integerSize(b.Name, d.target) && isUnsigned(a.Name) == isUnsigned(b.Name)
	case Named:
		if d.sameTag(a, b) {
			return true // what changes in it is reported with it
		}
		x, y := d.old.records[a.key()], d.new.records[b.key()]
		return x != nil && y != nil && d.sameLayout(x, y)
	case Array:
		return a.Len == b.Len && d.sameBits(a.Elem, b.Elem)
	case Func:
		if a.Variadic != b.Variadic || len(a.Params) != len(b.Params) || !d.sameBits(a.Elem, b.Elem) {
			return false
		}
		for i := range a.Params {
			if !d.sameBits(passed(a.Params[i].Type), passed(b.Params[i].Type)) {
				return false
			}
		}
		return true
	}
	x, y := d.old.resolve(a.Elem), d.new.resolve(b.Elem)
	return x.Kind != Func && y.Kind != Func || d.sameBits(x, y)
}

// number is the basic type that holds an enum, and other types as they are.
func (w *world) number(t *Type) *Type {
	if t.Kind == Named {
		if e := w.enums[t.key()]; e != nil {
			return &Type{Kind: Basic, Name: e.Underlying}
		}
	}
	return t
}

// integerSize is the size of an integer type in bytes on a 64-bit target, or 0
// for other types.
func integerSize(name string, t Target) int {
	switch strings.TrimPrefix(name, "unsigned ") {
	case "char", "signed char", "_Bool":
		return 1
	case "short":
		return 2
	case "int":
		return 4
	case "long":
		if t.OS() == "windows" {
			return 4
		}
		return 8
	case "long long":
		return 8
	}
	return 0
}

func isUnsigned(name string) bool { return strings.HasPrefix(name, "unsigned ") || name == "_Bool" }
