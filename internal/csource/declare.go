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
		outer := p.class
		p.class = name
		p.at++
		p.members(closed)
		p.class = outer
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
// are variables, the rest says nothing about shared state.
func (p *parser) members(stop int) {
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
				}
			}
			if p.at == before {
				p.at++
			}
		}
	}
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

func (p *parser) param(t []syntax.Token) syntax.Param {
	name := p.declaredName(t)
	if name < 0 {
		return syntax.Param{Type: p.typeOf(t), Pos: t[0].Pos}
	}
	typ := append(append([]syntax.Token(nil), t[:name]...), t[name+1:]...)
	p.vars[t[name].Text] = true
	return syntax.Param{Name: t[name].Text, Type: p.typeOf(typ), Pos: t[name].Pos}
}

// declaredName is the place of the name in a declarator, or -1.
func (p *parser) declaredName(t []syntax.Token) int {
	name, seen := -1, false
	for i := 0; i < len(t); i++ {
		switch w := &t[i]; {
		case w.Is("("):
			if i+1 < len(t) && t[i+1].Is("*") {
				for j := i + 2; j < len(t); j++ {
					if t[j].Kind == syntax.Name && !words[t[j].Text] {
						return j
					}
					if t[j].Is(")") {
						break
					}
				}
			}
			if c := closing(t[i:]); c >= 0 {
				i += c
			}
		case w.Is("["), w.Is("<"):
			depth := 0
			for ; i < len(t); i++ {
				if t[i].Is("[") || t[i].Is("<") {
					depth++
				} else if t[i].Is("]") || t[i].Is(">") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			seen = true
		case w.Is("="), w.Is(":"):
			return name
		case w.Kind == syntax.Name && !words[w.Text]:
			if seen || typeWords[w.Text] || i+1 < len(t) && t[i+1].Is("::") || i == 0 && len(t) > 1 {
				seen = true
				if i > 0 && !typeWords[w.Text] && !(i+1 < len(t) && (t[i+1].Is("::") || t[i+1].Is("<"))) {
					name = i
				}
				continue
			}
			if p.unit.Types[w.Text] && i+1 < len(t) {
				seen = true
				continue
			}
			if len(t) == 1 {
				return -1 // a type alone
			}
			name = i
		case w.Kind == syntax.Name:
			seen = true
		}
	}
	return name
}

// typeOf reads the tokens of a type.
func (p *parser) typeOf(t []syntax.Token) *syntax.Type {
	out := &syntax.Type{}
	depth := 0
	for i := range t {
		w := &t[i]
		switch {
		case w.Is("("), w.Is("<"), w.Is("["):
			if w.Text == "(" && depth == 0 && out.Name != "_Atomic" {
				out.Func = out.Func || i > 0 && !t[i-1].Is("__attribute__") && !t[i-1].Is("__declspec")
			}
			if w.Text == "[" && depth == 0 {
				out.Array = true
			}
			depth++
		case w.Is(")"), w.Is(">"), w.Is("]"):
			depth--
		case w.Is("*"), w.Is("&"), w.Is("&&"):
			if depth > 0 && !out.Func {
				break
			}
			out.Pointers++
			out.Const = out.Const || out.TopConst && out.Pointers == 1
			out.TopConst = false
			if depth == 0 {
				out.Volatile = false
			}
		case depth > 0:
		case w.Is("const"), w.Is("constexpr"), w.Is("__const"):
			out.TopConst = true
		case w.Is("volatile"), w.Is("__volatile__"):
			out.Volatile = true
		case w.Is("_Atomic"), w.Is("atomic"):
			out.Atomic = true
			out.Name = w.Text
		case w.Kind == syntax.Name && strings.HasPrefix(w.Text, "atomic_") && w.Text != "atomic_flag":
			out.Atomic = true
			out.Name = w.Text
		case w.Is("static"):
			out.Static = true
		case w.Is("extern"):
			out.Extern = true
		case w.Is("_Thread_local"), w.Is("thread_local"), w.Is("__thread"):
			out.Thread = true
		case w.Kind == syntax.Name && (!words[w.Text] || out.Name == "" && typeWords[w.Text] && !w.Is("inline") && !w.Is("struct") && !w.Is("union") && !w.Is("enum")):
			out.Name = w.Text
		}
	}
	if out.Pointers == 0 {
		out.Const = out.TopConst
	}
	return out
}

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
			p.at = p.match(p.at) + 1
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
