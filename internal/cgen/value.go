package cgen

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// Value is a constant as a C expression that needs no header but those of its
// type: a cast for numbers and addresses, a literal for text.
func Value(c *ir.Constant) string {
	digits := strings.TrimPrefix(c.Value, "-")
	number := digits != "" && strings.Trim(digits, "0123456789") == ""
	value := c.Value
	switch {
	case c.Type.Kind == ir.Array || c.Type.Kind == ir.Pointer && !number:
		return text(c.Value)
	case number && ir.Integer(c.Value).Fits():
	case number:
		value = integer(ir.Integer(c.Value))
		if !strings.HasPrefix(c.Value, "-") {
			value = c.Value + "ULL"
		}
	case value == "+Inf" || value == "-Inf": // too large for any type
		value = strings.TrimSuffix(strings.TrimPrefix(value, "+"), "Inf") + "1e9999"
	case value == "NaN":
		value = "(0.0 / 0.0)"
	}
	return "((" + Declare(c.Type, "") + ")" + value + ")"
}

// Values defines a macro that is the value of a constant on each target, where
// they differ. shapes are the constant's, each with its targets.
func Values(macro string, shapes []ir.Constant, targets []ir.Target) (string, error) {
	var b strings.Builder
	for i := range shapes {
		c := &shapes[i]
		if c.Type == nil {
			continue
		}
		condition, err := guard(targets, c.On)
		if err != nil {
			return "", err
		}
		b.WriteString(guarded(condition, fmt.Sprintf("#define %s %s\n", macro, Value(c))))
	}
	return b.String(), nil
}
