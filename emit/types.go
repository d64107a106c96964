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
	through map[string]string // by "struct X", or PARENT.FIELD for an enum
	// current are the enumerators of the newest release: a name that moved to
	// another enum is declared there alone.
	current map[string]bool

	done   map[string]bool
	blocks []block
	// inline lists the C names that must be defined by a verbatim block.
	inline []string
	// fromHeader are the others, which a header declares.
	fromHeader []string
	// calls are the types of the functions that have wrappers.
	calls []*ir.Type
	// values are macros for constants that differ between targets.
	values string
	errs   []error
}

// planTypes decides how each type is declared, and in which order.
func planTypes(u *ir.Union, modes config.TypeModes) *typePlan {
	p := &typePlan{
		u: u, modes: modes,
		names:    typeNames{byC: map[string]string{}, used: map[string]bool{}, conventions: !modes.IgnoreConventions},
		records:  map[string]*ir.Entry[ir.Record]{},
		enums:    map[string]*ir.EnumEntry{},
		typedefs: map[string]*ir.Entry[ir.Typedef]{},
		done:     map[string]bool{},
		current:  map[string]bool{},
		through:  map[string]string{},
	}
	taken := map[string]bool{} // Cython has one name space for what C keeps in two
	for i := range u.Typedefs {
		taken[u.Typedefs[i].Shape().Name] = true
	}
	for i := range u.Typedefs {
		e := &u.Typedefs[i]
		name := e.Shape().Name
		p.typedefs[name] = e
		p.names.byC[name] = escaped(name, taken)
	}
	tag := func(key, name string, tagged bool) {
		if t, ok := p.typedefs[name]; tagged && ok && t.Shape().Type.Tag == "" || taken[name] && !ok {
			// The tag and a typedef of the same name are different types.
			p.names.byC[key] = identifier(name+"_tag", taken)
		} else {
			p.names.byC[key] = escaped(strings.ReplaceAll(name, ".", "__"), taken)
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

// findThrough finds the members by which types are reached that C++ does not
// know by a name: tags without a typedef, and enums without either.
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
			for ; t.Kind == ir.Array || t.Kind == ir.Pointer; t = t.Elem {
				member += "[0]"
			}
			if t.Kind == ir.Named && t.Tag == "" && p.enums[t.Name] != nil && memberEnum(p.enums[t.Name].Shape()) {
				p.through[t.Name] = member
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
	name, _, _ = strings.Cut(name, ".") // what stands in a record goes with it
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

// note remembers where the definition of a type comes from.
func (p *typePlan) note(mode config.TypeMode, key string) {
	switch mode {
	case config.Inline:
		p.inline = append(p.inline, key)
	case config.Extern:
		p.fromHeader = append(p.fromHeader, key)
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
func (p *typePlan) head(mode config.TypeMode, keyword, name, cython string, tagged bool) string {
	if !tagged || p.sameTypedef(keyword, name) {
		if cython != name && mode != config.Cython {
			cython += ` "` + name + `"`
		}
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

// forward declares a record, so that pointers to it may stand anywhere.
func (p *typePlan) forward(s *ir.Record) {
	e := p.records[s.Key()]
	mode := p.mode(s.Header, s.Name, e.Last)
	p.note(mode, s.Key())
	p.add(s.Header, mode, decl{Head: p.recordHead(s, mode)})
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
	if s.Macro && s.On != 0 {
		// A macro that some platform has for a word. C never sees it where it
		// is used, and no declaration needs it.
		return
	}
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
	p.add(s.Header, mode, decl{Head: "ctypedef " + p.names.declare(s.Type, name)})
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
		if t.Kind == ir.Func {
			if result := t.Elem.Base(); t.Elem.Kind == ir.Pointer && result.Kind == ir.Func {
				p.fail("%s (%s): its result is a pointer to a function without a typedef, which Cython cannot declare", what, header)
			}
		}
	})
}

// hasHelpers reports whether CYBINDGO_TYPE_OF is used.
func (p *typePlan) hasHelpers() bool {
	return slices.ContainsFunc(p.blocks, func(b block) bool {
		return slices.ContainsFunc(b.Decls, func(d decl) bool { return strings.Contains(d.Head, "CYBINDGO_TYPE_OF") })
	})
}
