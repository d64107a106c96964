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

func isIdent(c byte) bool {
	return c == '_' || c == '.' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isName reports whether s can name something: identifiers, and the dotted
// names of types that stand inside others.
func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !isIdent(s[i]) {
			return false
		}
	}
	return true
}

func (p *typeParser) word() string {
	start := p.i
	for p.i < len(p.s) && isIdent(p.s[p.i]) {
		p.i++
	}
	return p.s[start:p.i]
}

// basicWords are the words that a basic type may be spelt with; a basic type
// is a run of them.
var basicWords = map[string]bool{
	"void": true, "char": true, "short": true, "int": true, "long": true, "signed": true, "unsigned": true,
	"float": true, "double": true, "_Bool": true, "__int128": true, "_Complex": true,
}

// notTypes are words of the notation that cannot be a type's name.
var notTypes = map[string]bool{"const": true, "struct": true, "union": true, "enum": true, "...": true}

// BasicName reports whether name is the spelling of a type of the language.
func BasicName(name string) bool {
	for _, w := range strings.Split(name, " ") {
		if !basicWords[w] {
			return false
		}
	}
	return true
}

func (p *typeParser) base() (*Type, error) {
	t := &Type{Const: p.accept("const ")}
	for _, tag := range []string{"struct", "union", "enum"} {
		if p.accept(tag + " ") {
			t.Tag = tag
			break
		}
	}
	start := p.i
	w := p.word()
	if !isName(w) || notTypes[w] || t.Tag != "" && basicWords[w] {
		p.i = start
		return nil, p.errorf("a type name")
	}
	t.Kind, t.Name = Named, w
	if t.Tag == "" && basicWords[w] {
		t.Kind = Basic
		for p.peek(" ") {
			save := p.i
			p.i++
			if !basicWords[p.word()] {
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
