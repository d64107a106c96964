package scaffold

import (
	"fmt"
	"strings"
)

// Project is a configuration with one package that binds one library.
type Project struct {
	Package, Version, Module, Output string
	Library, Releases                string
	// Inline has the package carry the library's types, where the library's
	// definition would have the headers included.
	Inline bool
}

// YAML is the text of cybindgo.yaml. What it is made of is known to fit.
func (p *Project) YAML() string {
	binding := "releases: " + scalar(p.Releases)
	note := ""
	if p.Inline {
		binding += ", types: inline"
		note = " # with the types' definitions, so that no header is needed"
	}
	return fmt.Sprintf(`# What `+"`cybindgo generate`"+` writes.
packages:
  - name: %s
    version: %s
    module: %s
    output: %s
    libraries:
      %s: {%s}%s
`, scalar(p.Package), scalar(p.Version), p.Module, p.Output, p.Library, binding, note)
}

// scalar writes a text so that YAML reads a text: in quotes where it could be
// something else, such as a number.
func scalar(text string) string {
	letter := text != "" && (text[0] >= 'a' && text[0] <= 'z' || text[0] >= 'A' && text[0] <= 'Z')
	plain := !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && r != '/' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	dots := strings.Count(strings.ReplaceAll(text, "..", "."), ".") // 1.0 would be a number, 1.0.0 is none
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf":
		plain = false
	}
	if plain && (letter || dots > 1) {
		return text
	}
	return quoted(text)
}

// quoted is a text in double quotes, as YAML and JSON have them.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
