package csource

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// topLevel reads declarations up to the token at stop.
func (p *parser) topLevel(stop int) {
	for p.at < stop {
		t := p.peek()
		switch {
		case t.Is(";"), t.Is("}"):
			p.at++
		case t.Is("extern") && p.peekAt(1).Kind == syntax.String:
			p.at += 2
			if p.is("{") {
				p.inBraces(p.topLevel)
			}
		case t.Is("namespace"), t.Is("inline") && p.peekAt(1).Is("namespace"):
			for p.at < stop && !p.is("{") && !p.is(";") {
				p.at++
			}
			if p.is("{") {
				p.inBraces(p.topLevel)
			}
		case t.Is("typedef"), t.Is("using"), t.Is("static_assert"), t.Is("_Static_assert"):
			p.toSemicolon(stop)
		case t.Is("template"):
			p.at++
			p.angles()
		case t.Is("asm"), t.Is("__asm__"), t.Is("__asm"):
			p.unit.Asm = append(p.unit.Asm, t.Pos)
			p.toSemicolon(stop)
		case p.isRecord():
			p.record(stop)
		default:
			before := p.at
			p.declaration(stop, &p.unit.Vars)
			if p.at == before {
				p.at++ // never stand still
			}
		}
	}
}

// inBraces reads what stands between the brace here and its partner.
func (p *parser) inBraces(read func(stop int)) {
	stop := p.match(p.at)
	p.at++
	read(stop)
	p.at = min(stop+1, len(p.tokens))
}

func (p *parser) toSemicolon(stop int) {
	for p.at < stop && !p.is(";") {
		if p.is("{") || p.is("(") || p.is("[") {
			p.at = p.match(p.at)
		}
		p.at++
	}
	p.at = min(p.at+1, len(p.tokens))
}

// angles skips <...>.
func (p *parser) angles() {
	if !p.is("<") {
		return
	}
	depth := 0
	for ; p.at < len(p.tokens); p.at++ {
		switch t := p.peek(); {
		case t.Is("<"):
			depth++
		case t.Is(">"):
			depth--
		case t.Is(">>"):
			depth -= 2
		case t.Is(";"), t.Is("{"):
			return
		}
		if depth <= 0 {
			p.at++
			return
		}
	}
}

// isRecord reports whether a record or an enum with a body begins here.
func (p *parser) isRecord() bool {
	i := 0
	for p.peekAt(i).Is("static") || p.peekAt(i).Is("const") || p.peekAt(i).Is("__extension__") {
		i++
	}
	if t := p.peekAt(i); !(t.Is("struct") || t.Is("union") || t.Is("enum") || t.Is("class")) {
		return false
	}
	for i++; p.at+i < len(p.tokens); i++ {
		switch t := p.peekAt(i); {
		case t.Is("{"):
			return true
		case t.Is("("):
			i = p.match(p.at+i) - p.at
		case t.Is(";"), t.Is("="), t.Is(")"), t.Is("*"):
			return false
		}
	}
	return false
}

// record reads a record's body for methods and static members, and the
// variables that may follow it.
func (p *parser) record(stop int) {
	first := p.at
	name, kind := "", ""
	for p.at < stop && !p.is("{") {
		if p.is("(") {
			p.at = p.match(p.at)
		} else if t := p.peek(); t.Kind == syntax.Name {
			if t.Is("struct") || t.Is("union") || t.Is("enum") || t.Is("class") {
				kind = t.Text
			} else if name == "" && !words[t.Text] {
				name = t.Text
			}
		}
		p.at++
	}
	closed := p.match(p.at)
	if kind != "enum" {
		outer, functions := p.class, len(p.unit.Funcs)
		p.class = name
		p.at++
		members := p.members(closed)
		p.class = outer
		if len(p.unit.Funcs) > functions {
			p.unit.Members = append(p.unit.Members, members...)
		}
	}
	p.at = min(closed+1, len(p.tokens))
	if p.accept(";") {
		return
	}
	// struct { ... } name = ...;
	typ := p.typeOf(p.tokens[first:min(first+3, len(p.tokens))])
	for _, t := range p.tokens[first:p.at] {
		if t.Is("{") {
			break
		}
		typ.Static = typ.Static || t.Is("static")
		typ.TopConst = typ.TopConst || t.Is("const")
	}
	p.declarators(typ, stop, &p.unit.Vars)
}

// members reads the inside of a record: methods are functions, static members
// are variables. It gives the other members.
func (p *parser) members(stop int) (members []*syntax.Stmt) {
	for p.at < stop {
		t := p.peek()
		switch {
		case t.Is(";"):
			p.at++
		case (t.Is("public") || t.Is("private") || t.Is("protected")) && p.peekAt(1).Is(":"):
			p.at += 2
		case t.Is("typedef"), t.Is("using"), t.Is("friend"), t.Is("static_assert"):
			p.toSemicolon(stop)
		case t.Is("template"):
			p.at++
			p.angles()
		case p.isRecord():
			p.record(stop)
		default:
			before := p.at
			var vars []*syntax.Stmt
			p.declaration(stop, &vars)
			for _, v := range vars {
				if v.Type.Static {
					p.unit.Vars = append(p.unit.Vars, v)
				} else {
					members = append(members, v)
				}
			}
			if p.at == before {
				p.at++
			}
		}
	}
	return members
}

// declaration reads a variable, a prototype or a function.
func (p *parser) declaration(stop int, vars *[]*syntax.Stmt) {
	first := p.at
	open := p.declaratorStart(stop)
	if open < 0 {
		p.toSemicolon(stop)
		return
	}
	if p.at < stop && p.functionAt(first, open, stop) {
		return
	}
	p.at = first
	typ := p.specifiers(stop)
	p.declarators(typ, stop, vars)
}

// declaratorStart finds the first bracket, sign or semicolon after the
// specifiers, from which a function can be told from a variable.
func (p *parser) declaratorStart(stop int) int {
	for i := p.at; i < stop; i++ {
		switch t := &p.tokens[i]; {
		case t.Is("__attribute__"), t.Is("__declspec"), t.Is("alignas"), t.Is("_Alignas"), t.Is("decltype"), t.Is("__typeof__"), t.Is("typeof"):
			if i+1 < stop && p.tokens[i+1].Is("(") {
				i = p.match(i + 1)
			}
		case t.Is("["):
			if i+1 < stop && p.tokens[i+1].Is("[") { // an attribute
				i = p.match(i)
				continue
			}
			return i
		case t.Is("<"):
			at := p.at
			p.at = i
			p.angles()
			i, p.at = p.at-1, at
		case t.Is("("), t.Is(";"), t.Is("="), t.Is("{"), t.Is(","), t.Is(":"):
			return i
		case t.Is("operator"):
			for i+1 < stop && !p.tokens[i+1].Is("(") {
				i++
			}
		}
	}
	return -1
}

// functionAt reads a function or a prototype, if that is what stands here.
func (p *parser) functionAt(first, open, stop int) bool {
	if !p.tokens[open].Is("(") || open == first {
		return false
	}
	name := open - 1
	if p.tokens[name].Kind != syntax.Name || words[p.tokens[name].Text] {
		return false
	}
	close := p.match(open)
	// What follows the brackets tells a function from `T x(1);` and `(*f)(...)`.
	i := close + 1
	init := false
	for ; i < stop; i++ {
		switch t := &p.tokens[i]; {
		case t.Is("const"), t.Is("noexcept"), t.Is("override"), t.Is("final"), t.Is("->"), t.Is("&"), t.Is("&&"):
		case t.Is("__attribute__"), t.Is("("):
			if t.Is("__attribute__") && i+1 < stop {
				i++
			}
			i = p.match(i)
		case t.Is(":"):
			init = true
		case t.Is("{"):
			if !init || p.tokens[i-1].Is(")") || p.tokens[i-1].Is("}") {
				p.definition(first, name, open, close, i)
				return true
			}
			i = p.match(i)
		case t.Is(";"), t.Is(","), t.Is("="):
			if p.isParameters(open, close) {
				p.unit.Declared[p.tokens[name].Text] = true
				p.at = i
				p.toSemicolon(stop)
				return true
			}
			return false
		case t.Kind == syntax.Name, init:
		default:
			return false
		}
	}
	return false
}

// isParameters tells a prototype's brackets from those of an initialiser.
func (p *parser) isParameters(open, close int) bool {
	if close == open+1 {
		return true
	}
	t := &p.tokens[open+1]
	return t.Kind == syntax.Name && (typeWords[t.Text] || p.unit.Types[t.Text] || strings.HasSuffix(t.Text, "_t") || close > open+2 && (p.tokens[open+2].Kind == syntax.Name || p.tokens[open+2].Is("*")))
}

func (p *parser) definition(first, name, open, close, brace int) {
	f := &syntax.Func{Name: p.tokens[name].Text, Kind: "c", Class: p.class, NoGIL: true, NoExcept: true, Pos: p.tokens[name].Pos}
	f.Result = p.typeOf(p.tokens[first:name])
	for _, t := range p.tokens[first:name] {
		f.Inline = f.Inline || t.Is("inline")
	}
	outer := p.vars
	p.vars = map[string]bool{}
	start := open + 1
	depth := 0
	for i := open + 1; i <= close && i < len(p.tokens); i++ {
		switch t := &p.tokens[i]; {
		case t.Is("(") || t.Is("[") || t.Is("<"):
			depth++
		case i == close || depth == 0 && t.Is(","):
			if i > start {
				f.Params = append(f.Params, p.param(p.tokens[start:i]))
			}
			start = i + 1
		case t.Is(")") || t.Is("]") || t.Is(">"):
			depth--
		}
	}
	p.at = brace
	p.inBraces(func(stop int) { f.Body = p.statements(stop) })
	p.vars = outer
	p.unit.Funcs = append(p.unit.Funcs, f)
}
