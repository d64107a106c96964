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
	defined := p.definitions()
	if len(defined.keys) > 0 {
		text, err := cgen.Definitions(&defined.Snapshot, cgen.DefinitionOptions{
			Only: func(key string) bool { return slices.Contains(defined.keys, key) },
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
	if p.values != "" {
		out = append(out, typeBlock{Verbatim: indent(p.values)})
	}
	return out, nil
}

// definitions has the inline types and all that they refer to, and what the
// wrappers need on targets whose headers lack it: wrappers are the same
// everywhere. There a type is what the first target that has it says.
func (p *typePlan) definitions() *closure {
	called := p.closure()
	for _, t := range p.calls {
		called.use(t)
	}
	c := p.closure()
	c.keys = slices.Clone(p.inline)
	for key := range called.seen {
		if lacking := called.lacking(key); lacking != 0 {
			c.fill[key] = lacking
		}
	}
	for _, key := range p.fromHeader {
		if c.fill[key] != 0 {
			c.keys = append(c.keys, key)
			c.only[key] = true
		}
	}
	for _, key := range c.keys {
		c.visit(key)
	}
	return c
}

// closure collects types and all that they refer to, as if the union were one
// release.
type closure struct {
	ir.Snapshot
	plan *typePlan
	seen map[string]bool
	keys []string                // what the collection is for
	fill map[string]ir.TargetSet // targets that a type is to be defined for besides its own
	only map[string]bool         // types that are to be defined for those alone
}

func (p *typePlan) closure() *closure {
	return &closure{
		Snapshot: ir.Snapshot{Library: p.u.Library, Targets: p.u.Targets}, plan: p,
		seen: map[string]bool{}, fill: map[string]ir.TargetSet{}, only: map[string]bool{},
	}
}

// snapshot is the type with a key and all that it refers to.
func (p *typePlan) snapshot(key string) *ir.Snapshot {
	c := p.closure()
	c.visit(key)
	return &c.Snapshot
}

func (c *closure) use(t *ir.Type) {
	t.Walk(func(t *ir.Type) {
		if t.Kind == ir.Named {
			c.visit(cSpelling(t.Tag, t.Tag != "", t.Name))
		}
	})
}

func (c *closure) fields(r *ir.Record) {
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Record != nil {
			c.fields(f.Record)
		} else {
			c.use(f.Type)
		}
	}
}

func (c *closure) visit(key string) {
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	if e := c.plan.enums[key]; e != nil {
		shapes := slices.Clone(e.Shapes)
		c.Enums = append(c.Enums, shapes[:c.place(key, len(shapes), &shapes[0].On)]...)
	}
	if e := c.plan.records[key]; e != nil {
		shapes := slices.Clone(e.Shapes)
		c.Records = append(c.Records, shapes[:c.place(key, len(shapes), &shapes[0].On)]...)
		for i := range e.Shapes {
			c.fields(&e.Shapes[i])
		}
	}
	if e := c.plan.typedefs[key]; e != nil {
		shapes := slices.Clone(e.Shapes)
		c.Typedefs = append(c.Typedefs, shapes[:c.place(key, len(shapes), &shapes[0].On)]...)
		for i := range e.Shapes {
			c.use(e.Shapes[i].Type)
		}
	}
}

// place sets the targets of a type's first shape and says how many of its
// shapes are to be defined.
func (c *closure) place(key string, shapes int, first *ir.TargetSet) int {
	if c.only[key] {
		*first = c.fill[key]
		return 1
	}
	if *first != 0 {
		*first |= c.fill[key]
	}
	return shapes
}

// lacking are the targets on which a collected type is not declared.
func (c *closure) lacking(key string) ir.TargetSet {
	lacking := ir.TargetSet(1)<<len(c.Targets) - 1
	without := func(on ir.TargetSet) {
		if on == 0 {
			lacking = 0
		}
		lacking &^= on
	}
	found := false
	if e := c.plan.enums[key]; e != nil {
		found = true
		for i := range e.Shapes {
			without(e.Shapes[i].On)
		}
	}
	if e := c.plan.records[key]; e != nil {
		found = true
		for i := range e.Shapes {
			without(e.Shapes[i].On)
		}
	}
	if e := c.plan.typedefs[key]; e != nil {
		found = true
		for i := range e.Shapes {
			without(e.Shapes[i].On)
		}
	}
	if !found { // a standard type
		return 0
	}
	return lacking
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
