package emit

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/ir"
)

// inlineBlocks puts the C definitions of inline types first, after the headers
// of the extern ones, whose types they may use.
func inlineBlocks(p *typePlan) ([]typeBlock, error) {
	var out []typeBlock
	if len(p.inline) > 0 {
		text, err := cgen.Definitions(p.snapshot(), cgen.DefinitionOptions{
			Only: func(key string) bool { return slices.Contains(p.inline, key) },
		})
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{"": true, "*": true}
		for _, b := range p.blocks {
			if !seen[b.From] {
				seen[b.From] = true
				out = append(out, typeBlock{block: block{From: b.From, Decls: []decl{{Head: "pass"}}}})
			}
		}
		out = append(out, typeBlock{Verbatim: indent(string(text))})
	}
	for _, b := range p.blocks {
		out = append(out, typeBlock{block: b})
	}
	return out, nil
}

// snapshot has the inline types and all that they refer to, as if the union
// were one release.
func (p *typePlan) snapshot() *ir.Snapshot {
	s := &ir.Snapshot{Library: p.u.Library, Targets: p.u.Targets}
	seen := map[string]bool{}
	var visit func(key string)
	use := func(t *ir.Type) {
		t.Walk(func(t *ir.Type) {
			if t.Kind == ir.Named {
				visit(cSpelling(t.Tag, t.Tag != "", t.Name))
			}
		})
	}
	var fields func(r *ir.Record)
	fields = func(r *ir.Record) {
		for i := range r.Fields {
			if f := &r.Fields[i]; f.Record != nil {
				fields(f.Record)
			} else {
				use(f.Type)
			}
		}
	}
	visit = func(key string) {
		if seen[key] {
			return
		}
		seen[key] = true
		if e := p.enums[key]; e != nil {
			s.Enums = append(s.Enums, e.Shapes...)
		}
		if e := p.records[key]; e != nil {
			s.Records = append(s.Records, e.Shapes...)
			for i := range e.Shapes {
				fields(&e.Shapes[i])
			}
		}
		if e := p.typedefs[key]; e != nil {
			s.Typedefs = append(s.Typedefs, e.Shapes...)
			for i := range e.Shapes {
				use(e.Shapes[i].Type)
			}
		}
	}
	for _, key := range p.inline {
		visit(key)
	}
	return s
}

// indent sets C text into a verbatim block, whose own quotes it cannot have.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}
