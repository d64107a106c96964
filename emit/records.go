package emit

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// recordHead is the first words of a record's declarations. What Cython itself
// defines has to be called packed in each of them.
func (p *typePlan) recordHead(s *ir.Record, mode config.TypeMode) string {
	head := p.head(mode, s.Keyword(), s.Name, p.names.byC[s.Key()], s.Tagged)
	if mode == config.Cython && !s.Incomplete && p.layout(s) == cgen.Packed {
		head = strings.Replace(head, "def "+s.Keyword(), "def packed "+s.Keyword(), 1)
	}
	return head
}

// layout is what has to be said of a record beside its fields.
func (p *typePlan) layout(s *ir.Record) cgen.Layout {
	if s.Incomplete {
		return cgen.Natural
	}
	return cgen.LayoutIn(p.snapshot(s.Key()), s.Key())
}

// record declares a record with its fields.
func (p *typePlan) record(e *ir.Entry[ir.Record]) {
	s := e.Shape()
	if p.done[s.Key()] {
		return
	}
	p.done[s.Key()] = true
	mode := p.mode(s.Header, s.Name, e.Last)
	cython := p.names.byC[s.Key()]
	if mode == config.Cython && p.layout(s) == cgen.Other {
		p.fail("%s %s (%s): its packing, alignment or bit-fields need a C definition; give it the type mode inline", s.Keyword(), s.Name, s.Header)
	}
	d := decl{Head: p.recordHead(s, mode) + ":"}
	parent := recordPath{cython: cython, c: "((" + cSpelling(s.Keyword(), s.Tagged, s.Name) + "*)0)->", header: s.Header, mode: mode, taken: map[string]bool{}}
	fieldNames(s, parent.taken)
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
	taken             map[string]bool // the names of the record's fields in C, and those made of them
}

// fieldNames collects the names of fields, those in unnamed members included.
func fieldNames(r *ir.Record, into map[string]bool) {
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Name != "" {
			into[f.Name] = true
		} else if f.Record != nil {
			fieldNames(f.Record, into)
		}
	}
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
			lines = append(lines, p.helper(f, at)+" "+at.field(f.Name)+bounds(f.Dims))
		case f.Name == "":
			// Padding between bit-fields.
		default:
			p.need(f.Type, true)
			p.check(f.Type, "field "+at.cython+"."+f.Name, at.header)
			lines = append(lines, p.names.declare(unqualified(f.Type), at.field(f.Name)))
		}
	}
	return lines
}

// helper declares the type of a member that has none of its own.
func (p *typePlan) helper(f *ir.Field, at recordPath) string {
	name := at.cython + "__" + f.Name
	c := at.c + f.Name
	element := c + strings.Repeat("[0]", len(f.Dims))
	inner := recordPath{cython: name, c: element + ".", header: at.header, mode: at.mode, taken: map[string]bool{}}
	fieldNames(f.Record, inner.taken)
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

// field is a field's name in Cython, with the one in C where they differ.
func (at *recordPath) field(name string) string {
	id := escaped(name, at.taken)
	if id == name || at.mode == config.Cython {
		return id
	}
	return id + ` "` + name + `"`
}

func bounds(dims []int64) string {
	text := ""
	for _, d := range dims {
		text += fmt.Sprintf("[%d]", max(d, 1))
	}
	return text
}
