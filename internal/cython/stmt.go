package cython

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// stmt lowers one statement, which may declare several things.
func (w *walker) stmt(out []*syntax.Stmt, s *Stmt) []*syntax.Stmt {
	one := &syntax.Stmt{Pos: s.Pos()}
	rest := s.Tokens[1:]
	if s.Tokens[0].Kind != syntax.Name {
		return append(out, w.assignment(s))
	}
	switch s.Head() {
	case "pass":
		one.Op = syntax.Pass
	case "return":
		one.Op = syntax.Return
		if len(rest) > 0 {
			one.X = w.expr(rest)
		}
	case "raise":
		one.Op = syntax.Raise
		if from := find(rest, "from"); from >= 0 {
			rest = rest[:from]
		}
		if len(rest) > 0 {
			one.X = w.expr(rest)
		}
	case "break", "continue":
		one.Op, one.Text = syntax.Break, s.Head()
	case "global", "nonlocal":
		one.Op = syntax.Global
		for _, t := range rest {
			if t.Kind == syntax.Name {
				one.Targets = append(one.Targets, &syntax.Expr{Op: syntax.Ident, Text: t.Text, Pos: t.Pos})
			}
		}
	case "del":
		one.Op = syntax.Del
		for _, part := range split(rest) {
			one.Targets = append(one.Targets, w.expr(part))
		}
	case "assert":
		one.Op, one.X = syntax.ExprStmt, w.expr(rest)
	case "with":
		w.with(one, rest)
		one.Body = w.block(s.Body)
	case "async":
		if len(rest) > 0 {
			inner := &Stmt{Tokens: rest, Body: s.Body, Opens: s.Opens}
			if rest[0].Is("for") {
				return append(out, w.stmt1(inner))
			}
			return w.stmt(out, inner)
		}
	case "match":
		if !s.Opens {
			return append(out, w.assignment(s))
		}
		one.Op, one.X = syntax.Switch, w.expr(rest)
		for _, c := range s.Body {
			one.Body = append(one.Body, &syntax.Stmt{Op: syntax.Case, Pos: c.Pos()})
			one.Body = append(one.Body, w.block(c.Body)...)
			one.Body = append(one.Body, &syntax.Stmt{Op: syntax.Break, Text: "break", Pos: c.Pos()})
		}
	case "import", "cimport", "from":
		return w.imports(out, s)
	case "def":
		return append(out, w.function(s, rest, "def"))
	case "class":
		return append(out, w.classBody(s, rest))
	case "cdef", "cpdef":
		return w.declaration(out, s, rest, s.Head())
	case "ctypedef", "struct", "union", "enum", "fused", "DEF", "include":
		one.Op = syntax.Pass
	default:
		if s.Opens {
			w.problem(s.Pos(), "unexpected "+s.Head())
		}
		one = w.assignment(s)
	}
	return append(out, one)
}

// assignments are the operators that bind.
var assignments = map[string]bool{
	"=": true, "+=": true, "-=": true, "*=": true, "/=": true, "//=": true, "%=": true, "&=": true, "|=": true,
	"^=": true, "<<=": true, ">>=": true, "**=": true, "@=": true,
}

// assignment lowers `a = b = x`, `a += x`, `a: T = x` and plain expressions.
func (w *walker) assignment(s *Stmt) *syntax.Stmt {
	out := &syntax.Stmt{Op: syntax.ExprStmt, Pos: s.Pos()}
	tokens := s.Tokens
	for {
		at, op := -1, ""
		depth, lambda := 0, false
		for i := range tokens {
			t := &tokens[i]
			if t.Kind == syntax.Name && t.Text == "lambda" {
				lambda = true
			}
			if t.Kind != syntax.Op {
				continue
			}
			switch t.Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			default:
				if depth == 0 && assignments[t.Text] && !lambda {
					at, op = i, t.Text
				}
			}
			if at >= 0 {
				break
			}
		}
		if at < 0 {
			break
		}
		target := tokens[:at]
		if colon := find(target, ":"); colon >= 0 {
			target = target[:colon] // an annotation
		}
		out.Op, out.Text = syntax.Set, op
		out.Targets = append(out.Targets, w.expr(target))
		tokens = tokens[at+1:]
	}
	if out.Op == syntax.Set {
		out.Y = w.expr(tokens)
		return out
	}
	if colon := find(tokens, ":"); colon > 0 { // a bare annotation
		out.Op = syntax.Pass
		return out
	}
	out.X = w.expr(tokens)
	return out
}

func (w *walker) with(out *syntax.Stmt, tokens []syntax.Token) {
	out.Op = syntax.With
	// Brackets around all items.
	if len(tokens) > 2 && tokens[0].Is("(") && tokens[len(tokens)-1].Is(")") && find(tokens[1:], ")") == len(tokens)-2 {
		tokens = tokens[1 : len(tokens)-1]
	}
	for _, part := range split(tokens) {
		if as := find(part, "as"); as >= 0 {
			out.Items = append(out.Items, w.expr(part[:as]))
			out.Targets = append(out.Targets, w.expr(part[as+1:]))
			continue
		}
		out.Items = append(out.Items, w.expr(part))
		out.Targets = append(out.Targets, nil)
	}
}

// imports lowers import, cimport and from: one statement a name.
func (w *walker) imports(out []*syntax.Stmt, s *Stmt) []*syntax.Stmt {
	rest := s.Tokens[1:]
	prefix, kind := "", s.Head()
	if kind == "from" {
		at := find(rest, "import")
		if c := find(rest, "cimport"); c >= 0 {
			at = c
		}
		if at < 0 {
			w.problem(s.Pos(), "expected import")
			return out
		}
		kind = rest[at].Text
		prefix = join(rest[:at]) + "."
		rest = rest[at+1:]
		if len(rest) > 2 && rest[0].Is("(") {
			rest = rest[1 : len(rest)-1]
		}
	}
	for _, part := range split(rest) {
		if len(part) == 0 {
			continue
		}
		what, bound := part, ""
		if as := find(part, "as"); as >= 0 {
			what, bound = part[:as], join(part[as+1:])
		} else if prefix == "" {
			bound = part[0].Text // import a.b binds a
		} else {
			bound = join(part)
		}
		pos := part[0].Pos
		out = append(out, &syntax.Stmt{
			Op: syntax.Import, Text: bound, Pos: pos,
			Items: []*syntax.Expr{{Op: syntax.Ident, Text: prefix + join(what), Pos: pos}, {Op: syntax.Ident, Text: kind}},
		})
	}
	return out
}

func join(tokens []syntax.Token) string {
	text := ""
	for i := range tokens {
		text += tokens[i].Text
	}
	return text
}

func (w *walker) classBody(s *Stmt, rest []syntax.Token) *syntax.Stmt {
	out := &syntax.Stmt{Op: syntax.Define, Pos: s.Pos()}
	if len(rest) > 0 {
		out.Text = rest[0].Text
	}
	if len(rest) > 3 && rest[1].Is("(") {
		for _, base := range split(rest[2 : len(rest)-1]) {
			out.Items = append(out.Items, w.expr(base))
		}
	}
	outer := w.class
	w.class = out.Text
	out.Body = w.block(s.Body)
	w.class = outer
	return out
}
