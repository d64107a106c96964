package ir

import (
	"fmt"
	"strings"
)

// Markdown writes the changes for a pull request: the counts, then what breaks
// and what behaves otherwise, class by class, with old and new declarations
// folded, then the rest, folded.
func (c *Changes) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s → %s\n\n%s.\n", c.Library, c.Old, c.New, upperFirst(c.Summary()))
	for _, class := range Classes {
		list := c.ofClass(class)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s (%d)\n", class.Title(), len(list))
		if class.Breaks() || class == Behaviour {
			b.WriteByte('\n')
			for _, x := range list {
				x.item(&b)
			}
			continue
		}
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].Subject == list[0].Subject {
				n++
			}
			fold(&b, fmt.Sprintf("%s: %d", list[0].Subject, n), list[:n])
			list = list[n:]
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
	fmt.Fprintf(b, "- **%s** %s", x.head(), code(x.Title()))
	if text := x.Values(); text != "" {
		b.WriteString(" " + code(strings.TrimLeft(text, ":= ")))
	}
	if x.Detail != "" {
		b.WriteString(" (" + escapeMarkdown(x.Detail) + ")")
	}
	if text := x.Verdict(); text != "" {
		b.WriteString(" — " + text)
	}
	b.WriteString(x.on() + "\n")
	if lines := x.Declarations(); lines != nil {
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
