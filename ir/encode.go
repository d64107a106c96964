package ir

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// encoder appends the JSON of entities to buf. The text is canonical: equal
// entities give equal bytes, which is how shapes are compared.
type encoder struct {
	buf []byte
}

// shape is the canonical JSON of an entity without its key and its targets.
func (e *encoder) shape(x any) string {
	e.buf = e.buf[:0]
	e.entity(x)
	return string(e.buf)
}

func (e *encoder) raw(s string) { e.buf = append(e.buf, s...) }

func (e *encoder) string(s string) {
	// An error says that s is not UTF-8, which JSON has no way to write; the
	// replacement character stands for each such byte.
	e.buf, _ = jsontext.AppendQuote(e.buf, s)
}

func (e *encoder) sep() {
	if c := e.buf[len(e.buf)-1]; c != '{' && c != '[' {
		e.buf = append(e.buf, ',')
	}
}

func (e *encoder) key(name string) {
	e.sep()
	e.buf = append(e.buf, '"')
	e.buf = append(e.buf, name...)
	e.buf = append(e.buf, '"', ':')
}

func (e *encoder) str(name, value string) {
	if value != "" {
		e.key(name)
		e.string(value)
	}
}

func (e *encoder) int(name string, value int64) {
	if value != 0 {
		e.key(name)
		e.buf = strconv.AppendInt(e.buf, value, 10)
	}
}

func (e *encoder) flag(name string, value bool) {
	if value {
		e.key(name)
		e.raw("true")
	}
}

func (e *encoder) typ(name string, t *Type) {
	if t != nil {
		e.key(name)
		e.string(t.String())
	}
}

func (e *encoder) ints(name string, list []int64) {
	if len(list) == 0 {
		return
	}
	e.key(name)
	e.raw("[")
	for _, v := range list {
		e.sep()
		e.buf = strconv.AppendInt(e.buf, v, 10)
	}
	e.raw("]")
}

// entity writes the shape as an object.
func (e *encoder) entity(x any) {
	e.raw("{")
	e.properties(x)
	e.raw("}")
}

func (e *encoder) properties(x any) {
	switch x := x.(type) {
	case *Function:
		e.str("header", x.Header)
		e.typ("type", x.Type)
		e.str("perThread", x.PerThread)
		e.str("base", x.Query.Base)
		e.int("version", int64(x.Query.Version))
		e.int("perThreadVersion", int64(x.Query.PerThread))
		e.flag("superseded", x.Superseded)
		e.flag("inline", x.Inline)
		e.flag("deprecated", x.Deprecated)
	case *Enum:
		e.str("header", x.Header)
		e.flag("anonymous", x.Anonymous)
		e.str("underlying", x.Underlying)
		e.key("enumerators")
		e.raw("{")
		for _, v := range x.Enumerators {
			e.key(v.Name)
			e.raw(string(v.Value))
		}
		e.raw("}")
	case *Record:
		e.str("header", x.Header)
		e.record(x)
	case *Typedef:
		e.str("header", x.Header)
		e.typ("type", x.Type)
		e.flag("macro", x.Macro)
	case *Constant:
		e.str("header", x.Header)
		e.typ("type", x.Type)
		if x.Type != nil {
			e.key("value")
			e.string(x.Value)
		}
		e.str("reason", x.Reason)
	}
}

func (e *encoder) record(r *Record) {
	e.flag("union", r.Union)
	e.flag("incomplete", r.Incomplete)
	e.int("size", r.Size)
	e.int("align", r.Align)
	if len(r.Fields) == 0 {
		return
	}
	e.key("fields")
	e.raw("[")
	for i := range r.Fields {
		f := &r.Fields[i]
		e.sep()
		e.raw("{")
		e.str("name", f.Name)
		e.typ("type", f.Type)
		if f.Record != nil {
			e.key("record")
			e.raw("{")
			e.record(f.Record)
			e.raw("}")
			e.ints("dims", f.Dims)
		}
		e.int("at", f.Offset)
		e.int("bits", int64(f.Bits))
		e.int("bit", int64(f.Bit))
		e.flag("flex", f.Flex)
		e.raw("}")
	}
	e.raw("]")
}
