package csource

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// maxDepth bounds the nesting of expressions and statements, since reading
// them recurses.
const maxDepth = 400

func (p *parser) deeper() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deeply")
		p.at = len(p.tokens)
		return false
	}
	return true
}

// expression reads up to a comma operator's last operand.
func (p *parser) expression() *syntax.Expr {
	e := p.assignment()
	for p.is(",") {
		pos := p.peek().Pos
		p.at++
		e = &syntax.Expr{Op: syntax.Comma, X: e, Y: p.assignment(), Pos: pos}
	}
	return e
}

func (p *parser) assignment() *syntax.Expr {
	defer func() { p.depth-- }()
	if !p.deeper() {
		return &syntax.Expr{Op: syntax.Bad}
	}
	x := p.binary(0)
	t := *p.peek()
	if t.Kind != syntax.Op {
		return x
	}
	switch t.Text {
	case "?":
		p.at++
		e := &syntax.Expr{Op: syntax.Cond, Args: []*syntax.Expr{x}, Pos: t.Pos}
		e.X = p.expression()
		if !p.accept(":") {
			p.fail("expected :")
		}
		e.Y = p.assignment()
		return e
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
		p.at++
		return &syntax.Expr{Op: syntax.Assign, Text: t.Text, X: x, Y: p.assignment(), Pos: t.Pos}
	}
	return x
}

var levels = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

func (p *parser) binary(min int) *syntax.Expr {
	defer func() { p.depth-- }()
	if !p.deeper() {
		return &syntax.Expr{Op: syntax.Bad}
	}
	x := p.unary()
	for {
		t := *p.peek()
		level := 0
		if t.Kind == syntax.Op {
			level = levels[t.Text]
		}
		if level == 0 || level <= min {
			return x
		}
		p.at++
		e := &syntax.Expr{Op: syntax.Binary, Text: t.Text, X: x, Y: p.binary(level), Pos: t.Pos}
		switch t.Text {
		case "||":
			e.Op = syntax.Or
		case "&&":
			e.Op = syntax.And
		}
		x = e
	}
}

func (p *parser) unary() *syntax.Expr {
	defer func() { p.depth-- }()
	if !p.deeper() {
		return &syntax.Expr{Op: syntax.Bad}
	}
	t := *p.peek()
	switch {
	case t.Is("++"), t.Is("--"):
		p.at++
		return &syntax.Expr{Op: syntax.IncDec, Text: t.Text, X: p.unary(), Pos: t.Pos}
	case t.Kind == syntax.Op && (t.Text == "-" || t.Text == "+" || t.Text == "~" || t.Text == "!" || t.Text == "&" || t.Text == "*"):
		p.at++
		op := t.Text
		if op == "!" {
			op = "not"
		}
		return &syntax.Expr{Op: syntax.Unary, Text: op, X: p.unary(), Pos: t.Pos}
	case t.Is("&&"): // the address of a label
		p.at += 2
		return &syntax.Expr{Op: syntax.Bad, Pos: t.Pos}
	case t.Is("sizeof"), t.Is("_Alignof"), t.Is("alignof"), t.Is("__alignof__"), t.Is("offsetof"), t.Is("__builtin_offsetof"):
		p.at++
		e := &syntax.Expr{Op: syntax.SizeOf, Text: t.Text, Pos: t.Pos}
		if p.is("(") {
			closed := p.match(p.at)
			if Acts(p.tokens[p.at+1 : closed]) {
				p.problemAt(t.Pos, "what sizeof may evaluate cannot be followed")
			}
			p.at = min(closed+1, len(p.tokens))
		} else {
			p.unary()
		}
		return e
	case t.Is("new"):
		return p.allocation(t)
	case t.Is("delete"):
		p.at++
		if p.is("[") {
			p.at += 2
		}
		return &syntax.Expr{Op: syntax.Call, X: &syntax.Expr{Op: syntax.Ident, Text: "delete", Pos: t.Pos}, Args: []*syntax.Expr{p.unary()}, Pos: t.Pos}
	case t.Is("throw"):
		p.at++
		e := &syntax.Expr{Op: syntax.Call, X: &syntax.Expr{Op: syntax.Ident, Text: "throw", Pos: t.Pos}, Pos: t.Pos}
		if !p.is(";") {
			e.Args = []*syntax.Expr{p.assignment()}
		}
		return e
	case t.Is("("):
		if close := p.castEnd(); close > 0 {
			typ := p.typeOf(p.tokens[p.at+1 : close])
			typ.Volatile = typ.Volatile || pointsToVolatile(p.tokens[p.at+1:close])
			p.at = close + 1
			if p.is("{") { // a compound literal
				return p.postfix(&syntax.Expr{Op: syntax.Cast, Type: typ, X: p.initialiser(len(p.tokens)), Pos: t.Pos})
			}
			return &syntax.Expr{Op: syntax.Cast, Type: typ, X: p.unary(), Pos: t.Pos}
		}
	}
	return p.postfix(p.primary())
}

func pointsToVolatile(t []syntax.Token) bool {
	for i := range t {
		if t[i].Is("volatile") {
			return true
		}
	}
	return false
}

func (p *parser) allocation(t syntax.Token) *syntax.Expr {
	p.at++
	if p.is("(") {
		p.at = p.match(p.at) + 1 // placement
	}
	first := p.at
	for p.at < len(p.tokens) && !p.is("(") && !p.is("{") && !p.is("[") && !p.is(";") && !p.is(",") && !p.is(")") {
		if p.is("<") {
			p.angles()
			continue
		}
		p.at++
	}
	e := &syntax.Expr{Op: syntax.New, Type: p.typeOf(p.tokens[first:p.at]), Pos: t.Pos}
	switch {
	case p.accept("("):
		e.Args = p.arguments()
	case p.is("{"), p.is("["):
		p.at = min(p.match(p.at)+1, len(p.tokens))
		if p.is("(") || p.is("{") {
			p.at = min(p.match(p.at)+1, len(p.tokens))
		}
	}
	return e
}

// castEnd is the place of the bracket that closes a cast's type, or 0 if the
// bracket here opens something else.
func (p *parser) castEnd() int {
	close := p.match(p.at)
	if close >= len(p.tokens) || close == p.at+1 {
		return 0
	}
	inside := p.tokens[p.at+1 : close]
	next := &end
	if close+1 < len(p.tokens) {
		next = &p.tokens[close+1]
	}
	known, plain := false, true
	for i := range inside {
		t := &inside[i]
		switch {
		case t.Kind == syntax.Name:
			if typeWords[t.Text] || words[t.Text] || p.unit.Types[t.Text] && !p.vars[t.Text] {
				known = true
			} else if p.vars[t.Text] || p.unit.Enumerators[t.Text] {
				return 0
			}
		case t.Is("*"), t.Is("&"), t.Is("::"), t.Is("<"), t.Is(">"), t.Is("("), t.Is(")"), t.Is("["), t.Is("]"), t.Is(","):
		case t.Kind == syntax.Number:
		default:
			plain = false
		}
	}
	if !plain || len(inside) == 0 || inside[0].Kind != syntax.Name && !inside[0].Is("::") {
		return 0
	}
	operand := next.Kind == syntax.Name && !next.Is("and") && !next.Is("or") || next.Kind == syntax.Number || next.Kind == syntax.String ||
		next.Is("(") || next.Is("&") || next.Is("*") || next.Is("-") || next.Is("+") || next.Is("~") || next.Is("!") || next.Is("{")
	if !operand {
		return 0
	}
	if known {
		// f(x) where f is a type is a conversion, and (T)(x) a cast; a call's own
		// brackets never get here, since they follow a name.
		return close
	}
	last := &inside[len(inside)-1]
	switch {
	case last.Is("*") || last.Is("]"): // (T *)x
		return close
	case len(inside) == 1 && (next.Kind == syntax.Name || next.Kind == syntax.Number || next.Kind == syntax.String):
		return close // (T)x: two operands cannot stand side by side
	}
	return 0
}

func (p *parser) primary() *syntax.Expr {
	t := *p.peek()
	e := &syntax.Expr{Text: t.Text, Pos: t.Pos}
	if p.at >= len(p.tokens) {
		p.fail("expected an expression")
		return e
	}
	p.at++
	switch t.Kind {
	case syntax.Number:
		e.Op = syntax.Literal
	case syntax.String:
		e.Op = syntax.Str
		for p.peek().Kind == syntax.String {
			p.at++
		}
	case syntax.Name:
		return p.name(e)
	default:
		switch t.Text {
		case "(":
			if p.is("{") { // a statement expression
				p.at = p.match(p.at - 1)
				p.fail("a statement inside an expression cannot be followed")
				p.at++
				return &syntax.Expr{Op: syntax.Bad, Pos: t.Pos}
			}
			inner := p.expression()
			if !p.accept(")") {
				p.fail("expected ), not " + p.peek().Text)
			}
			return inner
		case "{":
			p.at--
			return p.initialiser(len(p.tokens))
		case "::":
			return p.primary()
		case "[": // a lambda
			return p.lambda(e)
		}
		p.at--
		p.fail("expected an expression, not " + t.Text)
		p.at++
		e.Op = syntax.Bad
	}
	return e
}

// name reads a name, a qualified one and a template's arguments included.
func (p *parser) name(e *syntax.Expr) *syntax.Expr {
	switch e.Text {
	case "NULL", "nullptr":
		e.Op = syntax.Null
		return e
	case "true", "false":
		e.Op = syntax.Literal
		return e
	case "asm", "__asm__", "__asm":
		p.at = min(p.match(p.at)+1, len(p.tokens))
		p.fail("assembly cannot be followed")
		e.Op = syntax.Bad
		return e
	}
	e.Op = syntax.Ident
	for {
		switch {
		case p.is("::") && p.peekAt(1).Kind == syntax.Name:
			e.Text += "::" + p.peekAt(1).Text
			p.at += 2
			continue
		case p.is("<") && p.isTemplate(e.Text):
			first := p.at + 1
			p.angles()
			e.Type = p.typeOf(p.tokens[first:max(first, p.at-1)])
			continue
		}
		break
	}
	e.Text = strings.TrimPrefix(e.Text, "std::")
	return e
}

// templates of the standard library that stand in expressions.
var templates = set(`atomic static_cast reinterpret_cast const_cast dynamic_cast lock_guard unique_lock scoped_lock
	make_unique make_shared vector map unordered_map atomic_ref`)

func (p *parser) isTemplate(name string) bool {
	return templates[name[strings.LastIndexByte(name, ':')+1:]]
}

func (p *parser) lambda(e *syntax.Expr) *syntax.Expr {
	e.Op = syntax.Lambda
	p.at = p.match(p.at-1) + 1
	if p.is("(") {
		p.at = p.match(p.at) + 1
	}
	for p.at < len(p.tokens) && !p.is("{") && !p.is(";") {
		p.at++
	}
	if p.is("{") {
		f := &syntax.Func{Kind: "lambda", Name: "lambda", NoGIL: true, Pos: e.Pos}
		p.inBraces(func(stop int) { f.Body = p.statements(stop) })
		// The body is kept as a call of an unnamed function.
		p.unit.Funcs = append(p.unit.Funcs, f)
	}
	return e
}

func (p *parser) postfix(e *syntax.Expr) *syntax.Expr {
	for p.at < len(p.tokens) {
		t := *p.peek()
		if t.Kind != syntax.Op {
			return e
		}
		switch t.Text {
		case "(":
			p.at++
			args := p.arguments()
			if e.Op == syntax.Ident && strings.HasSuffix(e.Text, "_cast") && e.Type != nil && len(args) == 1 {
				e = &syntax.Expr{Op: syntax.Cast, Type: e.Type, X: args[0], Pos: e.Pos}
				continue
			}
			e = &syntax.Expr{Op: syntax.Call, X: e, Args: args, Pos: e.Pos}
		case "[":
			p.at++
			e = &syntax.Expr{Op: syntax.Index, X: e, Args: []*syntax.Expr{p.expression()}, Pos: e.Pos}
			if !p.accept("]") {
				p.fail("expected ]")
			}
		case ".", "->":
			p.at++
			n := *p.peek()
			if n.Kind != syntax.Name {
				p.fail("expected the name of a member")
				return e
			}
			p.at++
			m := &syntax.Expr{Op: syntax.Member, X: e, Text: n.Text, Pos: n.Pos}
			if t.Text == "->" {
				m.Y = e
			}
			e = m
		case "++", "--":
			p.at++
			e = &syntax.Expr{Op: syntax.IncDec, Text: t.Text, X: e, Pos: t.Pos}
		default:
			return e
		}
	}
	return e
}

func (p *parser) arguments() []*syntax.Expr {
	var args []*syntax.Expr
	for p.at < len(p.tokens) && !p.is(")") {
		// Types may be arguments of builtins.
		args = append(args, p.assignment())
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(")") {
		p.fail("expected ), not " + p.peek().Text)
		for p.at < len(p.tokens) && !p.is(")") && !p.is(";") {
			p.at++
		}
		p.accept(")")
	}
	return args
}
