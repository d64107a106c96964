package cgen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// scope writes the entities of one target into the definitions of all.
type scope struct {
	*definitions
	shapes
	target int
	user   string // the entity being written, for messages
	at     *node
}

// begin opens the node of an entity.
func (s *scope) begin(key string) {
	n := s.nodes[key]
	if n == nil {
		n = &node{}
		s.nodes[key] = n
		s.keys = append(s.keys, key)
	}
	s.user, s.at = key, n
}

// spelling is the writer for definitions: C and C++ share bool, and an enum
// that stands inside a record is moved out of it, under PARENT_FIELD.
func (s *scope) spelling() writer {
	return writer{convention: "CYBINDGO_STDCALL", spell: spell}
}

func spell(t *ir.Type) string {
	name := t.Name
	if t.Kind == ir.Basic && name == "_Bool" {
		return "bool"
	}
	if t.Tag != "" {
		return t.Tag + " " + flat(name)
	}
	return flat(name)
}

// Flat is the name under which [Definitions] writes an enum that is called
// PARENT.FIELD because it stands inside a record.
func Flat(name string) string { return flat(name) }

// flat makes an identifier of PARENT.FIELD.
func flat(name string) string { return strings.ReplaceAll(name, ".", "_") }

// use notes what a type needs before it can be written. whole says that its
// size is needed.
func (s *scope) use(t *ir.Type, whole bool) {
	switch t.Kind {
	case ir.Basic:
		if t.Name == "_Bool" {
			s.headers["stdbool.h"] = true
		}
	case ir.Pointer:
		s.use(t.Elem, false)
	case ir.Array:
		s.use(t.Elem, true)
	case ir.Func:
		s.use(t.Elem, false)
		for _, p := range t.Params {
			s.use(p.Type, false)
		}
	case ir.Named:
		s.useNamed(t, whole)
	}
}

func (s *scope) useNamed(t *ir.Type, whole bool) {
	k := key(t)
	if std, ok := standard[k]; ok {
		s.headers[std.header] = true
		return
	}
	record := t.Tag == "struct" || t.Tag == "union"
	if record {
		s.forward[t.Tag+" "+flat(t.Name)] = true
		if !whole {
			return
		}
	}
	r, e, d := s.names.record(t), s.names.enum(t), s.names.typedef(t)
	if r == nil && e == nil && d == nil || record && r == nil {
		s.missing[k] = append(s.missing[k], s.user)
		return
	}
	if k != s.user {
		s.at.needs = append(s.at.needs, k)
	}
	if d != nil && whole {
		if to := s.names.resolve(d.Type); to.Kind == ir.Named {
			s.use(to, true)
		}
	}
}

func (s *scope) enum(e *ir.Enum) {
	s.begin(e.Key())
	var b strings.Builder
	head, tail := "enum "+flat(e.Name), ""
	switch {
	case e.Anonymous:
		head = "enum"
	case !e.Tagged:
		head, tail = "typedef enum", " "+flat(e.Name)
	}
	b.WriteString(head + " {\n")
	for _, v := range e.Enumerators {
		fmt.Fprintf(&b, "    %s = %s,\n", v.Name, integer(v.Value))
	}
	b.WriteString("}" + tail + ";\n")
	s.at.texts = add(s.at.texts, s.target, b.String())
	if underlying, ok := s.basicShape(e.Underlying); ok && !e.Anonymous {
		name := flat(e.Name)
		if e.Tagged {
			name = "enum " + name
		}
		s.at.checks = add(s.at.checks, s.target, fmt.Sprintf("CYBINDGO_CHECK(sizeof(%s) == %d);\n", name, underlying.size))
	}
}

func (s *scope) typedef(d *ir.Typedef) {
	if _, ok := standard[d.Key()]; ok {
		return
	}
	s.begin(d.Key())
	s.use(d.Type, false)
	s.at.texts = add(s.at.texts, s.target, "typedef "+s.spelling().declare(d.Type, d.Name)+";\n")
}

func (s *scope) record(r *ir.Record) {
	s.begin(r.Key())
	if r.Tagged {
		s.forward[r.Keyword()+" "+flat(r.Name)] = true
	}
	if r.Incomplete {
		return
	}
	body, pack, err := s.body(r, flatTag(r), 0, "")
	if err != nil {
		s.definitions.layouts = append(s.definitions.layouts, fmt.Errorf("%s: %w", r.Key(), err))
		return
	}
	if r.Tagged {
		body += ";\n"
	} else {
		body = "typedef " + body + " " + flat(r.Name) + ";\n"
	}
	s.at.texts = add(s.at.texts, s.target, packed(pack, body))
	var checks strings.Builder
	for _, f := range facts(r, flatKey(r)) {
		if f.kind == memberSize {
			continue // follows from the definitions
		}
		fmt.Fprintf(&checks, "CYBINDGO_CHECK(%s == %d);\n", f.portable(), f.value)
	}
	s.at.checks = add(s.at.checks, s.target, checks.String())
}

func flatTag(r *ir.Record) string {
	if r.Tagged {
		return flat(r.Name)
	}
	return ""
}

func flatKey(r *ir.Record) string {
	if r.Tagged {
		return r.Keyword() + " " + flat(r.Name)
	}
	return flat(r.Name)
}

// packed puts the pragma for a packing around text.
func packed(pack int64, text string) string {
	if pack == 0 {
		return text
	}
	return fmt.Sprintf("#pragma pack(push, %d)\n%s#pragma pack(pop)\n", pack, text)
}

// body writes `struct NAME {...}` and says with which packing; outer is the
// one in force around it.
func (s *scope) body(r *ir.Record, name string, outer int64, indent string) (string, int64, error) {
	l, err := s.layoutOf(r, outer)
	if err != nil {
		return "", 0, err
	}
	var b strings.Builder
	b.WriteString(indent + r.Keyword())
	if l.align > 1 {
		fmt.Fprintf(&b, " CYBINDGO_ALIGNED(%d)", l.align)
	}
	if name != "" {
		b.WriteString(" " + name)
	}
	b.WriteString(" {\n")
	inner := indent + "    "
	for i := range r.Fields {
		l.gaps[i].write(&b, inner, i)
		before, declaration, err := s.field(&r.Fields[i], l.pack, inner)
		if err != nil {
			return "", 0, fmt.Errorf("%s.%s: %w", name, r.Fields[i].Name, err)
		}
		b.WriteString(before + inner)
		if a := l.members[i]; a > 0 {
			fmt.Fprintf(&b, "CYBINDGO_ALIGNAS(%d) ", a)
		}
		b.WriteString(declaration + ";\n")
		if before != "" {
			b.WriteString("#pragma pack(pop)\n")
		}
	}
	l.gaps[len(r.Fields)].write(&b, inner, len(r.Fields))
	b.WriteString(indent + "}")
	return b.String(), l.pack, nil
}

// write puts the padding down. It has names in C++, which forbids none of
// them, and in C, which has no unnamed array.
func (g gap) write(b *strings.Builder, indent string, i int) {
	if g.bytes > 0 {
		fmt.Fprintf(b, "%sunsigned char cybindgo_gap%d[%d];\n", indent, i, g.bytes)
	}
	if g.bits > 0 {
		fmt.Fprintf(b, "%sunsigned char : %d;\n", indent, g.bits)
	}
}

// field writes the declaration of a member, and the pragma that switches its
// own packing on, empty where the packing around it will do.
func (s *scope) field(f *ir.Field, pack int64, indent string) (before, declaration string, err error) {
	if f.Record == nil {
		s.use(f.Type, true)
		declaration = s.spelling().declare(f.Type, f.Name)
		if f.Bits > 0 {
			declaration += " : " + strconv.Itoa(f.Bits)
		}
		return "", declaration, nil
	}
	body, own, err := s.body(f.Record, "", pack, indent)
	if err != nil {
		return "", "", err
	}
	declaration = strings.TrimPrefix(body, indent)
	// gcc takes the packing in force at the closing brace and clang that at the
	// opening one; gcc has pragmas only between whole declarations.
	if own != pack {
		before = "#pragma pack(push)\n#pragma pack()\n"
		if own > 0 {
			before = fmt.Sprintf("#pragma pack(push, %d)\n", own)
		}
	}
	if f.Name != "" {
		declaration += " " + f.Name
		for _, n := range f.Dims {
			declaration += bound(n)
		}
	}
	return before, declaration, nil
}
