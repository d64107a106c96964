package parser

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// specs is what the specifiers of a declaration say, before any declarator.
type specs struct {
	base *ir.Type // nil where the type has no name yet
	// A definition without a tag. The declarators decide what it is called.
	record *cc.StructOrUnionSpecifier
	enum   *cc.EnumSpecifier

	typedef, static, inline bool
	attributes
}

// specReader collects specifiers.
type specReader struct {
	b *builder
	specs
	words           words
	isConst, atomic bool
}

// declarationSpecs reads the specifiers of a declaration.
func (b *builder) declarationSpecs(n *cc.DeclarationSpecifiers) (*specs, error) {
	r := specReader{b: b}
	var failed error
	for ; n != nil; n = n.DeclarationSpecifiers {
		switch n.Case {
		case cc.DeclarationSpecifiersStorage:
			switch n.StorageClassSpecifier.Case {
			case cc.StorageClassSpecifierTypedef:
				r.typedef = true
			case cc.StorageClassSpecifierStatic:
				r.static = true
			}
		case cc.DeclarationSpecifiersTypeSpec:
			if err := r.typeSpecifier(n.TypeSpecifier); err != nil {
				failed = err
			}
		case cc.DeclarationSpecifiersTypeQual:
			r.qualifier(n.TypeQualifier)
		case cc.DeclarationSpecifiersFunc:
			r.inline = r.inline || n.FunctionSpecifier.Case == cc.FunctionSpecifierInline
		case cc.DeclarationSpecifiersAttr:
			r.attributes.add(n.AttributeSpecifierList)
		}
	}
	return r.finish(failed)
}

// memberSpecs reads the specifiers of members and of type names.
func (b *builder) memberSpecs(n *cc.SpecifierQualifierList) (*specs, error) {
	r := specReader{b: b}
	var failed error
	for ; n != nil; n = n.SpecifierQualifierList {
		switch n.Case {
		case cc.SpecifierQualifierListTypeSpec:
			if err := r.typeSpecifier(n.TypeSpecifier); err != nil {
				failed = err
			}
		case cc.SpecifierQualifierListTypeQual:
			r.qualifier(n.TypeQualifier)
		}
	}
	return r.finish(failed)
}

// finish puts the type together. The specifiers are returned with an error
// too: they tell a typedef from a function.
func (r *specReader) finish(failed error) (*specs, error) {
	s := &r.specs
	if s.base == nil && s.record == nil && s.enum == nil {
		if r.words == (words{}) && failed == nil {
			failed = leftUntyped
		}
		s.base = basic(r.words.name())
	}
	if s.base != nil && r.isConst {
		constant := *s.base
		constant.Const = true
		s.base = &constant
	}
	switch {
	case failed != nil:
	case r.atomic:
		failed = leftAtomic
	case s.vector:
		failed = leftVector
	}
	return s, failed
}

func (r *specReader) qualifier(q *cc.TypeQualifier) {
	switch q.Case {
	case cc.TypeQualifierConst:
		r.isConst = true
	case cc.TypeQualifierAtomic:
		r.atomic = true
	case cc.TypeQualifierAttr:
		r.attributes.add(q.AttributeSpecifierList)
	}
}

func (r *specReader) typeSpecifier(t *cc.TypeSpecifier) (err error) {
	if r.words.add(t.Token.SrcStr()) {
		return nil
	}
	switch t.Case {
	case cc.TypeSpecifierTypeName:
		r.base, err = r.b.typedefName(t.Token.SrcStr())
	case cc.TypeSpecifierStructOrUnion:
		err = r.recordSpecifier(t.StructOrUnionSpecifier)
	case cc.TypeSpecifierEnum:
		err = r.enumSpecifier(t.EnumSpecifier)
	case cc.TypeSpecifierAtomic:
		err = leftAtomic
	case cc.TypeSpecifierInt128, cc.TypeSpecifierUint128:
		err = leftWide
	case cc.TypeSpecifierComplex, cc.TypeSpecifierImaginary:
		err = leftComplex
	case cc.TypeSpecifierTypeofExpr, cc.TypeSpecifierTypeofType:
		err = leftTypeof
	default:
		err = leftFloat
	}
	return err
}

// typedefName is the type that a typedef's name stands for, kept as a name.
func (b *builder) typedefName(name string) (*ir.Type, error) {
	switch name {
	case "va_list", "__builtin_va_list":
		return nil, leftVaList
	}
	if reason, ok := b.left[name]; ok {
		return nil, leftUses(name, reason)
	}
	b.refer(name)
	return &ir.Type{Kind: ir.Named, Name: name}, nil
}

// declarator applies a declarator to the type that the specifiers gave. The
// name token is the zero token where there is no declarator.
func (b *builder) declarator(base *ir.Type, d *cc.Declarator) (*ir.Type, error) {
	if d == nil {
		return base, nil
	}
	t, err := b.pointers(base, d.Pointer)
	if err != nil {
		return nil, err
	}
	return b.direct(t, d.DirectDeclarator)
}

// pointers wraps a type in the stars of a declarator. The first one written is
// the innermost, and what stands after it qualifies the pointer itself.
func (b *builder) pointers(t *ir.Type, p *cc.Pointer) (*ir.Type, error) {
	for ; p != nil; p = p.Pointer {
		if p.Case == cc.PointerBlock {
			return nil, leftBlock
		}
		t = &ir.Type{Kind: ir.Pointer, Elem: t}
		for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
			switch q.TypeQualifier.Case {
			case cc.TypeQualifierConst:
				t.Const = true
			case cc.TypeQualifierAtomic:
				return nil, leftAtomic
			}
		}
	}
	return t, nil
}

func (b *builder) direct(t *ir.Type, d *cc.DirectDeclarator) (*ir.Type, error) {
	for d != nil {
		var err error
		switch d.Case {
		case cc.DirectDeclaratorIdent:
			return t, nil
		case cc.DirectDeclaratorDecl:
			if p := d.Declarator.Pointer; p != nil {
				t = b.convention(t, d.Token, p.Token)
			}
			return b.declarator(t, d.Declarator)
		case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic:
			t, err = array(t, d.AssignmentExpression)
		case cc.DirectDeclaratorFuncParam:
			t, err = b.function(t, d.ParameterTypeList)
		case cc.DirectDeclaratorFuncIdent:
			err = leftOldStyle
		default:
			err = leftBound
		}
		if err != nil {
			return nil, err
		}
		d = d.DirectDeclarator
	}
	return t, nil
}

// abstract applies a declarator without a name.
func (b *builder) abstract(t *ir.Type, d *cc.AbstractDeclarator) (*ir.Type, error) {
	if d == nil {
		return t, nil
	}
	t, err := b.pointers(t, d.Pointer)
	if err != nil {
		return nil, err
	}
	for a := d.DirectAbstractDeclarator; a != nil; a = a.DirectAbstractDeclarator {
		switch a.Case {
		case cc.DirectAbstractDeclaratorDecl:
			if p := a.AbstractDeclarator; p != nil && p.Pointer != nil {
				t = b.convention(t, a.Token, p.Pointer.Token)
			}
			return b.abstract(t, a.AbstractDeclarator)
		case cc.DirectAbstractDeclaratorArr, cc.DirectAbstractDeclaratorStaticArr, cc.DirectAbstractDeclaratorArrStatic:
			t, err = array(t, a.AssignmentExpression)
		case cc.DirectAbstractDeclaratorFunc:
			t, err = b.function(t, a.ParameterTypeList)
		default:
			err = leftBound
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

func array(elem *ir.Type, bound cc.ExpressionNode) (*ir.Type, error) {
	t := &ir.Type{Kind: ir.Array, Elem: elem, Len: -1}
	if bound == nil {
		return t, nil
	}
	switch v := bound.Value().(type) {
	case cc.Int64Value:
		t.Len = int64(v)
	case cc.UInt64Value:
		t.Len = int64(v)
	}
	if t.Len < 0 {
		return nil, leftBound
	}
	return t, nil
}

// function makes the type of a function. K&R's `()` takes no parameters here:
// nothing says which.
func (b *builder) function(result *ir.Type, list *cc.ParameterTypeList) (*ir.Type, error) {
	t := &ir.Type{Kind: ir.Func, Elem: result}
	if list == nil {
		return t, nil
	}
	t.Variadic = list.Case == cc.ParameterTypeListVar
	for l := list.ParameterList; l != nil; l = l.ParameterList {
		p, err := b.param(l.ParameterDeclaration)
		if err != nil {
			return nil, err
		}
		if p.Name != "" && !isIdentifier(p.Name) {
			b.notName(l.ParameterDeclaration.Declarator.NameTok(), p.Name)
		}
		if p.Name != "" && p.Type.IsVoid() {
			b.fail(l.ParameterDeclaration.Declarator.NameTok(), fmt.Sprintf("parameter %q is void", p.Name))
		}
		for _, other := range t.Params {
			if p.Name != "" && p.Name == other.Name {
				b.fail(l.ParameterDeclaration.Declarator.NameTok(), fmt.Sprintf("two parameters are called %q", p.Name))
			}
		}
		t.Params = append(t.Params, p)
	}
	if len(t.Params) == 1 && t.Params[0].Type.IsVoid() && t.Params[0].Name == "" {
		t.Params = nil
	}
	return t, nil
}

func (b *builder) param(d *cc.ParameterDeclaration) (ir.Param, error) {
	s, err := b.declarationSpecs(d.DeclarationSpecifiers)
	if err != nil {
		return ir.Param{}, err
	}
	if s.base == nil {
		return ir.Param{}, leftUnnamed
	}
	p := ir.Param{}
	if d.Case == cc.ParameterDeclarationDecl {
		p.Name = d.Declarator.Name()
		p.Type, err = b.declarator(s.base, d.Declarator)
	} else {
		p.Type, err = b.abstract(s.base, d.AbstractDeclarator)
	}
	if err != nil {
		return ir.Param{}, err
	}
	if p.Type.Kind == ir.Func { // C passes its address
		p.Type = &ir.Type{Kind: ir.Pointer, Elem: p.Type}
	}
	return p, nil
}

// checkedType is a type as the checker knows it, for what has no declaration.
func checkedType(t cc.Type) *ir.Type {
	if t == nil {
		return nil
	}
	isConst := t.Attributes().IsConst()
	if d := t.Typedef(); d != nil && d.Name() != "" {
		name := strings.TrimPrefix(d.Name(), "__predefined_")
		return &ir.Type{Kind: ir.Named, Name: name, Const: isConst}
	}
	switch t := t.(type) {
	case *cc.PointerType:
		elem := checkedType(t.Elem())
		if elem == nil {
			return nil
		}
		return &ir.Type{Kind: ir.Pointer, Elem: elem}
	case *cc.EnumType:
		if tag := t.Tag(); tag.SrcStr() != "" {
			return &ir.Type{Kind: ir.Named, Tag: "enum", Name: tag.SrcStr(), Const: isConst}
		}
		return checkedType(t.UnderlyingType())
	case *cc.StructType:
		tag := t.Tag()
		return &ir.Type{Kind: ir.Named, Tag: "struct", Name: tag.SrcStr(), Const: isConst}
	case *cc.UnionType:
		tag := t.Tag()
		return &ir.Type{Kind: ir.Named, Tag: "union", Name: tag.SrcStr(), Const: isConst}
	}
	if name := kindNames[t.Kind()]; name != "" {
		return &ir.Type{Kind: ir.Basic, Name: name, Const: isConst}
	}
	return nil
}
