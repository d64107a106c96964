package csource

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// Text is a piece of C source and the place where it begins: in a file of its
// own that is line 1; in a verbatim block the line of its opening quotes.
type Text struct {
	Text string
	syntax.Pos
}

// Variant is what one outcome of the text's conditions leaves of it.
type Variant struct {
	// Taken are the conditions under which this is what is compiled, outermost
	// first, in source order: "defined ( _MSC_VER )", "! ( ... )" for a branch
	// that needs the one before it to be false.
	Taken  []string
	Tokens []syntax.Token // macros expanded
	// Includes are the files included, with their brackets or quotes.
	Includes []syntax.Token
	// Macros are the names that are macros at the end: true for those that take
	// arguments.
	Macros   map[string]bool
	Problems []syntax.Problem
}

// Same reports whether two variants compile the same text, as far as volatile
// reads tell: those mean more to Microsoft's compiler.
func (v Variant) Same(w Variant) bool {
	if len(v.Tokens) != len(w.Tokens) {
		return false
	}
	volatile := false
	for i := range v.Tokens {
		if v.Tokens[i].Text != w.Tokens[i].Text {
			return false
		}
		volatile = volatile || v.Tokens[i].Text == "volatile"
	}
	return !volatile || v.microsoft() == w.microsoft()
}

func (v Variant) microsoft() bool { return slices.Contains(v.Taken, "defined ( _MSC_VER )") }

// maxVariants bounds how many outcomes are followed. A verbatim block has
// three.
const maxVariants = 64

// Variants reads texts, one after the other as a compiler would, once for each
// outcome of their conditions. The same condition has the same outcome
// everywhere. Too many outcomes are a Problem of the only variant then given.
func Variants(texts []Text) []Variant {
	var all []chunk
	var problems []syntax.Problem
	for _, t := range texts {
		l := lexer{text: t.Text, line: max(t.Line, 1)}
		all = append(all, l.chunks()...)
		problems = append(problems, l.problems...)
	}
	size := 0
	for i := range all {
		size += len(all[i].tokens)
	}
	var out []Variant
	work := 0
	pending := []map[string]bool{{}}
	for len(pending) > 0 {
		known := pending[0]
		pending = pending[1:]
		// First the conditions alone: the text is read once they are all known.
		p := preprocessor{known: known, macros: map[string]*macro{}, conditionsOnly: true, work: &work}
		unknown := p.run(all)
		if unknown != "" {
			if len(pending)+len(out)+2 > maxVariants {
				p.out.Problems = append(p.out.Problems, syntax.Problem{Pos: all[0].Pos, Message: "too many conditions to follow every outcome"})
				p.out.Problems = append(p.out.Problems, problems...)
				return []Variant{p.out}
			}
			for _, outcome := range []bool{true, false} {
				next := map[string]bool{unknown: outcome}
				for k, v := range known {
					next[k] = v
				}
				pending = append(pending, next)
			}
			continue
		}
		p = preprocessor{known: known, macros: map[string]*macro{}, work: &work}
		p.out.Tokens = make([]syntax.Token, 0, size)
		p.run(all)
		p.out.Problems = append(p.out.Problems, problems...)
		p.out.Macros = map[string]bool{}
		for name, m := range p.macros {
			p.out.Macros[name] = m.function
		}
		out = append(out, p.out)
	}
	return out
}

// preprocessor runs through the chunks with known outcomes of conditions.
type preprocessor struct {
	known  map[string]bool
	macros map[string]*macro
	out    Variant
	levels []level
	// conditionsOnly leaves the text out.
	conditionsOnly bool
	work           *int // tokens that expansion has looked at, in all variants
	exhausted      bool // that is too many
	depth          int  // of the condition being read
}

// level is an #if that is open.
type level struct {
	active bool // what is inside is compiled
	done   bool // a branch was taken
	outer  bool // what is around it is compiled
}

func (p *preprocessor) active() bool {
	return len(p.levels) == 0 || p.levels[len(p.levels)-1].active
}

func (p *preprocessor) problem(pos syntax.Pos, message string) {
	p.out.Problems = append(p.out.Problems, syntax.Problem{Pos: pos, Message: message})
}

// run gives back the first condition whose outcome is not known, or nothing.
func (p *preprocessor) run(all []chunk) (unknown string) {
	for i := range all {
		c := &all[i]
		if c.directive == "" {
			if p.active() && !p.conditionsOnly {
				p.out.Tokens = p.expand(p.out.Tokens, c.tokens, nil)
			}
			continue
		}
		switch c.directive {
		case "if", "ifdef", "ifndef":
			outer := p.active()
			l := level{outer: outer}
			if outer {
				value, ask := p.condition(c.directive, c.body)
				if ask != "" {
					return ask
				}
				l.active, l.done = value, value
			}
			p.levels = append(p.levels, l)
		case "elif", "else":
			if len(p.levels) == 0 {
				p.problem(c.Pos, "#"+c.directive+" without #if")
				continue
			}
			l := &p.levels[len(p.levels)-1]
			l.active = false
			if !l.outer || l.done {
				continue
			}
			value := true
			if c.directive == "elif" {
				var ask string
				if value, ask = p.condition("if", c.body); ask != "" {
					return ask
				}
			}
			l.active, l.done = value, value
		case "endif":
			if len(p.levels) == 0 {
				p.problem(c.Pos, "#endif without #if")
				continue
			}
			p.levels = p.levels[:len(p.levels)-1]
		default:
			if p.active() {
				p.directive(c)
			}
		}
	}
	if len(p.levels) > 0 {
		p.problem(all[len(all)-1].Pos, "#if without #endif")
	}
	return ""
}

func (p *preprocessor) directive(c *chunk) {
	switch c.directive {
	case "define":
		p.define(c)
	case "undef":
		if len(c.body) > 0 {
			p.problem(c.Pos, "#undef "+c.body[0].Text+" changes what conditions mean")
			delete(p.macros, c.body[0].Text)
		}
	case "include", "include_next", "import":
		if len(c.body) > 0 {
			p.out.Includes = append(p.out.Includes, c.body[0])
		}
	case "error", "warning", "empty", "ident":
	case "pragma":
		if len(c.body) > 0 && !harmlessPragmas[c.body[0].Text] {
			p.problem(c.Pos, "#pragma "+c.body[0].Text+" cannot be followed")
		}
	default:
		p.problem(c.Pos, "unknown directive #"+c.directive)
	}
}

// harmlessPragmas change how records are laid out and what is warned about.
var harmlessPragmas = set(`pack warning once clang GCC`)

// condition decides an #if. Its outcome is known, or the condition is given
// back to be asked. Parts joined by && are asked one by one, so that the same
// test in two conditions has one outcome.
func (p *preprocessor) condition(kind string, body []syntax.Token) (value bool, ask string) {
	switch kind {
	case "ifdef", "ifndef":
		if len(body) == 0 {
			return false, ""
		}
		value, ask = p.test("defined ( " + body[0].Text + " )")
		return value == (kind == "ifdef"), ask
	}
	return p.boolean(body)
}

func (p *preprocessor) boolean(t []syntax.Token) (value bool, ask string) {
	if len(t) == 0 {
		return p.test("")
	}
	if p.depth++; p.depth > maxDepth/4 {
		p.problem(t[0].Pos, "a condition is nested too deeply")
		return false, ""
	}
	defer func() { p.depth-- }()
	if outside(t, "?") >= 0 {
		p.problem(t[0].Pos, "a condition with ?: cannot be followed")
		return false, ""
	}
	for _, op := range []string{"||", "&&"} {
		if i := outside(t, op); i >= 0 {
			a, ask := p.boolean(t[:i])
			if ask != "" || a == (op == "||") {
				return a, ask
			}
			return p.boolean(t[i+1:])
		}
	}
	if t[0].Is("!") {
		value, ask = p.boolean(t[1:])
		return !value, ask
	}
	if len(t) > 2 && t[0].Is("(") && t[len(t)-1].Is(")") && closing(t) == len(t)-1 {
		return p.boolean(t[1 : len(t)-1])
	}
	if len(t) == 1 && t[0].Kind == syntax.Number {
		n, err := strconv.ParseUint(strings.TrimRight(strings.ReplaceAll(t[0].Text, "'", ""), "uUlL"), 0, 64)
		if err != nil {
			p.problem(t[0].Pos, "this number cannot be read")
		}
		return n != 0, ""
	}
	var words []string
	for _, w := range t {
		words = append(words, w.Text)
	}
	text := strings.Join(words, " ")
	if !strings.HasPrefix(text, "defined") {
		for _, w := range t {
			if p.macros[w.Text] != nil {
				p.problem(w.Pos, "a condition on "+w.Text+", which is defined here, cannot be followed")
			}
		}
	}
	if len(t) == 2 && t[0].Is("defined") {
		text = "defined ( " + t[1].Text + " )"
	}
	return p.test(text)
}

func (p *preprocessor) test(text string) (bool, string) {
	if name, ok := strings.CutPrefix(text, "defined ( "); ok {
		if _, defined := p.macros[strings.TrimSuffix(name, " )")]; defined {
			return true, ""
		}
	}
	value, ok := p.known[text]
	if !ok {
		return false, text
	}
	if value {
		p.out.Taken = append(p.out.Taken, text)
	} else {
		p.out.Taken = append(p.out.Taken, "! "+text)
	}
	return value, ""
}

func outside(t []syntax.Token, op string) int {
	depth := 0
	for i := range t {
		switch {
		case t[i].Is("("):
			depth++
		case t[i].Is(")"):
			depth--
		case depth == 0 && t[i].Is(op):
			return i
		}
	}
	return -1
}

// closing is the place of the bracket that closes the first one, or -1.
func closing(t []syntax.Token) int {
	depth := 0
	for i := range t {
		if t[i].Kind != syntax.Op {
			continue
		}
		switch t[i].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
