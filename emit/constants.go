package emit

import (
	"fmt"
	"strconv"

	"github.com/cybindgo/cybindgo/ir"
)

// constantDecls prepares the library's constants: those that fit into an int
// as enumerators, which Cython may use as array bounds, the others as C
// expressions with the constant's own type.
func constantDecls(u *ir.Union, extra map[string]int, names *typeNames, taken map[string]bool) (enumerators, others []string) {
	for i := range u.Constants {
		e := &u.Constants[i]
		c := e.Shape()
		if c.Type == nil || taken[c.Name] {
			continue
		}
		name := identifier(c.Name, nil)
		value := ir.Integer(c.Value)
		integer := isInteger(c.Value) && (c.Type.Kind != ir.Array)
		switch {
		case len(e.Shapes) > 1:
			// Targets differ: let each compiler work it out from the header.
			others = append(others, fmt.Sprintf("const %s %s", names.left(unqualified(c.Type)), name))
		case integer && value.Fits():
			enumerators = append(enumerators, name+" = "+c.Value)
		case integer:
			suffix := "LL"
			if !value.Negative() {
				suffix = "ULL"
			}
			others = append(others, fmt.Sprintf(`const %s %s "((%s)%s%s)"`, names.left(unqualified(c.Type)), name, c.Type, c.Value, suffix))
		case c.Type.Kind == ir.Pointer || c.Type.Kind == ir.Array:
			others = append(others, fmt.Sprintf("const char* %s %s", name, strconv.Quote(strconv.Quote(c.Value))))
		default:
			others = append(others, fmt.Sprintf(`const %s %s "((%s)%s)"`, names.left(unqualified(c.Type)), name, c.Type, c.Value))
		}
	}
	for _, name := range sortedKeys(extra) {
		enumerators = append(enumerators, fmt.Sprintf("%s = %d", name, extra[name]))
	}
	return enumerators, others
}

func isInteger(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	_, uerr := strconv.ParseUint(s, 10, 64)
	return err == nil || uerr == nil
}
