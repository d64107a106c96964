package parser

import (
	"fmt"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// tag is a struct or union that has a tag.
type tag struct {
	ir.Record
	class   class
	defined bool
}

// recordSpecifier takes a struct or union with a tag at once; without one it
// waits for a declarator to name it.
func (r *specReader) recordSpecifier(n *cc.StructOrUnionSpecifier) error {
	name := n.Token.SrcStr()
	if name == "" {
		r.record = n
		return nil
	}
	b := r.b
	t := b.tag(name, n)
	r.base = &ir.Type{Kind: ir.Named, Tag: t.Keyword(), Name: name}
	if n.Case != cc.StructOrUnionSpecifierDef {
		if reason, ok := b.left[t.Key()]; ok {
			return leftUses(t.Key(), reason)
		}
		return nil
	}
	if t.defined {
		b.fail(n.Token, fmt.Sprintf("%s is defined twice", t.Key()))
		return nil
	}
	if err := b.layOut(&t.Record, n, n.Type()); err != nil {
		b.left[t.Key()] = err.Error()
		b.omit(n.Token, t.Key(), err)
		return leftUses(t.Key(), err.Error())
	}
	t.defined = true
	if b.entities() {
		t.Meta = b.meta(n.Token)
		b.api.Records = append(b.api.Records, t.Record)
	}
	return nil
}

// tag finds a tag, or enters it where it is first mentioned.
func (b *builder) tag(name string, n *cc.StructOrUnionSpecifier) *tag {
	rec := ir.Record{Name: name, Tagged: true, Union: n.StructOrUnion.Case == cc.StructOrUnionUnion}
	t := b.tags[rec.Key()]
	if t == nil {
		t = &tag{Record: rec, class: b.class}
		t.Meta = b.meta(n.Token)
		b.tags[rec.Key()] = t
		if !isIdentifier(name) {
			b.notName(n.Token, name)
		}
		b.tagOrder = append(b.tagOrder, t)
	}
	if b.class == bound && t.class != standard {
		if t.class == consult {
			t.Meta = b.meta(n.Token)
		}
		t.class = bound
	}
	return t
}

// incompleteRecords adds the tags that are never defined: what opaque handles
// point to.
func (b *builder) incompleteRecords() {
	for _, t := range b.tagOrder {
		if t.class == bound && !t.defined {
			rec := t.Record
			rec.Incomplete, rec.Size, rec.Align, rec.Fields = true, 0, 0, nil
			b.api.Records = append(b.api.Records, rec)
		}
	}
}

// layout is what the checker knows of a struct or union.
type layout interface {
	cc.Type
	NumFields() int
	FieldByIndex(int) *cc.Field
}

// layOut fills in a record from its definition and the checker's type.
func (b *builder) layOut(rec *ir.Record, n *cc.StructOrUnionSpecifier, t cc.Type) error {
	l, ok := t.(layout)
	if !ok {
		return leftInnerType
	}
	rec.Union = n.StructOrUnion.Case == cc.StructOrUnionUnion
	rec.Size, rec.Align = max(l.Size(), 0), int64(l.Align())
	i := 0
	for list := n.StructDeclarationList; list != nil; list = list.StructDeclarationList {
		d := list.StructDeclaration
		if d.Case != cc.StructDeclarationDecl {
			continue
		}
		s, err := b.memberSpecs(d.SpecifierQualifierList)
		if err != nil {
			return err
		}
		if d.StructDeclaratorList == nil {
			if s.record == nil {
				return leftInnerType
			}
			f := l.FieldByIndex(i)
			i++
			field, err := b.unnamedMember(rec.Name, s.record, f, f.Type())
			if err != nil {
				return err
			}
			rec.Fields = append(rec.Fields, field)
			continue
		}
		for m := d.StructDeclaratorList; m != nil; m = m.StructDeclaratorList {
			f := l.FieldByIndex(i)
			i++
			if f == nil || f.Name() == "" { // padding: a bit-field without a name
				continue
			}
			field, err := b.member(rec.Name, s, m.StructDeclarator, f)
			if err != nil {
				return err
			}
			rec.Fields = append(rec.Fields, field)
		}
	}
	b.checkMembers(rec, n)
	return nil
}

// member makes a field of a declarator.
func (b *builder) member(parent string, s *specs, d *cc.StructDeclarator, f *cc.Field) (ir.Field, error) {
	if name := f.Name(); !isIdentifier(name) {
		b.notName(d.Declarator.NameTok(), name)
	}
	path := parent + "." + f.Name()
	if s.enum != nil {
		if err := b.defineEnum(s.enum, ir.Enum{Name: path}); err != nil {
			return ir.Field{}, err
		}
		s.enum = nil
		s.base = &ir.Type{Kind: ir.Named, Name: path}
	}
	if s.record != nil {
		return b.unnamedField(path, s.record, d.Declarator, f)
	}
	t, err := b.declarator(s.base, d.Declarator)
	if err != nil {
		return ir.Field{}, err
	}
	field := ir.Field{Name: f.Name(), Type: t, Offset: f.Offset()}
	field.Flex = t.Kind == ir.Array && t.Len < 0
	if f.IsBitfield() {
		field.Bits, field.Bit = int(f.ValueBits()), f.OffsetBits()
	}
	return field, nil
}

// unnamedField makes a field whose type is an unnamed struct or union, or an
// array of them.
func (b *builder) unnamedField(path string, n *cc.StructOrUnionSpecifier, d *cc.Declarator, f *cc.Field) (ir.Field, error) {
	inner := &ir.Type{}
	t, err := b.declarator(inner, d)
	if err != nil {
		return ir.Field{}, err
	}
	field := ir.Field{Name: f.Name(), Offset: f.Offset()}
	of := f.Type()
	for ; t.Kind == ir.Array && t != inner; t = t.Elem {
		field.Dims = append(field.Dims, t.Len)
		field.Flex = field.Flex || t.Len < 0
		if a, ok := of.(*cc.ArrayType); ok {
			of = a.Elem()
		}
	}
	if t != inner {
		return ir.Field{}, leftUnnamed
	}
	field.Record = &ir.Record{Name: path}
	err = b.layOut(field.Record, n, of)
	field.Record.Name = ""
	return field, err
}

// unnamedMember makes a member whose own fields are reached through its
// parent.
func (b *builder) unnamedMember(parent string, n *cc.StructOrUnionSpecifier, f *cc.Field, t cc.Type) (ir.Field, error) {
	rec := &ir.Record{Name: parent}
	err := b.layOut(rec, n, t)
	rec.Name = ""
	return ir.Field{Record: rec, Offset: f.Offset()}, err
}

// checkMembers reports what the front end lets pass: members that share a
// name, that have no size yet, or that follow one without an end.
func (b *builder) checkMembers(rec *ir.Record, n *cc.StructOrUnionSpecifier) {
	seen := map[string]bool{}
	var unique func(rec *ir.Record)
	unique = func(rec *ir.Record) {
		for i := range rec.Fields {
			f := &rec.Fields[i]
			switch {
			case f.Name == "":
				unique(f.Record)
			case seen[f.Name]:
				b.fail(memberToken(n, f.Name), fmt.Sprintf("member %q is declared twice", f.Name))
			}
			seen[f.Name] = true
		}
	}
	unique(rec)
	for i := range rec.Fields {
		f := &rec.Fields[i]
		if f.Flex && !rec.Union && i < len(rec.Fields)-1 {
			b.fail(memberToken(n, f.Name), fmt.Sprintf("member %q has no length and is not the last", f.Name))
		}
		if f.Type != nil && b.incomplete(f.Type) {
			b.fail(memberToken(n, f.Name), fmt.Sprintf("member %q is of type %s, which is not defined before", f.Name, f.Type))
		}
	}
}

// incomplete reports whether a type has no size at this point of the headers.
func (b *builder) incomplete(t *ir.Type) bool {
	for {
		switch {
		case t.Kind == ir.Array:
			t = t.Elem
		case t.Kind == ir.Named && t.Tag == "" && b.typedefs[t.Name] != nil:
			t = b.typedefs[t.Name]
		case t.Kind == ir.Named && (t.Tag == "struct" || t.Tag == "union"):
			known := b.tags[t.Tag+" "+t.Name]
			return known != nil && !known.defined
		default:
			return t.IsVoid() || t.Kind == ir.Func
		}
	}
}

// memberToken is the last place in a definition that declares the member.
func memberToken(n *cc.StructOrUnionSpecifier, name string) cc.Token {
	at := n.Token3
	for list := n.StructDeclarationList; list != nil; list = list.StructDeclarationList {
		d := list.StructDeclaration
		for m := d.StructDeclaratorList; m != nil; m = m.StructDeclaratorList {
			if m := m.StructDeclarator.Declarator; m != nil && m.Name() == name {
				at = m.NameTok()
			}
		}
		if d.StructDeclaratorList != nil {
			continue
		}
		for q := d.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
			if q.TypeSpecifier == nil || q.TypeSpecifier.StructOrUnionSpecifier == nil {
				continue
			}
			inner := q.TypeSpecifier.StructOrUnionSpecifier
			if t := memberToken(inner, name); t.Seq() != inner.Token3.Seq() {
				at = t
			}
		}
	}
	return at
}
