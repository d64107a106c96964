package parser

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// macro is a macro of a bound header.
type macro struct {
	name      string
	def       *cc.Macro
	value     *cc.Macro // the one that the front end evaluated: def, or an alias of it
	file      *file
	offset    int
	expansion string // what it stands for when all macros in it are expanded
}

// eachDirective calls f with every directive of the header and what follows
// its name.
func (f *file) eachDirective(do func(verb string, rest []byte)) {
	for line := range bytes.Lines(f.directives()) {
		do(directive(bytes.TrimSuffix(line, newline)))
	}
}

// guard is the macro that keeps the header from being read twice, if the first
// thing it does is to ask for it and to define it.
func (f *file) guard() string {
	var name string
	defined, done := false, false
	f.eachDirective(func(verb string, rest []byte) {
		switch {
		case done || verb == "pragma" || verb == "line":
			return
		case name == "" && verb == "ifndef":
			name = string(rest[:wordLen(rest)])
			return
		case name == "" && verb == "if":
			if asked, ok := bytes.CutPrefix(rest, []byte("!defined")); ok {
				name = string(bytes.Trim(asked, "() \t"))
				return
			}
		case verb == "define":
			defined = string(rest[:wordLen(rest)]) == name
		}
		done = true
	})
	if !defined {
		return ""
	}
	return name
}

// macros lists the macros of bound headers, in the order of the headers.
func (b *builder) macros() []*macro {
	place := map[*file]int{}
	for i, f := range b.u.set.order {
		place[f] = i
	}
	var list []*macro
	for name, def := range b.ast.Macros {
		f := b.u.file(def.Name)
		if f == nil || f.class != bound {
			continue
		}
		if !isIdentifier(name) {
			pos := def.Name.Position()
			b.errs = append(b.errs, &Error{
				Pos: ir.Position{File: b.u.set.cfg.display(f.name), Line: pos.Line, Col: pos.Column},
				Msg: notName(name), Source: b.u.set.line(f, pos.Line),
			})
			continue
		}
		m := &macro{name: name, def: def, value: def, file: f, offset: def.Name.Position().Offset}
		if alias := b.ast.Macros[aliasPrefix+name]; alias != nil && !def.IsConst {
			m.value = alias
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(x, y *macro) int {
		return cmp.Or(cmp.Compare(place[x.file], place[y.file]), cmp.Compare(x.offset, y.offset))
	})
	return list
}
