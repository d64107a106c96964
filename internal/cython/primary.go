package cython

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// nulls are the names of nothing.
var nulls = map[string]bool{"None": true, "NULL": true, "nullptr": true}

func (p *exprParser) primary() *syntax.Expr {
	t := *p.peek()
	if p.at >= len(p.tokens) {
		p.fail("expected an expression")
		return p.node(syntax.Expr{Op: syntax.Bad})
	}
	p.at++
	e := p.node(syntax.Expr{Text: t.Text, Pos: t.Pos})
	switch t.Kind {
	case syntax.Number:
		e.Op = syntax.Literal
	case syntax.String:
		e.Op = syntax.Str
		p.interpolate(e, t)
		for p.peek().Kind == syntax.String {
			p.interpolate(e, *p.peek())
			p.at++
		}
	case syntax.Name:
		switch {
		case nulls[t.Text]:
			e.Op = syntax.Null
		case t.Text == "True" || t.Text == "False":
			e.Op = syntax.Literal
		case (t.Text == "sizeof" || t.Text == "typeof") && p.is("("):
			e.Op = syntax.SizeOf
			p.brackets()
		case t.Text == "new" && p.peek().Kind == syntax.Name:
			return p.allocation(e)
		default:
			e.Op = syntax.Ident
		}
	default:
		switch t.Text {
		case "(":
			return p.group(e)
		case "[":
			return p.display(e, syntax.List, "]")
		case "{":
			return p.braces(e)
		case "...":
			e.Op = syntax.Literal
		default:
			p.at--
			p.fail("expected an expression, not " + t.Text)
			e.Op = syntax.Bad
		}
	}
	return e
}

// brackets skips what stands in round brackets and gives its tokens.
func (p *exprParser) brackets() []syntax.Token {
	p.expect("(")
	first, depth := p.at, 1
	for ; p.at < len(p.tokens); p.at++ {
		switch t := p.peek(); {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			depth++
		case t.Is(")") || t.Is("]") || t.Is("}"):
			if depth--; depth == 0 {
				p.at++
				return p.tokens[first : p.at-1]
			}
		}
	}
	p.fail("expected )")
	return nil
}

// allocation is `new Type(args)` of C++.
func (p *exprParser) allocation(e *syntax.Expr) *syntax.Expr {
	first := p.at
	for p.at < len(p.tokens) && !p.is("(") {
		p.at++
	}
	e.Op, e.Type = syntax.New, parseType(p.tokens[first:p.at])
	if p.is("(") {
		p.at++
		e.Args = p.arguments()
	}
	return e
}

func (p *exprParser) group(e *syntax.Expr) *syntax.Expr {
	if p.accept(")") {
		e.Op, e.Text = syntax.Tuple, ""
		return e
	}
	inner := p.list(e.Pos)
	if p.is("for") || p.is("async") {
		inner = p.comprehension(inner, nil, "generator", e.Pos)
	}
	p.expect(")")
	return inner
}

func (p *exprParser) display(e *syntax.Expr, op syntax.ExprOp, closing string) *syntax.Expr {
	e.Op, e.Text = op, ""
	for p.at < len(p.tokens) && !p.is(closing) {
		e.Args = append(e.Args, p.item())
		if p.is("for") || p.is("async") {
			c := p.comprehension(e.Args[0], nil, "list", e.Pos)
			p.expect(closing)
			return c
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return e
}

func (p *exprParser) braces(e *syntax.Expr) *syntax.Expr {
	e.Op, e.Text = syntax.Dict, ""
	for p.at < len(p.tokens) && !p.is("}") {
		key := p.item()
		var value *syntax.Expr
		if p.accept(":") {
			value = p.expr()
		} else if key.Op != syntax.Star {
			e.Text = "set"
		}
		if p.is("for") || p.is("async") {
			kind := "dict"
			if value == nil {
				kind = "set"
			}
			c := p.comprehension(key, value, kind, e.Pos)
			p.expect("}")
			return c
		}
		e.Args = append(e.Args, key)
		if value != nil {
			e.Args = append(e.Args, value)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return e
}

// comprehension reads the clauses after the element. In Args they stand first:
// for each `for` a Binary "in" with target and iterable, for each `if` its
// condition; X and Y are the element.
func (p *exprParser) comprehension(x, y *syntax.Expr, kind string, pos syntax.Pos) *syntax.Expr {
	c := p.node(syntax.Expr{Op: syntax.Comp, Text: kind, X: x, Y: y, Pos: pos})
	for p.at < len(p.tokens) {
		t := *p.peek()
		p.accept("async")
		switch {
		case p.accept("for"):
			target := p.targets()
			p.expect("in")
			c.Args = append(c.Args, p.node(syntax.Expr{Op: syntax.Binary, Text: "for", X: target, Y: p.binary(0), Pos: t.Pos}))
		case p.accept("if"):
			c.Args = append(c.Args, p.binary(0))
		default:
			return c
		}
	}
	return c
}

// targets reads what a for binds: expressions up to `in`.
func (p *exprParser) targets() *syntax.Expr {
	first := p.at
	depth := 0
	for p.at < len(p.tokens) && (depth > 0 || !p.is("in")) {
		switch t := p.peek(); {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		}
		p.at++
	}
	return parseExpr(p.tokens[first:p.at], p.problems, p.nodes)
}

// trailers reads calls, indices and members after a primary.
func (p *exprParser) trailers(e *syntax.Expr) *syntax.Expr {
	for p.at < len(p.tokens) {
		t := *p.peek()
		if t.Kind != syntax.Op {
			return e
		}
		switch t.Text {
		case "(":
			p.at++
			e = p.node(syntax.Expr{Op: syntax.Call, X: e, Args: p.arguments(), Pos: e.Pos})
		case "[":
			p.at++
			e = p.node(syntax.Expr{Op: syntax.Index, X: e, Args: p.indices(), Pos: e.Pos})
		case ".":
			p.at++
			n := *p.peek()
			if n.Kind != syntax.Name {
				p.fail("expected a name after the dot")
				return e
			}
			p.at++
			e = p.node(syntax.Expr{Op: syntax.Member, X: e, Text: n.Text, Pos: n.Pos})
		default:
			return e
		}
	}
	return e
}

func (p *exprParser) arguments() []*syntax.Expr {
	var args []*syntax.Expr
	for p.at < len(p.tokens) && !p.is(")") {
		t := *p.peek()
		var a *syntax.Expr
		switch {
		case p.accept("**"):
			a = p.node(syntax.Expr{Op: syntax.Keyword, X: p.expr(), Pos: t.Pos})
		case t.Kind == syntax.Name && p.at+1 < len(p.tokens) && p.tokens[p.at+1].Is("="):
			p.at += 2
			a = p.node(syntax.Expr{Op: syntax.Keyword, Text: t.Text, X: p.expr(), Pos: t.Pos})
		default:
			a = p.item()
			if p.is("for") || p.is("async") {
				a = p.comprehension(a, nil, "generator", t.Pos)
			}
		}
		args = append(args, a)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return args
}

func (p *exprParser) indices() []*syntax.Expr {
	var args []*syntax.Expr
	for p.at < len(p.tokens) && !p.is("]") {
		t := *p.peek()
		var parts [3]*syntax.Expr
		colons := 0
		for p.at < len(p.tokens) && !p.is("]") && !p.is(",") {
			if p.accept(":") {
				colons++
				if colons > 2 {
					p.fail("unexpected :")
				}
				continue
			}
			if parts[min(colons, 2)] != nil {
				p.fail("unexpected " + p.peek().Text)
				break
			}
			parts[min(colons, 2)] = p.item()
		}
		if colons == 0 && parts[0] != nil {
			args = append(args, parts[0])
		} else {
			args = append(args, p.node(syntax.Expr{Op: syntax.Slice, Args: parts[:], Pos: t.Pos}))
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return args
}
