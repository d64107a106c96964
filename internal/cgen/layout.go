package cgen

import (
	"fmt"

	"github.com/cybindgo/cybindgo/ir"
)

// layout says how a record is written so that it gets its recorded layout.
// The zero value writes it as its fields stand.
type layout struct {
	pack    int64         // #pragma pack around it, 0 without
	align   int64         // alignment asked for the whole record, 0 without
	members map[int]int64 // alignment asked for single fields, by index
	gaps    map[int]gap   // padding written before a field, or after the last
}

// gap is padding that is written down: bytes, or bits before a bit-field.
type gap struct{ bytes, bits int64 }

// layoutOf finds how to write r where the packing outer is in force: as it
// stands, without packing, with aligned members, packed, and at last packed to
// the byte with every gap filled. The records inside it are taken with the
// layout that is recorded for them.
func (s shapes) layoutOf(r *ir.Record, outer int64) (layout, error) {
	members := make([]shape, len(r.Fields))
	for i := range r.Fields {
		m, err := s.member(&r.Fields[i])
		if err != nil {
			return layout{}, fmt.Errorf("field %d (%q): %w", i+1, r.Fields[i].Name, err)
		}
		members[i] = m
	}
	for _, try := range []layout{{pack: outer}, {}, s.aligned(r, members)} {
		if s.gives(try, r, members) {
			return try, nil
		}
	}
	for _, pack := range []int64{8, 4, 2, 1} {
		for _, align := range []int64{0, r.Align} {
			try := layout{pack: pack, align: align}
			if s.gives(try, r, members) {
				return try, nil
			}
		}
	}
	if try := padded(r, members); s.gives(try, r, members) {
		return try, nil
	}
	return layout{}, fmt.Errorf("its recorded layout (size %d, alignment %d) cannot be written in C", r.Size, r.Align)
}

// aligned asks for the smallest alignments that move fields to where they are
// recorded, and for the record's own on its first member. Bit-fields and
// members without a name cannot be aligned; then the record is.
func (s shapes) aligned(r *ir.Record, members []shape) layout {
	l := layout{members: map[int]int64{}}
	end, widest := int64(0), int64(1)
	for i := range r.Fields {
		f, m := &r.Fields[i], members[i]
		if f.Bits == 0 && f.Name != "" && !r.Union && f.Offset > roundUp(end, m.align) {
			for a := m.align * 2; a <= r.Align; a *= 2 {
				if roundUp(end, a) == f.Offset {
					l.members[i] = a
					widest = max(widest, a)
					break
				}
			}
		}
		if f.Bits == 0 {
			end = f.Offset + m.size
		} else {
			end = f.Offset + (int64(f.Bit+f.Bits)+7)/8
		}
		widest = max(widest, m.align)
	}
	switch {
	case widest >= r.Align:
	case len(r.Fields) > 0 && r.Fields[0].Bits == 0 && r.Fields[0].Name != "":
		l.members[0] = r.Align
	default:
		l.align = r.Align
	}
	return l
}

// padded packs to the byte and fills every gap.
func padded(r *ir.Record, members []shape) layout {
	l := layout{pack: 1, align: r.Align, gaps: map[int]gap{}}
	at := int64(0) // in bits
	for i := range r.Fields {
		f := &r.Fields[i]
		start := f.Offset*8 + int64(f.Bit)
		switch {
		case r.Union || start == at:
		case f.Bits > 0:
			l.gaps[i] = gap{bytes: start/8 - roundUp(at, 8)/8, bits: start % 8}
			if start/8 == at/8 {
				l.gaps[i] = gap{bits: start - at}
			}
		default:
			l.gaps[i] = gap{bytes: start/8 - roundUp(at, 8)/8}
		}
		if at = start + int64(f.Bits); f.Bits == 0 {
			at = start + members[i].size*8
		}
	}
	if rest := r.Size - roundUp(at, 8)/8; rest >= r.Align && !r.Union {
		l.gaps[len(r.Fields)] = gap{bytes: rest}
	}
	return l
}

// gives reports whether a compiler for the platform would give r its recorded
// layout when it is written as l says.
func (s shapes) gives(l layout, r *ir.Record, members []shape) bool {
	p := placer{platform: s.platform, pack: l.pack, union: r.Union, align: 1}
	for i := range r.Fields {
		f := &r.Fields[i]
		if g, ok := l.gaps[i]; ok {
			if g.bytes < 0 || g.bits < 0 {
				return false
			}
			p.fill(g)
		}
		if f.Bits > 0 {
			if !p.bits(members[i], int64(f.Bits), f.Offset*8+int64(f.Bit), f.Name != "") {
				return false
			}
			continue
		}
		if p.field(members[i], l.members[i]) != f.Offset {
			return false
		}
	}
	if g, ok := l.gaps[len(r.Fields)]; ok {
		p.fill(g)
	}
	align := max(p.align, l.align)
	return align == r.Align && roundUp(roundUp(p.end, 8)/8, align) == r.Size
}

// placer lays fields out one after the other, as a compiler does. Positions
// are in bits.
type placer struct {
	platform
	pack  int64
	union bool
	at    int64 // where the next field may start
	end   int64 // the end of the furthest field
	align int64 // of the record so far, in bytes

	unit, unitEnd int64 // Microsoft: the size of the open bit-field unit, 0 for none, and its end
}

// roundUp is the smallest multiple of to that is not below n.
func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// packed is an alignment as #pragma pack limits it.
func (p *placer) packed(align int64) int64 {
	if p.pack > 0 {
		return min(align, p.pack)
	}
	return align
}

// close ends an open bit-field unit: what follows starts behind it.
func (p *placer) close() {
	if p.unit > 0 {
		p.at, p.unit = p.unitEnd, 0
	}
}

// advance puts the end of a field at to.
func (p *placer) advance(to int64) {
	p.end = max(p.end, to)
	if !p.union {
		p.at = to
	}
}

// field places a member and says where, in bytes. Alignment that was asked for
// is never combined with packing: compilers differ there.
func (p *placer) field(m shape, asked int64) int64 {
	p.close()
	align := max(p.packed(m.align), asked)
	p.align = max(p.align, align)
	start := roundUp(p.at, align*8)
	p.advance(start + m.size*8)
	return start / 8
}

// fill places a gap. Its bits stand in a unit of one byte.
func (p *placer) fill(g gap) {
	p.close()
	if g.bytes > 0 {
		p.advance(roundUp(p.at, 8) + g.bytes*8)
	}
	p.advance(p.at + g.bits)
	if p.microsoft {
		p.advance(roundUp(p.at, 8))
	}
}

// bits places a bit-field of width bits in a unit of its type and reports
// whether it starts at the wanted bit. Where gcc and clang would put it
// differently under #pragma pack it is not accepted at all.
func (p *placer) bits(unit shape, width, want int64, named bool) bool {
	size, align := unit.size*8, p.packed(unit.align)
	if named || p.microsoft {
		p.align = max(p.align, align)
	}
	if p.microsoft {
		if p.unit != size || p.at+width > p.unitEnd {
			p.close()
			p.at = roundUp(p.at, align*8)
			p.unit, p.unitEnd = size, p.at+size
			p.end = max(p.end, p.unitEnd)
		}
	} else if straddles := (p.at%(align*8)+width+align*8-1)/(align*8) > size/(align*8); straddles {
		if p.pack > 0 {
			return false
		}
		p.at = roundUp(p.at, align*8)
	}
	start := p.at
	if p.advance(start + width); p.union {
		p.unit = 0
	}
	return start == want
}
