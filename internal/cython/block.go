package cython

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// File is a Cython or Python file, read into statements.
type File struct {
	Name     string
	Text     string
	Stmts    []*Stmt
	Problems []syntax.Problem // places that could not be read; nothing else is uncertain
}

// Stmt is one statement: its tokens, and the statements of the block that it
// opens. The colon that opens a block is not among the tokens.
type Stmt struct {
	Tokens []syntax.Token // at least one
	Body   []*Stmt
	Opens  bool // a block follows, though it may be empty for want of statements
}

// Pos is where the statement begins.
func (s *Stmt) Pos() syntax.Pos { return s.Tokens[0].Pos }

// End is where its last token ends, its body not counted.
func (s *Stmt) End() syntax.Pos { return s.Tokens[len(s.Tokens)-1].End() }

// Head is the text of the first token.
func (s *Stmt) Head() string { return s.Tokens[0].Text }

// Parse reads a file into statements. name is for messages. It always gives a
// File: what could not be read is among its Problems.
func Parse(name string, data []byte) *File {
	l := lexer{text: string(data)}
	lines := l.lines()
	f := &File{Name: name, Text: l.text}
	b := blocks{lexer: &l, lines: lines}
	for b.next < len(lines) {
		f.Stmts = append(f.Stmts, b.block(lines[b.next].indent)...)
	}
	f.Problems = l.problems
	return f
}

// blocks nests logical lines by their indentation.
type blocks struct {
	*lexer
	lines []logical
	next  int
	arena []Stmt
}

func (b *blocks) stmt(tokens []syntax.Token) *Stmt {
	if len(b.arena) == 0 {
		b.arena = make([]Stmt, 256)
	}
	s := &b.arena[0]
	b.arena = b.arena[1:]
	s.Tokens = tokens
	return s
}

// maxDepth bounds the nesting of blocks: Python itself stops at 100.
const maxDepth = 200

// block reads statements with the given indent; a smaller one ends it.
func (b *blocks) block(indent int) []*Stmt {
	return b.blockAt(indent, 0)
}

func (b *blocks) blockAt(indent, depth int) []*Stmt {
	var stmts []*Stmt
	for b.next < len(b.lines) {
		line := b.lines[b.next]
		if line.indent < indent {
			break
		}
		if line.indent > indent {
			b.problems = append(b.problems, syntax.Problem{Pos: b.tokens[line.first].Pos, Message: "unexpected indentation"})
		}
		b.next++
		stmts = b.split(stmts, b.tokens[line.first:line.end])
		last := stmts[len(stmts)-1]
		if !last.Opens || len(last.Body) > 0 {
			continue
		}
		if b.next >= len(b.lines) || b.lines[b.next].indent <= line.indent {
			b.problems = append(b.problems, syntax.Problem{Pos: last.End(), Message: "expected an indented block"})
			continue
		}
		if depth >= maxDepth {
			b.problems = append(b.problems, syntax.Problem{Pos: last.Pos(), Message: "blocks are nested too deeply"})
			b.next = len(b.lines)
			return stmts
		}
		last.Body = b.blockAt(b.lines[b.next].indent, depth+1)
	}
	return stmts
}

// split makes statements of one logical line: at semicolons, and after the
// colon that opens a block on the same line.
func (b *blocks) split(stmts []*Stmt, tokens []syntax.Token) []*Stmt {
	for len(tokens) > 0 {
		end, colon := statementEnd(tokens)
		s := b.stmt(tokens[:end])
		if end == 0 {
			b.problems = append(b.problems, syntax.Problem{Pos: tokens[0].Pos, Message: "expected a statement"})
			tokens = tokens[1:]
			if len(stmts) == 0 {
				s.Tokens = b.tokens[len(b.tokens)-1:]
				stmts = append(stmts, s)
			}
			continue
		}
		stmts = append(stmts, s)
		if colon {
			s.Opens = true
			if rest := tokens[end+1:]; len(rest) > 0 {
				s.Body = b.split(nil, rest)
			}
			return stmts
		}
		tokens = tokens[end:]
		if len(tokens) > 0 {
			tokens = tokens[1:] // the semicolon
		}
	}
	return stmts
}

// openers are the words that begin a statement with a block. cdef and its like
// do so if a colon ends them.
var openers = map[string]bool{
	"if": true, "elif": true, "else": true, "for": true, "while": true, "with": true, "try": true, "except": true,
	"finally": true, "def": true, "class": true, "cdef": true, "cpdef": true, "ctypedef": true, "async": true,
	"IF": true, "ELIF": true, "ELSE": true, "match": true, "case": true,
	// Inside a cdef extern block a declaration may begin with these.
	"struct": true, "union": true, "enum": true, "packed": true, "cppclass": true, "public": true, "fused": true,
}

// statementEnd finds where the first statement of a line ends, and whether a
// colon that opens a block ends it.
func statementEnd(tokens []syntax.Token) (end int, colon bool) {
	opens := tokens[0].Kind == syntax.Name && openers[tokens[0].Text]
	depth, lambdas := 0, 0
	for i := range tokens {
		t := &tokens[i]
		if t.Kind == syntax.Name {
			if t.Text == "lambda" && depth == 0 {
				lambdas++
			}
			continue
		}
		if t.Kind != syntax.Op {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ";":
			if depth <= 0 {
				return i, false
			}
		case ":":
			switch {
			case depth > 0:
			case lambdas > 0:
				lambdas--
			case opens && (tokens[0].Text != "match" && tokens[0].Text != "case" || i == len(tokens)-1):
				return i, true
			}
		}
	}
	return len(tokens), false
}
