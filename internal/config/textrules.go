package config

import "fmt"

// textRule is what a text may be: a pattern that it matches, and words for it.
type textRule struct{ pattern, expect string }

// textRules are the rules that fields name. Patterns are those of JSON schemas,
// too.
var textRules = map[string]textRule{
	"distribution": {`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`, "a distribution's name"},
	"define":       {`^[A-Za-z_][A-Za-z0-9_]*(=.*)?$`, "NAME or NAME=VALUE"},
	"expression":   {`^[^\r\n]+$`, "a C expression in one line"},
	"family":       {`^[a-z][a-z0-9-]*$`, "a family's name of small letters, digits and hyphens"},
	"folder":       {`^[^/\r\n]+(/[^/\r\n]+)*$`, "a folder below the configuration"},
	"header":       {`^[A-Za-z0-9_][A-Za-z0-9_.+-]*(/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*$`, "a header as it is included"},
	"identifier":   {`^[A-Za-z_][A-Za-z0-9_]*$`, "a name in C"},
	"library":      {`^[a-z][a-z0-9_]*$`, "small letters, digits and underscores, a letter first"},
	"licence":      {`^[^\r\n]*$`, "one line of text"},
	"line":         {`^[^\r\n]+$`, "one line of text"},
	"module":       {`^[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)*$`, "dotted Python names"},
	"parameter":    {`^[A-Za-z_][A-Za-z0-9_]*[.][A-Za-z_][A-Za-z0-9_]*$`, "FUNCTION.PARAMETER"},
	"pointer":      {`^[A-Za-z_][A-Za-z0-9_ *]*[*]$`, "a pointer type in C, such as void*"},
	"packages":     {`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?([|][A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)*$`, "a package's name, or several separated by |"},
	"pathfinder":   {`^[A-Za-z0-9_.-]+$`, "a name that cuda.pathfinder knows"},
	"range":        {`^[0-9][0-9A-Za-z]*([.][0-9A-Za-z]+)*([.][.][0-9][0-9A-Za-z]*([.][0-9A-Za-z]+)*)?$`, "a release or a range of them"},
	"reason":       {`[^ ]`, "the reason"},
	"release":      {`^[0-9][0-9A-Za-z.]*$`, "a release, such as 13.0.0"},
	"shared":       {`^[A-Za-z0-9_.+/-]+$`, "the file name of a library"},
	"snippet":      {`^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$`, "a file below the definition's folder"},
	"type":         {`^[A-Za-z_][A-Za-z0-9_ *]*$`, "a type in C, such as demoStatus_t"},
	"typename":     {`^[A-Za-z_][A-Za-z0-9_]*$`, "a type's name, without struct, union or enum"},
	"versioned":    {`^[A-Za-z0-9_]*[{]symbol[}][A-Za-z0-9_]*[{]major[}][A-Za-z0-9_]*[{]minor[}][A-Za-z0-9_]*$`, "{symbol}, {major} and {minor} with letters, digits and underscores around them"},
	"version":      {`^[0-9][A-Za-z0-9.!+_-]*$`, "a version"},
}

// Fits says what is wrong with a text that is to stand where a rule holds:
// "distribution", "module", "library", "version". what names the text in the
// message.
func Fits(rule, what, text string) error {
	r, ok := textRules[rule]
	if !ok {
		panic("config: no rule " + rule)
	}
	if !matches(r.pattern, text) {
		return fmt.Errorf("%s %q: expected %s", what, text, r.expect)
	}
	return nil
}
