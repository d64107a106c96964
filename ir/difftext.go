package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Text writes the changes for a terminal: a line of counts, then a line for
// each change, in order, with declarations indented below.
func (c *Changes) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s -> %s: %s\n", c.Library, c.Old, c.New, c.Summary())
	subject := Subject("")
	for i := range c.List {
		x := &c.List[i]
		if x.Subject != subject {
			b.WriteByte('\n')
			subject = x.Subject
		}
		b.WriteString(x.String())
		b.WriteByte('\n')
		for _, line := range x.Declarations() {
			b.WriteString("    " + line + "\n")
		}
	}
	return b.String()
}

// String is the change in one line.
func (x *Change) String() string {
	s := x.head() + ": " + x.Title() + x.Values()
	if x.Detail != "" {
		s += " (" + x.Detail + ")"
	}
	if text := x.Verdict(); text != "" {
		s += " [" + text + "]"
	}
	return s + x.on()
}

func (x *Change) head() string { return string(x.Subject) + " " + string(x.What) }

// Title is the name, with the place where that is needed to know it.
func (x *Change) Title() string {
	name := x.Name
	if x.What == Renamed {
		name = x.Old + " -> " + x.New
	}
	switch x.Subject {
	case FieldSubject:
		return x.In + "." + name
	case EnumeratorSubject:
		return name + " in " + x.In
	}
	return name
}

// declares reports whether Old and New are declarations, which are too long for
// a line together.
func (x *Change) declares() bool {
	switch x.What {
	case SignatureChanged, ParametersRenamed, ParametersSwapped, ParametersRespelled, ConventionChanged:
		return true
	case Added, Removed:
		return x.Subject == FunctionSubject || x.Subject == SymbolSubject
	}
	return false
}

// Values is what the entity was and is, for the line.
func (x *Change) Values() string {
	switch {
	case x.declares() || x.Old == "" && x.New == "":
		return ""
	case x.What == Added || x.What == Removed:
		sign := ": "
		if x.Subject == EnumeratorSubject || x.Subject == ConstantSubject {
			sign = " = "
		}
		return sign + oneLine(x.Old+x.New)
	case x.What == Renamed:
		return "" // the title has it
	}
	return ": " + orNone(x.Old) + " -> " + orNone(x.New)
}

// Declarations are the old one after a minus sign, and the new one after a plus
// sign, where they are too long for a line together.
func (x *Change) Declarations() []string {
	var lines []string
	if x.declares() {
		if x.Old != "" {
			lines = append(lines, "- "+x.Old)
		}
		if x.New != "" {
			lines = append(lines, "+ "+x.New)
		}
	}
	return lines
}

func (x *Change) on() string {
	var names []string
	for _, t := range x.On {
		names = append(names, string(t))
	}
	if names == nil {
		return ""
	}
	return " on " + strings.Join(names, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return oneLine(s)
}

// oneLine quotes what would not stay on its line.
func oneLine(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
