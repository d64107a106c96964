package parser

import (
	"bytes"
	"cmp"
	"io"
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

// macro is a macro of a bound header.
type macro struct {
	name      string
	def       *cc.Macro
	value     *cc.Macro // the one that the front end evaluated: def, or an alias of it
	file      *file
	offset    int
	expansion string // what it stands for when all macros in it are expanded
}

// aliasPrefix begins macros of our own that stand for another: the front end
// evaluates no macro that was defined more than once, but it does evaluate one
// that leads there.
const aliasPrefix = "__cybindgo_value_of_"

// aliases is a source that is made up when the front end reaches it, after all
// headers: only then is it known which of their macros need an alias.
type aliases struct {
	u    *unit
	text io.Reader
}

func (a *aliases) Read(p []byte) (int, error) {
	if a.text == nil {
		times := map[string]int{}
		var again []string
		for _, f := range a.u.set.order {
			if f.class != bound {
				continue
			}
			f.eachDirective(func(verb string, rest []byte) {
				if verb == "define" || verb == "undef" {
					name := string(rest[:wordLen(rest)])
					if times[name]++; times[name] == 2 {
						again = append(again, name)
					}
				}
			})
		}
		var b strings.Builder
		for _, name := range again {
			b.WriteString("#define " + aliasPrefix + name + " " + name + "\n")
		}
		a.text = strings.NewReader(b.String())
	}
	return a.text.Read(p)
}

// eachDirective calls f with every directive of the header and what follows
// its name.
func (f *file) eachDirective(do func(verb string, rest []byte)) {
	for line := range bytes.Lines(f.directives()) {
		do(directive(bytes.TrimSuffix(line, newline)))
	}
}

// guard is the macro that keeps the header from being read twice, if it begins
// with `#ifndef GUARD` and `#define GUARD`.
func (f *file) guard() string {
	var name string
	step := 0
	f.eachDirective(func(verb string, rest []byte) {
		switch {
		case verb == "pragma" || verb == "line":
		case step == 0 && verb == "ifndef":
			name, step = string(rest[:wordLen(rest)]), 1
		case step == 1 && verb == "define" && string(rest[:wordLen(rest)]) == name:
			step = 2
		case step < 2:
			step = 3
		}
	})
	if step != 2 {
		return ""
	}
	return name
}

// macros lists the macros of bound headers, in the order of the headers.
func (b *builder) macros() []*macro {
	place := map[*file]int{}
	for i, f := range b.u.set.order {
		place[f] = i
	}
	var list []*macro
	for name, def := range b.ast.Macros {
		f := b.u.file(def.Name)
		if f == nil || f.class != bound {
			continue
		}
		m := &macro{name: name, def: def, value: def, file: f, offset: def.Name.Position().Offset}
		if alias := b.ast.Macros[aliasPrefix+name]; alias != nil && !def.IsConst {
			m.value = alias
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(x, y *macro) int {
		return cmp.Or(cmp.Compare(place[x.file], place[y.file]), cmp.Compare(x.offset, y.offset))
	})
	return list
}

const probeMark = "__cybindgo_next__"

// expand tells what each of the names stands for, in the order given: the
// text of a view's directives is preprocessed with the names behind it. A mark
// behind each keeps one that expands to nothing from swallowing the next.
func (u *unit) expand(names []string, sources []cc.Source) ([]string, Errors) {
	var b strings.Builder
	b.WriteString(probeMark)
	b.WriteByte('\n')
	for _, name := range names {
		b.WriteString(name)
		b.WriteString(" " + probeMark + "\n")
	}
	u.directivesOnly = true
	text, errs := u.preprocess(append(sources, source("probe", b.String())))
	if len(errs) > 0 {
		return nil, errs
	}
	parts := strings.Split(text, probeMark)
	if len(parts) != len(names)+2 {
		return nil, Errors{{Msg: "the macros of the headers cannot be told apart after expansion"}}
	}
	parts = parts[1 : len(parts)-1]
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts, nil
}

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
		case m.expansion == "" && m.name == guards[m.file]:
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
	var w words
	for word := range strings.FieldsSeq(expansion) {
		switch word {
		case "void":
			w.void++
		case "char":
			w.char++
		case "short":
			w.short++
		case "int":
			w.int++
		case "long":
			w.long++
		case "signed":
			w.signed++
		case "unsigned":
			w.unsigned++
		case "float":
			w.float++
		case "double":
			w.double++
		case "_Bool":
			w.bool++
		default:
			w = words{}
			if tag, name, ok := strings.Cut(expansion, " "); ok && (tag == "struct" || tag == "union" || tag == "enum") && isIdentifier(name) {
				return &ir.Type{Kind: ir.Named, Tag: tag, Name: name}
			}
			if b.names[expansion] == "a type" || b.typedefs[expansion] != nil {
				b.class = bound
				b.refer(expansion)
				return &ir.Type{Kind: ir.Named, Name: expansion}
			}
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

// checkedType is a type as the checker knows it, for what has no declaration.
func checkedType(t cc.Type) *ir.Type {
	if t == nil {
		return nil
	}
	isConst := t.Attributes().IsConst()
	if d := t.Typedef(); d != nil && d.Name() != "" {
		name := strings.TrimPrefix(d.Name(), "__predefined_")
		return &ir.Type{Kind: ir.Named, Name: name, Const: isConst}
	}
	switch t := t.(type) {
	case *cc.PointerType:
		elem := checkedType(t.Elem())
		if elem == nil {
			return nil
		}
		return &ir.Type{Kind: ir.Pointer, Elem: elem}
	case *cc.EnumType:
		if tag := t.Tag(); tag.SrcStr() != "" {
			return &ir.Type{Kind: ir.Named, Tag: "enum", Name: tag.SrcStr(), Const: isConst}
		}
		return checkedType(t.UnderlyingType())
	case *cc.StructType:
		tag := t.Tag()
		return &ir.Type{Kind: ir.Named, Tag: "struct", Name: tag.SrcStr(), Const: isConst}
	case *cc.UnionType:
		tag := t.Tag()
		return &ir.Type{Kind: ir.Named, Tag: "union", Name: tag.SrcStr(), Const: isConst}
	}
	if name := kindNames[t.Kind()]; name != "" {
		return &ir.Type{Kind: ir.Basic, Name: name, Const: isConst}
	}
	return nil
}

// noValue says why an expansion has no value.
func (b *builder) noValue(expansion string) string {
	words := strings.FieldsFunc(expansion, func(r rune) bool { return r > 127 || !isWord(byte(r)) })
	keywords := 0
	for _, w := range words {
		if cKeywords[w] {
			keywords++
		}
		if b.names[w] == "a function" && strings.Contains(expansion, "(") {
			return noValueCall
		}
	}
	switch {
	case isIdentifier(expansion) && !cKeywords[expansion]:
		return noValueUnknown
	case len(words) > 0 && cKeywords[words[0]]:
		return noValueKeyword
	case len(words) > 0 && isIdentifier(words[0]) && keywords == 0 && strings.HasPrefix(strings.TrimSpace(expansion[len(words[0]):]), "(") && strings.HasPrefix(expansion, words[0]):
		return noValueCall
	}
	return noValueOther
}

// cKeywords are the words that begin a declaration or a statement, and never
// an expression.
var cKeywords = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`auto break case char const continue default do double else enum extern float for
		goto if inline int long register restrict return short signed static struct switch typedef union unsigned void
		volatile while _Bool _Complex _Alignas _Atomic _Noreturn _Static_assert _Thread_local __attribute__ __attribute
		__inline __inline__ __declspec __restrict __restrict__ __volatile__ __const __extension__ asm __asm__ typeof`) {
		cKeywords[w] = true
	}
}
