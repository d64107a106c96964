package ir

// The properties of each kind of entity, read into the entity. Names are those
// that encode.go writes.

func (r *reader) typ() *Type {
	s := r.str()
	if r.err != nil {
		return Void
	}
	if t, ok := r.types[s]; ok {
		return t
	}
	t, err := ParseType(s)
	if err != nil {
		r.fail("%v", err)
		return Void
	}
	// Types are immutable once read, so equal spellings share one.
	r.types[s] = t
	return t
}

// property reads one property of an entity.
func (r *reader) property(x any, name string) {
	switch x := x.(type) {
	case *Function:
		r.function(x, name)
	case *Enum:
		r.enum(x, name)
	case *Record:
		if name == "header" {
			x.Header = r.str()
		} else {
			r.record(x, name)
		}
	case *Typedef:
		switch name {
		case "header":
			x.Header = r.str()
		case "type":
			x.Type = r.typ()
		case "macro":
			x.Macro = r.bool()
		default:
			r.unknown(name, "header", "type", "macro")
		}
	case *Constant:
		switch name {
		case "header":
			x.Header = r.str()
		case "type":
			x.Type = r.typ()
		case "value":
			x.Value = r.str()
		case "reason":
			x.Reason = r.str()
		default:
			r.unknown(name, "header", "type", "value", "reason")
		}
	}
}

func (r *reader) function(f *Function, name string) {
	switch name {
	case "header":
		f.Header = r.str()
	case "type":
		if f.Type = r.typ(); r.err == nil && f.Type.Kind != Func {
			r.fail("expected the type of a function, found %q", f.Type)
		}
	case "perThread":
		f.PerThread = r.str()
	case "base":
		f.Query.Base = r.str()
	case "version":
		f.Query.Version = int(r.size())
	case "perThreadVersion":
		f.Query.PerThread = int(r.size())
	case "superseded":
		f.Superseded = r.bool()
	case "inline":
		f.Inline = r.bool()
	case "deprecated":
		f.Deprecated = r.bool()
	default:
		r.unknown(name, "header", "type", "perThread", "base", "version", "perThreadVersion", "superseded", "inline", "deprecated")
	}
}

func (r *reader) enum(e *Enum, name string) {
	switch name {
	case "header":
		e.Header = r.str()
	case "anonymous":
		e.Anonymous = r.bool()
	case "underlying":
		e.Underlying = r.str()
	case "enumerators":
		r.enumerators = r.enumerators[:0]
		r.object(func(name string) {
			if !isName(name) {
				r.fail("enumerator %q: expected a C name", name)
			}
			r.enumerators = append(r.enumerators, Enumerator{name, r.integer()})
		})
		e.Enumerators = append(e.Enumerators, r.enumerators...)
	default:
		r.unknown(name, "header", "anonymous", "underlying", "enumerators")
	}
}

func (r *reader) record(x *Record, name string) {
	switch name {
	case "union":
		x.Union = r.bool()
	case "incomplete":
		x.Incomplete = r.bool()
	case "size":
		x.Size = r.size()
	case "align":
		x.Align = r.size()
	case "fields":
		outer := len(r.fields)
		r.array(func() {
			var f Field
			r.object(func(name string) { r.field(&f, name) })
			if r.err == nil && f.Type == nil && f.Record == nil {
				r.fail("field %q: expected a type or a record", f.Name)
			}
			r.fields = append(r.fields, f)
		})
		x.Fields = append(x.Fields, r.fields[outer:]...)
		r.fields = r.fields[:outer]
	default:
		r.unknown(name, "union", "incomplete", "size", "align", "fields")
	}
}

func (r *reader) field(f *Field, name string) {
	switch name {
	case "name":
		f.Name = r.str()
	case "type":
		f.Type = r.typ()
	case "record":
		f.Record = &Record{}
		r.object(func(name string) { r.record(f.Record, name) })
	case "dims":
		r.array(func() { f.Dims = append(f.Dims, r.int()) })
	case "at":
		f.Offset = r.size()
	case "bits":
		f.Bits = int(r.size())
	case "bit":
		f.Bit = int(r.size())
	case "flex":
		f.Flex = r.bool()
	default:
		r.unknown(name, "name", "type", "record", "dims", "at", "bits", "bit", "flex")
	}
}
