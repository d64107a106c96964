package parser

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// definition reads a function that the header defines itself.
func (b *builder) definition(f *cc.FunctionDefinition) {
	s, err := b.declarationSpecs(f.DeclarationSpecifiers)
	if err == nil && s.base == nil {
		err = leftUnnamed
	}
	var t *ir.Type
	if err == nil {
		t, err = b.declarator(s.base, f.Declarator)
	}
	b.functionDeclarator(s, s.attributes, f.Declarator, t, err, true)
}

// functionDeclarator adds a function to the model. t is nil where err says why
// it cannot be bound.
func (b *builder) functionDeclarator(s *specs, a attributes, d *cc.Declarator, t *ir.Type, err error, inline bool) {
	if !b.entities() {
		return
	}
	token := d.NameTok()
	symbol := token.SrcStr()
	name := b.written(token)
	b.claim(symbol, "a function", token)
	if err == nil && t.Kind != ir.Func { // declared through a typedef
		if t = b.typedefs[t.Name]; t == nil || t.Kind != ir.Func {
			err = leftUnnamed
		}
	}
	if err == nil && t.Variadic {
		err = leftVariadic
	}
	if i, again := b.functions[symbol]; again {
		if i >= 0 {
			f := &b.api.Functions[i]
			f.Deprecated = f.Deprecated || a.deprecated
			f.Inline = f.Inline || inline
		}
		return
	}
	b.declared++
	if err != nil {
		b.functions[symbol] = -1
		b.omit(token, name, err).Function = true
		return
	}
	b.complete(d, token)
	if emptyList(d) {
		b.notice(token, name+" is declared with an empty parameter list, which says nothing about parameters; it is bound without any")
	}
	for p := d.Pointer; p != nil; p = p.Pointer { // int *CONVENTION f(void)
		for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
			a.add(q.TypeQualifier.AttributeSpecifierList)
		}
	}
	if a.stdcall {
		marked := *t
		marked.Stdcall = true
		t = &marked
	}
	b.functions[symbol] = len(b.api.Functions)
	b.api.Functions = append(b.api.Functions, ir.Function{
		Meta: b.meta(token), Name: name, Symbol: symbol,
		Inline: inline, Deprecated: a.deprecated, Type: t,
	})
}

// emptyList reports whether a function is declared with `()`.
func emptyList(d *cc.Declarator) bool {
	for d.DirectDeclarator != nil && d.DirectDeclarator.Case == cc.DirectDeclaratorDecl {
		d = d.DirectDeclarator.Declarator
	}
	dd := d.DirectDeclarator
	return dd != nil && (dd.Case == cc.DirectDeclaratorFuncParam && dd.ParameterTypeList == nil ||
		dd.Case == cc.DirectDeclaratorFuncIdent && dd.IdentifierList == nil)
}

// written is the name that the header writes where the front end, having
// expanded macros, has a symbol.
func (b *builder) written(token cc.Token) string {
	symbol := token.SrcStr()
	pos := token.Position()
	if pos.Filename != b.file.name {
		return symbol
	}
	text := b.u.text[pos.Filename][pos.Offset:]
	if name := string(text[:wordLen(text)]); b.ast.Macros[name] != nil {
		return name
	}
	return symbol
}

// complete reports parameters and results of a type that is never defined: C
// lets a prototype have them, but nobody can call it.
func (b *builder) complete(d *cc.Declarator, token cc.Token) {
	f, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return
	}
	if t := f.Result(); isRecord(t) && t.IsIncomplete() {
		b.fail(token, fmt.Sprintf("%s returns %s, which is never defined", token.SrcStr(), checkedType(t)))
	}
	params := f.Parameters()
	for i, p := range params {
		t := p.Type()
		switch {
		case isRecord(t) && t.IsIncomplete():
			b.fail(token, fmt.Sprintf("parameter %d of %s is of type %s, which is never defined", i+1, token.SrcStr(), checkedType(t)))
		case t.Kind() == cc.Void && (len(params) > 1 || p.Declarator != nil):
			b.fail(token, fmt.Sprintf("parameter %d of %s is void", i+1, token.SrcStr()))
		}
	}
}

func isRecord(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// renamed gives functions whose symbol is declared outright the name of the
// macro that leads to it: `#define nvmlInit nvmlInit_v2` before a prototype of
// nvmlInit_v2. macros are in the order of the headers.
func (b *builder) renamed(macros []*macro) {
	for _, m := range macros {
		i, ok := b.functions[m.expansion]
		if !ok || i < 0 || m.name == m.expansion {
			continue
		}
		if f := &b.api.Functions[i]; f.Name == f.Symbol {
			f.Name = m.name
		}
	}
}

// perThread notes the symbols that names lead to with a per-thread default
// stream. leads gives the expansion of a name in that view.
func perThread(functions []ir.Function, leads map[string]string) {
	for i := range functions {
		f := &functions[i]
		symbol := leads[f.Name]
		if symbol == f.Name {
			// The view may rename the symbol instead.
			symbol = leads[f.Symbol]
		}
		if symbol != "" && symbol != f.Symbol && isIdentifier(symbol) {
			f.PerThread = symbol
		}
	}
}

func isIdentifier(s string) bool {
	return s != "" && wordLen([]byte(s)) == len(s) && (s[0] < '0' || s[0] > '9')
}

// superseded adds the functions that only the internal view shows. Those that
// are another function's per-thread symbol are no functions of their own.
func superseded(public, internal []ir.Function) []ir.Function {
	known := map[string]bool{}
	suffixes := map[string]bool{} // of per-thread symbols: _ptds, _ptsz
	for _, f := range public {
		known[f.Symbol], known[f.PerThread] = true, true
		if suffix, ok := strings.CutPrefix(f.PerThread, f.Symbol); ok {
			suffixes[suffix] = true
		}
	}
	old := map[string]int{}
	var out []ir.Function
	for _, f := range internal {
		if known[f.Symbol] {
			continue
		}
		f.Name, f.Superseded = f.Symbol, true
		old[f.Symbol] = len(out)
		out = append(out, f)
	}
	// A twin may stand before or after its function.
	twin := map[string]bool{}
	for _, f := range out {
		for suffix := range suffixes {
			base, ok := strings.CutSuffix(f.Symbol, suffix)
			if !ok {
				continue
			}
			if i, ok := old[base]; ok {
				out[i].PerThread = f.Symbol
				twin[f.Symbol] = true
			}
		}
	}
	kept := out[:0]
	for _, f := range out {
		if !twin[f.Symbol] {
			kept = append(kept, f)
		}
	}
	return kept
}

// spelledOut replaces the typedefs that only the internal view declares by what
// they stand for, so that a superseded function's type needs nothing that the
// public view lacks but tags.
func spelledOut(t *ir.Type, internal, public map[string]*ir.Type) *ir.Type {
	if t.Kind == ir.Named && t.Tag == "" {
		to := internal[t.Name]
		if to == nil || public[t.Name] != nil {
			return t
		}
		c := *spelledOut(to, internal, public)
		c.Const = c.Const || t.Const
		return &c
	}
	c := *t
	if t.Elem != nil {
		c.Elem = spelledOut(t.Elem, internal, public)
	}
	c.Params = nil
	for _, p := range t.Params {
		c.Params = append(c.Params, ir.Param{Name: p.Name, Type: spelledOut(p.Type, internal, public)})
	}
	return &c
}
