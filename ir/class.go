package ir

import (
	"fmt"
	"strings"
)

// Class says what a change means for whoever uses the library. Every change has
// one, the gravest that fits; that it breaks source as well, see [Change.Breaks].
type Class string

// The classes, in the order of a report.
const (
	// CythonABI: a compiled module that imports the function is refused when it
	// is loaded, because its signature string in __pyx_capi__ is another one or
	// gone.
	CythonABI Class = "cython-abi"
	// Layout: compiled code goes wrong and nobody tells. A record has another
	// size, alignment or offset, a number that compilers copy is another one, a
	// callback gets other arguments.
	Layout Class = "layout"
	// Source: what was written for the old release may not compile.
	Source Class = "source"
	// Behaviour: everything compiles and loads, and a call may do something else:
	// parameters that changed places, a name that leads to another symbol.
	Behaviour Class = "behaviour"
	// Addition: something that callers can use for the first time.
	Addition Class = "addition"
	// Other: nothing changes for callers.
	Other Class = "other"
	// Noise: MAX, COUNT and END enumerators and version numbers, which are meant
	// to move.
	Noise Class = "noise"
)

// Classes lists all classes in the order of a report: breaks first.
var Classes = []Class{CythonABI, Layout, Source, Behaviour, Addition, Other, Noise}

// Words is the class as a report names it.
func (c Class) Words() string {
	switch c {
	case CythonABI:
		return "Cython ABI break"
	case Layout:
		return "binary layout break"
	case Source:
		return "source break"
	case Behaviour:
		return "behaviour only"
	}
	return string(c)
}

// Meaning says in one line what changes of the class do.
func (c Class) Meaning() string {
	switch c {
	case CythonABI:
		return "a compiled module is refused on import: its signature is gone or another"
	case Layout:
		return "compiled code goes wrong silently: a size, an offset, a number compiled in"
	case Source:
		return "what was written for the old release may not compile"
	case Behaviour:
		return "all compiles, and a call may do something else"
	case Addition:
		return "something new"
	case Other:
		return "nothing changes for callers"
	case Noise:
		return "MAX, COUNT, END and version numbers, which always move"
	}
	return ""
}

// Title is the heading of a list of changes of the class.
func (c Class) Title() string {
	switch c {
	case CythonABI, Layout, Source, Addition:
		return upperFirst(c.Words()) + "s"
	}
	return upperFirst(c.Words())
}

// Counted is the class with a number, in words.
func (c Class) Counted(n int) string {
	words := c.Words()
	switch c {
	case CythonABI, Layout, Source, Addition:
		if n != 1 {
			words += "s"
		}
	}
	return fmt.Sprintf("%d %s", n, words)
}

// Breaks reports whether changes of the class break something.
func (c Class) Breaks() bool { return c == CythonABI || c == Layout || c == Source }

// Class is the change's class.
func (x *Change) Class() Class {
	switch {
	case x.Breaks&BreaksABI != 0 && (x.Subject == FunctionSubject || x.Subject == SymbolSubject):
		return CythonABI
	case x.Breaks&BreaksABI != 0:
		return Layout
	case x.Breaks&BreaksSource != 0:
		return Source
	case x.Limit, x.Subject == ConstantSubject && x.What == ValueChanged && x.New != "" && movingConstant(x.Name):
		return Noise
	case x.Subject == SymbolSubject:
		return Other // no name leads to it
	}
	switch x.What {
	case Added, Restored, Exported, Completed, Renamed:
		// A new name for what has another one breaks nothing: whoever used the
		// old name is told of with that.
		return Addition
	case ParametersSwapped, SymbolChanged, LookupChanged, PerThreadChanged:
		return Behaviour
	case RoleChanged:
		if strings.TrimSuffix(x.New, nullAllowed) != x.Old { // more than that
			return Behaviour
		}
	case OrderChanged:
		if x.Subject == RecordSubject { // whoever lists values in order
			return Behaviour
		}
	}
	return Other
}

// Verdict is the class and what else breaks, in words. It is empty for what
// needs no attention.
func (x *Change) Verdict() string {
	c := x.Class()
	switch {
	case c == Addition || c == Other:
		return ""
	case c != Source && x.Breaks&BreaksSource != 0:
		return c.Words() + ", source break"
	}
	return c.Words()
}

// ByClass counts the changes of each class. All classes are in it.
func (c *Changes) ByClass() map[Class]int {
	n := make(map[Class]int, len(Classes))
	for _, class := range Classes {
		n[class] = 0
	}
	for i := range c.List {
		n[c.List[i].Class()]++
	}
	return n
}

// Summary is the number of changes, and of each class that has some, in words.
func (c *Changes) Summary() string {
	switch len(c.List) {
	case 0:
		return "no changes"
	case 1:
		return "1 change: " + c.List[0].Class().Counted(1)
	}
	n := c.ByClass()
	var parts []string
	for _, class := range Classes {
		if n[class] > 0 {
			parts = append(parts, class.Counted(n[class]))
		}
	}
	return fmt.Sprintf("%d changes: %s", len(c.List), strings.Join(parts, ", "))
}

// ofClass lists the changes of a class, in their order.
func (c *Changes) ofClass(class Class) []*Change {
	var list []*Change
	for i := range c.List {
		if x := &c.List[i]; x.Class() == class {
			list = append(list, x)
		}
	}
	return list
}

// movingConstant reports whether a constant's value is meant to be another one
// in every release, by its name: nobody may rely on the old one.
func movingConstant(name string) bool {
	return strings.HasSuffix(name, "_MAX") || strings.HasSuffix(name, "_COUNT") || strings.HasSuffix(name, "VERSION") || strings.HasSuffix(name, "VERSION_STR")
}
