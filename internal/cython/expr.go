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
