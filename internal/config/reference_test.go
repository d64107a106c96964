package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

// The reference's own words; everything else comes from the source.
const (
	referenceHead = `# Configuration

<!-- Made from internal/config by ` + "`go test ./internal/config -update`" + `; edits are lost. -->

A project has one ` + "`cybindgo.yaml`" + `, and a definition for each library that is not built in.
Both are YAML. Unknown keys, keys that stand twice, values of the wrong kind and rules
that match nothing are mistakes, each reported with its place. Anchors, aliases and
` + "`<<`" + ` may be used.

Editors that know the YAML language server complete and check both files, if the first
line names the schema:

` + "```yaml" + `
# yaml-language-server: $schema=docs/schema/cybindgo.schema.json
` + "```" + `

Copy the schemas from [schema/](schema/): [cybindgo.schema.json](schema/cybindgo.schema.json),
[library.schema.json](schema/library.schema.json).
`
	referenceTail = `
## Snippets

A definition may name one file with hand-written Cython, for what headers cannot say. A
line ` + "`# cybindgo: FILE`" + ` begins each of its sections:

` + "```cython" + `
# cybindgo: cydemo.pxd
cdef int demoLocalVersion(int* version) except? -1 nogil

# cybindgo: cydemo.pyx
cdef int demoLocalVersion(int* version) except? -1 nogil:
    return _cyb_loader._demoLocalVersion(version)

# cybindgo: _internal/demo.pxd
cdef int _demoLocalVersion(int* version) except? -1 nogil

# cybindgo: _internal/demo.pyx
cdef int _demoLocalVersion(int* version) except? -1 nogil:
    version[0] = 42
    return 0
` + "```" + `

A section goes to the end of its file, below a comment that names the snippet, and is
sealed with it. ` + "`_internal/demo.pyx`" + ` stands for the loaders of all platforms, which stay the
same. An edit of the snippet shows in ` + "`cybindgo check`" + ` until ` + "`cybindgo generate`" + ` is run. Line
ends and blank lines around a section make no difference. Tabs, and names that the
generated part has already, are mistakes.
`
)

func TestReferenceIsPublished(t *testing.T) {
	published(t, "configuration.md", []byte(reference(t)))
}

func reference(t *testing.T) string {
	var b strings.Builder
	b.WriteString(referenceHead)
	for _, s := range schemas {
		example := whole
		if s.title != FileName {
			example = full
		}
		schema := makeSchema(t, s.title, s.of)
		fmt.Fprintf(&b, "\n## `%s`\n\n%s\n\nWith every key:\n\n```yaml\n%s```\n", s.title, schema.Description, example)
		tables(&b, schema, schema, reflect.TypeOf(s.of), "")
	}
	b.WriteString(referenceTail)
	return b.String()
}

// tables writes a table of a struct's keys, then those of the structs in it.
func tables(b *strings.Builder, root, s *jsonschema.Schema, typ reflect.Type, path string) {
	if path != "" {
		fmt.Fprintf(b, "\n### `%s`\n\n%s\n", path, s.Description)
	}
	b.WriteString("\n| key | value | default | meaning |\n|---|---|---|---|\n")
	for i := range typ.NumField() {
		f := typ.Field(i)
		rule := fieldOf(f)
		if rule.name == "" {
			continue
		}
		property, _ := s.Properties.Get(rule.name)
		fallback := f.Tag.Get("default")
		switch {
		case rule.required:
			fallback = "required"
		case fallback != "":
			fallback = "`" + fallback + "`"
		default:
			fallback = "none"
		}
		meaning := property.Description
		if example := f.Tag.Get("example"); example != "" && structIn(f.Type) == nil {
			meaning += " For example `" + example + "`."
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", rule.name, valueWords(f), fallback, strings.ReplaceAll(meaning, "|", "\\|"))
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		inner := structIn(f.Type)
		if inner == nil || f.Tag.Get("yaml") == "" {
			continue
		}
		below := strings.TrimPrefix(path+"."+f.Tag.Get("yaml"), ".")
		switch f.Type.Kind() {
		case reflect.Slice:
			below += "[]"
		case reflect.Map:
			below += ".NAME"
		}
		tables(b, root, root.Definitions[inner.Name()], inner, below)
	}
}

// valueWords says what a key takes.
func valueWords(f reflect.StructField) string {
	var words func(t reflect.Type) string
	words = func(t reflect.Type) string {
		if c, ok := reflect.Zero(t).Interface().(choices); ok {
			return "`" + strings.Join(c.choices(), "`, `") + "`"
		}
		switch t.Kind() {
		case reflect.Slice:
			if structIn(t) != nil {
				return "list of mappings"
			}
			return "list: " + words(t.Elem())
		case reflect.Map:
			if structIn(t) != nil {
				return "mapping by name"
			}
			return "mapping: " + ruleWords(f.Tag.Get("keys")) + ", to " + words(t.Elem())
		case reflect.Struct:
			return "mapping"
		case reflect.Int:
			return "whole number"
		case reflect.Bool:
			return "`true`, `false`"
		}
		return ruleWords(f.Tag.Get("rule"))
	}
	return words(f.Type)
}

// ruleWords are a rule's words without its example.
func ruleWords(rule string) string {
	words, _, _ := strings.Cut(textRules[rule].expect, ", such as")
	return words
}
