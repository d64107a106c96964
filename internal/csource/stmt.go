package csource

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

func (p *parser) statements(stop int) []*syntax.Stmt {
	var out []*syntax.Stmt
	for p.at < stop && p.at < len(p.tokens) {
		before := p.at
		out = append(out, p.statement(stop)...)
		if p.at == before {
			p.at++
		}
	}
	return out
}

// body reads one statement as a block.
func (p *parser) body(stop int) []*syntax.Stmt {
	return p.statement(stop)
}

// statement reads one; a declaration may give several.
func (p *parser) statement(stop int) []*syntax.Stmt {
	defer func() { p.depth-- }()
	if !p.deeper() {
		return nil
	}
	t := *p.peek()
	s := &syntax.Stmt{Pos: t.Pos}
	one := []*syntax.Stmt{s}
	if t.Kind == syntax.Name && p.peekAt(1).Is(":") && !p.peekAt(2).Is(":") && t.Text != "default" && !words[t.Text] {
		p.at += 2
		s.Op, s.Text = syntax.Case, t.Text
		return one
	}
	switch t.Text {
	case ";":
		p.at++
		return nil
	case "{":
		s.Op = syntax.Block
		p.inBraces(func(stop int) { s.Body = p.statements(stop) })
	case "if":
		p.at++
		p.accept("constexpr")
		s.Op = syntax.If
		var before []*syntax.Stmt
		s.X, before = p.condition(stop)
		s.Body = p.body(stop)
		if p.accept("else") {
			s.Else = p.body(stop)
		}
		if len(before) > 0 {
			return []*syntax.Stmt{{Op: syntax.Block, Body: append(before, s), Pos: t.Pos}}
		}
	case "while":
		p.at++
		s.Op = syntax.Loop
		s.X, _ = p.condition(stop)
		s.Body = p.body(stop)
	case "do":
		p.at++
		s.Op, s.Text = syntax.Loop, "do"
		s.Body = p.body(stop)
		if p.accept("while") {
			s.X, _ = p.condition(stop)
		}
		p.accept(";")
	case "for":
		p.at++
		return p.forLoop(stop, s)
	case "switch":
		p.at++
		s.Op = syntax.Switch
		s.X, _ = p.condition(stop)
		s.Body = p.body(stop)
	case "case", "default":
		for p.at < stop && !p.is(":") {
			p.at++
		}
		p.accept(":")
		s.Op = syntax.Case
	case "break", "continue":
		p.at++
		s.Op, s.Text = syntax.Break, t.Text
		p.semicolon()
	case "goto":
		p.at++
		s.Op, s.Text = syntax.Goto, p.peek().Text
		p.toSemicolon(stop)
	case "return":
		p.at++
		s.Op = syntax.Return
		if !p.is(";") {
			if p.is("{") {
				s.X = p.initialiser(stop)
			} else {
				s.X = p.expression()
			}
		}
		p.semicolon()
	case "throw":
		s.Op = syntax.Raise
		s.X = p.expression()
		p.semicolon()
	case "try":
		p.at++
		s.Op = syntax.Try
		s.Body = p.body(stop)
		for p.accept("catch") {
			if p.is("(") {
				p.at = p.match(p.at) + 1
			}
			s.Excepts = append(s.Excepts, p.body(stop))
		}
	case "asm", "__asm__", "__asm":
		s.Op = syntax.Asm
		p.toSemicolon(stop)
	case "typedef", "using", "static_assert", "_Static_assert":
		p.toSemicolon(stop)
		return nil
	default:
		if p.isDeclaration() {
			var vars []*syntax.Stmt
			if p.isRecord() {
				save := p.unit.Vars
				p.unit.Vars = nil
				p.record(stop)
				vars, p.unit.Vars = p.unit.Vars, save
			} else {
				typ := p.specifiers(stop)
				p.declarators(typ, stop, &vars)
			}
			return vars
		}
		s.Op = syntax.ExprStmt
		s.X = p.expression()
		p.semicolon()
	}
	return one
}

func (p *parser) semicolon() {
	if !p.accept(";") {
		p.fail("expected ;, not " + p.peek().Text)
		for p.at < len(p.tokens) && !p.is(";") && !p.is("}") {
			p.at++
		}
		p.accept(";")
	}
}

// condition reads (X), or (declaration; X) and (T x = X) of C++.
func (p *parser) condition(stop int) (*syntax.Expr, []*syntax.Stmt) {
	if !p.accept("(") {
		p.fail("expected (")
		return &syntax.Expr{Op: syntax.Bad}, nil
	}
	var before []*syntax.Stmt
	var x *syntax.Expr
	if p.isDeclaration() {
		close := p.match(p.at - 1)
		typ := p.specifiers(close)
		save := p.failing
		p.declaratorsIn(typ, close, &before)
		p.failing = save
		if len(before) > 0 {
			x = &syntax.Expr{Op: syntax.Ident, Text: before[0].Text, Pos: before[0].Pos}
		}
		if p.at < close {
			x = p.expression()
		}
	} else {
		x = p.expression()
	}
	if !p.accept(")") {
		p.fail("expected ), not " + p.peek().Text)
	}
	if x == nil {
		x = &syntax.Expr{Op: syntax.Bad}
	}
	return x, before
}

// declaratorsIn reads declarators that end at a closing bracket.
func (p *parser) declaratorsIn(typ *syntax.Type, close int, vars *[]*syntax.Stmt) {
	p.declarators(typ, close, vars)
}

func (p *parser) forLoop(stop int, s *syntax.Stmt) []*syntax.Stmt {
	s.Op, s.Text = syntax.Loop, ""
	if !p.is("(") {
		p.fail("expected (")
		return nil
	}
	close := p.match(p.at)
	p.at++
	outer := &syntax.Stmt{Op: syntax.Block, Pos: s.Pos}
	// for (T x : range)
	if colon := outside(p.tokens[p.at:close], ":"); colon >= 0 && outside(p.tokens[p.at:close], ";") < 0 {
		name := p.tokens[p.at+colon-1]
		s.Text = "for"
		s.Targets = []*syntax.Expr{{Op: syntax.Ident, Text: name.Text, Pos: name.Pos}}
		p.at += colon + 1
		s.X = p.expression()
		p.at = close + 1
		s.Body = p.body(stop)
		return []*syntax.Stmt{s}
	}
	if p.isDeclaration() {
		var vars []*syntax.Stmt
		typ := p.specifiers(close)
		p.declarators(typ, close, &vars)
		outer.Body = vars
	} else if !p.accept(";") {
		outer.Body = []*syntax.Stmt{{Op: syntax.ExprStmt, X: p.expression(), Pos: s.Pos}}
		p.semicolon()
	}
	if !p.is(";") {
		s.X = p.expression()
	}
	p.semicolon()
	var step *syntax.Stmt
	if p.at < close {
		step = &syntax.Stmt{Op: syntax.ExprStmt, X: p.expression(), Pos: s.Pos}
	}
	p.at = close + 1
	s.Body = p.body(stop)
	if step != nil {
		s.Body = append(s.Body, step)
	}
	outer.Body = append(outer.Body, s)
	return []*syntax.Stmt{outer}
}

// isDeclaration tells a declaration from an expression by its first words.
func (p *parser) isDeclaration() bool {
	t := p.peek()
	if t.Kind != syntax.Name || p.vars[t.Text] || operatorWords[t.Text] {
		return false
	}
	if typeWords[t.Text] {
		// unsigned(x) and its like are conversions.
		return !p.peekAt(1).Is("(") || t.Is("_Atomic") || t.Is("auto")
	}
	i := 0
	for p.peekAt(i+1).Is("::") && p.peekAt(i+2).Kind == syntax.Name {
		i += 2
	}
	next := p.peekAt(i + 1)
	switch {
	case next.Is("<"):
		at := p.at
		p.at += i + 1
		p.angles()
		after := *p.peek()
		p.at = at
		return after.Kind == syntax.Name || after.Is("*") || after.Is("&")
	case next.Kind == syntax.Name && !words[next.Text] || next.Is("const") || next.Is("volatile"):
		return true
	case next.Is("*") || next.Is("&"):
		// T *x; against a * b: known types only, or a name and an end after it.
		j := i + 2
		for p.peekAt(j).Is("*") || p.peekAt(j).Is("const") || p.peekAt(j).Is("volatile") {
			j++
		}
		after := p.peekAt(j + 1)
		return p.peekAt(j).Kind == syntax.Name && (p.unit.Types[t.Text] || strings.HasSuffix(t.Text, "_t") || after.Is("=") || after.Is(";") || after.Is(","))
	case next.Is("(") && p.unit.Types[t.Text]:
		return p.pointerName(p.at+i+1) >= 0
	}
	return false
}

// operatorWords begin expressions though they look like names.
var operatorWords = set(`sizeof new delete throw co_await _Alignof alignof __alignof__ return`)
