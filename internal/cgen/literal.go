package cgen

import (
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// integer spells an integer constant so that it has its value whatever its
// width: with a suffix where int does not hold it, and the lowest values, which
// have no literal, as a difference.
func integer(v ir.Integer) string {
	switch {
	case v == "-2147483648":
		return "(-2147483647 - 1)"
	case v == "-9223372036854775808":
		return "(-9223372036854775807LL - 1)"
	case v.Fits():
		return string(v)
	}
	if n, err := strconv.ParseUint(string(v), 10, 64); err == nil && n >= 1<<63 {
		return string(v) + "ULL"
	}
	return string(v) + "LL"
}

// text spells bytes as a C string literal. Octal escapes end by themselves;
// question marks are escaped because of trigraphs.
func text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?' || c < ' ' || c > '~':
			b.WriteByte('\\')
			b.WriteByte('0' + c>>6)
			b.WriteByte('0' + c>>3&7)
			b.WriteByte('0' + c&7)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
