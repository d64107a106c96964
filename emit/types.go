package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// decl is one Cython declaration: a head line and what is indented below it.
type decl struct {
	Head string
	Body []string
}

// block is a run of declarations that come from the same place.
type block struct {
	From  string // what follows `cdef extern from`: `"cuda.h"` or `*`; empty for Cython's own
	Decls []decl
}

// typePlan orders the types of a union for declaration.
type typePlan struct {
	u     *ir.Union
	modes config.TypeModes
	names typeNames

	records  map[string]*ir.Entry[ir.Record]
	enums    map[string]*ir.EnumEntry
	typedefs map[string]*ir.Entry[ir.Typedef]

	// through are C expressions of members that have a record for a type which
	// C++ may not know by its tag, since it was declared inside another.
	through map[string]string
	// current are the enumerators of the newest release: a name that moved to
	// another enum is declared there alone.
	current map[string]bool

	done   map[string]bool
	blocks []block
	// inline lists the C names that must be defined by a verbatim block.
	inline []string
	errs   []error
}

// planTypes decides how each type is declared, and in which order.
func planTypes(u *ir.Union, modes config.TypeModes) *typePlan {
	p := &typePlan{
		u: u, modes: modes,
		names:    typeNames{byC: map[string]string{}, used: map[string]bool{}},
		records:  map[string]*ir.Entry[ir.Record]{},
		enums:    map[string]*ir.EnumEntry{},
		typedefs: map[string]*ir.Entry[ir.Typedef]{},
		done:     map[string]bool{},
		current:  map[string]bool{},
		through:  map[string]string{},
	}
	taken := map[string]bool{} // Cython has one name space for what C keeps in two
	for i := range u.Typedefs {
		e := &u.Typedefs[i]
		name := e.Shape().Name
		p.typedefs[name] = e
		p.names.byC[name] = identifier(name, nil)
		taken[name] = true
	}
	tag := func(key, name string, tagged bool) {
		if t, ok := p.typedefs[name]; tagged && ok && t.Shape().Type.Tag == "" || taken[name] && !ok {
			// The tag and a typedef of the same name are different types.
			p.names.byC[key] = identifier(name+"_tag", taken)
		} else {
			p.names.byC[key] = identifier(strings.ReplaceAll(name, ".", "__"), nil)
		}
		taken[p.names.byC[key]] = true
	}
	for i := range u.Records {
		e := &u.Records[i]
		p.records[e.Shape().Key()] = e
		tag(e.Shape().Key(), e.Shape().Name, e.Shape().Tagged)
	}
	for i := range u.Enums {
		e := &u.Enums[i]
		p.enums[e.Shape().Key()] = e
		if !e.Shape().Anonymous {
			tag(e.Shape().Key(), e.Shape().Name, e.Shape().Tagged)
		}
	}
	p.findThrough()
	for i := range u.Enums {
		for _, v := range u.Enums[i].Shape().Enumerators {
			if u.Current(u.Enums[i].Last) {
				p.current[v.Name] = true
			}
		}
	}
	for i := range u.Enums {
		p.outlive(&u.Enums[i])
		p.enum(&u.Enums[i])
	}
	for i := range u.Records {
		p.forward(u.Records[i].Shape())
	}
	for i := range u.Typedefs {
		p.typedef(&u.Typedefs[i])
	}
	for i := range u.Records {
		p.record(&u.Records[i])
	}
	return p
}

// findThrough finds the members by which tags are reached that no typedef
// names.
func (p *typePlan) findThrough() {
	named := map[string]bool{}
	for i := range p.u.Typedefs {
		if t := p.u.Typedefs[i].Shape().Type.Base(); t.Tag != "" {
			named[t.Tag+" "+t.Name] = true
		}
	}
	var visit func(r *ir.Record, c string)
	visit = func(r *ir.Record, c string) {
		for i := range r.Fields {
			f := &r.Fields[i]
			member := c + f.Name
			if f.Record != nil {
				if f.Name != "" {
					member += strings.Repeat("[0]", len(f.Dims)) + "."
				}
				visit(f.Record, member)
				continue
			}
			t := f.Type
			for ; t.Kind == ir.Array; t = t.Elem {
				member += "[0]"
			}
			if key := t.Tag + " " + t.Name; t.Kind == ir.Named && t.Tag != "" && !named[key] && p.through[key] == "" {
				p.through[key] = member
			}
		}
	}
	for i := range p.u.Records {
		e := &p.u.Records[i]
		if s := e.Shape(); p.mode(s.Header, s.Name, e.Last) == config.Extern {
			visit(s, "(("+cSpelling(s.Keyword(), s.Tagged, s.Name)+"*)0)->")
		}
	}
}

// mode is how a type is declared. What the newest covered release no longer
// declares cannot come from its header.
func (p *typePlan) mode(header, name string, last int) config.TypeMode {
	mode := p.modes.Of(header, name)
	if mode == config.Extern && !p.u.Current(last) {
		return config.Inline
	}
	return mode
}

// add appends a declaration, to the last block where that is from the same
// place.
func (p *typePlan) add(header string, mode config.TypeMode, d decl) {
	from := ""
	switch mode {
	case config.Extern:
		from = `"` + header + `"`
	case config.Inline:
		from = "*"
	}
	if n := len(p.blocks); n == 0 || p.blocks[n-1].From != from {
		p.blocks = append(p.blocks, block{From: from})
	}
	b := &p.blocks[len(p.blocks)-1]
	b.Decls = append(b.Decls, d)
}

func (p *typePlan) note(mode config.TypeMode, c string) {
	if mode == config.Inline {
		p.inline = append(p.inline, c)
	}
}

func (p *typePlan) fail(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf(format, args...))
}

// sameTypedef reports whether a tag has a typedef of the same name for the
// same type, which then stands for both.
func (p *typePlan) sameTypedef(keyword, name string) bool {
	t, ok := p.typedefs[name]
	return ok && t.Shape().Type.Kind == ir.Named && t.Shape().Type.Tag == keyword && t.Shape().Type.Name == name
}

// head is the first words of a declaration: `ctypedef` for a name that C
// writes without its keyword, `cdef` for a tag.
func (p *typePlan) head(keyword, name, cython string, tagged bool) string {
	if !tagged || p.sameTypedef(keyword, name) {
		return "ctypedef " + keyword + " " + cython
	}
	if member := p.through[keyword+" "+name]; member != "" && keyword != "enum" {
		return "ctypedef " + keyword + " " + cython + ` "CYBINDGO_TYPE_OF(` + member + `)"`
	}
	if cython != name {
		return "ctypedef " + keyword + " " + cython + ` "` + keyword + " " + name + `"`
	}
	return "cdef " + keyword + " " + cython
}

// outlive takes out of an enum that the newest release no longer has those
// enumerators that moved to another one. C wants at least one to be left.
func (p *typePlan) outlive(e *ir.EnumEntry) {
	if p.u.Current(e.Last) {
		return
	}
	e.Shapes = slices.Clone(e.Shapes)
	for i := range e.Shapes {
		s := &e.Shapes[i]
		s.Enumerators = slices.DeleteFunc(slices.Clone(s.Enumerators), func(v ir.Enumerator) bool { return p.current[v.Name] })
		if len(s.Enumerators) == 0 {
			s.Enumerators = []ir.Enumerator{{Name: strings.ReplaceAll(s.Name, ".", "__") + "_none", Value: "0"}}
		}
	}
}

func (p *typePlan) enum(e *ir.EnumEntry) {
	s := e.Shape()
	mode := p.mode(s.Header, s.Name, e.Last)
	p.note(mode, s.Key())
	d := decl{Head: "cdef enum:"}
	nested := strings.Contains(s.Name, ".")
	if !s.Anonymous && !nested {
		d.Head = p.head("enum", s.Name, p.names.byC[s.Key()], s.Tagged) + ":"
	}
	for _, v := range s.Enumerators {
		name := identifier(v.Name, nil)
		switch {
		case mode == config.Cython:
			d.Body = append(d.Body, name+" = "+string(v.Value))
		case name != v.Name:
			d.Body = append(d.Body, name+` "`+v.Name+`"`)
		default:
			d.Body = append(d.Body, name)
		}
	}
	for _, v := range e.Removed {
		if p.current[v.Name] {
			continue
		}
		// The newest header has no such name, so the value is spelt out.
		value := `"(` + string(v.Value) + `)"`
		if !s.Anonymous && !nested {
			value = `"((` + cSpelling("enum", s.Tagged, s.Name) + ")" + string(v.Value) + `)"`
		}
		if mode == config.Cython {
			value = "= " + string(v.Value)
		}
		d.Body = append(d.Body, identifier(v.Name, nil)+" "+value)
	}
	p.add(s.Header, mode, d)
	p.done[s.Key()] = true
}

// forward declares a record, so that pointers to it may stand anywhere.
func (p *typePlan) forward(s *ir.Record) {
	e := p.records[s.Key()]
	mode := p.mode(s.Header, s.Name, e.Last)
	p.note(mode, s.Key())
	p.add(s.Header, mode, decl{Head: p.head(s.Keyword(), s.Name, p.names.byC[s.Key()], s.Tagged)})
}

// need declares what a type refers to. Behind a pointer a record need not be
// complete.
func (p *typePlan) need(t *ir.Type, complete bool) {
	switch t.Kind {
	case ir.Pointer:
		p.need(t.Elem, false)
	case ir.Array:
		p.need(t.Elem, true)
	case ir.Func:
		p.need(t.Elem, false)
		for _, param := range t.Params {
			p.need(param.Type, false)
		}
	case ir.Named:
		key := t.Name
		if t.Tag != "" {
			key = t.Tag + " " + t.Name
		}
		if td, ok := p.typedefs[key]; ok {
			p.typedef(td)
			if complete {
				p.need(td.Shape().Type, true)
			}
		} else if r, ok := p.records[key]; ok && complete {
			p.record(r)
		}
	}
}

func (p *typePlan) typedef(e *ir.Entry[ir.Typedef]) {
	s := e.Shape()
	if p.done[s.Name] {
		return
	}
	p.done[s.Name] = true
	mode := p.mode(s.Header, s.Name, e.Last)
	p.note(mode, s.Name)
	if t := s.Type; t.Kind == ir.Named && t.Tag != "" && t.Name == s.Name {
		return // declared with the tag
	}
	p.need(s.Type, false)
	name := p.names.byC[s.Name]
	p.check(s.Type, "typedef "+s.Name, s.Header)
	if name != s.Name && mode != config.Cython {
		name += ` "` + s.Name + `"`
	}
	text := "ctypedef " + p.names.declare(s.Type, name)
	if s.Type.Kind == ir.Func {
		text += " noexcept nogil"
	}
	p.add(s.Header, mode, decl{Head: text})
}

// check reports a type that nothing declares.
func (p *typePlan) check(t *ir.Type, what, header string) {
	t.Walk(func(t *ir.Type) {
		if (t.Kind == ir.Named || t.Kind == ir.Basic) && p.names.name(t) == "" {
			p.fail("%s (%s): type %q is declared by no header that is bound; add the header to the library's definition", what, header, t)
		}
		if t.Kind == ir.Basic && (strings.Contains(t.Name, "__int128") || strings.Contains(t.Name, "_Complex")) {
			p.fail("%s (%s): Cython cannot bind the type %q", what, header, t)
		}
	})
}

func (p *typePlan) record(e *ir.Entry[ir.Record]) {
	s := e.Shape()
	if p.done[s.Key()] {
		return
	}
	p.done[s.Key()] = true
	mode := p.mode(s.Header, s.Name, e.Last)
	cython := p.names.byC[s.Key()]
	d := decl{Head: p.head(s.Keyword(), s.Name, cython, s.Tagged) + ":"}
	if mode == config.Cython && !naturalLayout(s) {
		p.fail("%s %s (%s): its packing or alignment needs a C definition; give it the type mode inline", s.Keyword(), s.Name, s.Header)
	}
	parent := recordPath{cython: cython, c: "((" + cSpelling(s.Keyword(), s.Tagged, s.Name) + "*)0)->", header: s.Header, mode: mode}
	d.Body = p.fields(s, parent)
	if len(d.Body) == 0 {
		d.Body = []string{"pass"}
	}
	p.add(s.Header, mode, d)
}

// recordPath is where fields stand: how to reach them in C, and what a helper
// type for a member without a type name is called after.
type recordPath struct {
	cython, c, header string
	mode              config.TypeMode
}

// fields lists the declarations of a record's fields. Members of an unnamed
// member count as its parent's own; a named member whose type has no name gets
// a helper type first.
func (p *typePlan) fields(r *ir.Record, at recordPath) []string {
	var lines []string
	for i := range r.Fields {
		f := &r.Fields[i]
		switch {
		case f.Record != nil && f.Name == "":
			lines = append(lines, p.fields(f.Record, at)...)
		case f.Record != nil:
			lines = append(lines, p.helper(f, at)+" "+p.fieldName(f.Name, at.mode)+bounds(f.Dims))
		case f.Name == "":
			// Padding between bit-fields.
		default:
			p.need(f.Type, true)
			p.check(f.Type, "field "+at.cython+"."+f.Name, at.header)
			lines = append(lines, p.names.declare(unqualified(f.Type), p.fieldName(f.Name, at.mode)))
		}
	}
	return lines
}

// helper declares the type of a member that has none of its own.
func (p *typePlan) helper(f *ir.Field, at recordPath) string {
	name := at.cython + "__" + f.Name
	c := at.c + f.Name
	element := c + strings.Repeat("[0]", len(f.Dims))
	inner := recordPath{cython: name, c: element + ".", header: at.header, mode: at.mode}
	body := p.fields(f.Record, inner)
	if len(body) == 0 {
		body = []string{"pass"}
	}
	head := "cdef " + f.Record.Keyword() + " " + name + ":"
	if at.mode != config.Cython {
		head = "ctypedef " + f.Record.Keyword() + " " + name + ` "CYBINDGO_TYPE_OF(` + element + `)":`
	}
	p.add(at.header, at.mode, decl{Head: head, Body: body})
	return name
}

func (p *typePlan) fieldName(name string, mode config.TypeMode) string {
	if id := identifier(name, nil); id != name && mode != config.Cython {
		return id + ` "` + name + `"`
	} else {
		return id
	}
}

func bounds(dims []int64) string {
	text := ""
	for _, d := range dims {
		text += fmt.Sprintf("[%d]", max(d, 1))
	}
	return text
}

// naturalLayout reports whether a C compiler lays the record out as recorded
// without being told about packing or alignment.
func naturalLayout(r *ir.Record) bool {
	end, align := int64(0), int64(1)
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Bits > 0 {
			return false // Cython declares no widths
		}
		if f.Record != nil && !naturalLayout(f.Record) {
			return false
		}
		if r.Union && f.Offset != 0 {
			return false
		}
		end, align = max(end, f.Offset), max(align, r.Align)
	}
	return r.Size%align == 0 && end <= r.Size && r.Align <= 16
}

// hasHelpers reports whether CYBINDGO_TYPE_OF is used.
func (p *typePlan) hasHelpers() bool {
	return slices.ContainsFunc(p.blocks, func(b block) bool {
		return slices.ContainsFunc(b.Decls, func(d decl) bool { return strings.Contains(d.Head, "CYBINDGO_TYPE_OF") })
	})
}
