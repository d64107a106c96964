package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// handWritten is what a library's snippet adds to a file.
type handWritten struct{ File, Text string }

// collisions finds names that the snippet declares in a file and that are
// generated there, too.
func (v *libraryValues) collisions(plan *typePlan) (errs []error) {
	if v.snippet == nil {
		return nil
	}
	public := map[string]bool{"_cyb_loader": true}
	loader := map[string]bool{"_inspect_function_pointer": true, "_inspect_function_pointers": true, "FunctionNotFoundError": true}
	for _, name := range plan.names.byC {
		public[name] = true
	}
	for i := range plan.u.Enums {
		for _, e := range plan.u.Enums[i].Shape().Enumerators {
			public[identifier(e.Name, nil)] = true
		}
		for _, e := range plan.u.Enums[i].Removed {
			public[identifier(e.Name, nil)] = true
		}
	}
	for i := range plan.u.Constants {
		if plan.u.Constants[i].Shape().Reason != "" {
			continue // a macro that is no value has no name in the generated part
		}
		public[identifier(plan.u.Constants[i].Shape().Name, nil)] = true
	}
	for i, f := range v.Functions {
		public[v.public[i]] = true
		loader["_"+f.Symbol] = true
	}
	for _, f := range libraryFiles {
		section := v.snippet.Section(f.section(v.Lib))
		if section == nil || f.platform != "" && f.platform != "linux" {
			continue
		}
		for _, d := range declared(section) {
			// The loader cimports all that is public.
			inLoader := strings.HasPrefix(f.path, "_internal/")
			if reserved(d.name) || public[d.name] || inLoader && loader[d.name] {
				errs = append(errs, &config.Error{File: v.snippet.File, Line: int(d.Line), Col: int(d.Col),
					Msg: fmt.Sprintf("%s: the generated part of %s has this name: choose another, or exclude the function", d.name, f.section(v.Lib))})
			}
		}
	}
	return errs
}

// reserved reports whether a name is reserved for the loader's helpers.
func reserved(name string) bool {
	for _, prefix := range []string{"_cyb_", "cyb_", "CYB_", valuePrefix} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// declaration is a name that a snippet gives to something.
type declaration struct {
	name string
	syntax.Pos
}

// declared lists the names that a section gives to things, with their places in
// the snippet's file. Enumerators are left to Cython.
func declared(section *config.Section) (list []declaration) {
	m := cython.ParseModule("", []byte(section.Text))
	add := func(name string, pos syntax.Pos) {
		if name != "" {
			pos.Line += int32(section.Line) - 1
			list = append(list, declaration{name, pos})
		}
	}
	for _, s := range m.Body {
		switch s.Op {
		case syntax.Decl, syntax.Define:
			add(s.Text, s.Pos)
		case syntax.Set:
			for _, t := range s.Targets {
				add(t.Text, t.Pos)
			}
		}
	}
	for _, e := range m.Externs {
		add(e.Name, e.Pos)
	}
	for _, s := range m.Stmts {
		if name, pos := typeName(s); name != "" {
			add(name, pos)
		}
	}
	slices.SortFunc(list, func(a, b declaration) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	return list
}

// typeName is the name that a statement gives to a type, if it does.
func typeName(s *cython.Stmt) (name string, pos syntax.Pos) {
	if s.Head() != "ctypedef" && s.Head() != "cdef" {
		return "", pos
	}
	for i, word := range s.Tokens {
		if i == 0 || word.Kind != syntax.Name {
			continue
		}
		before := s.Tokens[i-1]
		switch {
		case before.Is("struct") || before.Is("union") || before.Is("enum"):
			if s.Opens {
				return word.Text, word.Pos
			}
		case s.Head() == "ctypedef" && !s.Opens:
			// The last name, but for parameters of a function type.
			name, pos = word.Text, word.Pos
			if i > 1 && before.Is("*") && s.Tokens[i-2].Is("(") {
				return name, pos
			}
		}
	}
	return name, pos
}
