package parser

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// dump writes a result in lines that a test can hold against what it expects.
func dump(r *Result) string {
	var b strings.Builder
	for _, f := range r.API.Functions {
		fmt.Fprintf(&b, "function %s", f.Name)
		if f.Symbol != f.Name {
			fmt.Fprintf(&b, " = %s", f.Symbol)
		}
		fmt.Fprintf(&b, ": %s", f.Type)
		if f.PerThread != "" {
			fmt.Fprintf(&b, " per thread %s", f.PerThread)
		}
		if f.Query != (ir.Query{}) {
			fmt.Fprintf(&b, " query %s %d %d", f.Query.Base, f.Query.Version, f.Query.PerThread)
		}
		mark(&b, "inline", f.Inline)
		mark(&b, "deprecated", f.Deprecated)
		mark(&b, "superseded", f.Superseded)
		b.WriteByte('\n')
	}
	for _, e := range r.API.Enums {
		fmt.Fprintf(&b, "%s:", enumName(&e))
		for _, v := range e.Enumerators {
			fmt.Fprintf(&b, " %s=%s", v.Name, v.Value)
		}
		b.WriteByte('\n')
	}
	for _, rec := range r.API.Records {
		key := rec.Key()
		if !rec.Tagged {
			key = rec.Keyword() + " typedef " + rec.Name
		}
		dumpRecord(&b, key, &rec, "")
	}
	for _, t := range r.API.Typedefs {
		fmt.Fprintf(&b, "typedef %s: %s", t.Name, t.Type)
		mark(&b, "macro", t.Macro)
		b.WriteByte('\n')
	}
	for _, c := range r.API.Constants {
		if c.Type == nil {
			fmt.Fprintf(&b, "constant %s: %s\n", c.Name, c.Reason)
			continue
		}
		fmt.Fprintf(&b, "constant %s: %s %q\n", c.Name, c.Type, c.Value)
	}
	for _, o := range r.Omitted {
		what := "declaration"
		if o.Function {
			what = "function"
		}
		fmt.Fprintf(&b, "omitted %s %s at %s:%d:%d: %s\n", what, o.Name, o.Pos.File, o.Pos.Line, o.Pos.Col, o.Reason)
	}
	for _, n := range r.Notices {
		fmt.Fprintf(&b, "notice at %s:%d:%d: %s\n", n.Pos.File, n.Pos.Line, n.Pos.Col, n.Text)
	}
	fmt.Fprintf(&b, "declared %d\n", r.Declared)
	return b.String()
}

func enumName(e *ir.Enum) string {
	name := e.Key()
	switch {
	case e.Anonymous:
		name = "enum without a name"
	case !e.Tagged:
		name = "enum typedef " + e.Name
	}
	return name + " " + e.Underlying
}

func dumpRecord(b *strings.Builder, title string, rec *ir.Record, indent string) {
	if rec.Incomplete {
		fmt.Fprintf(b, "%s%s: incomplete\n", indent, title)
		return
	}
	fmt.Fprintf(b, "%s%s: size %d align %d\n", indent, title, rec.Size, rec.Align)
	for _, f := range rec.Fields {
		name := f.Name
		if name == "" {
			name = "(unnamed)"
		}
		place := fmt.Sprintf("@%d", f.Offset)
		if f.Bits > 0 {
			place = fmt.Sprintf("@%d bit %d width %d", f.Offset, f.Bit, f.Bits)
		}
		if f.Flex {
			place += " flexible"
		}
		if f.Record != nil {
			dims := ""
			for _, n := range f.Dims {
				dims += fmt.Sprintf("[%d]", n)
			}
			dumpRecord(b, fmt.Sprintf("%s%s %s %s", f.Record.Keyword(), dims, name, place), f.Record, indent+"  ")
			continue
		}
		fmt.Fprintf(b, "%s  %s %s %s\n", indent, f.Type, name, place)
	}
}

func mark(b *strings.Builder, name string, set bool) {
	if set {
		b.WriteString(" " + name)
	}
}
