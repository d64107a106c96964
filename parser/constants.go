package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// Why a macro has no value, in words that stay the same from release to
// release.
const (
	noValueFunction = "takes arguments"
	noValueGuard    = "include guard"
	noValueEmpty    = "expands to nothing"
	noValueKeyword  = "expands to keywords"
	noValueCall     = "calls a function"
	noValueUnknown  = "expands to a name that is not declared"
	noValueOther    = "is not a constant expression"
)

// constants adds the macros to the model: those with a value, those that stand
// for a type, and the others with the reason. Macros that rename a function
// are the function's business.
func (b *builder) constants(macros []*macro) {
	guards := map[*file]string{}
	for _, m := range macros {
		if _, ok := guards[m.file]; !ok {
			guards[m.file] = m.file.guard()
		}
		pos := m.def.Name.Position()
		meta := ir.Meta{
			Header: m.file.name,
			Pos:    ir.Position{File: b.u.set.cfg.display(m.file.name), Line: pos.Line, Col: pos.Column},
		}
		c := ir.Constant{Meta: meta, Name: m.name}
		switch {
		case m.def.IsFnLike:
			c.Reason = noValueFunction
		case m.name == guards[m.file]:
			c.Reason = noValueGuard
		case m.expansion == "":
			c.Reason = noValueEmpty
		default:
			if b.names[m.expansion] == "a function" || b.names[m.name] != "" && m.expansion == m.name {
				continue
			}
			if t := b.typeNamed(m.expansion); t != nil {
				b.api.Typedefs = append(b.api.Typedefs, ir.Typedef{Meta: meta, Name: m.name, Type: t, Macro: true})
				continue
			}
			if c.Type, c.Value = b.value(m); c.Type == nil {
				c.Reason = b.noValue(m.expansion)
			}
		}
		b.api.Constants = append(b.api.Constants, c)
	}
}

// typeNamed is the type that an expansion is the name of, nil if it is not.
func (b *builder) typeNamed(expansion string) *ir.Type {
	if b.names[expansion] == "a type" || b.typedefs[expansion] != nil {
		b.class = bound
		b.refer(expansion)
		return &ir.Type{Kind: ir.Named, Name: expansion}
	}
	tag, name, ok := strings.Cut(expansion, " ")
	if ok && (tag == "struct" || tag == "union" || tag == "enum") && isIdentifier(name) {
		return &ir.Type{Kind: ir.Named, Tag: tag, Name: name}
	}
	var w words
	for word := range strings.FieldsSeq(expansion) {
		if !w.add(word) {
			return nil
		}
	}
	return basic(w.name())
}

// value is the value of a macro and its type, nil if it has none.
func (b *builder) value(m *macro) (*ir.Type, string) {
	v := m.value.Value()
	if v == nil || v == cc.Unknown {
		return nil, ""
	}
	t := checkedType(m.value.Type())
	if e := b.enumOf(m.expansion); e != nil {
		t = e
	}
	switch v := v.(type) {
	case cc.Int64Value:
		return t, strconv.FormatInt(int64(v), 10)
	case cc.UInt64Value:
		return t, strconv.FormatUint(uint64(v), 10)
	case cc.Float64Value:
		return t, decimal(float64(v), t)
	case cc.StringValue:
		text := strings.TrimSuffix(string(v), "\x00")
		return &ir.Type{Kind: ir.Array, Elem: basic("char"), Len: int64(len(text)) + 1}, text
	}
	return nil, ""
}

// decimal writes a float in the shortest form that its type reads back
// exactly, and so that it reads as a float.
func decimal(f float64, t *ir.Type) string {
	bits := 64
	if t != nil && t.Name == "float" {
		bits = 32
	}
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}

// enumOf is the enum whose enumerator the name is. C calls it an int; a
// binding wants to know.
func (b *builder) enumOf(name string) *ir.Type {
	if b.enumerators == nil {
		b.enumerators = map[string]*ir.Type{}
		for i := range b.api.Enums {
			e := &b.api.Enums[i]
			if e.Anonymous {
				continue
			}
			t := &ir.Type{Kind: ir.Named, Name: e.Name}
			if e.Tagged {
				t.Tag = "enum"
			}
			for _, v := range e.Enumerators {
				b.enumerators[v.Name] = t
			}
		}
	}
	return b.enumerators[name]
}

// noValue says why an expansion has no value.
func (b *builder) noValue(expansion string) string {
	first := expansion[:wordLen([]byte(expansion))]
	words := strings.FieldsFunc(expansion, func(r rune) bool { return r > 127 || !isWord(byte(r)) })
	calls := func(word string) bool { return b.names[word] == "a function" }
	switch {
	case len(words) > 0 && keywords[words[0]]:
		return noValueKeyword
	case isIdentifier(expansion):
		return noValueUnknown
	case isIdentifier(first) && strings.HasPrefix(strings.TrimSpace(expansion[len(first):]), "("),
		strings.Contains(expansion, "(") && slices.ContainsFunc(words, calls):
		return noValueCall
	}
	return noValueOther
}

// keywords are those that begin a declaration or a statement, and never an
// expression.
var keywords = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`auto break case char const continue default do double else enum extern float for
		goto if inline int long register restrict return short signed static struct switch typedef union unsigned void
		volatile while _Bool _Complex _Alignas _Atomic _Noreturn _Static_assert _Thread_local __attribute__ __attribute
		__inline __inline__ __restrict __restrict__ __const asm __asm__ typeof __typeof__`) {
		set[word] = true
	}
	return set
}()
