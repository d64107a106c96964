package cython

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// Module is a file as a program: what runs when it is imported, its functions,
// and what it declares of C.
type Module struct {
	*File
	Body     []*syntax.Stmt // in order; functions and classes are Define statements among them
	Externs  []Extern
	Verbatim []Verbatim
	// Directives are those of the `# cython: name=value` comments at the top.
	Directives map[string]string
}

// Extern is a name that a declaration gives to something of C.
type Extern struct {
	Name, CName string
	Func        bool
	Type        *syntax.Type // of a variable, or what a function gives back
	NoExcept    bool
	Header      string // "*" for none of its own
	syntax.Pos
}

// Verbatim is C text that a declaration carries.
type Verbatim struct {
	Text string // with its line ends; escapes are resolved, where there are any
	// Escapes says that there are backslashes, which Cython resolves unless the
	// string is raw.
	Escapes bool
	// Pos is where the text begins: the line of the opening quotes. Lines of
	// the text count from there.
	syntax.Pos
}

// ParseModule reads a file as a program. Like Parse, it always gives a result.
func ParseModule(name string, data []byte) *Module {
	f := Parse(name, data)
	m := &Module{File: f, Directives: directives(f.Text)}
	w := walker{m: m}
	m.Body = w.block(f.Stmts)
	return m
}

// directives reads the comments at the top of a file, before the first
// statement, as Cython does.
func directives(text string) map[string]string {
	d := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		rest, comment := strings.CutPrefix(line, "#")
		if !comment {
			break
		}
		rest, ok := strings.CutPrefix(strings.TrimSpace(rest), "cython:")
		if !ok {
			continue
		}
		for _, part := range strings.Split(rest, ",") {
			if name, value, ok := strings.Cut(part, "="); ok {
				d[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
		}
	}
	return d
}

// walker turns statements into those of package syntax.
type walker struct {
	m     *Module
	class string
	nodes arena
}

func (w *walker) problem(pos syntax.Pos, message string) {
	w.m.Problems = append(w.m.Problems, syntax.Problem{Pos: pos, Message: message})
}

func (w *walker) expr(tokens []syntax.Token) *syntax.Expr {
	return parseExpr(tokens, &w.m.Problems, &w.nodes)
}

// block lowers statements; else, except and finally belong to the statement
// before them.
func (w *walker) block(stmts []*Stmt) []*syntax.Stmt {
	var out []*syntax.Stmt
	var decorators []*syntax.Expr
	for i := 0; i < len(stmts); i++ {
		s := stmts[i]
		if s.Tokens[0].Is("@") {
			decorators = append(decorators, w.expr(s.Tokens[1:]))
			continue
		}
		first := len(out)
		switch s.Head() {
		case "if", "IF":
			var one *syntax.Stmt
			one, i = w.chain(stmts, i)
			out = append(out, one)
		case "try", "while", "for":
			one := w.stmt1(s)
			i = w.clauses(one, stmts, i)
			out = append(out, one)
		default:
			out = w.stmt(out, s)
		}
		for _, one := range out[first:] {
			if one.Op == syntax.Define && one.Func != nil && len(decorators) > 0 {
				one.Func.Decorators = decorators
			}
		}
		decorators = nil
	}
	return out
}

// chain reads if, elif and else.
func (w *walker) chain(stmts []*Stmt, i int) (*syntax.Stmt, int) {
	s := stmts[i]
	out := &syntax.Stmt{Op: syntax.If, X: w.expr(s.Tokens[1:]), Body: w.block(s.Body), Pos: s.Pos()}
	if i+1 < len(stmts) {
		switch next := stmts[i+1]; next.Head() {
		case "elif", "ELIF":
			rest, end := w.chain(stmts, i+1)
			out.Else = []*syntax.Stmt{rest}
			return out, end
		case "else", "ELSE":
			out.Else = w.block(next.Body)
			return out, i + 1
		}
	}
	return out, i
}

// clauses adds else, except and finally to a loop or a try.
func (w *walker) clauses(out *syntax.Stmt, stmts []*Stmt, i int) int {
	for i+1 < len(stmts) {
		next := stmts[i+1]
		switch next.Head() {
		case "else":
			out.Else = w.block(next.Body)
		case "except":
			body := w.block(next.Body)
			if as := find(next.Tokens, "as"); as >= 0 && as+1 < len(next.Tokens) {
				name := next.Tokens[as+1]
				body = append([]*syntax.Stmt{{
					Op: syntax.Set, Text: "=", Targets: []*syntax.Expr{{Op: syntax.Ident, Text: name.Text, Pos: name.Pos}},
					Y: &syntax.Expr{Op: syntax.Str, Pos: name.Pos}, Pos: name.Pos,
				}}, body...)
			}
			out.Excepts = append(out.Excepts, body)
		case "finally":
			out.Finally = w.block(next.Body)
		default:
			return i
		}
		i++
	}
	return i
}

// stmt1 lowers a statement with a block.
func (w *walker) stmt1(s *Stmt) *syntax.Stmt {
	out := &syntax.Stmt{Pos: s.Pos()}
	rest := s.Tokens[1:]
	switch s.Head() {
	case "try":
		out.Op = syntax.Try
	case "while":
		out.Op, out.X = syntax.Loop, w.expr(rest)
	case "for":
		out.Op, out.Text = syntax.Loop, "for"
		if in := find(rest, "in"); in >= 0 {
			out.Targets = []*syntax.Expr{w.expr(rest[:in])}
			out.X = w.expr(rest[in+1:])
		} else if from := find(rest, "from"); from >= 0 { // for i from 0 <= i < n
			out.Targets = []*syntax.Expr{w.expr(rest[:from])}
			if by := find(rest, "by"); by >= 0 {
				rest = rest[:by]
			}
			out.X = w.expr(rest[from+1:])
		} else {
			w.problem(s.Pos(), "expected in")
			out.X = &syntax.Expr{Op: syntax.Bad}
		}
	}
	out.Body = w.block(s.Body)
	return out
}

// find is the place of a word or operator outside brackets, or -1.
func find(tokens []syntax.Token, word string) int {
	depth := 0
	for i := range tokens {
		t := &tokens[i]
		if t.Kind == syntax.String || t.Kind == syntax.Number {
			continue
		}
		if depth == 0 && t.Text == word {
			return i
		}
		if t.Kind == syntax.Op {
			switch t.Text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
	}
	return -1
}

// split cuts tokens at commas outside brackets.
func split(tokens []syntax.Token) [][]syntax.Token {
	n := 1
	for i := range tokens {
		if tokens[i].Text == "," {
			n++
		}
	}
	parts := make([][]syntax.Token, 0, n)
	for len(tokens) > 0 {
		at := find(tokens, ",")
		if at < 0 {
			return append(parts, tokens)
		}
		parts = append(parts, tokens[:at])
		tokens = tokens[at+1:]
	}
	return parts
}
