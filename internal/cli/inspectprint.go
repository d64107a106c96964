package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/cybindgo/cybindgo/ir"
)

// accounting says what became of each function that a release declares.
type accounting struct {
	Declared int `json:"declared"`
	Bound    int `json:"bound"`
	Skipped  int `json:"skipped"`
}

func (a accounting) String() string {
	return fmt.Sprintf("%d declared, %d bound, %d skipped", a.Declared, a.Bound, a.Skipped)
}

// omission is something that is not bound.
type omission struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
	Header string `json:"header,omitempty"`
	skips  bool   // a function that callers could have expected
}

// omissions lists what is not bound of what was found.
func (in *inspection) omissions(found []ir.Life) []omission {
	var out []omission
	for _, life := range found {
		s := life.Shapes[0]
		switch e := s.Entity.(type) {
		case *ir.Function:
			o := omission{Kind: "function", Name: e.Name, Header: e.Header, skips: true}
			excluded, ok := in.def.Exclude[e.Name]
			switch {
			case e.Superseded:
				o.Kind, o.Reason, o.skips = "symbol", "superseded: no public name leads to it", false
			case ok:
				o.Reason = excluded
			case e.Inline:
				o.Reason = "the header defines it, the library does not export it"
			default:
				continue
			}
			out = append(out, o)
		case *ir.Constant:
			if e.Type == nil {
				out = append(out, omission{Kind: "constant", Name: e.Name, Header: e.Header, Reason: "no value: " + e.Reason})
			}
		}
	}
	if len(in.names) > 0 {
		return out
	}
	// What cannot be bound is not in the model.
	unbound := in.unbound
	if unbound == nil {
		unbound = in.all.Releases[in.at].Omitted
	}
	for _, name := range sortedKeys(unbound) {
		_, function := in.all.Releases[in.at].Omitted[name]
		o := omission{Kind: "declaration", Name: name, Reason: unbound[name]}
		if function {
			o.Kind, o.skips = "function", true
		}
		out = append(out, o)
	}
	return out
}

// account counts the functions of a whole release.
func account(found []ir.Life, omitted []omission) (a accounting) {
	for _, life := range found {
		if f, ok := life.Shapes[0].Entity.(*ir.Function); ok && !f.Superseded {
			a.Declared++
		}
	}
	for _, o := range omitted {
		if o.skips {
			a.Skipped++
			if o.Header == "" { // not in the model
				a.Declared++
			}
		}
	}
	a.Bound = a.Declared - a.Skipped
	return a
}

func (in *inspection) printOmitted(w io.Writer, found []ir.Life) error {
	omitted := in.omissions(found)
	if in.format == "json" {
		return in.writeJSON(w, found, "omitted", len(omitted), func(i int) any { return omitted[i] })
	}
	fmt.Fprintf(w, "%s %s: %v\n", in.library, in.all.Releases[in.at].Label, account(found, omitted))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range omitted {
		fmt.Fprintf(t, "%s\t%s\t%s\n", o.Kind, o.Name, o.Reason)
	}
	return t.Flush()
}

// lifeJSON is an entity as JSON has it: the shapes have the properties that
// they have in a history file, after the releases and targets.
type lifeJSON struct {
	Kind string            `json:"kind"`
	Key  string            `json:"key"`
	Is   []json.RawMessage `json:"is"`
}

func (in *inspection) printJSON(w io.Writer, found []ir.Life) error {
	return in.writeJSON(w, found, "entities", len(found), func(i int) any {
		life := &found[i]
		out := lifeJSON{Kind: string(life.Subject), Key: life.Key}
		for _, s := range life.Shapes {
			head := map[string]any{"in": s.In}
			if s.On != nil {
				head["on"] = s.On
			}
			text, _ := json.Marshal(head) // strings
			shape := s.JSON()
			if shape != "{}" {
				shape = string(text[:len(text)-1]) + "," + shape[1:]
			}
			out.Is = append(out.Is, json.RawMessage(shape))
		}
		return out
	})
}

// writeJSON writes what an inspection gives: what it is about, then one thing
// to a line.
func (in *inspection) writeJSON(w io.Writer, found []ir.Life, property string, n int, element func(int) any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	value := func(v any) error {
		err := enc.Encode(v)
		b.Truncate(max(0, b.Len()-1)) // the line end
		return err
	}
	fmt.Fprintf(&b, "{\n\"library\":%q,\n\"release\":%q,\n\"targets\":", in.library, in.all.Releases[in.at].Label)
	if err := value(in.all.Targets); err != nil {
		return err
	}
	if len(in.names) == 0 && in.kind == "" && !in.history {
		b.WriteString(",\n\"functions\":")
		if err := value(account(found, in.omissions(found))); err != nil {
			return err
		}
	}
	fmt.Fprintf(&b, ",\n%q:[", property)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		if err := value(element(i)); err != nil {
			return err
		}
	}
	b.WriteString("\n]")
	if t := in.told(); t != nil && property == "entities" {
		b.WriteString(",\n\"timelines\":[")
		for i, line := range t.Timelines {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			if err := value(line); err != nil {
				return err
			}
		}
		b.WriteString("\n]")
	}
	b.WriteString("\n}\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (in *inspection) printText(w io.Writer, found []ir.Life) error {
	if len(in.names) == 0 && !in.history {
		return in.printTable(w, found)
	}
	for i := range found {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printLife(w, &found[i])
	}
	if t := in.told(); t != nil {
		fmt.Fprint(w, "\n"+t.text())
	}
	return nil
}

// told is what became of the names that were asked for, over all releases. Of
// headers that are given there is one release.
func (in *inspection) told() *told {
	if len(in.names) == 0 || len(in.headers) > 0 {
		return nil
	}
	var names []string
	for _, name := range in.names {
		name, _, _ = strings.Cut(name, "=") // the key of a function with another symbol
		names = append(names, name)
	}
	t := tell(in.all, names...)
	return &t
}

// printTable writes an entity to a line.
func (in *inspection) printTable(w io.Writer, found []ir.Life) error {
	counts := map[ir.Subject]int{}
	for _, life := range found {
		counts[life.Subject]++
	}
	fmt.Fprintf(w, "%s %s: ", in.library, in.all.Releases[in.at].Label)
	if in.kind == "" {
		fmt.Fprintf(w, "functions %v", account(found, in.omissions(found)))
		for _, subject := range []ir.Subject{ir.EnumSubject, ir.RecordSubject, ir.TypedefSubject, ir.ConstantSubject} {
			fmt.Fprintf(w, "; %s", counted(counts[subject], string(subject)))
		}
		fmt.Fprintln(w)
	} else {
		fmt.Fprintln(w, counted(len(found), in.kind))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range found {
		for j := range found[i].Shapes {
			s := &found[i].Shapes[j]
			fmt.Fprintf(t, "%s\t%s\t%s%s\n", found[i].Subject, found[i].Key, summary(s.Entity), onTargets(s))
		}
	}
	return t.Flush()
}

// summary is an entity in a line.
func summary(entity any) string {
	switch e := entity.(type) {
	case *ir.Function:
		text := e.Type.Declaration(e.Name)
		if e.Superseded {
			text += "  (superseded)"
		}
		return text
	case *ir.Enum:
		return counted(len(e.Enumerators), "enumerator") + ", " + e.Underlying
	case *ir.Record:
		if e.Incomplete {
			return "opaque " + e.Keyword()
		}
		return fmt.Sprintf("%s of %d bytes, %s", e.Keyword(), e.Size, counted(len(e.Fields), "field"))
	case *ir.Typedef:
		return e.Type.String()
	case *ir.Constant:
		if e.Type == nil {
			return "no value: " + e.Reason
		}
		return fmt.Sprintf("%q, %s", e.Value, e.Type)
	}
	return ""
}

// counted is a number of things in words.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func onTargets(s *ir.Shape) string {
	if s.On == nil {
		return ""
	}
	return "  on " + strings.Join(targetNames(s.On), ", ")
}

// printLife writes an entity in full.
func printLife(w io.Writer, life *ir.Life) {
	fmt.Fprintf(w, "%s %s\n", life.Subject, life.Key)
	for i := range life.Shapes {
		s := &life.Shapes[i]
		fmt.Fprintf(w, "  in %s%s\n", s.In, onTargets(s))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		row := func(name, format string, args ...any) {
			fmt.Fprintf(t, "    %s\t"+format+"\n", append([]any{name}, args...)...)
		}
		printShape(row, s.Entity)
		t.Flush()
	}
}

func printShape(row func(name, format string, args ...any), entity any) {
	switch e := entity.(type) {
	case *ir.Function:
		row("header", "%s", e.Header)
		row("declaration", "%s", e.Type.Declaration(e.Name))
		row("symbol", "%s", e.Symbol)
		if e.PerThread != "" {
			row("per thread", "%s", e.PerThread)
		}
		if e.Query.Base != "" {
			row("look-up", "%s at version %d, per thread %d", e.Query.Base, e.Query.Version, max(e.Query.PerThread, e.Query.Version))
		}
		for _, flag := range []struct {
			set  bool
			text string
		}{{e.Superseded, "superseded"}, {e.Deprecated, "deprecated"}, {e.Inline, "defined in the header"}} {
			if flag.set {
				row("note", "%s", flag.text)
			}
		}
	case *ir.Enum:
		row("header", "%s", e.Header)
		row("type", "%s", e.Underlying)
		for _, v := range e.Enumerators {
			row("= "+string(v.Value), "%s", v.Name)
		}
	case *ir.Record:
		row("header", "%s", e.Header)
		row("layout", "%s", summary(e))
		if !e.Incomplete {
			row("align", "%d", e.Align)
		}
		printFields(row, e, "", 0)
	case *ir.Typedef:
		row("header", "%s", e.Header)
		row("type", "%s", e.Type)
	case *ir.Constant:
		row("header", "%s", e.Header)
		row("value", "%s", summary(e))
	}
}

// printFields writes the fields by their paths, with offsets from the record's
// start. Those in an unnamed member are reached as if they were its parent's.
func printFields(row func(name, format string, args ...any), r *ir.Record, path string, base int64) {
	for i := range r.Fields {
		f := &r.Fields[i]
		typ := ""
		if f.Type != nil {
			typ = f.Type.String()
		}
		if f.Record != nil {
			typ += fmt.Sprintf("%s of %d bytes", f.Record.Keyword(), f.Record.Size)
		}
		for _, n := range f.Dims {
			typ += fmt.Sprintf("[%d]", n)
		}
		if f.Bits > 0 {
			typ += fmt.Sprintf(", %d bits from bit %d", f.Bits, f.Bit)
		}
		name, inside := path+f.Name, path+f.Name+"."
		if f.Name == "" {
			name, inside = path+"(unnamed)", path
		}
		row(fmt.Sprintf("at %d", base+f.Offset), "%s: %s", name, typ)
		if f.Record != nil {
			printFields(row, f.Record, inside, base+f.Offset)
		}
	}
}
