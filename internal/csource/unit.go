package csource

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// Unit is one variant of a text as a program.
type Unit struct {
	Variant
	Funcs []*syntax.Func
	Vars  []*syntax.Stmt // Decl statements at file scope
	// Members are the members of records that have methods, as Decl statements
	// under the names that methods use.
	Members []*syntax.Stmt
	// Forward are types that are only named here, not defined.
	Forward map[string]bool
	// Types are the names that are types, Enumerators those of constants.
	Types       map[string]bool
	Enumerators map[string]bool
	// Declared are functions that are declared and not defined here.
	Declared map[string]bool
	// Asm says that there is assembly outside of functions.
	Asm []syntax.Pos
}

// ParseUnit reads the tokens of a variant.
func ParseUnit(v Variant) *Unit {
	u := &Unit{Variant: v, Types: map[string]bool{}, Enumerators: map[string]bool{}, Declared: map[string]bool{}, Forward: map[string]bool{}}
	p := &parser{unit: u, tokens: v.Tokens}
	p.collectTypes()
	p.topLevel(len(v.Tokens))
	return u
}

// parser reads declarations, statements and expressions.
type parser struct {
	unit    *Unit
	tokens  []syntax.Token
	at      int
	depth   int
	vars    map[string]bool // names known to be no types, for casts
	class   string
	failing bool
}

var end syntax.Token

func (p *parser) peek() *syntax.Token {
	if p.at < len(p.tokens) {
		return &p.tokens[p.at]
	}
	return &end
}

func (p *parser) peekAt(i int) *syntax.Token {
	if p.at+i < len(p.tokens) {
		return &p.tokens[p.at+i]
	}
	return &end
}

func (p *parser) is(s string) bool { return p.peek().Is(s) }

func (p *parser) accept(s string) bool {
	if p.is(s) {
		p.at++
		return true
	}
	return false
}

func (p *parser) problemAt(pos syntax.Pos, message string) {
	p.unit.Problems = append(p.unit.Problems, syntax.Problem{Pos: pos, Message: message})
}

func (p *parser) fail(message string) {
	pos := syntax.Pos{}
	if p.at < len(p.tokens) {
		pos = p.tokens[p.at].Pos
	} else if len(p.tokens) > 0 {
		pos = p.tokens[len(p.tokens)-1].Pos
	}
	p.unit.Problems = append(p.unit.Problems, syntax.Problem{Pos: pos, Message: message})
	p.failing = true
}

// match is the place of the bracket that closes the one at i, or the end.
func (p *parser) match(i int) int {
	if c := closing(p.tokens[i:]); c >= 0 {
		return i + c
	}
	return len(p.tokens)
}

// collectTypes enters the names that typedefs, records and enums declare, and
// enumerators, wherever they stand: reading an expression needs to know them.
func (p *parser) collectTypes() {
	for i := 0; i < len(p.tokens); i++ {
		t := &p.tokens[i]
		if t.Kind != syntax.Name {
			continue
		}
		switch t.Text {
		case "typedef", "using":
			if name := p.typedefName(i); name != "" {
				p.unit.Types[name] = true
			}
		case "struct", "union", "class", "enum":
			j := i + 1
			for j < len(p.tokens) && (p.tokens[j].Is("class") || p.tokens[j].Is("__attribute__") || p.tokens[j].Is("alignas")) {
				j++
				if j < len(p.tokens) && p.tokens[j].Is("(") {
					j = p.match(j) + 1
				}
			}
			if j < len(p.tokens) && p.tokens[j].Kind == syntax.Name {
				name := p.tokens[j].Text
				j++
				if defined := j < len(p.tokens) && (p.tokens[j].Is("{") || p.tokens[j].Is(":") || p.tokens[j].Is("final")); !defined && !p.unit.Types[name] {
					p.unit.Forward[name] = true
				} else if defined {
					delete(p.unit.Forward, name)
				}
				p.unit.Types[name] = true
			}
			if t.Text == "enum" {
				for j < len(p.tokens) && !p.tokens[j].Is("{") && !p.tokens[j].Is(";") && !p.tokens[j].Is("=") && !p.tokens[j].Is(")") {
					j++
				}
				if j < len(p.tokens) && p.tokens[j].Is("{") {
					p.enumerators(j)
				}
			}
		}
	}
}

func (p *parser) enumerators(open int) {
	depth := 0
	for i := open; i < len(p.tokens); i++ {
		switch t := &p.tokens[i]; {
		case t.Is("{") || t.Is("("):
			depth++
		case t.Is("}") || t.Is(")"):
			if depth--; depth == 0 {
				return
			}
		case depth == 1 && t.Kind == syntax.Name && (p.tokens[i-1].Is("{") || p.tokens[i-1].Is(",")):
			p.unit.Enumerators[t.Text] = true
		}
	}
}

// typedefName is the name that the typedef at i declares: the one before the
// semicolon or an array's bound, or the one after the star in brackets.
func (p *parser) typedefName(i int) string {
	if p.tokens[i].Text == "using" {
		if i+2 < len(p.tokens) && p.tokens[i+2].Is("=") {
			return p.tokens[i+1].Text
		}
		return ""
	}
	name := ""
	for j := i + 1; j < len(p.tokens); j++ {
		switch t := &p.tokens[j]; {
		case t.Is(";"), t.Is(","):
			return name
		case t.Is("{"), t.Is("["):
			j = p.match(j)
		case t.Is("("):
			if k := p.pointerName(j); k >= 0 {
				return p.tokens[k].Text
			}
			j = p.match(j)
		case t.Kind == syntax.Name && !words[t.Text]:
			name = t.Text
		}
	}
	return name
}

// pointerName finds NAME in (*NAME) or (CALL_CONVENTION *NAME), or gives -1.
func (p *parser) pointerName(open int) int {
	star := false
	for j := open + 1; j < len(p.tokens); j++ {
		t := &p.tokens[j]
		switch {
		case t.Is("*") || t.Is("^"):
			star = true
		case t.Kind == syntax.Name && star && !words[t.Text]:
			return j
		case t.Kind == syntax.Name || t.Is("::"):
		default:
			return -1
		}
	}
	return -1
}

// words of types and declarations, which name nothing themselves.
var words = set(`void char short int long float double signed unsigned _Bool bool const volatile restrict __restrict
	struct union enum class typename static extern inline __inline __inline__ __forceinline register auto typedef _Atomic
	_Thread_local thread_local __thread _Noreturn constexpr constinit consteval mutable virtual explicit friend
	__extension__ __volatile__ __const _Complex __int128 __int64 __int32 wchar_t char16_t char32_t noexcept final override
	__cdecl __stdcall __fastcall WINAPI CALLBACK`)

// typeWords begin a type.
var typeWords = set(`void char short int long float double signed unsigned _Bool bool const volatile struct union enum class
	typename _Atomic auto __int128 __int64 __int32 wchar_t char16_t char32_t size_t ssize_t ptrdiff_t intptr_t uintptr_t
	int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t FILE PyObject
	__extension__ static extern inline __inline __inline__ __forceinline register thread_local _Thread_local __thread
	constexpr constinit _Noreturn __volatile__ _Complex mutable virtual explicit friend`)

func set(s string) map[string]bool {
	m := map[string]bool{}
	word := ""
	for _, c := range s + " " {
		if c == ' ' || c == '\n' || c == '\t' {
			if word != "" {
				m[word] = true
			}
			word = ""
			continue
		}
		word += string(c)
	}
	return m
}
