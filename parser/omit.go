package parser

import "fmt"

// unsupported is why a declaration cannot be bound. It travels as an error up
// to the declaration, which becomes an Omission.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// The reasons, in words that stay the same from release to release.
const (
	leftVariadic  unsupported = "a variadic function: its further arguments cannot be forwarded"
	leftVaList    unsupported = "va_list cannot be passed on"
	leftVector    unsupported = "a vector type"
	leftWide      unsupported = "a 128-bit integer"
	leftAtomic    unsupported = "an atomic type"
	leftComplex   unsupported = "a complex number"
	leftFloat     unsupported = "a floating type beyond long double"
	leftTypeof    unsupported = "typeof"
	leftBlock     unsupported = "a block pointer"
	leftUnnamed   unsupported = "an unnamed type that no name leads to"
	leftOldStyle  unsupported = "a parameter list without types"
	leftVariable  unsupported = "a variable"
	leftUntyped   unsupported = "a declaration without a type"
	leftBound     unsupported = "an array bound that is not a constant"
	leftOpenEnum  unsupported = "an enum without enumerators"
	leftInnerType unsupported = "a type declared among the members"
)

// leftUses is the reason of a declaration that needs another that is left out.
func leftUses(name, reason string) unsupported {
	return unsupported(fmt.Sprintf("uses %s, which is left out: %s", name, reason))
}
