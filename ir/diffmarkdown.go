package ir

import (
	"fmt"
	"strings"
)

// Markdown writes the changes for a pull request: the counts, then what breaks,
// with old and new declarations folded, then limits and the rest, folded.
func (c *Changes) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s → %s\n\n%s.\n", c.Library, c.Old, c.New, upperFirst(c.Counts().String()))
	var breaking, limits, rest []*Change
	for i := range c.List {
		switch x := &c.List[i]; {
		case x.Breaks != 0:
			breaking = append(breaking, x)
		case x.Limit:
			limits = append(limits, x)
		default:
			rest = append(rest, x)
		}
	}
	if len(breaking) > 0 {
		fmt.Fprintf(&b, "\n## Breaking (%d)\n\n", len(breaking))
		for _, x := range breaking {
			x.item(&b)
		}
	}
	if len(limits) > 0 {
		fmt.Fprintf(&b, "\n## Limits (%d)\n", len(limits))
		fold(&b, "MAX, COUNT and END enumerators", limits)
	}
	if len(rest) > 0 {
		fmt.Fprintf(&b, "\n## Other (%d)\n", len(rest))
		for len(rest) > 0 {
			n := 1
			for n < len(rest) && rest[n].Subject == rest[0].Subject {
				n++
			}
			fold(&b, fmt.Sprintf("%s: %d", rest[0].Subject, n), rest[:n])
			rest = rest[n:]
		}
	}
	return b.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// fold writes a list that is shown when its summary is clicked.
func fold(b *strings.Builder, summary string, list []*Change) {
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", summary)
	for _, x := range list {
		x.item(b)
	}
	b.WriteString("\n</details>\n")
}

// item writes a change as an item of a list.
func (x *Change) item(b *strings.Builder) {
	fmt.Fprintf(b, "- **%s** %s", x.head(), code(x.title()))
	if text := x.values(); text != "" {
		b.WriteString(" " + code(strings.TrimLeft(text, ":= ")))
	}
	if x.Detail != "" {
		b.WriteString(" (" + escapeMarkdown(x.Detail) + ")")
	}
	if x.Breaks != 0 {
		b.WriteString(" — breaks " + x.Breaks.String())
	}
	b.WriteString(x.on() + "\n")
	if lines := x.declarations(); lines != nil {
		fence := "```"
		for strings.Contains(strings.Join(lines, ""), fence) {
			fence += "`"
		}
		fmt.Fprintf(b, "  <details><summary>declaration</summary>\n\n  %sdiff\n  %s\n  %s\n\n  </details>\n", fence, strings.Join(lines, "\n  "), fence)
	}
}

// code is text in a code span, whatever is in it.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

var escapeMarkdown = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", ">", "&gt;", "[", `\[`, "\n", " ").Replace
