package csource

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// specifiers reads the type before the first declarator.
func (p *parser) specifiers(stop int) *syntax.Type {
	first := p.at
	for p.at < stop {
		t := p.peek()
		switch {
		case t.Is("__attribute__") || t.Is("__declspec") || t.Is("_Atomic") || t.Is("alignas") || t.Is("_Alignas") || t.Is("decltype") || t.Is("__typeof__"):
			p.at++
			if p.is("(") {
				p.at = p.match(p.at) + 1
			}
			continue
		case t.Is("<"):
			p.angles()
			continue
		case t.Is("::"):
			p.at++
			continue
		case t.Kind == syntax.Name:
			// The last name before a sign is the variable's.
			next := p.peekAt(1)
			if !words[t.Text] && p.at > first && (next.Is("=") || next.Is(";") || next.Is("[") || next.Is(",") || next.Is("(") || next.Is("{") || next.Is(":") || next.Is(")")) {
				return p.typeOf(p.tokens[first:p.at])
			}
			p.at++
			continue
		}
		break
	}
	return p.typeOf(p.tokens[first:p.at])
}

// declarators reads variables of a type up to the semicolon.
func (p *parser) declarators(base *syntax.Type, stop int, vars *[]*syntax.Stmt) {
	for p.at < stop && !p.is(";") {
		first := p.at
		typ := *base
		for p.at < stop && (p.is("*") || p.is("&") || p.is("&&") || p.is("const") || p.is("volatile") || p.is("restrict") || p.is("__restrict") || p.is("_Atomic")) {
			switch {
			case p.is("const"):
				typ.TopConst = true
			case p.is("volatile"):
				typ.Volatile = true
			case p.is("_Atomic"):
				typ.Atomic = true
			case p.is("restrict"), p.is("__restrict"):
			default:
				typ.Pointers++
				typ.Ref = typ.Ref || !p.is("*")
				typ.Const = typ.Const || typ.TopConst && typ.Pointers == 1
				typ.TopConst = false
				if base.Name != "atomic" {
					typ.Volatile = false
				}
				typ.Atomic = typ.Atomic && base.Name == "atomic"
			}
			p.at++
		}
		name := *p.peek()
		switch {
		case p.is("("):
			i := p.pointerName(p.at)
			if i < 0 {
				p.fail("expected a declarator")
				p.toSemicolon(stop)
				return
			}
			name = p.tokens[i]
			typ.Func = true
			typ.Pointers++
			for k := p.at; k < i; k++ {
				typ.TopConst = typ.TopConst || p.tokens[k].Is("const")
			}
			p.at = p.match(p.at) + 1
			if p.is("(") {
				p.at = p.match(p.at) + 1
			}
		case name.Kind == syntax.Name:
			p.at++
		case p.is(":"): // an unnamed bit-field
			p.at = min(stop, p.at+2)
			continue
		default:
			p.at = first
			p.fail("expected the name of a variable, not " + name.Text)
			p.toSemicolon(stop)
			return
		}
		if p.vars != nil {
			p.vars[name.Text] = true
		}
		for p.is("[") {
			typ.Array = true
			closed := p.match(p.at)
			if Acts(p.tokens[p.at+1 : closed]) {
				p.problemAt(p.peek().Pos, "an array bound that does something cannot be followed")
			}
			p.at = closed + 1
		}
		for p.is("__attribute__") || p.is("asm") || p.is("__asm__") {
			p.at++
			if p.is("(") {
				p.at = p.match(p.at) + 1
			}
		}
		d := &syntax.Stmt{Op: syntax.Decl, Text: name.Text, Type: &typ, Pos: name.Pos}
		switch {
		case p.accept("="):
			d.Y = p.initialiser(stop)
		case p.is("{"):
			d.Y = p.initialiser(stop)
		case p.is("("):
			open := p.at
			p.at++
			d.Y = &syntax.Expr{Op: syntax.New, Type: &typ, Args: p.arguments(), Pos: p.tokens[open].Pos}
		case p.accept(":"):
			p.assignment()
		}
		*vars = append(*vars, d)
		if !p.accept(",") {
			break
		}
	}
	if p.at < stop && !p.is(";") {
		p.fail("expected ; after a declaration, not " + p.peek().Text)
		p.toSemicolon(stop)
		return
	}
	p.accept(";")
}

// initialiser reads an expression or a braced list. A long list of plain
// values is data and not kept.
func (p *parser) initialiser(stop int) *syntax.Expr {
	if !p.is("{") {
		return p.assignment()
	}
	open := p.at
	e := &syntax.Expr{Op: syntax.List, Pos: p.peek().Pos}
	closed := p.match(open)
	if plainData(p.tokens[open:min(closed, len(p.tokens))]) {
		p.at = min(closed+1, len(p.tokens))
		return e
	}
	p.at++
	for p.at < closed {
		for p.is(".") || p.is("[") { // a designator
			if p.is("[") {
				p.at = p.match(p.at) + 1
			} else {
				p.at += 2
			}
			if p.is("=") {
				p.at++
			}
		}
		e.Args = append(e.Args, p.initialiser(closed))
		if !p.accept(",") {
			break
		}
	}
	if p.at != closed {
		p.fail("expected , in an initialiser")
	}
	p.at = min(closed+1, len(p.tokens))
	return e
}

// plainData reports whether tokens hold only literals and signs of lists.
func plainData(t []syntax.Token) bool {
	for i := range t {
		switch t[i].Kind {
		case syntax.Name:
			return false
		case syntax.Op:
			switch t[i].Text {
			case "{", "}", ",", "-":
			default:
				return false
			}
		}
	}
	return true
}
