package cgen

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// shape is the size and the alignment of a type, in bytes. A size of -1 is
// that of an incomplete type.
type shape struct{ size, align int64 }

// platform is what C leaves to a target: the sizes of its basic types and how
// bit-fields are packed. The rules are those of the System V ABIs and, for
// Windows, of Microsoft's compiler, which clang and mingw follow there.
type platform struct {
	basic     map[string]shape
	microsoft bool // bit-fields as Microsoft lays them out
}

// narrow lists the architectures whose pointers have 4 bytes.
var narrow = map[string]bool{"386": true, "arm": true, "mips": true, "mipsle": true}

func platformOf(t ir.Target) platform {
	p := platform{microsoft: t.OS() == "windows"}
	pointer, long := int64(8), int64(8)
	if narrow[t.Arch()] {
		pointer, long = 4, 4
	}
	if p.microsoft {
		long = 4
	}
	// i386 System V aligns 8-byte scalars in records to 4.
	wide := int64(8)
	if t.Arch() == "386" && !p.microsoft {
		wide = 4
	}
	longDouble := shape{16, 16}
	switch {
	case t.Arch() == "386":
		longDouble = shape{12, 4}
	case narrow[t.Arch()] || p.microsoft && t.Arch() == "arm64":
		longDouble = shape{8, 8}
	}
	p.basic = map[string]shape{
		"_Bool": {1, 1}, "char": {1, 1}, "short": {2, 2}, "int": {4, 4},
		"long": {long, long}, "long long": {8, wide}, "__int128": {16, 16},
		"float": {4, 4}, "double": {8, wide}, "long double": longDouble,
		"*": {pointer, pointer}, "intptr_t": {pointer, pointer}, "wchar_t": {4, 4},
	}
	if p.microsoft {
		p.basic["wchar_t"] = shape{2, 2}
	}
	return p
}

// basicShape is the shape of a basic type, however its words are spelt.
func (p platform) basicShape(name string) (shape, bool) {
	if name == "void" {
		return shape{-1, 1}, true
	}
	longs := 0
	core := ""
	for _, w := range strings.Split(name, " ") {
		switch w {
		case "signed", "unsigned", "int":
		case "long":
			longs++
		default:
			core = w
		}
	}
	switch {
	case core == "double" && longs == 1:
		core = "long double"
	case core == "" && longs == 1:
		core = "long"
	case core == "" && longs == 2:
		core = "long long"
	case core == "":
		core = "int"
	}
	s, ok := p.basic[core]
	return s, ok
}

// shapes answers for the size and alignment of every type of an API on one
// target.
type shapes struct {
	platform
	names *names
}

func (s shapes) of(t *ir.Type) (shape, error) {
	switch t.Kind {
	case ir.Basic:
		if b, ok := s.basicShape(t.Name); ok {
			return b, nil
		}
		return shape{}, fmt.Errorf("type %q: its size is not known", t.Name)
	case ir.Pointer:
		return s.basic["*"], nil
	case ir.Func:
		return shape{-1, 1}, nil
	case ir.Array:
		e, err := s.of(t.Elem)
		if err != nil || t.Len < 0 || e.size < 0 {
			return shape{-1, e.align}, err
		}
		return shape{e.size * t.Len, e.align}, nil
	}
	if r := s.names.record(t); r != nil {
		if r.Incomplete {
			return shape{-1, 1}, nil
		}
		return shape{r.Size, r.Align}, nil
	}
	if e := s.names.enum(t); e != nil {
		b, ok := s.basicShape(e.Underlying)
		if !ok {
			return shape{}, fmt.Errorf("enum %s: its underlying type %q is not a basic type", e.Name, e.Underlying)
		}
		return b, nil
	}
	if d := s.names.typedef(t); d != nil {
		return s.of(d.Type)
	}
	if std, ok := standard[key(t)]; ok && std.like != "" {
		b, _ := s.basicShape(std.like)
		return b, nil
	}
	return shape{}, fmt.Errorf("type %q is not defined", t)
}

// member is the shape of a field of a record. A flexible array has size 0.
func (s shapes) member(f *ir.Field) (shape, error) {
	var m shape
	if f.Record != nil {
		m = shape{f.Record.Size, f.Record.Align}
		for _, n := range f.Dims {
			m.size *= max(n, 0)
		}
	} else {
		var err error
		if m, err = s.of(f.Type); err != nil {
			return m, err
		}
	}
	if f.Flex {
		m.size = 0
	}
	if m.size < 0 {
		return m, fmt.Errorf("its type %s is incomplete", f.Type)
	}
	return m, nil
}
