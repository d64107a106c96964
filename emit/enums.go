package emit

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

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

// enumName is how an enum is declared: the head of its declaration without the
// colon, and its name in C, empty where C has none for it.
func (p *typePlan) enumName(s *ir.Enum, mode config.TypeMode) (head, c string) {
	cython := p.names.byC[s.Key()]
	switch {
	case s.Anonymous, memberEnum(s) && mode == config.Extern && p.through[s.Name] == "":
		return "cdef enum", ""
	case !memberEnum(s):
		return p.head(mode, "enum", s.Name, cython, s.Tagged), cSpelling("enum", s.Tagged, s.Name)
	case mode == config.Cython:
		return "cdef enum " + cython, ""
	case mode == config.Inline:
		c = cgen.Flat(s.Name)
	default:
		c = "CYBINDGO_TYPE_OF(" + p.through[s.Name] + ")"
	}
	return "ctypedef enum " + cython + ` "` + c + `"`, c
}

// memberEnum reports whether an enum has no name and stands in a member, whose
// path it is called after.
func memberEnum(s *ir.Enum) bool { return strings.Contains(s.Name, ".") }

func (p *typePlan) enum(e *ir.EnumEntry) {
	s := e.Shape()
	mode := p.mode(s.Header, s.Name, e.Last)
	p.note(mode, s.Key())
	head, c := p.enumName(s, mode)
	d := decl{Head: head + ":"}
	differ := valuesDiffer(e)
	if differ && mode == config.Cython {
		p.fail("enum %s (%s): its values differ between targets, which Cython alone cannot say; give it the type mode inline", s.Name, s.Header)
	}
	for _, v := range s.Enumerators {
		name := identifier(v.Name, nil)
		switch {
		case mode == config.Cython:
			name += " = " + string(v.Value)
		case memberEnum(s) && mode == config.Extern && !differ:
			// To C++ the enumerator is a member of the record.
			name += " " + valueOf(c, v)
		case name != v.Name:
			name += ` "` + v.Name + `"`
		}
		d.Body = append(d.Body, name)
	}
	for _, v := range e.Removed {
		if p.current[v.Name] {
			continue
		}
		// The newest header has no such name, so the value is spelt out.
		value := valueOf(c, v)
		if mode == config.Cython {
			value = "= " + string(v.Value)
		}
		d.Body = append(d.Body, identifier(v.Name, nil)+" "+value)
	}
	p.add(s.Header, mode, d)
	p.done[s.Key()] = true
}

// valueOf is an enumerator as a C expression that does not use its name.
func valueOf(enum string, v ir.Enumerator) string {
	if enum == "" {
		return `"(` + string(v.Value) + `)"`
	}
	return `"((` + enum + ")" + string(v.Value) + `)"`
}

// valuesDiffer reports whether an enumerator's value depends on the target.
func valuesDiffer(e *ir.EnumEntry) bool {
	return slices.ContainsFunc(e.Shapes[1:], func(s ir.Enum) bool { return !slices.Equal(s.Enumerators, e.Shapes[0].Enumerators) })
}
