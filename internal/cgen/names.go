package cgen

import "github.com/cybindgo/cybindgo/ir"

// names finds the definition behind a name in one API as one target sees it.
type names struct {
	records  map[string]*ir.Record // by key
	enums    map[string]*ir.Enum
	typedefs map[string]*ir.Typedef
}

func namesOf(api *ir.API) *names {
	n := &names{
		records:  make(map[string]*ir.Record, len(api.Records)),
		enums:    make(map[string]*ir.Enum, len(api.Enums)),
		typedefs: make(map[string]*ir.Typedef, len(api.Typedefs)),
	}
	for i := range api.Records {
		n.records[api.Records[i].Key()] = &api.Records[i]
	}
	for i := range api.Enums {
		n.enums[api.Enums[i].Key()] = &api.Enums[i]
	}
	for i := range api.Typedefs {
		n.typedefs[api.Typedefs[i].Key()] = &api.Typedefs[i]
	}
	return n
}

// key is that of the entity which a named type names.
func key(t *ir.Type) string {
	if t.Tag != "" {
		return t.Tag + " " + t.Name
	}
	return t.Name
}

func (n *names) record(t *ir.Type) *ir.Record {
	if t.Kind != ir.Named {
		return nil
	}
	return n.records[key(t)]
}

func (n *names) enum(t *ir.Type) *ir.Enum {
	if t.Kind != ir.Named {
		return nil
	}
	return n.enums[key(t)]
}

func (n *names) typedef(t *ir.Type) *ir.Typedef {
	if t.Kind != ir.Named || t.Tag != "" {
		return nil
	}
	return n.typedefs[t.Name]
}

// resolve looks through typedefs to what they name in the end. A typedef that
// leads back to itself, which no C has, is returned as it is.
func (n *names) resolve(t *ir.Type) *ir.Type {
	for range len(n.typedefs) + 1 {
		d := n.typedef(t)
		if d == nil {
			return t
		}
		t = d.Type
	}
	return t
}

// standardType is a type of the C library: the header that declares it and the
// basic type it is laid out like, empty where the model may not hold it by
// value.
type standardType struct{ header, like string }

// standard lists the types of C's own headers, and of POSIX where CUDA's
// headers use them, by the key that an entity of that name would have. An API
// does not define them.
var standard = map[string]standardType{
	"int8_t": {"stdint.h", "char"}, "uint8_t": {"stdint.h", "unsigned char"},
	"int16_t": {"stdint.h", "short"}, "uint16_t": {"stdint.h", "unsigned short"},
	"int32_t": {"stdint.h", "int"}, "uint32_t": {"stdint.h", "unsigned int"},
	"int64_t": {"stdint.h", "long long"}, "uint64_t": {"stdint.h", "unsigned long long"},
	"intmax_t": {"stdint.h", "long long"}, "uintmax_t": {"stdint.h", "unsigned long long"},
	"intptr_t": {"stdint.h", "intptr_t"}, "uintptr_t": {"stdint.h", "intptr_t"},
	"size_t": {"stddef.h", "intptr_t"}, "ptrdiff_t": {"stddef.h", "intptr_t"},
	"wchar_t": {"stddef.h", "wchar_t"},
	"bool":    {"stdbool.h", "_Bool"},
	"FILE":    {"stdio.h", ""},
	"va_list": {"stdarg.h", ""},
	"time_t":  {"time.h", ""}, "struct timespec": {"time.h", ""},
	"ssize_t": {"sys/types.h", "intptr_t"}, "off_t": {"sys/types.h", "long"}, "loff_t": {"sys/types.h", "long long"},
	"struct sockaddr": {"sys/socket.h", ""},
}
