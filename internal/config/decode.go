package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// decoder fills a value from a document as strictly as the JSON schema that is
// made from the same types: a key that no field has, a key that stands twice,
// text where a list is expected and what breaks a field's rules are mistakes. It
// goes on after one, so that all are reported.
//
// A field's tags are
//
//	yaml        its key
//	jsonschema  required, minItems, uniqueItems, minimum, as in the schema
//	rule        of textRules: what the text is, or an item of the list, or a value of
//	            the map
//	keys        of textRules: what the keys of the map are
//	numbers     "text": a number is taken as the text that it is
//	expect      what is wanted, for messages
//	default, example  for the reference; an example is for messages, too
//
// A type with choices takes only these.
type decoder struct {
	*document
	budget int // values that may still be read: aliases can make many of few
}

// maxValues bounds what aliases can make of a file of [maxSize].
const maxValues = 200_000

// decode reads a file into a pointer to a struct. The document is nil only if
// the file is no YAML. Mistakes are noted in the document.
func decode(file string, data []byte, into any) (*document, error) {
	doc, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	d := &decoder{doc, maxValues}
	d.fill(doc.root, reflect.ValueOf(into).Elem(), field{})
	return doc, nil
}

// choices is a type with few values.
type choices interface{ choices() []string }

// field is what a struct says of one of its fields.
type field struct {
	name        string
	required    bool
	numbers     bool
	pattern     string
	keys        string
	expect      string
	minItems    int
	uniqueItems bool
	minimum     int
	hasMinimum  bool
}

// matches reports whether the whole of a text is as a pattern wants it.
func matches(pattern, text string) bool {
	compiled, ok := patterns.Load(pattern)
	if !ok {
		compiled, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return compiled.(*regexp.Regexp).MatchString(text)
}

// patterns are those compiled so far.
var patterns sync.Map

func fieldOf(f reflect.StructField) field {
	rule := textRules[f.Tag.Get("rule")]
	out := field{
		name: f.Tag.Get("yaml"), keys: f.Tag.Get("keys"), numbers: f.Tag.Get("numbers") != "",
		pattern: rule.pattern, expect: cmp.Or(f.Tag.Get("expect"), rule.expect),
	}
	if c, ok := reflect.Zero(f.Type).Interface().(choices); ok {
		out.expect = "one of " + strings.Join(c.choices(), ", ")
	} else if example := f.Tag.Get("example"); example != "" && out.expect == rule.expect && f.Type.Kind() != reflect.Map {
		out.expect = strings.TrimPrefix(out.expect+", such as "+example, ", ")
	}
	for rule := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		key, value, _ := strings.Cut(rule, "=")
		switch key {
		case "required":
			out.required = true
		case "minItems":
			out.minItems, _ = strconv.Atoi(value)
		case "uniqueItems":
			out.uniqueItems = value == "true"
		case "minimum":
			out.minimum, _ = strconv.Atoi(value)
			out.hasMinimum = true
		}
	}
	return out
}

// fill reads a node. Types are finite, and so is an alias that stands for what
// it is inside of.
func (d *decoder) fill(n ast.Node, v reflect.Value, f field) {
	at := d.pos(n)
	if d.budget--; d.budget < 0 {
		if d.budget == -1 {
			d.fail(at, "aliases stand for more than %d values", maxValues)
		}
		return
	}
	alias := n
	if n = d.value(n); n == nil && alias != nil {
		d.fail(at, "the alias %s leads nowhere", alias)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.fillStruct(n, v, f, at)
	case reflect.Map:
		d.fillMap(n, v, f, at)
	case reflect.Slice:
		d.fillSlice(n, v, f, at)
	case reflect.String:
		d.fillString(n, v, f, at)
	case reflect.Int:
		i, ok := n.(*ast.IntegerNode)
		if !ok {
			d.expected(at, f, "a whole number", n)
			return
		}
		value, ok := toInt(i.Value)
		if !ok || f.hasMinimum && value < f.minimum {
			d.fail(at, "%s %s: expected %s", f.name, i.Token.Value, f.orElse("a number that fits into 32 bits"))
		}
		v.SetInt(int64(value))
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			d.expected(at, f, "true or false", n)
			return
		}
		v.SetBool(b.Value)
	default:
		panic("config: no rule for " + v.Type().String())
	}
}

// toInt takes what fits into an int of C.
func toInt(value any) (int, bool) {
	i, err := strconv.ParseInt(fmt.Sprint(value), 10, 32)
	return int(i), err == nil
}

func (f *field) orElse(what string) string {
	if f.expect != "" {
		return f.expect
	}
	return what
}

// expected notes that something of another kind stands there.
func (d *decoder) expected(at place, f field, what string, n ast.Node) {
	name := f.name
	if name == "" {
		name = "the file"
	}
	d.fail(at, "%s is %s: expected %s", name, kind(n), what)
}

// kind names what a node is.
func kind(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", n.Value)
	case *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "the number " + n.GetToken().Value
	case *ast.BoolNode:
		return "the truth value " + n.GetToken().Value
	case *ast.TagNode:
		return "tagged " + n.GetToken().Value
	case *ast.NullNode, nil:
		return "empty"
	}
	return "a " + strings.ToLower(n.Type().String())
}

func (d *decoder) fillStruct(n ast.Node, v reflect.Value, f field, at place) {
	list, ok := d.entries(n)
	if !ok {
		d.expected(at, f, "a mapping", n)
		return
	}
	fields := map[string]int{}
	var keys []string
	for i := range v.NumField() {
		if key := v.Type().Field(i).Tag.Get("yaml"); key != "" {
			fields[key] = i
			keys = append(keys, key)
		}
	}
	given, meant := d.doubled(list), map[string]bool{}
	for _, e := range list {
		i, known := fields[e.name]
		if !known {
			// Who mistypes a key has not forgotten it.
			meant[suggest.Nearest(e.name, keys)] = true
			d.fail(d.pos(e.key), "unknown key %q: expected one of %s%s", e.name, strings.Join(keys, ", "), suggest.Hint(e.name, keys))
			continue
		}
		d.fill(e.value, v.Field(i), fieldOf(v.Type().Field(i)))
	}
	for _, key := range keys {
		if f := fieldOf(v.Type().Field(fields[key])); f.required && given[key] == nil && !meant[key] {
			d.fail(at, "expected %s: %s", key, f.orElse("it is required"))
		}
	}
}

// doubled notes keys that stand twice, and gives back all.
func (d *decoder) doubled(list []entry) map[string]ast.Node {
	given := make(map[string]ast.Node, len(list))
	for _, e := range list {
		if first := given[e.name]; first != nil {
			d.fail(d.pos(e.key), "the key %q stands twice: first in line %d", e.name, d.pos(first).line)
			continue
		}
		given[e.name] = e.key
	}
	return given
}

func (d *decoder) fillMap(n ast.Node, v reflect.Value, f field, at place) {
	list, ok := d.entries(n)
	if !ok {
		d.expected(at, f, "a mapping", n)
		return
	}
	d.doubled(list)
	rule := textRules[f.keys]
	v.Set(reflect.MakeMapWithSize(v.Type(), len(list)))
	for _, e := range list {
		if !matches(rule.pattern, e.name) {
			d.fail(d.pos(e.key), "%s %q: expected %s", f.name, e.name, rule.expect)
			continue
		}
		value := reflect.New(v.Type().Elem()).Elem()
		of := field{name: e.name, pattern: f.pattern, expect: f.expect, numbers: f.numbers}
		if value.Kind() == reflect.Slice {
			of.minItems, of.uniqueItems = 1, true
		}
		d.fill(e.value, value, of)
		v.SetMapIndex(reflect.ValueOf(e.name), value)
	}
}

func (d *decoder) fillSlice(n ast.Node, v reflect.Value, f field, at place) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.expected(at, f, "a list", n)
		return
	}
	if len(s.Values) < f.minItems {
		d.fail(at, "%s is empty: expected %s", f.name, f.orElse("something in the list"))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values)))
	seen := map[string]bool{}
	for i, item := range s.Values {
		d.fill(item, v.Index(i), field{name: f.name, pattern: f.pattern, expect: f.expect})
		if text := v.Index(i).String(); f.uniqueItems {
			if seen[text] {
				d.fail(d.pos(item), "%s: %q stands twice", f.name, text)
			}
			seen[text] = true
		}
	}
}

func (d *decoder) fillString(n ast.Node, v reflect.Value, f field, at place) {
	var text string
	switch s := n.(type) {
	case *ast.StringNode:
		text = s.Value
	case *ast.LiteralNode:
		text = s.Value.Value
	case *ast.IntegerNode, *ast.FloatNode:
		if !f.numbers {
			d.fail(at, "%s is %s: expected text; write %q", f.name, kind(n), n.GetToken().Value)
			return
		}
		text = n.GetToken().Value
	case *ast.BoolNode:
		d.fail(at, "%s is %s: expected text; write %q", f.name, kind(n), n.GetToken().Value)
		return
	default:
		d.expected(at, f, "text", n)
		return
	}
	v.SetString(text)
	if c, ok := v.Interface().(choices); ok {
		if valid := c.choices(); !slices.Contains(valid, text) {
			d.fail(at, "%s %q: expected one of %s%s", f.name, text, strings.Join(valid, ", "), suggest.Hint(text, valid))
		}
	} else if f.pattern != "" && !matches(f.pattern, text) {
		d.fail(at, "%s %q: expected %s", f.name, text, f.orElse("text"))
	}
}
