package emit

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// valuePrefix begins macros of ours for constants whose value differs between
// targets.
const valuePrefix = "CYBINDGO_VALUE_"

// constantDecls prepares the library's constants: those that fit into an int
// as enumerators, which Cython may use as array bounds, the others as C
// expressions with the constant's own type.
func constantDecls(p *typePlan, extra map[string]int, taken map[string]bool) (enumerators, others []string) {
	for i := range p.u.Constants {
		e := &p.u.Constants[i]
		c := e.Shape()
		if c.Type == nil || taken[c.Name] {
			continue
		}
		name := identifier(c.Name, nil)
		switch {
		case slices.ContainsFunc(e.Shapes[1:], func(s ir.Constant) bool { return s.Value != c.Value }):
			// No number is right for all: each compiler works it out.
			others = append(others, p.constant(c, name, p.valueByTarget(e)))
		case isInteger(c.Value) && c.Type.Kind != ir.Array && ir.Integer(c.Value).Fits():
			enumerators = append(enumerators, name+" = "+c.Value)
		default:
			others = append(others, p.constant(c, name, cgen.Value(c)))
		}
	}
	for _, name := range sortedKeys(extra) {
		enumerators = append(enumerators, fmt.Sprintf("%s = %d", name, extra[name]))
	}
	return enumerators, others
}

// constant declares one as a C expression.
func (p *typePlan) constant(c *ir.Constant, name, value string) string {
	declared := "const char*"
	if isInteger(c.Value) && c.Type.Kind != ir.Array || c.Type.Kind != ir.Pointer && c.Type.Kind != ir.Array {
		p.check(c.Type, "constant "+c.Name, c.Header)
		declared = "const " + p.names.left(unqualified(c.Type))
	}
	if value == name {
		return declared + " " + name
	}
	return declared + " " + name + " " + strconv.Quote(value)
}

// valueByTarget is a constant whose value differs between targets: the
// header's own macro, where the header is included, or a macro of ours.
func (p *typePlan) valueByTarget(e *ir.Entry[ir.Constant]) string {
	c := e.Shape()
	if p.mode(c.Header, c.Name, e.Last) == config.Extern {
		if from := `"` + c.Header + `"`; !slices.ContainsFunc(p.blocks, func(b block) bool { return b.From == from }) {
			p.add(c.Header, config.Extern, decl{Head: "pass"})
		}
		return c.Name
	}
	text, err := cgen.Values(valuePrefix+c.Name, e.Shapes, p.u.Targets)
	if err != nil {
		p.fail("constant %s (%s): %w", c.Name, c.Header, err)
	}
	p.values += text
	return valuePrefix + c.Name
}

func isInteger(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	_, uerr := strconv.ParseUint(s, 10, 64)
	return err == nil || uerr == nil
}
