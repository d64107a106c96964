package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite docs/schema and docs/configuration.md")

const docs = "../../docs"

// schemas are the published schemas and the types that they are made from.
var schemas = []struct {
	file  string
	title string
	of    any
}{
	{"cybindgo.schema.json", "cybindgo.yaml", Project{}},
	{"library.schema.json", "libraries/NAME.yaml", Library{}},
}

// makeSchema turns a type into a schema. Package jsonschema does the structure
// and the descriptions; rules are those that the decoder goes by.
func makeSchema(t testing.TB, title string, of any) *jsonschema.Schema {
	t.Helper()
	r := jsonschema.Reflector{
		Anonymous: true, FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, ExpandedStruct: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			c, ok := reflect.Zero(t).Interface().(choices)
			if !ok {
				return nil
			}
			s := &jsonschema.Schema{Type: "string"}
			for _, choice := range c.choices() {
				s.Enum = append(s.Enum, choice)
			}
			return s
		},
	}
	if err := r.AddGoComments("github.com/cybindgo/cybindgo/internal/config", ".", jsonschema.WithFullComment()); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(of)
	s.Title = title
	visited := map[reflect.Type]bool{}
	what := "This file"
	var rules func(s *jsonschema.Schema, typ reflect.Type)
	rules = func(object *jsonschema.Schema, typ reflect.Type) {
		if visited[typ] {
			return
		}
		visited[typ] = true
		object.Description = strings.Replace(plain(object.Description), typ.Name(), what, 1)
		what = "This part"
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Tag.Get("yaml") == "" {
				continue
			}
			property, ok := object.Properties.Get(f.Tag.Get("yaml"))
			if !ok {
				t.Fatalf("%s.%s has no property", typ.Name(), f.Name)
			}
			property.Description = plain(property.Description)
			if property.Description == "" {
				t.Errorf("%s.%s has no comment, which would describe its key", typ.Name(), f.Name)
			}
			applyRules(property, f)
			if inner := structIn(f.Type); inner != nil {
				rules(s.Definitions[inner.Name()], inner)
			}
		}
	}
	rules(s, reflect.TypeOf(of))
	return s
}

// applyRules adds what a field's tags say.
func applyRules(s *jsonschema.Schema, f reflect.StructField) {
	rule := fieldOf(f)
	if value := f.Tag.Get("default"); value != "" {
		s.Default = value
		if f.Type.Kind() == reflect.Int || f.Type.Kind() == reflect.Bool {
			s.Default = json.RawMessage(value)
		}
	}
	var text func(s *jsonschema.Schema, kind reflect.Type)
	text = func(s *jsonschema.Schema, kind reflect.Type) {
		switch kind.Kind() {
		case reflect.String:
			if len(s.Enum) == 0 {
				s.Pattern = rule.pattern
			}
			if rule.numbers {
				s.Type, s.OneOf = "", []*jsonschema.Schema{{Type: "string", Pattern: s.Pattern}, {Type: "number"}}
				s.Pattern = ""
			}
		case reflect.Int:
			s.Minimum, s.Maximum = json.Number(fmt.Sprint(math.MinInt32)), json.Number(fmt.Sprint(math.MaxInt32))
			if rule.hasMinimum {
				s.Minimum = json.Number(fmt.Sprint(rule.minimum))
			}
		case reflect.Slice:
			text(s.Items, kind.Elem())
		}
	}
	switch f.Type.Kind() {
	case reflect.Map:
		s.PropertyNames = &jsonschema.Schema{Pattern: textRules[rule.keys].pattern}
		text(s.AdditionalProperties, f.Type.Elem())
		if f.Type.Elem().Kind() == reflect.Slice {
			s.AdditionalProperties.MinItems, s.AdditionalProperties.UniqueItems = new(uint64), true
			*s.AdditionalProperties.MinItems = 1
		}
	default:
		text(s, f.Type)
	}
}

// structIn is the struct that a field holds, alone, in a list or in a map.
func structIn(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

// plain is a comment in one line.
func plain(comment string) string { return strings.Join(strings.Fields(comment), " ") }

func schemaText(t testing.TB, title string, of any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(makeSchema(t, title, of)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// published compares a file with what it has to hold, or writes it.
func published(t *testing.T, name string, want []byte) {
	t.Helper()
	path := filepath.Join(docs, name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s is not what the source says; `go test ./internal/config -update` writes it (-want +got):\n%s", name, d)
	}
}

func TestSchemasArePublished(t *testing.T) {
	for _, s := range schemas {
		published(t, "schema/"+s.file, schemaText(t, s.title, s.of))
	}
}

// compiled is a published schema, ready to validate.
func compiled(t *testing.T, file string) *validator.Schema {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(docs, "schema", file))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource(file, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *validator.Schema, text string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(value)
}

// The schema and the loader agree: whatever has the wrong shape is refused by
// both, and what only the loader can know is wrong has a right shape.
func TestSchemaAndLoaderAgree(t *testing.T) {
	for _, c := range []struct {
		file, text     string
		shape, meaning []mistake
	}{
		{"cybindgo.schema.json", whole, projectShape, projectMeaning},
		{"library.schema.json", full, libraryShape, libraryMeaning},
	} {
		s := compiled(t, c.file)
		if err := validate(t, s, c.text); err != nil {
			t.Errorf("%s refuses a right file: %v", c.file, err)
		}
		for _, m := range c.shape {
			if err := validate(t, s, strings.Replace(c.text, m.old, m.new, 1)); err == nil {
				t.Errorf("%s accepts %q", c.file, m.new)
			}
		}
		for _, m := range c.meaning {
			if strings.Contains(m.want, "stands twice: first in line") {
				continue // no YAML for others
			}
			if err := validate(t, s, strings.Replace(c.text, m.old, m.new, 1)); err != nil {
				t.Errorf("%s refuses %q, so this is a mistake of shape: %v", c.file, m.new, err)
			}
		}
	}
}

// Our own files are valid, and tell editors where their schema is.
func TestOurFilesNameTheirSchema(t *testing.T) {
	root := filepath.Join("..", "..")
	files := map[string]string{filepath.Join(root, FileName): "cybindgo.schema.json"}
	for _, name := range LibraryNames() {
		files[filepath.Join("libraries", name+".yaml")] = "library.schema.json"
	}
	for path, schema := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, compiled(t, schema), string(data)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		to, ok := strings.CutPrefix(first, "# yaml-language-server: $schema=")
		if !ok {
			t.Errorf("%s does not begin with the line that names its schema", path)
			continue
		}
		if got, want := filepath.Join(filepath.Dir(path), filepath.FromSlash(to)), filepath.Join(docs, "schema", schema); got != want {
			t.Errorf("%s names %s, want %s", path, got, want)
		}
	}
}
