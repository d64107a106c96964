package parser

import (
	"bytes"
	"sort"

	"modernc.org/cc/v4"
)

// Some mistakes make the front end's checker fail without saying where. Then
// the headers are checked again with fewer and fewer declarations, until the
// one that does it is found. This costs a second; it happens in front of an
// error message only.

// top is a declaration of the outermost level.
type top struct {
	node cc.Node
	last cc.Token
	file *file
}

// locate finds the first declaration that the checker cannot pass, nil if it
// is none.
func (u *unit) locate(sources []cc.Source) *Error {
	var texts []cc.Source
	for _, s := range sources {
		if _, ok := s.Value.(string); ok {
			texts = append(texts, s)
		}
	}
	tops := u.tops(texts)
	passes := func(n int) bool {
		v, err := u.again()
		if err != nil {
			return false
		}
		v.cut = map[string]int{}
		for _, t := range tops[:n] {
			v.cut[t.file.name] = t.last.Position().Offset + 1
		}
		return v.passes(func() error {
			_, err := cc.Translate(&v.front, texts)
			return err
		})
	}
	n := sort.Search(len(tops), func(i int) bool { return !passes(i + 1) })
	if n == len(tops) {
		return nil
	}
	t := tops[n]
	pos := t.node.Position()
	if pos.Filename != t.file.name {
		pos = t.last.Position()
	}
	e := &Error{Pos: pos0(u.set.cfg.display(t.file.name)), Msg: msgVague}
	e.Pos.Line, e.Pos.Col = pos.Line, pos.Column
	e.Source = u.set.line(t.file, pos.Line)
	return e
}

// tops lists the declarations of the headers, if they can be parsed.
func (u *unit) tops(sources []cc.Source) (list []top) {
	v, err := u.again()
	if err != nil {
		return nil
	}
	v.passes(func() error {
		ast, err := cc.Parse(&v.front, sources)
		if err != nil {
			return err
		}
		for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			var t top
			switch d := tu.ExternalDeclaration; d.Case {
			case cc.ExternalDeclarationDecl:
				t = top{node: d.Declaration, last: d.Declaration.Token}
			case cc.ExternalDeclarationFuncDef:
				t = top{node: d.FunctionDefinition, last: d.FunctionDefinition.CompoundStatement.Token2}
			default:
				continue
			}
			if t.file = v.file(t.last); t.file != nil {
				list = append(list, t)
			}
		}
		return nil
	})
	return list
}

// again is a unit for the same headers.
func (u *unit) again() (*unit, error) { return u.set.unit(u.platform) }

// passes reports whether the front end gets through.
func (u *unit) passes(f func() error) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	defer quiet()()
	return f() == nil
}

// cutText is the text of a header up to an offset; of the rest only the
// directives, so that conditions still end where they did.
func cutText(code []byte, at int) []byte {
	at = min(at, len(code))
	return bytes.Join([][]byte{code[:at], directives(code[at:])}, newline)
}

// badCondition finds an #if whose brackets do not match: the front end says so
// without a place.
func (u *unit) badCondition() *Error {
	for _, f := range u.set.order {
		line := 0
		for text := range bytes.Lines(f.code[len(enterLine):]) {
			line++
			text = bytes.TrimSpace(text)
			if !bytes.HasPrefix(text, []byte("#")) || bytes.HasSuffix(text, []byte("\\")) {
				continue
			}
			if verb, rest := directive(text); verb != "if" && verb != "elif" || bytes.Count(rest, []byte("(")) == bytes.Count(rest, []byte(")")) {
				continue
			}
			e := &Error{Pos: pos0(u.set.cfg.display(f.name)), Msg: "the brackets of this condition do not match"}
			e.Pos.Line, e.Pos.Col = line, 1
			e.Source = u.set.line(f, line)
			return e
		}
	}
	return nil
}
