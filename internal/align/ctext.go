package align

import (
	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// cReader cuts C text into statements: at semicolons, at the braces of blocks,
// and at the commas of enumerations and initialisers.
type cReader struct {
	*reader
	depth   int // of the block in the Cython file
	pending []syntax.Token
	braces  []brace
	parens  int
	in      *unit // the function that is being read
	outer   int   // how many braces were open around it
}

// brace is an open brace.
type brace struct {
	list bool // of an enumeration or an initialiser
}

func (c *cReader) line(l csource.Line) {
	if l.Directive != "" {
		if c.inRegion(l.Line) {
			return
		}
		c.marks(c.unit(), l.Line)
		// The directive's own name takes part.
		tokens := append([]syntax.Token{{Kind: syntax.Name, Text: "#" + l.Directive, Pos: l.Pos}}, l.Tokens...)
		s := statement{tokens: tokens, depth: c.depth, key: key(tokens, c.depth+len(c.braces)), kind: directive}
		for _, t := range tokens {
			s.text += " " + t.Text
		}
		s.text = shorten(s.text)
		c.add(s)
		return
	}
	for i := range l.Tokens {
		if !c.inRegion(l.Tokens[i].Line) {
			c.marks(c.unit(), l.Tokens[i].Line)
			c.token(l.Tokens[i])
		}
	}
}

// unit is where statements go.
func (c *cReader) unit() *unit {
	if c.in != nil {
		return c.in
	}
	return &c.level
}

func (c *cReader) add(s statement) {
	u := c.unit()
	u.body = append(u.body, s)
}

func (c *cReader) token(t syntax.Token) {
	inList := len(c.braces) > 0 && c.braces[len(c.braces)-1].list
	switch {
	case t.Is("("), t.Is("["), t.Is("{") && (inList || c.parens > 0): // a row's braces are brackets
		c.parens++
	case c.parens > 0 && (t.Is(")") || t.Is("]") || t.Is("}")):
		c.parens--
	case c.parens > 0:
	case t.Is("{"):
		c.open(t)
		return
	case t.Is("}"):
		c.close(t, inList)
		return
	case t.Is(","):
		if inList {
			c.flush()
			return
		}
	case t.Is(";"):
		c.flush()
		return
	}
	c.pending = append(c.pending, t)
}

// close ends a block, a list or a function.
func (c *cReader) close(t syntax.Token, inList bool) {
	c.flush()
	if len(c.braces) > 0 {
		c.braces = c.braces[:len(c.braces)-1]
	}
	if c.in != nil && len(c.braces) == c.outer {
		c.in = nil
		return
	}
	c.pending = append(c.pending, t)
	if !inList && c.in != nil {
		c.flush()
	}
}

// open ends the head of a block, which may be that of a function.
func (c *cReader) open(t syntax.Token) {
	head := c.pending
	list := len(head) > 0 && head[len(head)-1].Is("=")
	for _, h := range head {
		list = list || h.Is("enum")
	}
	name := ""
	if !list && c.in == nil {
		name = cFunctionName(head)
	}
	c.pending = nil
	if name != "" {
		c.in = c.function(name, c.statement(head, c.depth))
		c.in.shown, c.outer = name+" (C)", len(c.braces)
	} else {
		c.add(c.statement(append(head, t), c.depth+len(c.braces)))
	}
	c.braces = append(c.braces, brace{list: list})
}

// flush ends a statement.
func (c *cReader) flush() {
	if len(c.pending) == 0 {
		return
	}
	s := c.statement(c.pending, c.depth+len(c.braces))
	if len(c.braces) > 0 && c.braces[len(c.braces)-1].list {
		s.kind = row
	}
	c.pending = nil
	c.add(s)
}

// cFunctionName is the name before the last brackets of a head: that of the
// function, if it is one.
func cFunctionName(head []syntax.Token) string {
	name, depth := "", 0
	for i, t := range head {
		switch {
		case t.Is("("):
			if depth == 0 && i > 0 && head[i-1].Kind == syntax.Name && head[i-1].Text != "__attribute__" && head[i-1].Text != "__declspec" {
				name = head[i-1].Text
			}
			depth++
		case t.Is(")"):
			depth--
		}
	}
	return name
}
