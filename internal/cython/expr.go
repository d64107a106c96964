package cython

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// exprParser reads expressions from tokens by precedence climbing.
type exprParser struct {
	tokens   []syntax.Token
	at       int
	depth    int
	problems *[]syntax.Problem
	nodes    *arena
}

// arena makes expressions in chunks: there are many and they are small.
type arena struct{ free []syntax.Expr }

func (p *exprParser) node(e syntax.Expr) *syntax.Expr {
	a := p.nodes
	if len(a.free) == 0 {
		a.free = make([]syntax.Expr, 64)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	*n = e
	return n
}

// maxExprDepth bounds the nesting of expressions, since reading them recurses.
const maxExprDepth = 400

// parseExpr reads all tokens as one expression, a tuple without brackets included.
func parseExpr(tokens []syntax.Token, problems *[]syntax.Problem, nodes *arena) *syntax.Expr {
	p := &exprParser{tokens: tokens, problems: problems, nodes: nodes}
	if len(tokens) == 0 {
		return p.node(syntax.Expr{Op: syntax.Bad})
	}
	e := p.list(tokens[0].Pos)
	if p.at < len(tokens) {
		p.fail("unexpected " + tokens[p.at].Text)
		return p.bad(tokens, e)
	}
	return e
}

// bad wraps what could not be read, keeping every name in it.
func (p *exprParser) bad(tokens []syntax.Token, parts ...*syntax.Expr) *syntax.Expr {
	e := p.node(syntax.Expr{Op: syntax.Bad, Args: parts})
	if len(tokens) > 0 {
		e.Pos = tokens[0].Pos
	}
	for ; p.at < len(tokens); p.at++ {
		if t := tokens[p.at]; t.Kind == syntax.Name {
			e.Args = append(e.Args, p.node(syntax.Expr{Op: syntax.Ident, Text: t.Text, Pos: t.Pos}))
		}
	}
	return e
}

func (p *exprParser) fail(message string) {
	var pos syntax.Pos
	if p.at < len(p.tokens) {
		pos = p.tokens[p.at].Pos
	} else if len(p.tokens) > 0 {
		pos = p.tokens[len(p.tokens)-1].Pos
	}
	*p.problems = append(*p.problems, syntax.Problem{Pos: pos, Message: message})
	p.at = len(p.tokens)
}

var end syntax.Token

func (p *exprParser) peek() *syntax.Token {
	if p.at < len(p.tokens) {
		return &p.tokens[p.at]
	}
	return &end
}

func (p *exprParser) is(s string) bool { return p.peek().Is(s) }

func (p *exprParser) accept(s string) bool {
	if p.is(s) {
		p.at++
		return true
	}
	return false
}

func (p *exprParser) expect(s string) {
	if !p.accept(s) {
		if p.at < len(p.tokens) {
			p.fail("expected " + s + ", not " + p.peek().Text)
		} else {
			p.fail("expected " + s)
		}
	}
}

// list reads expressions separated by commas: one, or a tuple.
func (p *exprParser) list(pos syntax.Pos) *syntax.Expr {
	first := p.item()
	if !p.is(",") {
		return first
	}
	e := p.node(syntax.Expr{Op: syntax.Tuple, Args: []*syntax.Expr{first}, Pos: pos})
	for p.accept(",") && p.at < len(p.tokens) && !p.closes() {
		e.Args = append(e.Args, p.item())
	}
	return e
}

func (p *exprParser) closes() bool {
	return p.is(")") || p.is("]") || p.is("}") || p.is("=") || p.is(":")
}

// item is an expression that may be starred or a walrus.
func (p *exprParser) item() *syntax.Expr {
	t := *p.peek()
	if p.accept("*") || p.accept("**") {
		return p.node(syntax.Expr{Op: syntax.Star, X: p.expr(), Text: t.Text, Pos: t.Pos})
	}
	e := p.expr()
	if p.accept(":=") {
		return p.node(syntax.Expr{Op: syntax.Assign, Text: "=", X: e, Y: p.expr(), Pos: t.Pos})
	}
	return e
}

// expr is a whole expression: a conditional, a lambda or a yield.
func (p *exprParser) expr() *syntax.Expr {
	if p.depth++; p.depth > maxExprDepth {
		p.fail("expressions are nested too deeply")
		p.depth--
		return p.node(syntax.Expr{Op: syntax.Bad})
	}
	defer func() { p.depth-- }()
	t := *p.peek()
	switch {
	case p.accept("lambda"):
		return p.lambda(t)
	case p.accept("yield"):
		p.accept("from")
		e := p.node(syntax.Expr{Op: syntax.Yield, Pos: t.Pos})
		if p.at < len(p.tokens) && !p.closes() {
			e.X = p.list(t.Pos)
		}
		return e
	}
	e := p.binary(0)
	if !p.accept("if") {
		return e
	}
	cond := p.binary(0)
	c := p.node(syntax.Expr{Op: syntax.Cond, Args: []*syntax.Expr{cond}, X: e, Pos: t.Pos})
	p.expect("else")
	c.Y = p.expr()
	return c
}

func (p *exprParser) lambda(t syntax.Token) *syntax.Expr {
	e := p.node(syntax.Expr{Op: syntax.Lambda, Pos: t.Pos})
	depth := 0
	for p.at < len(p.tokens) && (depth > 0 || !p.is(":")) {
		switch n := p.peek(); {
		case n.Is("(") || n.Is("[") || n.Is("{"):
			depth++
		case n.Is(")") || n.Is("]") || n.Is("}"):
			depth--
		case n.Kind == syntax.Name:
			e.Args = append(e.Args, p.node(syntax.Expr{Op: syntax.Ident, Text: n.Text, Pos: n.Pos}))
		}
		p.at++
	}
	p.expect(":")
	e.X = p.expr()
	return e
}

// levels of binary operators, from loosest to tightest. `not` stands between
// and and the comparisons.
var levels = map[string]int{
	"or": 1, "and": 2,
	"<": 4, ">": 4, "==": 4, "!=": 4, "<=": 4, ">=": 4, "<>": 4, "in": 4, "is": 4, "not": 4,
	"|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9,
	"*": 10, "/": 10, "//": 10, "%": 10, "@": 10,
}

const notLevel, unaryLevel = 3, 11

func (p *exprParser) binary(min int) *syntax.Expr {
	if p.depth++; p.depth > maxExprDepth {
		p.fail("expressions are nested too deeply")
		p.depth--
		return p.node(syntax.Expr{Op: syntax.Bad})
	}
	defer func() { p.depth-- }()
	start := *p.peek()
	var x *syntax.Expr
	if min <= notLevel && p.accept("not") {
		x = p.node(syntax.Expr{Op: syntax.Unary, Text: "not", X: p.binary(notLevel), Pos: start.Pos})
	} else {
		x = p.unary()
	}
	for {
		t := *p.peek()
		level := 0
		if t.Kind == syntax.Op || t.Kind == syntax.Name {
			level = levels[t.Text]
		}
		if level == 0 || level <= min {
			return x
		}
		p.at++
		op := t.Text
		switch op {
		case "not":
			p.expect("in")
			op = "not in"
		case "is":
			if p.accept("not") {
				op = "is not"
			}
		}
		y := p.binary(level)
		e := p.node(syntax.Expr{Op: syntax.Binary, Text: op, X: x, Y: y, Pos: t.Pos})
		switch op {
		case "and":
			e.Op = syntax.And
		case "or":
			e.Op = syntax.Or
		case "<", ">", "==", "!=", "<=", ">=", "is", "is not", "in", "not in":
			// a < b < c is (a < b) and (b < c).
			if x.Op == syntax.Binary && levels[strings.Fields(x.Text)[0]] == 4 && x.Text != "" && level == 4 {
				e = p.node(syntax.Expr{Op: syntax.And, X: x, Y: p.node(syntax.Expr{Op: syntax.Binary, Text: op, X: x.Y, Y: y, Pos: t.Pos}), Pos: t.Pos})
			}
		}
		x = e
	}
}

func (p *exprParser) unary() *syntax.Expr {
	if p.depth++; p.depth > maxExprDepth {
		p.fail("expressions are nested too deeply")
		p.depth--
		return p.node(syntax.Expr{Op: syntax.Bad})
	}
	defer func() { p.depth-- }()
	t := *p.peek()
	switch {
	case t.Kind == syntax.Op && (t.Text == "-" || t.Text == "+" || t.Text == "~" || t.Text == "&" || t.Text == "*"):
		p.at++
		return p.node(syntax.Expr{Op: syntax.Unary, Text: t.Text, X: p.unary(), Pos: t.Pos})
	case t.Is("<"):
		return p.cast()
	case t.Is("await"):
		p.at++
		return p.node(syntax.Expr{Op: syntax.Yield, X: p.unary(), Pos: t.Pos})
	}
	e := p.trailers(p.primary())
	if p.accept("**") {
		return p.node(syntax.Expr{Op: syntax.Binary, Text: "**", X: e, Y: p.unary(), Pos: t.Pos})
	}
	return e
}

// cast is <type>operand. Brackets of templates are square in Cython, so the
// next angle at the same depth closes it.
func (p *exprParser) cast() *syntax.Expr {
	t := *p.peek()
	p.at++
	first, depth := p.at, 0
	for p.at < len(p.tokens) && (depth > 0 || !p.is(">")) {
		switch n := p.peek(); {
		case n.Is("(") || n.Is("["):
			depth++
		case n.Is(")") || n.Is("]"):
			depth--
		}
		p.at++
	}
	typ := parseType(p.tokens[first:p.at])
	p.expect(">")
	return p.node(syntax.Expr{Op: syntax.Cast, Type: typ, X: p.unary(), Pos: t.Pos})
}

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
