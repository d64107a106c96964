package cgen

import (
	"fmt"
	"strconv"

	"github.com/cybindgo/cybindgo/ir"
)

// factKind is what a fact is about.
type factKind int

const (
	recordSize factKind = iota
	recordAlign
	fieldOffset
	memberSize
)

// fact is one number of a record's layout.
type fact struct {
	kind  factKind
	typ   string // the record as C spells it
	path  string // of the field, from the record
	value int64
}

// portable is the expression for the number in the definitions' own macros.
func (f fact) portable() string {
	switch f.kind {
	case recordSize:
		return "sizeof(" + f.typ + ")"
	case recordAlign:
		return "CYBINDGO_ALIGNOF(" + f.typ + ")"
	case fieldOffset:
		return fmt.Sprintf("offsetof(%s, %s)", f.typ, f.path)
	default:
		return fmt.Sprintf("sizeof(((%s *)0)->%s)", f.typ, f.path)
	}
}

// compiled is the expression in the macros of a file of assertions.
func (f fact) compiled() string {
	switch f.kind {
	case recordSize:
		return "sizeof(" + f.typ + ")"
	case recordAlign:
		return "_Alignof(" + f.typ + ")"
	case fieldOffset:
		return fmt.Sprintf("OFFSET(%s, %s)", f.typ, f.path)
	default:
		return fmt.Sprintf("sizeof MEMBER(%s, %s)", f.typ, f.path)
	}
}

// place is a field as it is reached from the outermost record.
type place struct {
	*ir.Field
	path   string
	offset int64 // from the outermost record
}

// places lists the fields of a record with their paths. Those of a member
// without a name follow in its place, reached through its parent; those of a
// named one follow it.
func places(r *ir.Record) []place {
	var out []place
	var walk func(r *ir.Record, prefix string, base int64)
	walk = func(r *ir.Record, prefix string, base int64) {
		for i := range r.Fields {
			f := &r.Fields[i]
			path, inside := prefix+f.Name, prefix
			if f.Name != "" {
				out = append(out, place{f, path, base + f.Offset})
				inside = path
				for range f.Dims {
					inside += "[0]"
				}
				inside += "."
			}
			if f.Record != nil {
				walk(f.Record, inside, base+f.Offset)
			}
		}
	}
	walk(r, "", 0)
	return out
}

// facts lists the numbers of a record's layout. Bit-fields have no address
// and no size in C, flexible arrays no size.
func facts(r *ir.Record, typ string) []fact {
	if r.Incomplete {
		return nil
	}
	out := []fact{
		{recordSize, typ, "", r.Size},
		{recordAlign, typ, "", r.Align},
	}
	for _, p := range places(r) {
		if p.Bits > 0 {
			continue
		}
		out = append(out, fact{fieldOffset, typ, p.path, p.offset})
		if p.Record != nil && !p.Flex {
			size := p.Record.Size
			for _, n := range p.Dims {
				size *= n
			}
			out = append(out, fact{memberSize, typ, p.path, size})
		}
	}
	return out
}

// what names the fact for a message.
func (f fact) what() string {
	name := f.typ
	if f.path != "" {
		name += "." + f.path
	}
	return [...]string{"size of ", "alignment of ", "offset of ", "size of "}[f.kind] + name + " is " + strconv.FormatInt(f.value, 10)
}
