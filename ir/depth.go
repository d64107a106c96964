package ir

// Bounds on what a history can hold, which [Decode] insists on. Real headers
// stay below 8 and 4.
const (
	// MaxTypeDepth bounds how deep a type is nested, pointers and arrays
	// included.
	MaxTypeDepth = maxTypeDepth
	// MaxRecordDepth bounds how deep records without a name are nested in one
	// another.
	MaxRecordDepth = 32
)

// Depth is how deep the type is nested: 1 for a name, 2 for a pointer to it.
func (t *Type) Depth() int {
	if t == nil {
		return 0
	}
	inner := t.Elem.Depth()
	for _, p := range t.Params {
		inner = max(inner, p.Type.Depth())
	}
	return 1 + inner
}

// Depth is how deep records are nested in the record, 1 where there are none,
// and the depth of the deepest type in it.
func (r *Record) Depth() (records, types int) {
	if r == nil {
		return 0, 0
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		inner, typ := f.Record.Depth()
		records = max(records, inner)
		types = max(types, typ, f.Type.Depth())
	}
	return records + 1, types
}
