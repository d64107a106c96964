package audit

import (
	"hash/maphash"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

var shapeSeed = maphash.MakeSeed()

// shape is the same for functions that do the same to shared state: those that
// differ only in the names of their parameters and variables, in the constants
// they use and in their types. Hundreds of wrappers have one shape, and one of
// them is followed for all. Functions with their own kind of complexity, such as
// default arguments, have none: zero.
func (p *program) shape(fn *function) uint64 {
	if fn.lang != langPython || len(fn.Decorators) > 0 || fn.Class != "" || len(fn.Body) > 4 {
		return 0
	}
	s := shaper{p: p, fn: fn}
	s.h.SetSeed(shapeSeed)
	s.bool(fn.NoGIL)
	s.bool(fn.WithGIL)
	s.bool(fn.NoExcept)
	s.byte(fn.Kind[0])
	for _, param := range fn.Params {
		if param.Default != nil {
			return 0
		}
	}
	s.stmts(fn.Body)
	if s.complex {
		return 0
	}
	return s.h.Sum64() | 1
}

type shaper struct {
	p       *program
	fn      *function
	h       maphash.Hash
	complex bool
}

func (s *shaper) byte(b byte) { _ = s.h.WriteByte(b) }

func (s *shaper) bool(b bool) {
	if b {
		s.byte(1)
	} else {
		s.byte(0)
	}
}

func (s *shaper) stmts(list []*syntax.Stmt) {
	s.byte(byte(len(list)))
	for _, t := range list {
		switch t.Op {
		case syntax.Return, syntax.ExprStmt:
			s.byte(byte(t.Op))
			s.expr(t.X)
		default:
			s.complex = true
		}
	}
}

func (s *shaper) expr(e *syntax.Expr) {
	if e == nil {
		s.byte(255)
		return
	}
	s.byte(byte(e.Op))
	switch e.Op {
	case syntax.Ident:
		x := s.p.externs[e.Text]
		switch {
		case s.fn.locals[e.Text]:
			s.byte('l')
		case s.p.globals[e.Text] == nil && s.p.funcs[e.Text] == nil && x != nil && !x.Func && isName(x.CName) && s.p.cvars[x.CName] == nil && s.p.cfuncs[x.CName] == nil:
			s.byte('c') // a constant, or a variable of a header: the same for all
			if x.Type == nil || x.Type.Pointers > 0 || x.Type.Name != "int" && x.Type.Name != "enum" {
				s.complex = true
			}
		default:
			s.h.WriteString(e.Text)
			s.byte(0)
		}
	case syntax.Literal, syntax.Null:
		s.h.WriteString(e.Text)
		s.byte(0)
	case syntax.Call, syntax.Cast:
	case syntax.Member:
		// A function of another module: which one it is makes no difference.
		if v := s.p.globals[e.X.Text]; e.X.Op != syntax.Ident || s.fn.locals[e.X.Text] || v == nil || v.kind != imported {
			s.complex = true
		}
		return
	case syntax.Unary:
		if e.Text == "&" {
			s.complex = true
		}
	default:
		s.complex = true
		return
	}
	s.expr(e.X)
	args := e.Args
	if e.Op == syntax.Call {
		// Arguments that are all plain local variables count once.
		plain := true
		for _, a := range args {
			plain = plain && a.Op == syntax.Ident && s.fn.locals[a.Text]
		}
		if plain {
			args = nil
		}
	}
	s.byte(byte(len(args)))
	for _, a := range args {
		s.expr(a)
	}
}
