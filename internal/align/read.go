package align

import (
	"sort"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// statement is a statement without its block, a directive of C, an enumerator
// or a row of a table: the smallest thing that is compared as a whole.
type statement struct {
	tokens []syntax.Token
	key    string // what has to be equal: the tokens, and how deep they are nested
	depth  int
	text   string // for messages
	kind   kind
}

type kind uint8

const (
	plain     kind = iota
	row            // of a table in C, or an enumerator
	lookup         // stands for the look-up of a symbol
	marked         // stands for a platform region
	directive      // of the C preprocessor
)

// unit is a function, or what stands outside of functions.
type unit struct {
	name  string // unique in the file; "" outside of functions
	shown string // for messages
	head  []statement
	body  []statement
	place finding.Place
	// platform says that it calls a platform's own functions.
	platform bool
}

// file is a platform file, read.
type file struct {
	name      string
	text      string
	header    []comment
	regions   []region
	level     unit    // what stands outside of functions
	functions []*unit // in order
	byName    map[string]*unit
	problems  []finding.Finding
	// passed is how many statements of platform code were passed over.
	passed int
}

// comment is a line of the comment at the top.
type comment struct {
	text string
	line int
}

func read(name string, data []byte) *file {
	f := &file{name: name, text: string(data), byName: map[string]*unit{}}
	f.regions, f.problems = regions(name, f.text)
	f.header = header(f.text)
	parsed := cython.Parse(name, data)
	f.unreadable(parsed.Problems)
	r := reader{file: f, text: f.text}
	r.block(parsed.Stmts, 0, "", false)
	r.marks(&f.level, 1<<30)
	return f
}

func (f *file) unreadable(problems []syntax.Problem) {
	for _, p := range problems {
		f.problems = append(f.problems, newFinding(ruleUnreadable,
			finding.Place{File: f.name, Line: int(p.Line), Col: int(p.Col)}, "cannot be read: "+p.Message))
	}
}

// header is the comment at the top, but for the seal, which has to differ.
func header(text string) (comments []comment) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line[0] != '#':
			return comments
		case strings.Contains(line, "CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE"):
		default:
			comments = append(comments, comment{line, n})
		}
	}
	return comments
}

// reader turns statements into units.
type reader struct {
	*file
	text       string      // that token offsets count in
	decorators []statement // for the next function
	passedBy   int         // regions that were passed
}

// marks puts a mark for each region that ends before a line: where regions
// stand counts, what is in them does not.
func (r *reader) marks(u *unit, line int32) {
	for r.passedBy < len(r.regions) && r.regions[r.passedBy].last < line {
		at := r.regions[r.passedBy]
		r.passedBy++
		u.body = append(u.body, statement{
			kind: marked, key: "platform region", text: "a platform region",
			tokens: []syntax.Token{{Pos: syntax.Pos{Line: at.first}}},
		})
	}
}

// inRegion reports whether a line belongs to a region.
func (f *file) inRegion(line int32) bool {
	i := sort.Search(len(f.regions), func(i int) bool { return f.regions[i].last >= line })
	return i < len(f.regions) && f.regions[i].first <= line
}

// block reads statements outside of functions. Text in an extern block is C.
func (r *reader) block(stmts []*cython.Stmt, depth int, class string, extern bool) {
	for _, s := range stmts {
		if r.inRegion(s.Pos().Line) {
			continue
		}
		r.marks(&r.level, s.Pos().Line)
		head := r.statement(s.Tokens, depth)
		switch {
		case s.Tokens[0].Is("@"):
			r.decorators = append(r.decorators, head)
			continue
		case extern && isText(s):
			r.c(s.Tokens[0], depth)
			continue
		}
		if name := functionName(s); name != "" {
			u := r.function(class+name, head)
			r.flatten(u, s.Body, 1)
			continue
		}
		r.level.body = append(r.level.body, head)
		inner := class
		if name := className(s); name != "" {
			inner += name + "."
		}
		r.block(s.Body, depth+1, inner, len(s.Tokens) > 1 && s.Tokens[1].Is("extern"))
	}
}

// function enters a function. A second one of the same name, in another branch
// of a condition, is told from the first by its number.
func (r *reader) function(name string, head statement) *unit {
	u := &unit{name: name, shown: name, head: append(r.decorators, head)}
	r.decorators = nil
	first, last := u.head[0].tokens[0], head.tokens[len(head.tokens)-1]
	u.place = r.place(first.Pos, last.End())
	for n := 2; r.byName[u.name] != nil; n++ {
		u.name = name + "#" + strconv.Itoa(n)
	}
	r.byName[u.name] = u
	r.functions = append(r.functions, u)
	return u
}

func (f *file) place(start, end syntax.Pos) finding.Place {
	return finding.Place{File: f.name, Line: int(start.Line), Col: int(start.Col), EndLine: int(end.Line), EndCol: int(end.Col)}
}

// flatten enters the statements of a function's body, depth first.
func (r *reader) flatten(u *unit, stmts []*cython.Stmt, depth int) {
	for _, s := range stmts {
		if r.inRegion(s.Pos().Line) {
			continue
		}
		r.marks(u, s.Pos().Line)
		u.body = append(u.body, r.statement(s.Tokens, depth))
		r.flatten(u, s.Body, depth+1)
	}
}

func (r *reader) statement(tokens []syntax.Token, depth int) statement {
	s := statement{tokens: tokens, depth: depth}
	s.key = key(tokens, depth)
	first, last := tokens[0], tokens[len(tokens)-1]
	if start, end := int(first.Off), int(last.Off)+len(last.Text); start <= end && end <= len(r.text) {
		s.text = shorten(r.text[start:end])
	}
	return s
}

func key(tokens []syntax.Token, depth int) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(depth))
	for i := range tokens {
		b.WriteByte(' ')
		b.WriteString(tokens[i].Text)
	}
	return b.String()
}

// shorten is source text on one line, for a message.
func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 100
	if len(text) <= most {
		return text
	}
	cut := most - 20
	for cut > 0 && text[cut]&0xc0 == 0x80 { // not inside a letter
		cut--
	}
	return text[:cut] + " ..."
}

// isText reports whether a statement is a text and nothing else: a docstring or
// a verbatim block of C.
func isText(s *cython.Stmt) bool {
	return len(s.Tokens) == 1 && s.Tokens[0].Kind == syntax.String
}

// functionName is the name of the function that a statement defines, or "".
func functionName(s *cython.Stmt) string {
	if !s.Opens {
		return ""
	}
	tokens := s.Tokens
	switch tokens[0].Text {
	case "async":
		tokens = tokens[1:]
	case "def", "cdef", "cpdef":
	default:
		return ""
	}
	for i := 1; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.Is("extern"), t.Is("class"), t.Is("struct") && i == 1, t.Is("union") && i == 1, t.Is("enum") && i == 1,
			t.Is("packed"), t.Is("cppclass"), t.Is("fused"):
			return ""
		case t.Is("("):
			if tokens[i-1].Kind == syntax.Name {
				return tokens[i-1].Text
			}
			return ""
		}
	}
	return ""
}

func className(s *cython.Stmt) string {
	for i, t := range s.Tokens {
		if t.Is("class") && i+1 < len(s.Tokens) {
			return s.Tokens[i+1].Text
		}
		if i > 1 {
			break
		}
	}
	return ""
}

// c reads a verbatim block of C.
func (r *reader) c(t syntax.Token, depth int) {
	text, skip := t.Text, 1
	quote := strings.IndexAny(text, `"'`)
	if strings.HasPrefix(text[quote:], `"""`) || strings.HasPrefix(text[quote:], "'''") {
		skip = 3
	}
	if len(text) < quote+2*skip {
		return
	}
	text = text[quote+skip : len(text)-skip]
	lines, problems := csource.Lines(csource.Text{Text: text, Pos: t.Pos})
	r.unreadable(problems)
	inner := *r
	inner.text = text
	c := cReader{reader: &inner, depth: depth}
	for _, l := range lines {
		c.line(l)
	}
	c.flush()
	r.passedBy = inner.passedBy
}
