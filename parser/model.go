package parser

import (
	"errors"
	"fmt"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// builder turns the tree of one view into the model.
type builder struct {
	u        *unit
	platform *platformFacts
	ast      *cc.AST
	api      *ir.API

	declared int
	omitted  []Omission
	notices  []Notice
	errs     Errors

	// The current declaration: the header it stands in, what becomes of it, and
	// its last token, which no macro makes.
	file  *file
	class class
	end   cc.Token

	typedefs  map[string]*ir.Type   // every typedef, those of stubs included
	later     map[string]ir.Typedef // those of other libraries that nothing has referred to yet
	left      map[string]string     // types that are left out, with the reason
	enums     map[string]bool       // those with a tag that are defined
	tags      map[string]*tag
	tagOrder  []*tag
	functions map[string]int    // by symbol, places in api.Functions
	names     map[string]string // what each ordinary name is
	stdcall   map[string]bool

	enumerators map[string]*ir.Type // see enumOf
}

func newBuilder(u *unit, platform *platformFacts, ast *cc.AST) *builder {
	return &builder{
		u: u, platform: platform, ast: ast, api: &ir.API{},
		typedefs:  map[string]*ir.Type{},
		later:     map[string]ir.Typedef{},
		left:      map[string]string{},
		enums:     map[string]bool{},
		tags:      map[string]*tag{},
		functions: map[string]int{},
		names:     map[string]string{},
		stdcall:   map[string]bool{"__stdcall": true},
	}
}

// walk reads all declarations, in the order of the headers.
func (b *builder) walk() {
	defer func() {
		// The front end leaves holes in the tree of what it does not know.
		if recover() != nil && b.file != nil {
			b.class = bound
			b.fail(b.end, msgVague)
		}
	}()
	for tu := b.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		switch d := tu.ExternalDeclaration; d.Case {
		case cc.ExternalDeclarationDecl:
			if d.Declaration.Case == cc.DeclarationDecl && b.enter(d.Declaration.Token) {
				b.declaration(d.Declaration)
			}
		case cc.ExternalDeclarationFuncDef:
			if f := d.FunctionDefinition; b.enter(f.CompoundStatement.Token) {
				b.definition(f)
			}
		}
	}
	b.incompleteRecords()
}

// enter notes where the declaration that ends with a token stands. It reports
// false for texts of our own.
func (b *builder) enter(end cc.Token) bool {
	f := b.u.file(end)
	if f == nil {
		return false
	}
	b.file, b.class, b.end = f, f.class, end
	return true
}

// entities reports whether declarations are entities of the model here.
func (b *builder) entities() bool { return b.class == bound }

// meta places an entity.
func (b *builder) meta(t cc.Token) ir.Meta {
	return ir.Meta{Header: b.file.name, Pos: b.position(t)}
}

// position is where a token of the declaration stands. One that a macro
// expanded to has the place of the macro's use, but the file of its
// definition: then the declaration's end is the better place.
func (b *builder) position(t cc.Token) ir.Position {
	p := t.Position()
	if p.Filename != b.file.name {
		p = b.end.Position()
	}
	return ir.Position{File: b.u.set.cfg.display(p.Filename), Line: p.Line, Col: p.Column}
}

// fail records a mistake in a header.
func (b *builder) fail(t cc.Token, msg string) {
	if !b.entities() {
		return
	}
	pos := b.position(t)
	b.errs = append(b.errs, &Error{Pos: pos, Msg: msg, Source: b.u.set.line(b.file, pos.Line)})
}

// omit records a declaration that is left out.
func (b *builder) omit(t cc.Token, name string, err error) *Omission {
	if !b.entities() {
		return &Omission{}
	}
	b.omitted = append(b.omitted, Omission{Pos: b.position(t), Name: name, Reason: err.Error()})
	return &b.omitted[len(b.omitted)-1]
}

// notice records a remark.
func (b *builder) notice(t cc.Token, text string) {
	if b.entities() {
		b.notices = append(b.notices, Notice{Pos: b.position(t), Text: text})
	}
}

// claim enters an ordinary name, and reports one that means two things.
func (b *builder) claim(name, what string, t cc.Token) {
	if !b.entities() {
		return
	}
	switch was, ok := b.names[name]; {
	case !isIdentifier(name):
		b.notName(t, name)
	case !ok:
		b.names[name] = what
	case was != what:
		b.fail(t, fmt.Sprintf("%q is declared as %s here and as %s before", name, what, was))
	case what == "an enumerator":
		b.fail(t, fmt.Sprintf("enumerator %q is declared twice", name))
	}
}

// notName reports a name that the model cannot hold.
func (b *builder) notName(t cc.Token, name string) { b.fail(t, notName(name)) }

func notName(name string) string {
	return fmt.Sprintf("%q is no name: expected letters, digits and underscores of ASCII, also of what ## makes", name)
}

// refer brings a type of another library into the model, once something refers
// to it.
func (b *builder) refer(name string) {
	t, ok := b.later[name]
	if !ok || !b.entities() {
		return
	}
	delete(b.later, name)
	t.Type.Walk(func(inner *ir.Type) {
		if inner.Kind == ir.Named && inner.Tag == "" {
			b.refer(inner.Name)
		}
	})
	b.api.Typedefs = append(b.api.Typedefs, t)
}

// declaration reads a declaration with all its declarators.
func (b *builder) declaration(d *cc.Declaration) {
	s, err := b.declarationSpecs(d.DeclarationSpecifiers)
	if err == nil {
		err = b.nameUnnamed(s, d)
	}
	if d.InitDeclaratorList == nil && s.aligned {
		// Microsoft's compiler aligns the type, GCC ignores the attribute, and
		// the front end does as GCC.
		b.fail(d.Token, "the alignment stands before `struct` or `union`, where not every compiler heeds it: it belongs behind")
	}
	if d.InitDeclaratorList == nil && err != nil {
		// A tag's own definition has said so already.
		var u unsupported
		if errors.As(err, &u) && (s.record != nil || s.enum != nil) {
			b.omit(d.Token, "unnamed type", err)
		}
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		b.initDeclarator(s, err, l.InitDeclarator.Declarator, l.InitDeclarator.AttributeSpecifierList, d.AttributeSpecifierList)
	}
}

// nameUnnamed finds the name of a type that is defined without a tag: that of
// the first typedef that is nothing else, if there is one.
func (b *builder) nameUnnamed(s *specs, d *cc.Declaration) error {
	if s.record == nil && s.enum == nil {
		return nil
	}
	if s.enum != nil && d.InitDeclaratorList == nil {
		return b.defineEnum(s.enum, ir.Enum{})
	}
	if !s.typedef {
		return leftUnnamed
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		decl := l.InitDeclarator.Declarator
		if decl.Pointer != nil || decl.DirectDeclarator.Case != cc.DirectDeclaratorIdent {
			continue
		}
		name := decl.Name()
		s.base = &ir.Type{Kind: ir.Named, Name: name}
		if s.enum != nil {
			return b.defineEnum(s.enum, ir.Enum{Name: name})
		}
		rec := ir.Record{Name: name}
		if err := b.layOut(&rec, s.record, decl.Type()); err != nil {
			return err
		}
		if b.entities() {
			rec.Meta = b.meta(decl.NameTok())
			b.api.Records = append(b.api.Records, rec)
		}
		return nil
	}
	return leftUnnamed
}

// initDeclarator reads one declarator of a declaration: a typedef, a function or
// a variable.
func (b *builder) initDeclarator(s *specs, err error, d *cc.Declarator, attrs ...*cc.AttributeSpecifierList) {
	name := d.NameTok()
	var t *ir.Type
	if err == nil {
		t, err = b.declarator(s.base, d)
	}
	a := s.attributes
	for _, list := range attrs {
		a.add(list)
	}
	if err == nil && a.vector {
		err = leftVector
	}
	switch {
	case s.typedef:
		b.typedef(name, t, err)
	case d.Type().Kind() == cc.Function:
		b.functionDeclarator(s, a, d, t, err, s.static)
	default:
		b.omit(name, name.SrcStr(), leftVariable)
	}
}

// typedef adds a typedef to the model.
func (b *builder) typedef(token cc.Token, t *ir.Type, err error) {
	name := token.SrcStr()
	if err != nil {
		if _, again := b.left[name]; !again {
			b.left[name] = err.Error()
			b.omit(token, name, err)
		}
		return
	}
	if t.Kind == ir.Named && t.Name == name && t.Tag == "" {
		b.claim(name, "a type", token)
		return // the type that was defined without a tag has this name itself
	}
	if _, again := b.typedefs[name]; again {
		return
	}
	b.claim(name, "a type", token)
	b.typedefs[name] = t
	e := ir.Typedef{Name: name, Type: t}
	switch b.class {
	case bound:
		e.Meta = b.meta(token)
		b.api.Typedefs = append(b.api.Typedefs, e)
	case platform:
		e.Meta = b.meta(token)
		b.later[name] = e
	}
}
