package scaffold

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Library is what is known of a library that nobody has defined yet.
type Library struct {
	Name    string
	Bind    []string          // headers, as they are included
	Defines []string          // NAME or NAME=VALUE
	Results map[string]string // see [Results]
	Exclude map[string]string // functions that cannot be bound, with the reasons
}

// YAML is the text of the library's definition.
func (l *Library) YAML() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What the headers of %[1]s cannot say.
library: %[1]s
title: %[1]s

headers:
  bind:
`, l.Name)
	for _, h := range l.Bind {
		fmt.Fprintf(&b, "    - %s\n", scalar(h))
	}
	if len(l.Defines) > 0 {
		b.WriteString("  defines:\n")
	}
	for _, d := range l.Defines {
		fmt.Fprintf(&b, "    - %s\n", scalar(d))
	}
	b.WriteString(`
public-names: base

types:
  default: inline # the package carries the types; with extern it includes the headers

`)
	if len(l.Results) > 0 {
		b.WriteString("# What a function returns when it raises, for each type of result: look these over.\n")
		mapping(&b, "results", l.Results)
	}
	if len(l.Exclude) > 0 {
		b.WriteString("# Functions that are left out, with the reason.\n")
		mapping(&b, "exclude", l.Exclude)
	}
	fmt.Fprintf(&b, `# How the library's file is called is in no header: set the names, the newest first.
loader:
  resolve: dynamic
  open:
    linux: [lib%[1]s.so.1, lib%[1]s.so]
    windows: [%[1]s.dll]
`, l.Name)
	return b.String()
}

func mapping(b *strings.Builder, key string, values map[string]string) {
	fmt.Fprintf(b, "%s:\n", key)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(b, "  %s: %s\n", scalar(name), scalar(values[name]))
	}
	b.WriteByte('\n')
}
