package golden

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// facts are the parts of a case that are not emitted text. They are about the
// newest release, but for history and notes.
var facts = map[string]func(*strings.Builder, *outcome){
	"counts":    counts,
	"notices":   notices,
	"functions": functions,
	"layout":    layout,
	"enums":     enums,
	"typedefs":  typedefs,
	"constants": constants,
	"history":   history,
	"notes":     notes,
}

// counts is the sum of the reference target's functions, and every declaration
// that is left out, with its place and reason.
func counts(b *strings.Builder, o *outcome) {
	read := o.newest()
	bound := 0
	for _, f := range read.Snapshot.For(read.Snapshot.Targets[0]).Functions {
		if !f.Superseded {
			bound++
		}
	}
	fmt.Fprintf(b, "%d declared, %d bound, %d skipped\n", read.Declared, bound, read.Declared-bound)
	for _, skipped := range read.Omitted {
		fmt.Fprintf(b, "%s:%d:%d: %s: %s\n", shortPath(skipped.Pos.File), skipped.Pos.Line, skipped.Pos.Col, skipped.Name, skipped.Reason)
	}
}

// notices are remarks on what is bound.
func notices(b *strings.Builder, o *outcome) {
	for _, n := range o.newest().Notices {
		fmt.Fprintf(b, "%s:%d:%d: %s\n", shortPath(n.Pos.File), n.Pos.Line, n.Pos.Col, n.Text)
	}
}

// shortPath is the end of a header's path, from its release on.
func shortPath(path string) string {
	parts := strings.Split(strings.ReplaceAll(path, "\\", "/"), "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "1.") || strings.HasPrefix(part, "2.") {
			return strings.Join(parts[i:], "/")
		}
	}
	return path
}

// functions are public names, the symbols behind them and where they are there.
func functions(b *strings.Builder, o *outcome) {
	s := o.newest().Snapshot
	for _, f := range s.Functions {
		b.WriteString(f.Name)
		if f.Symbol != f.Name {
			b.WriteString(" = " + f.Symbol)
		}
		if f.Superseded {
			b.WriteString(" superseded")
		}
		b.WriteString(": " + f.Type.String() + only(s, f.On) + "\n")
	}
}

// only says which targets a shape is for, if not for all.
func only(s *ir.Snapshot, on ir.TargetSet) string {
	if on == 0 {
		return ""
	}
	var names []string
	for _, t := range on.Names(s.Targets) {
		names = append(names, string(t))
	}
	return "  [" + strings.Join(names, " ") + "]"
}

// layout is the size of every record and the place of every field.
func layout(b *strings.Builder, o *outcome) {
	s := o.newest().Snapshot
	for i := range s.Records {
		r := &s.Records[i]
		if r.Incomplete {
			fmt.Fprintf(b, "%s: never defined%s\n", r.Key(), only(s, r.On))
			continue
		}
		fmt.Fprintf(b, "%s: size %d align %d%s%s\n", r.Key(), r.Size, r.Align, fieldsOf(r, ""), only(s, r.On))
	}
}

// fieldsOf lists NAME@OFFSET, with the bounds of arrays.
func fieldsOf(r *ir.Record, path string) string {
	var b strings.Builder
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Name != "" {
			b.WriteString(" " + path + f.Name)
			for t := f.Type; t != nil && t.Kind == ir.Array; t = t.Elem {
				fmt.Fprintf(&b, "[%d]", t.Len)
			}
			for _, n := range f.Dims {
				fmt.Fprintf(&b, "[%d]", n)
			}
			fmt.Fprintf(&b, "@%d", f.Offset)
			if f.Bits > 0 {
				fmt.Fprintf(&b, ":%d+%d", f.Bit, f.Bits)
			}
		}
		if f.Record != nil {
			inner := path
			if f.Name != "" {
				inner += f.Name + "."
			}
			b.WriteString(fieldsOf(f.Record, inner))
		}
	}
	return b.String()
}

// enums are the values of every enumerator and what holds them.
func enums(b *strings.Builder, o *outcome) {
	s := o.newest().Snapshot
	for i := range s.Enums {
		e := &s.Enums[i]
		key := e.Key()
		if e.Anonymous {
			key = "(no name)"
		}
		fmt.Fprintf(b, "%s: %s", key, e.Underlying)
		for _, v := range e.Enumerators {
			fmt.Fprintf(b, " %s=%s", v.Name, v.Value)
		}
		b.WriteString(only(s, e.On) + "\n")
	}
}

// typedefs are what each stands for.
func typedefs(b *strings.Builder, o *outcome) {
	s := o.newest().Snapshot
	for _, t := range s.Typedefs {
		fmt.Fprintf(b, "%s: %s%s\n", t.Name, t.Type, only(s, t.On))
	}
}

// constants are the values of macros, or why they have none.
func constants(b *strings.Builder, o *outcome) {
	s := o.newest().Snapshot
	for _, c := range s.Constants {
		if c.Type == nil {
			fmt.Fprintf(b, "%s: %s%s\n", c.Name, c.Reason, only(s, c.On))
			continue
		}
		fmt.Fprintf(b, "%s: %s %q%s\n", c.Name, c.Type, c.Value, only(s, c.On))
	}
}

// history is the committed form of all releases, without where they came from.
func history(b *strings.Builder, o *outcome) {
	for line := range strings.Lines(string(o.history.Encode())) {
		if !strings.Contains(line, `"headers":`) {
			b.WriteString(line)
		}
	}
}

// notes are what generating remarks.
func notes(b *strings.Builder, o *outcome) {
	for _, note := range o.emitted.Notes {
		b.WriteString(note + "\n")
	}
}
