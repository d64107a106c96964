package ir

import (
	"fmt"
	"slices"
	"sort"
)

// Format is the version of the history's JSON that this package writes, and
// the newest that it reads.
const Format = 1

// Encode writes the history as JSON made for review: one release and one
// entity a line, sorted by name.
func (h *History) Encode() []byte {
	e := &encoder{}
	e.raw("{\n")
	e.raw(fmt.Sprintf("\"format\":%d,\n", Format))
	e.raw("\"library\":")
	e.string(h.Library)
	e.raw(",\n\"targets\":")
	e.targets(h.Targets)
	e.raw(",\n\"releases\":[")
	for i := range h.Releases {
		e.line(i)
		e.release(&h.Releases[i], h.read[i], h.Targets)
	}
	labels := h.Labels()
	encodeTable(e, "functions", &h.functions, labels, h.Targets)
	encodeTable(e, "enums", &h.enums, labels, h.Targets)
	encodeTable(e, "records", &h.records, labels, h.Targets)
	encodeTable(e, "typedefs", &h.typedefs, labels, h.Targets)
	encodeTable(e, "constants", &h.constants, labels, h.Targets)
	e.raw("\n],\n\"roles\":[")
	for i, r := range h.Roles {
		e.line(i)
		e.raw("{")
		e.str("function", r.Function)
		e.str("param", r.Param)
		e.str("in", r.In)
		e.str("is", r.Is)
		e.str("length", r.Length)
		e.flag("optional", r.Optional)
		e.raw("}")
	}
	e.raw("\n]\n}\n")
	return e.buf
}

// line begins element i of a list that has a line for each.
func (e *encoder) line(i int) {
	if i > 0 {
		e.raw(",")
	}
	e.raw("\n")
}

func (e *encoder) targets(list []Target) {
	e.raw("[")
	for _, t := range list {
		e.sep()
		e.string(string(t))
	}
	e.raw("]")
}

func (e *encoder) stringMap(name string, m map[string]string) {
	if len(m) == 0 {
		return
	}
	e.key(name)
	e.raw("{")
	for _, k := range sortedKeys(m) {
		e.sep()
		e.string(k)
		e.raw(":")
		e.string(m[k])
	}
	e.raw("}")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func (e *encoder) release(r *Release, read, all []Target) {
	e.raw("{")
	e.str("release", r.Label)
	e.str("date", r.Date)
	e.flag("prerelease", r.Prerelease)
	e.flag("asserted", r.Asserted)
	if !slices.Equal(read, all) {
		e.key("targets")
		e.targets(read)
	}
	e.stringMap("components", r.Components)
	e.stringMap("omitted", r.Omitted)
	e.stringMap("headers", r.Headers)
	if len(r.OtherHeaders) > 0 {
		e.key("otherHeaders")
		e.raw("{")
		for _, t := range read {
			e.stringMap(string(t), r.OtherHeaders[t])
		}
		e.raw("}")
	}
	e.raw("}")
}

func encodeTable[T any, P entity[T]](e *encoder, name string, t *table[T, P], labels []string, targets []Target) {
	e.raw("\n],\n\"" + name + "\":[")
	for i := range t.rows {
		r := &t.rows[i]
		e.line(i)
		e.raw("{\"name\":")
		e.string(r.key)
		e.raw(",\"is\":[")
		for s := range r.shapes {
			sh := &r.shapes[s]
			e.sep()
			e.raw("{\"in\":")
			e.string(sh.in.text(labels))
			if on := P(&sh.value).meta().On; on != 0 {
				e.key("on")
				e.targets(on.Names(targets))
			}
			e.properties(&sh.value)
			e.raw("}")
		}
		e.raw("]}")
	}
}

// Decode reads what Encode writes. file is the name for messages; an error is
// a [*SyntaxError].
func Decode(file string, data []byte) (*History, error) {
	r := newReader(file, data)
	h := &History{}
	d := &historyReader{reader: r, h: h}
	format := int64(-1)
	r.object(func(name string) {
		if format < 0 && name != "format" {
			r.fail("expected \"format\" first, found %q: this is not a history of cybindgo", name)
			return
		}
		switch name {
		case "format":
			if format = r.int(); r.err == nil && format > Format {
				r.fail("format %d is newer than %d, the newest that this version reads: update cybindgo", format, Format)
			} else if r.err == nil && format < 1 {
				r.fail("expected a format from 1 to %d, found %d", Format, format)
			}
		case "library":
			h.Library = r.str()
		case "targets":
			h.Targets = d.targets()
		case "releases":
			r.array(d.release)
		case "functions":
			decodeTable(d, &h.functions)
		case "enums":
			decodeTable(d, &h.enums)
		case "records":
			decodeTable(d, &h.records)
		case "typedefs":
			decodeTable(d, &h.typedefs)
		case "constants":
			decodeTable(d, &h.constants)
		case "roles":
			r.array(d.role)
		default:
			r.unknown(name, "format", "library", "targets", "releases", "functions", "enums", "records", "typedefs", "constants", "roles")
		}
	})
	r.end()
	if r.err == nil && (format < 0 || h.Library == "") {
		r.fail("expected the properties \"format\" and \"library\"")
	}
	if r.err != nil {
		return nil, r.err
	}
	return h, nil
}
