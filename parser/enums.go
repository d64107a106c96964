package parser

import (
	"fmt"
	"strconv"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// enumSpecifier takes an enum with a tag at once; without one it waits for a
// declarator to name it.
func (r *specReader) enumSpecifier(n *cc.EnumSpecifier) error {
	tag := n.Token2.SrcStr()
	if tag == "" {
		r.enum = n
		return nil
	}
	r.base = &ir.Type{Kind: ir.Named, Tag: "enum", Name: tag}
	if n.Case != cc.EnumSpecifierDef {
		if reason, ok := r.b.left["enum "+tag]; ok {
			return leftUses("enum "+tag, reason)
		}
		if !r.b.enums[tag] {
			return leftUses("enum "+tag, "it is not defined before")
		}
		return nil
	}
	if !isIdentifier(tag) {
		r.b.notName(n.Token2, tag)
	}
	if err := r.b.defineEnum(n, ir.Enum{Name: tag, Tagged: true}); err != nil {
		r.b.left["enum "+tag] = err.Error()
		r.b.omit(n.Token2, "enum "+tag, err)
		return leftUses("enum "+tag, err.Error())
	}
	r.b.enums[tag] = true
	return nil
}

// defineEnum adds an enum to the model. What it is called stands in e.
func (b *builder) defineEnum(n *cc.EnumSpecifier, e ir.Enum) error {
	t, ok := n.Type().(*cc.EnumType)
	if !ok {
		return leftOpenEnum
	}
	// GCC's rule: unsigned int where no value is negative. Microsoft's compiler
	// has an int for every enum and cuts off what does not fit.
	e.Underlying = kindNames[t.UnderlyingType().Kind()]
	for l := n.EnumeratorList; l != nil; l = l.EnumeratorList {
		name := l.Enumerator.Token.SrcStr()
		value, ok := integer(l.Enumerator.Value())
		if !ok {
			return leftBound
		}
		if b.platform.microsoft && !value.Fits() {
			b.notice(l.Enumerator.Token, fmt.Sprintf("the enumerator %s is %s, which Microsoft's compiler has no room for in an int: there it is %s", name, value, wrapInt(value)))
			value, e.Underlying = wrapInt(value), "int"
		}
		b.claim(name, "an enumerator", l.Enumerator.Token)
		e.Enumerators = append(e.Enumerators, ir.Enumerator{Name: name, Value: value})
	}
	if len(e.Enumerators) == 0 {
		return leftOpenEnum
	}
	if e.Name == "" {
		e.Name, e.Anonymous = e.Enumerators[0].Name, true
	}
	if b.entities() {
		e.Meta = b.meta(n.Token)
		b.api.Enums = append(b.api.Enums, e)
	}
	return nil
}

// integer writes a value of the front end in decimal.
func integer(v cc.Value) (ir.Integer, bool) {
	switch v := v.(type) {
	case cc.Int64Value:
		return ir.Integer(strconv.FormatInt(int64(v), 10)), true
	case cc.UInt64Value:
		return ir.Integer(strconv.FormatUint(uint64(v), 10)), true
	}
	return "", false
}

// wrapInt is what an int of 32 bits makes of a value.
func wrapInt(v ir.Integer) ir.Integer {
	n, err := strconv.ParseUint(string(v), 10, 64)
	if err != nil {
		signed, _ := strconv.ParseInt(string(v), 10, 64) // the front end has no more than 64 bits
		n = uint64(signed)
	}
	return ir.Integer(strconv.Itoa(int(int32(n))))
}
