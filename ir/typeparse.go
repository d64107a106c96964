package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseType reads the notation that [Type.String] writes.
func ParseType(s string) (*Type, error) {
	p := typeParser{s: s}
	t, err := p.typ()
	if err != nil {
		return nil, err
	}
	if p.i < len(s) {
		return nil, p.errorf("end of the type")
	}
	return t, nil
}

// maxTypeDepth bounds nesting, so that nonsense in a file cannot exhaust the
// stack.
const maxTypeDepth = 64

type typeParser struct {
	s     string
	i     int
	depth int
}

func (p *typeParser) errorf(expected string) error {
	found := "the end"
	if p.i < len(p.s) {
		found = strconv.Quote(p.s[p.i:])
	}
	return fmt.Errorf("type %q: expected %s at character %d, found %s", p.s, expected, p.i+1, found)
}

func (p *typeParser) peek(prefix string) bool { return strings.HasPrefix(p.s[p.i:], prefix) }

func (p *typeParser) accept(prefix string) bool {
	if p.peek(prefix) {
		p.i += len(prefix)
		return true
	}
	return false
}

// identBytes are the bytes of names.
var identBytes = func() (set [256]bool) {
	for _, c := range []byte("_.$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		set[c] = true
	}
	return set
}()

// isName reports whether s can name something: identifiers, and the dotted
// names of types that stand inside others.
func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !identBytes[s[i]] {
			return false
		}
	}
	return true
}

func (p *typeParser) word() string {
	start := p.i
	for p.i < len(p.s) && identBytes[p.s[p.i]] {
		p.i++
	}
	return p.s[start:p.i]
}

// basicWord reports whether a basic type may be spelt with the word; a basic
// type is a run of them.
func basicWord(w string) bool {
	switch w {
	case "void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "__int128", "_Complex":
		return true
	}
	return false
}

// notType reports whether the word belongs to the notation and so cannot be a
// type's name.
func notType(w string) bool {
	switch w {
	case "const", "struct", "union", "enum", "...":
		return true
	}
	return false
}

// BasicName reports whether name is the spelling of a type of the language.
func BasicName(name string) bool {
	for _, w := range strings.Split(name, " ") {
		if !basicWord(w) {
			return false
		}
	}
	return true
}

func (p *typeParser) base() (*Type, error) {
	t := &Type{Const: p.accept("const ")}
	for _, tag := range []string{"struct", "union", "enum"} {
		if p.peek(tag) && p.accept(tag+" ") {
			t.Tag = tag
			break
		}
	}
	start := p.i
	w := p.word()
	if !isName(w) || notType(w) || t.Tag != "" && basicWord(w) {
		p.i = start
		return nil, p.errorf("a type name")
	}
	t.Kind, t.Name = Named, w
	if t.Tag == "" && basicWord(w) {
		t.Kind = Basic
		for p.peek(" ") {
			save := p.i
			p.i++
			if !basicWord(p.word()) {
				p.i = save
				break
			}
		}
		t.Name = p.s[start:p.i]
	}
	return t, nil
}

func (p *typeParser) typ() (*Type, error) {
	if p.depth++; p.depth > maxTypeDepth {
		return nil, fmt.Errorf("type of %d characters is nested deeper than %d", len(p.s), maxTypeDepth)
	}
	defer func() { p.depth-- }()
	t, err := p.base()
	if err != nil {
		return nil, err
	}
	for levels := 0; p.i < len(p.s); levels++ {
		if levels > maxTypeDepth {
			return nil, fmt.Errorf("type of %d characters is nested deeper than %d", len(p.s), maxTypeDepth)
		}
		switch {
		case p.accept("*"):
			t = &Type{Kind: Pointer, Elem: t, Const: p.accept("const")}
		case p.peek("["):
			if t, err = p.bounds(t); err != nil {
				return nil, err
			}
		case p.accept("("):
			if t, err = p.params(t); err != nil {
				return nil, err
			}
		default:
			return t, nil
		}
	}
	return t, nil
}

// bounds reads a run of array bounds, the outermost first.
func (p *typeParser) bounds(elem *Type) (*Type, error) {
	var lens []int64
	for p.accept("[") {
		n, start := int64(-1), p.i
		if w := p.word(); w != "" {
			v, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				p.i = start
				return nil, p.errorf("an array length")
			}
			n = v
		}
		if !p.accept("]") {
			return nil, p.errorf("`]`")
		}
		if lens = append(lens, n); len(lens) > maxTypeDepth {
			return nil, fmt.Errorf("type of %d characters is nested deeper than %d", len(p.s), maxTypeDepth)
		}
	}
	for i := len(lens) - 1; i >= 0; i-- {
		elem = &Type{Kind: Array, Elem: elem, Len: lens[i]}
	}
	return elem, nil
}

func (p *typeParser) params(result *Type) (*Type, error) {
	f := &Type{Kind: Func, Elem: result, Stdcall: p.accept("stdcall:")}
	if p.accept(")") {
		return f, nil
	}
	for {
		if p.accept("...") {
			f.Variadic = true
			if !p.accept(")") {
				return nil, p.errorf("`)`")
			}
			return f, nil
		}
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		param := Param{Type: t}
		if p.accept(" ") {
			start := p.i
			if param.Name = p.word(); !isName(param.Name) {
				p.i = start
				return nil, p.errorf("a parameter name")
			}
		}
		f.Params = append(f.Params, param)
		switch {
		case p.accept(", "):
		case p.accept(")"):
			return f, nil
		default:
			return nil, p.errorf("`, ` or `)`")
		}
	}
}
