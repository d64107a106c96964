package cgen

import "github.com/cybindgo/cybindgo/ir"

// Layout says what has to be said of a record beside its fields, so that a
// compiler lays it out as recorded.
type Layout int

// The layouts.
const (
	Natural Layout = iota // nothing
	Packed                // that it is packed to the byte
	Other                 // more than that: other packing, alignment, gaps, the width of bit-fields
)

// LayoutIn is the layout of the record with a key, on all targets of a snapshot
// that has it and the types of its fields. One that is laid out in different
// ways on different targets is Other, as is one whose size nobody knows.
func LayoutIn(s *ir.Snapshot, key string) Layout {
	var all []Layout
	for _, t := range s.Targets {
		api := s.For(t)
		in := shapes{platformOf(t), namesOf(api)}
		if r := in.names.records[key]; r != nil {
			all = append(all, in.plain(r, 0))
		}
	}
	for _, l := range all {
		if l != all[0] {
			return Other
		}
	}
	if len(all) == 0 {
		return Other
	}
	return all[0]
}

// plain is the layout of one record where the packing outer is in force.
func (s shapes) plain(r *ir.Record, outer int64) Layout {
	l, err := s.layoutOf(r, outer)
	if err != nil || l.align > 0 || len(l.members) > 0 || len(l.gaps) > 0 || l.pack > 1 {
		return Other
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Bits > 0 {
			return Other
		}
		if f.Record == nil {
			continue
		}
		// Cython declares the type of such a member by itself, as a record of
		// its own.
		if s.plain(f.Record, 0) != Natural {
			return Other
		}
	}
	if l.pack == 1 {
		return Packed
	}
	return Natural
}
