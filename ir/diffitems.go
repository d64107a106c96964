package ir

import (
	"fmt"
	"strings"
)

// MarkdownItems writes the changes as the items of a Markdown list, at most max
// of them; how many are left out is said. Zero is all.
func (c *Changes) MarkdownItems(max int) string {
	var b strings.Builder
	for i := range c.List {
		if max > 0 && i == max {
			fmt.Fprintf(&b, "- … and %d more: see `cybindgo diff %s %s %s`\n", len(c.List)-max, c.Library, c.Old, c.New)
			break
		}
		c.List[i].item(&b)
	}
	return b.String()
}
