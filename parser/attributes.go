package parser

import (
	"strings"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// attributes are those that mean something here.
type attributes struct {
	deprecated, stdcall, vector, aligned bool
}

func (a *attributes) add(list *cc.AttributeSpecifierList) {
	for ; list != nil; list = list.AttributeSpecifierList {
		if list.AttributeSpecifier == nil {
			continue
		}
		for v := list.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			if v.AttributeValue == nil {
				continue
			}
			switch strings.Trim(v.AttributeValue.Token.SrcStr(), "_") {
			case "deprecated":
				a.deprecated = true
			case "stdcall":
				a.stdcall = true
			case "vector_size", "ext_vector_type":
				a.vector = true
			case "aligned":
				a.aligned = true
			}
		}
	}
}

// convention marks a function type whose pointer is declared as
// `(CONVENTION *name)`. The front end's grammar drops what stands between the
// parenthesis and the star, so the text between them is looked at.
func (b *builder) convention(t *ir.Type, paren, star cc.Token) *ir.Type {
	if t.Kind != ir.Func || !b.platform.microsoft {
		return t
	}
	from, to := paren.Position(), star.Position()
	text := b.u.text[from.Filename]
	if from.Filename != to.Filename || from.Offset >= to.Offset || to.Offset > len(text) {
		return t
	}
	for text = text[from.Offset:to.Offset]; len(text) > 0; {
		n := wordLen(text)
		if n > 0 && b.isStdcall(string(text[:n])) {
			marked := *t
			marked.Stdcall = true
			return &marked
		}
		text = text[max(n, 1):]
	}
	return t
}

// isStdcall reports whether a word is the convention, or a macro for it.
func (b *builder) isStdcall(word string) bool {
	known, ok := b.stdcall[word]
	if ok {
		return known
	}
	b.stdcall[word] = word == "stdcall"
	if m := b.ast.Macros[word]; m != nil {
		for _, t := range m.ReplacementList() {
			if b.isStdcall(t.SrcStr()) {
				b.stdcall[word] = true
			}
		}
	}
	return b.stdcall[word]
}
