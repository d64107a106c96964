package csource

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// macro is a definition.
type macro struct {
	params   []string // nil for one without brackets
	function bool
	variadic bool
	body     []syntax.Token
}

func (p *preprocessor) define(c *chunk) {
	if len(c.body) == 0 || c.body[0].Kind != syntax.Name {
		p.problem(c.Pos, "expected a name after #define")
		return
	}
	name, rest := c.body[0], c.body[1:]
	m := &macro{body: rest}
	// Brackets that follow without a space are parameters.
	if len(rest) > 0 && rest[0].Is("(") && rest[0].Off == name.Off+int32(len(name.Text)) {
		end := closing(rest)
		if end < 0 {
			p.problem(c.Pos, "expected ) in #define")
			return
		}
		m.function, m.body = true, rest[end+1:]
		for _, t := range rest[1:end] {
			switch {
			case t.Kind == syntax.Name:
				m.params = append(m.params, t.Text)
			case t.Is("..."):
				m.params, m.variadic = append(m.params, "__VA_ARGS__"), true
			}
		}
	}
	p.macros[name.Text] = m
}

// maxExpansion bounds how many tokens expansion may look at and give.
const maxExpansion = 1 << 20

// expand adds tokens to out with macros replaced, at the place of their use.
// hidden are the macros that are being replaced.
func (p *preprocessor) expand(out, tokens []syntax.Token, hidden []string) []syntax.Token {
	if len(p.macros) == 0 || p.exhausted {
		return append(out, tokens...)
	}
	*p.work += len(tokens)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		m := (*macro)(nil)
		if t.Kind == syntax.Name {
			m = p.macros[t.Text]
		}
		if m == nil || slices.Contains(hidden, t.Text) || m.function && (i+1 >= len(tokens) || !tokens[i+1].Is("(")) {
			out = append(out, t)
			continue
		}
		*p.work += len(m.body) + 1
		if *p.work > maxExpansion || len(hidden) > 50 {
			if !p.exhausted {
				p.problem(t.Pos, "macros expand to too much")
			}
			p.exhausted = true
			return append(out, tokens[i:]...)
		}
		body := m.body
		if m.function {
			end := closing(tokens[i+1:])
			if end < 0 {
				p.problem(t.Pos, "expected ) after the arguments of macro "+t.Text)
				return append(out, tokens[i:]...)
			}
			args := arguments(tokens[i+2:i+1+end], len(m.params), m.variadic)
			body = p.substitute(m, args, hidden)
			i += 1 + end
		}
		body = paste(body)
		for k := range body {
			body[k].Pos = t.Pos
		}
		out = p.expand(out, body, append(slices.Clip(hidden), t.Text))
	}
	return out
}

// arguments splits what stands in the brackets of a use.
func arguments(t []syntax.Token, n int, variadic bool) [][]syntax.Token {
	var args [][]syntax.Token
	depth, first := 0, 0
	for i := range t {
		switch {
		case t[i].Is("(") || t[i].Is("[") || t[i].Is("{"):
			depth++
		case t[i].Is(")") || t[i].Is("]") || t[i].Is("}"):
			depth--
		case depth == 0 && t[i].Is(",") && !(variadic && len(args) == n-1):
			args = append(args, t[first:i])
			first = i + 1
		}
	}
	return append(args, t[first:])
}

// substitute puts arguments in the place of parameters, expanded first unless
// they are pasted or made a string.
func (p *preprocessor) substitute(m *macro, args [][]syntax.Token, hidden []string) []syntax.Token {
	var out []syntax.Token
	for i, t := range m.body {
		at := slices.Index(m.params, t.Text)
		if t.Kind != syntax.Name || at < 0 || at >= len(args) {
			if t.Is("#") && i+1 < len(m.body) && slices.Contains(m.params, m.body[i+1].Text) {
				continue // the next one becomes a string
			}
			out = append(out, t)
			continue
		}
		switch {
		case i > 0 && m.body[i-1].Is("#"):
			var words []string
			for _, a := range args[at] {
				words = append(words, a.Text)
			}
			out = append(out, syntax.Token{Kind: syntax.String, Text: `"` + strings.ReplaceAll(strings.Join(words, " "), `"`, "'") + `"`, Pos: t.Pos})
		case i > 0 && m.body[i-1].Is("##") || i+1 < len(m.body) && m.body[i+1].Is("##"):
			out = append(out, args[at]...)
		default:
			out = p.expand(out, args[at], hidden)
		}
	}
	return out
}

// paste joins what stands around ##.
func paste(t []syntax.Token) []syntax.Token {
	out := slices.Clone(t)
	for i := 1; i+1 < len(out); i++ {
		if out[i].Is("##") {
			out[i-1].Text += out[i+1].Text
			out = append(out[:i], out[i+2:]...)
			i--
		}
	}
	return out
}
