package cython

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// declaration lowers what follows cdef and cpdef.
func (w *walker) declaration(out []*syntax.Stmt, s *Stmt, rest []syntax.Token, kind string) []*syntax.Stmt {
	for len(rest) > 0 && (rest[0].Is("public") || rest[0].Is("readonly") || rest[0].Is("api")) {
		rest = rest[1:]
	}
	if len(rest) == 0 { // cdef: and a block of declarations
		for _, inner := range s.Body {
			out = w.declaration(out, inner, inner.Tokens, kind)
		}
		return out
	}
	switch {
	case rest[0].Is("cdef"), rest[0].Is("cpdef"):
		return w.declaration(out, s, rest[1:], rest[0].Text)
	case rest[0].Is("pass"):
		return out
	case rest[0].Is("extern") && len(rest) > 1 && rest[1].Is("from"):
		w.extern(s, rest[2:])
		return out
	case rest[0].Is("class"):
		return append(out, w.classBody(s, rest[1:]))
	case rest[0].Is("struct"), rest[0].Is("union"), rest[0].Is("enum"), rest[0].Is("packed"), rest[0].Is("cppclass"), rest[0].Is("fused"):
		if s.Opens || len(rest) < 3 || rest[0].Is("packed") {
			return out // a type
		}
	case rest[0].Is("ctypedef"):
		return out
	}
	if isFunction(s, rest) {
		return append(out, w.function(s, rest, kind))
	}
	return append(out, w.variables(s, rest)...)
}

// isFunction tells `int f(...)` from `int (*f)(...)` and `int x = g(...)`.
func isFunction(s *Stmt, tokens []syntax.Token) bool {
	if s.Opens {
		return true
	}
	open := find(tokens, "(")
	if open < 1 || find(tokens[:open], "=") >= 0 || find(tokens[:open], ",") >= 0 {
		return false
	}
	before := tokens[open-1]
	return before.Kind == syntax.Name || before.Kind == syntax.String || before.Is("]")
}

// variables lowers `T a, *b = x, c[4]`.
func (w *walker) variables(s *Stmt, tokens []syntax.Token) []*syntax.Stmt {
	var out []*syntax.Stmt
	var base []syntax.Token
	for i, part := range split(tokens) {
		var value *syntax.Expr
		if eq := find(part, "="); eq >= 0 {
			value = w.expr(part[eq+1:])
			part = part[:eq]
		}
		name := declaredName(part)
		if name < 0 {
			w.problem(s.Pos(), "expected the name of a variable")
			return out
		}
		typ := append([]syntax.Token(nil), part[:name]...)
		typ = append(typ, part[name+1:]...)
		if i == 0 {
			base = withoutStars(part[:name])
		} else {
			typ = append(append([]syntax.Token(nil), base...), typ...)
		}
		out = append(out, &syntax.Stmt{Op: syntax.Decl, Text: part[name].Text, Type: parseType(typ), Y: value, Pos: part[name].Pos})
	}
	return out
}

// withoutStars is the type that all variables of a declaration share, without
// the stars of the first.
func withoutStars(t []syntax.Token) []syntax.Token {
	for len(t) > 0 && (t[len(t)-1].Is("*") || t[len(t)-1].Is("**")) {
		t = t[:len(t)-1]
	}
	return t
}

// declaredName is the place of the name that a declarator declares.
func declaredName(tokens []syntax.Token) int {
	// int (*name)(...): the last name in the first brackets.
	if open := find(tokens, "("); open >= 0 && open+1 < len(tokens) && (tokens[open+1].Is("*") || tokens[open+1].Is("**")) {
		for i := open + 1; i < len(tokens); i++ {
			if tokens[i].Kind == syntax.Name && !qualifiers[tokens[i].Text] {
				return i
			}
		}
		return -1
	}
	name, depth := -1, 0
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		case t.Kind == syntax.Name && depth == 0 && !qualifiers[t.Text]:
			name = i
		}
	}
	return name
}

// function lowers a def or a cdef function, with or without a body.
func (w *walker) function(s *Stmt, tokens []syntax.Token, kind string) *syntax.Stmt {
	f := &syntax.Func{Kind: kind, Class: w.class, Pos: s.Pos()}
	out := &syntax.Stmt{Op: syntax.Define, Func: f, Pos: s.Pos()}
	open := -1
	for at := 0; at < len(tokens); {
		i := find(tokens[at:], "(")
		if i < 0 {
			break
		}
		if i += at; i > 0 && (tokens[i-1].Kind == syntax.Name || tokens[i-1].Kind == syntax.String || tokens[i-1].Is("]")) {
			open = i
			break
		}
		at = i + 1 // a function that gives back a pointer to a function
	}
	if open < 1 {
		w.problem(s.Pos(), "expected a function")
		out.Op, out.Func = syntax.Unread, nil
		return out
	}
	name := open - 1
	if tokens[name].Kind == syntax.String && name > 0 {
		name--
	}
	if tokens[name].Is("]") {
		for name > 0 && !tokens[name].Is("[") {
			name--
		}
		name = max(name-1, 0)
	}
	f.Name = tokens[name].Text
	out.Text = f.Name
	f.Pos = tokens[name].Pos
	if kind != "def" {
		f.Result = parseType(tokens[:name])
		for _, t := range tokens[:name] {
			f.Inline = f.Inline || t.Is("inline")
		}
	}
	closing := open + 1
	for depth := 1; closing < len(tokens); closing++ {
		if t := &tokens[closing]; t.Is("(") || t.Is("[") || t.Is("{") {
			depth++
		} else if t.Is(")") || t.Is("]") || t.Is("}") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if closing < len(tokens) {
		w.params(f, tokens[open+1:closing])
		for i, t := range tokens[closing+1:] {
			f.NoExcept = f.NoExcept || t.Is("noexcept")
			if t.Is("nogil") {
				f.NoGIL = true
			}
			if t.Is("gil") && i > 0 && tokens[closing+i].Is("with") {
				f.WithGIL, f.NoGIL = true, true
			}
		}
	}
	outer := w.class
	w.class = ""
	f.Body = w.block(s.Body)
	w.class = outer
	return out
}

func (w *walker) params(f *syntax.Func, tokens []syntax.Token) {
	parts := split(tokens)
	f.Params = make([]syntax.Param, 0, len(parts))
	for _, part := range parts {
		if len(part) == 0 || part[0].Is("/") || len(part) == 1 && part[0].Is("*") || part[0].Is("...") {
			continue
		}
		p := syntax.Param{Pos: part[0].Pos}
		if eq := find(part, "="); eq >= 0 {
			p.Default = w.expr(part[eq+1:])
			part = part[:eq]
		}
		if colon := find(part, ":"); colon >= 0 {
			part = part[:colon]
		}
		for len(part) > 2 && part[len(part)-1].Is("None") { // not None, or None
			part = part[:len(part)-2]
		}
		if name := declaredName(part); name >= 0 {
			p.Name, p.Pos = part[name].Text, part[name].Pos
		}
		f.Params = append(f.Params, p)
	}
}

// extern reads a `cdef extern from` block.
func (w *walker) extern(s *Stmt, rest []syntax.Token) {
	header := "*"
	if len(rest) > 0 && rest[0].Kind == syntax.String {
		header = strings.Trim(rest[0].Text, `"'`)
	}
	w.externBody(s.Body, header)
}

func (w *walker) externBody(body []*Stmt, header string) {
	for _, d := range body {
		tokens := d.Tokens
		if tokens[0].Kind == syntax.String {
			w.verbatim(tokens[0])
			continue
		}
		for len(tokens) > 0 && (tokens[0].Is("cdef") || tokens[0].Is("public") || tokens[0].Is("api") || tokens[0].Is("cpdef")) {
			tokens = tokens[1:]
		}
		if len(tokens) == 0 {
			w.externBody(d.Body, header)
			continue
		}
		switch tokens[0].Text {
		case "ctypedef", "struct", "union", "enum", "cppclass", "packed", "pass", "fused", "@":
			w.externEnumerators(d, header)
			continue
		}
		w.externNames(tokens, header)
	}
}

// externEnumerators enters the names that an enum in an extern block declares.
func (w *walker) externEnumerators(d *Stmt, header string) {
	if find(d.Tokens, "enum") < 0 {
		return
	}
	for _, e := range d.Body {
		for _, part := range split(e.Tokens) {
			if len(part) > 0 && part[0].Kind == syntax.Name {
				w.m.Externs = append(w.m.Externs, Extern{
					Name: part[0].Text, CName: cName(part[1:], part[0].Text), Type: &syntax.Type{Name: "enum", Const: true, TopConst: true},
					Header: header, Pos: part[0].Pos,
				})
			}
		}
	}
}

// cName is the string after a name, which says what C calls it.
func cName(after []syntax.Token, name string) string {
	if len(after) > 0 && after[0].Kind == syntax.String {
		return strings.Trim(after[0].Text, `"'`)
	}
	return name
}

func (w *walker) externNames(tokens []syntax.Token, header string) {
	if open := find(tokens, "("); open > 0 && (tokens[open-1].Kind == syntax.Name || tokens[open-1].Kind == syntax.String) && find(tokens[:open], ",") < 0 {
		name := open - 1
		if tokens[name].Kind == syntax.String && name > 0 {
			name--
		}
		e := Extern{Name: tokens[name].Text, CName: cName(tokens[name+1:], tokens[name].Text), Func: true, Type: parseType(tokens[:name]), Header: header, Pos: tokens[name].Pos}
		e.NoExcept = find(tokens[open:], "except") < 0
		w.m.Externs = append(w.m.Externs, e)
		return
	}
	var base []syntax.Token
	for i, part := range split(tokens) {
		name := declaredName(part)
		if name < 0 {
			continue
		}
		typ := append(append([]syntax.Token(nil), part[:name]...), part[name+1:]...)
		if i == 0 {
			base = withoutStars(part[:name])
		} else {
			typ = append(append([]syntax.Token(nil), base...), typ...)
		}
		w.m.Externs = append(w.m.Externs, Extern{
			Name: part[name].Text, CName: cName(part[name+1:], part[name].Text), Type: parseType(typ), Header: header, Pos: part[name].Pos,
		})
	}
}

// verbatim enters C text, with the escapes of a plain string resolved where
// they are simple.
func (w *walker) verbatim(t syntax.Token) {
	text := t.Text
	quote := strings.IndexAny(text, `"'`)
	raw := strings.ContainsAny(text[:quote], "rR")
	text = text[quote:]
	n := 1
	if strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''") {
		n = 3
	}
	if len(text) < 2*n {
		return // the lexer has complained
	}
	text = text[n : len(text)-n]
	if !raw && strings.Contains(text, `\`) {
		text = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`, `\'`, `'`, `\t`, "\t", "\\\n", "").Replace(text)
	}
	w.m.Verbatim = append(w.m.Verbatim, Verbatim{Text: text, Escapes: strings.Contains(t.Text, `\`), Pos: t.Pos})
}
