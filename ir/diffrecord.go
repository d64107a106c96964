package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func (d *differ) pairRecords() []pairing[Record] {
	aliased := d.aliased()
	pairs := pair(d.old.Records, d.new.Records,
		func(a, b *Record) bool { return a.Name == b.Name && a.Tagged == b.Tagged },
		func(a, b *Record) bool { return a.Name == b.Name },
		func(a, b *Record) bool { return aliased(a.Key(), b.Key()) })
	for _, p := range pairs {
		if p.old != nil && p.new != nil && p.old.Key() != p.new.Key() {
			d.paired[p.old.Key()] = p.new.Key()
		}
	}
	return pairs
}

func (d *differ) records(pairs []pairing[Record]) {
	for _, p := range pairs {
		switch {
		case p.new == nil:
			d.add(change{Subject: RecordSubject, What: Removed, Name: p.old.Key(), Old: p.old.shown(), Header: p.old.Header, Breaks: BreaksSource})
			continue
		case p.old == nil:
			d.add(change{Subject: RecordSubject, What: Added, Name: p.new.Key(), New: p.new.shown(), Header: p.new.Header})
			continue
		}
		old, new := p.old, p.new
		if old.Name != new.Name || old.Tagged != new.Tagged {
			x := change{Subject: RecordSubject, What: TagChanged, Name: new.Key(), Old: old.Key(), New: new.Key(), Header: new.Header}
			if old.Tagged {
				x.Breaks = BreaksSource
			}
			d.add(x)
		}
		for _, x := range d.recordChanges(old, new) {
			x.Header = new.Header
			if x.What == KindChanged {
				x.Old, x.New = old.whole(), new.whole()
			}
			if x.Subject == FieldSubject {
				x.In = new.Key()
			} else {
				x.Name = new.Key()
			}
			d.add(x)
		}
		d.header(RecordSubject, new.Key(), &old.Meta, &new.Meta)
	}
}

// whole is the record's name with its keyword, which is part of its key only
// where it has a tag.
func (r *Record) whole() string { return r.Keyword() + " " + r.Name }

func (r *Record) shown() string {
	if r.Incomplete {
		return "opaque " + r.Keyword()
	}
	return fmt.Sprintf("%s of %d bytes", r.Keyword(), r.Size)
}

// sameLayout reports whether two records of different names are laid out alike.
func (d *differ) sameLayout(old, new *Record) bool {
	defer d.leave()
	if !d.enter() {
		return false
	}
	return !slices.ContainsFunc(d.recordChanges(old, new), func(x change) bool { return x.Breaks&BreaksABI != 0 })
}

// recordChanges compares two records, whatever their names. The changes of
// fields have the field's path for a name, those of the record itself none.
func (d *differ) recordChanges(old, new *Record) []change {
	if old.Union == new.Union && old.Incomplete == new.Incomplete && old.Size == new.Size && old.Align == new.Align && sameList(old.Fields, new.Fields) {
		return nil
	}
	var out []change
	put := func(x change) {
		x.Subject = RecordSubject
		out = append(out, x)
	}
	if old.Union != new.Union {
		put(change{What: KindChanged, Old: old.Keyword(), New: new.Keyword(), Breaks: BreaksSource | BreaksABI})
	}
	switch {
	case old.Incomplete && !new.Incomplete:
		put(change{What: Completed, New: new.shown()})
		return out // there was nothing to rely on
	case !old.Incomplete && new.Incomplete:
		put(change{What: MadeOpaque, Old: old.shown(), Breaks: BreaksSource | BreaksABI})
		return out
	}
	if old.Size != new.Size {
		put(change{What: SizeChanged, Old: size(old.Size), New: size(new.Size), Breaks: BreaksABI})
	}
	if old.Align != new.Align {
		put(change{What: AlignmentChanged, Old: size(old.Align), New: size(new.Align), Breaks: BreaksABI})
	}
	if sameList(old.Fields, new.Fields) {
		return out
	}
	out = append(out, d.fields(members(old), members(new))...)
	if len(out) == 0 && !sameFields(old, new) {
		put(change{What: ArrangementChanged})
	}
	return out
}

func size(n int64) string { return strconv.FormatInt(n, 10) }

// member is a field with the path by which it is reached. What stands in an
// unnamed member is reached as if it were the record's own.
type member struct {
	path string
	f    *Field
	// offset counts from the record, or from the named member that the field
	// stands in.
	offset int64
	in     string // that member's path
}

// members lists all fields of a record, those of members whose type has no name
// after the member.
func members(r *Record) []member {
	var out []member
	seen := map[string]int{}
	var visit func(r *Record, in string, base int64)
	visit = func(r *Record, in string, base int64) {
		for i := range r.Fields {
			f := &r.Fields[i]
			path := f.Name
			if path == "" {
				if f.Record != nil && f.Type == nil && len(f.Dims) == 0 {
					visit(f.Record, in, base+f.Offset)
					continue
				}
				path = "(unnamed)"
			}
			if in != "" {
				path = in + "." + path
			}
			if seen[path]++; seen[path] > 1 {
				path += "#" + strconv.Itoa(seen[path])
			}
			out = append(out, member{path, f, base + f.Offset, in})
			if f.Record != nil {
				visit(f.Record, path, 0)
			}
		}
	}
	visit(r, "", 0)
	return out
}

// shown is the type of a field as a report shows it.
func (f *Field) shown() string {
	text := shown(f.Type)
	if f.Record != nil {
		text += f.Record.shown()
		if f.Record.Align != 0 {
			text += " aligned to " + size(f.Record.Align)
		}
	}
	for _, n := range f.Dims {
		text += "[" + size(n) + "]"
	}
	if f.Flex {
		text += " (flexible)"
	}
	return text
}

// spareName reports whether a field's name says that it keeps room for later
// releases: reserved, _reserved2, pad, _internal_padding. Nobody relies on where
// that room is, or on how much of it is left.
func spareName(name string) bool {
	switch strings.ToLower(strings.Trim(name, "_0123456789")) {
	case "reserved", "rsvd", "pad", "padding", "unused", "oversize", "internal_padding", "internal_reserved", "cuda_reserved":
		return true
	}
	return false
}

func (m *member) spare() bool {
	return m.f.Name == "" && m.f.Record == nil || m.f.Record == nil && spareName(m.f.Name)
}

// spareDetail says why a change of a field that keeps room breaks nothing.
const spareDetail = "room kept for later"

func (d *differ) fields(old, new []member) []change {
	before := make(map[string]int, len(old))
	for i := range old {
		before[old[i].path] = i
	}
	// partner is the place in old of each new member, or -1.
	partner, kept := make([]int, len(new)), make([]bool, len(old))
	for j := range new {
		partner[j] = -1
		if i, ok := before[new[j].path]; ok {
			partner[j], kept[i] = i, true
		}
	}
	var out []change
	for j := range new {
		if partner[j] < 0 {
			if i := d.renamedField(old, kept, &new[j]); i >= 0 {
				partner[j], kept[i] = i, true
				out = append(out, change{
					Subject: FieldSubject, What: Renamed, Name: new[j].path, Old: old[i].path, New: new[j].path, Breaks: BreaksSource,
				})
				continue
			}
			out = append(out, change{Subject: FieldSubject, What: Added, Name: new[j].path, New: new[j].f.shown(), Detail: new[j].place()})
			continue
		}
		out = append(out, d.field(&old[partner[j]], &new[j])...)
	}
	for i := range old {
		if kept[i] {
			continue
		}
		x := change{Subject: FieldSubject, What: Removed, Name: old[i].path, Old: old[i].f.shown(), Detail: old[i].place()}
		if old[i].f.Name != "" {
			x.Breaks = BreaksSource
		}
		out = append(out, x)
	}
	moved := offsets(old, new, partner)
	return append(append(out, moved...), fieldOrder(old, new, partner, len(moved) > 0)...)
}

func (m *member) place() string { return "at " + size(m.offset) }

// renamedField finds an old field that is gone and was where a new one is, with
// the same type.
func (d *differ) renamedField(old []member, kept []bool, m *member) int {
	if m.f.Name == "" {
		return -1
	}
	for i, o := range old {
		if !kept[i] && o.f.Name != "" && o.offset == m.offset && o.in == m.in && o.f.Bits == m.f.Bits && o.f.Bit == m.f.Bit &&
			o.f.Record == nil && m.f.Record == nil && o.f.Flex == m.f.Flex && slices.Equal(o.f.Dims, m.f.Dims) && d.sameType(o.f.Type, m.f.Type) {
			return i
		}
	}
	return -1
}

// field compares a field that both records have, but for its offset.
func (d *differ) field(old, new *member) []change {
	var out []change
	put := func(x change) {
		x.Subject, x.Name = FieldSubject, new.path
		out = append(out, x)
	}
	a, b := old.f, new.f
	spare := old.spare() && new.spare()
	if a.shown() != b.shown() || (a.Record == nil) != (b.Record == nil) {
		x := change{What: TypeChanged, Old: a.shown(), New: b.shown()}
		switch {
		case spare:
			x.Detail = spareDetail
		case a.Record != nil && b.Record != nil && a.Record.Union == b.Record.Union && shown(a.Type) == shown(b.Type):
			x.Breaks = BreaksABI
		case a.Record != nil || b.Record != nil || a.Type == nil || b.Type == nil:
			x.Breaks = BreaksSource | BreaksABI
		default:
			x.Breaks = d.typeBreaks(a.Type, b.Type)
			if d.sameType(a.Type, b.Type) {
				x.Detail = "the same type under another name"
			} else if d.sameConst(a.Type, b.Type) {
				x.Detail = "const"
			}
			if n, m := d.old.resolve(a.Type), d.new.resolve(b.Type); n.Kind == Array && m.Kind == Array && n.Len < m.Len && d.sameType(n.Elem, m.Elem) {
				x.Breaks &^= BreaksSource // every index that was valid is
			}
		}
		put(x)
	}
	if a.Bits != b.Bits || a.Bit != b.Bit {
		x := change{What: BitsChanged, Old: bitField(a), New: bitField(b), Breaks: BreaksABI}
		if spare {
			x.Breaks, x.Detail = 0, spareDetail
		}
		put(x)
	}
	return out
}

func bitField(f *Field) string {
	if f.Bits == 0 {
		return "whole"
	}
	return fmt.Sprintf("%d bits from bit %d", f.Bits, f.Bit)
}

// offsets tells of fields that are elsewhere now. Neighbours that moved alike
// are one change.
func offsets(old, new []member, partner []int) []change {
	var out []change
	var delta int64 // of the run that is being followed; 0 for none
	var run int
	first := 0 // the place in out of the run's change
	end := 0   // the place after the run's last field
	in := ""
	for j := range new {
		i := partner[j]
		if i < 0 {
			continue
		}
		by := new[j].offset - old[i].offset
		switch {
		case by == 0:
			continue
		case old[i].spare() && new[j].spare():
			out = append(out, change{
				Subject: FieldSubject, What: OffsetChanged, Name: new[j].path, Old: size(old[i].offset), New: size(new[j].offset), Detail: spareDetail,
			})
			continue
		case by == delta && new[j].in == in && onlyInside(new[end:j], new[end-1].path):
			run++
			out[first].Detail = fmt.Sprintf("with the %d that follow, up to %s", run-1, new[j].path)
		default:
			out = append(out, change{
				Subject: FieldSubject, What: OffsetChanged, Name: new[j].path, Old: size(old[i].offset), New: size(new[j].offset), Breaks: BreaksABI,
			})
			delta, run, in, first = by, 1, new[j].in, len(out)-1
		}
		end = j + 1
	}
	return out
}

// onlyInside reports whether all members stand inside the one with the path.
func onlyInside(list []member, path string) bool {
	return !slices.ContainsFunc(list, func(m member) bool { return m.in != path && !strings.HasPrefix(m.in, path+".") })
}

// fieldOrder tells of fields that come in another order. Whoever lists values in
// order gives them to other fields then; in a union there is no such thing, nor
// do its fields move.
func fieldOrder(old, new []member, partner []int, moved bool) []change {
	last, reordered := -1, false
	for j := range new {
		if i := partner[j]; i >= 0 {
			reordered = reordered || i < last
			last = max(last, i)
		}
	}
	if !reordered {
		return nil
	}
	x := change{Subject: RecordSubject, What: OrderChanged, Old: common(old, func(i int) bool { return slices.Contains(partner, i) }), New: common(new, func(j int) bool { return partner[j] >= 0 })}
	if moved {
		x.Breaks = BreaksSource | BreaksABI
	}
	return []change{x}
}

// common lists the paths of members that the other record has too.
func common(list []member, has func(int) bool) string {
	var names []string
	for i, m := range list {
		if has(i) {
			names = append(names, m.path)
		}
	}
	return strings.Join(names, ", ")
}

// sameFields reports whether the fields of two records are one by one the same.
func sameFields(a, b *Record) bool {
	var enc encoder
	x, y := Record{Union: a.Union, Fields: a.Fields}, Record{Union: b.Union, Fields: b.Fields}
	return enc.shape(&x) == enc.shape(&y)
}
