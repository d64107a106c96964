package ir

import "strings"

// Position is a place in a header, for messages. Line and Col count from 1.
// Histories do not keep positions.
type Position struct {
	File      string
	Line, Col int
}

// Meta is what every entity of a snapshot carries.
type Meta struct {
	Header string    // the header that declares it, as it is included: "cuda.h"
	On     TargetSet // the targets that have this shape of it; zero is all of the snapshot's
	Pos    Position
}

// Function is one declared function.
type Function struct {
	Meta
	// Name is what a caller writes and Symbol what the library exports; a
	// header's rename macro is what makes them differ
	// (#define cuMemAlloc cuMemAlloc_v2). A superseded function has its symbol
	// for a name.
	Name, Symbol string
	// PerThread is the symbol with a per-thread default stream, empty where
	// the library has no separate one.
	PerThread string
	// Superseded is a symbol that no public name leads to: an older version
	// that the header declares only in its internal view.
	Superseded bool
	Inline     bool // static inline: the header defines it, the library may not export it
	Deprecated bool
	Type       *Type // Func
	Query      Query
}

// Query is how a library that resolves its own symbols (cuGetProcAddress) is
// asked for one: a base name and the version of the API, in the library's own
// numbering (CUDA: 1000*major+10*minor). Zero versions are unknown.
type Query struct {
	Base      string
	Version   int
	PerThread int // the version to ask for with the per-thread default stream
}

// Key names the function among all of a history. Public name and symbol are
// both needed: cuMemAlloc is a superseded symbol as well as the public name of
// cuMemAlloc_v2.
func (f *Function) Key() string {
	if f.Name == f.Symbol {
		return f.Name
	}
	return f.Name + "=" + f.Symbol
}

// Enum is an enumeration with its enumerators in order.
type Enum struct {
	Meta
	// Name is the tag; without one the typedef's name (Tagged false), or
	// PARENT.FIELD for one that stands inside a record. An enum without any
	// name is called after its first enumerator and is Anonymous.
	Name        string
	Tagged      bool
	Anonymous   bool
	Underlying  string // the basic type that holds it on this target
	Enumerators []Enumerator
}

// Enumerator is one name of an enumeration.
type Enumerator struct {
	Name  string
	Value Integer
}

// Key names the enum among all of a history; tags and typedef names are kept
// apart.
func (e *Enum) Key() string {
	if e.Tagged {
		return "enum " + e.Name
	}
	return e.Name
}

// Record is a struct or a union. Sizes and offsets are in bytes.
type Record struct {
	Meta
	Name       string // the tag; without one the typedef's name (Tagged false)
	Tagged     bool
	Union      bool
	Incomplete bool // declared but never defined: an opaque handle's target
	Size       int64
	Align      int64
	Fields     []Field
}

// Key names the record among all of a history.
func (r *Record) Key() string {
	if !r.Tagged {
		return r.Name
	}
	return r.Keyword() + " " + r.Name
}

// Keyword is "struct" or "union".
func (r *Record) Keyword() string {
	if r.Union {
		return "union"
	}
	return "struct"
}

// Field is a member of a record.
type Field struct {
	Name   string // empty for an unnamed member, whose own fields are reached through its parent
	Type   *Type  // nil where Record is set and Dims empty
	Offset int64  // from the start of the record that lists the field
	Bits   int    // width of a bit-field, else 0
	Bit    int    // position of a bit-field's lowest bit, counted from Offset
	Flex   bool   // a flexible array member
	// Record is the definition of a member whose type has no name. Its own
	// Name is empty: a helper type is called after the parent and the path.
	Record *Record
	Dims   []int64 // array bounds of such a member, the outermost first
}

// Typedef gives a type another name. A handle is one that points to an
// incomplete record, a callback one that points to a function.
type Typedef struct {
	Meta
	Name  string
	Type  *Type
	Macro bool // #define NEW OLD, where OLD is a type
}

// Key names the typedef among all of a history.
func (t *Typedef) Key() string { return t.Name }

// Constant is an object-like macro. One that has no value is kept with the
// reason, so that every macro of a header is accounted for.
type Constant struct {
	Meta
	Name   string
	Type   *Type  // nil without a value
	Value  string // decimal for integers, enumerators and pointers; shortest exact form for floats; the bytes of a string
	Reason string // why there is no value
}

// Key names the constant among all of a history.
func (c *Constant) Key() string { return c.Name }

// Integer is a C integer constant in decimal, whatever its width and sign.
type Integer string

// Negative reports whether the integer is below zero.
func (i Integer) Negative() bool { return strings.HasPrefix(string(i), "-") }

// Fits reports whether the integer is in the range of a two's complement
// integer of 32 bits (C's int on every target).
func (i Integer) Fits() bool {
	limit := "2147483647"
	digits := string(i)
	if i.Negative() {
		limit, digits = "2147483648", digits[1:]
	}
	return len(digits) < len(limit) || len(digits) == len(limit) && digits <= limit
}
