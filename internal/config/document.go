package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// document is a YAML file: its tree, and where things stand in it. It collects
// what is wrong with the file.
type document struct {
	file    string
	lines   [][]byte
	root    ast.Node
	anchors map[string]ast.Node
	errs    Errors
}

// parse reads YAML. Without a document in it, the error says why.
func parse(file string, data []byte) (*document, error) {
	d := &document{file: file, lines: bytes.Split(data, []byte("\n")), anchors: map[string]ast.Node{}}
	if err := d.onlyText(data); err != nil {
		return nil, err
	}
	if err := bounds(file, data); err != nil {
		return nil, err
	}
	// Doubled keys are found later, with those that are doubled in other words.
	tree, err := d.tree(data)
	if err != nil {
		return nil, err
	}
	for i, doc := range tree.Docs {
		switch {
		case i == 0:
			d.root = doc.Body
		case doc.Body != nil:
			return nil, d.error(d.pos(doc.Body), "a second document begins here: expected one")
		}
	}
	if d.root == nil || d.root.Type() == ast.NullType || d.root.Type() == ast.CommentType {
		return nil, d.error(place{1, 1}, "the file says nothing: expected keys and values")
	}
	ast.Walk(d, d.root)
	return d, nil
}

// onlyText refuses a file that is no text.
func (d *document) onlyText(data []byte) error {
	at := notText(data)
	if at < 0 {
		return nil
	}
	before := data[:at]
	line := bytes.Count(before, []byte("\n"))
	col := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	msg := "expected text in UTF-8"
	if data[at] == '\r' {
		msg = "expected a line feed after a carriage return"
	}
	return d.error(place{line + 1, col + 1}, "byte 0x%02x: %s", data[at], msg)
}

// notText is the place of the first byte that no text has, or -1.
func notText(data []byte) int {
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		switch {
		case r == '\r' && !bytes.HasPrefix(data[at+n:], []byte("\n")),
			r == utf8.RuneError && n == 1,
			r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return at
		}
		at += n
	}
	return -1
}

// tree calls the YAML parser, which may panic for nonsense.
func (d *document) tree(data []byte) (tree *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			tree, err = nil, d.error(place{1, 1}, "this is not YAML")
		}
	}()
	tree, err = parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return tree, nil
	}
	at, msg := place{1, 1}, strings.TrimSpace(err.Error())
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		msg = syntax.GetMessage()
		if t := syntax.GetToken(); t != nil && t.Position != nil {
			at = place{t.Position.Line, t.Position.Column}
		}
	}
	return nil, d.error(at, "%s", strings.ToValidUTF8(msg, "?"))
}

// Visit collects the anchors, for ast.Walk.
func (d *document) Visit(n ast.Node) ast.Visitor {
	if a, ok := n.(*ast.AnchorNode); ok && a.Name != nil {
		d.anchors[a.Name.String()] = a.Value
	}
	return d
}

// place is a line and a column.
type place struct{ line, col int }

// error is a mistake at a place, or the nearest one that the file has.
func (d *document) error(at place, format string, args ...any) *Error {
	line := min(max(at.line, 1), len(d.lines))
	col := min(max(at.col, 1), utf8.RuneCount(bytes.TrimSuffix(d.lines[line-1], []byte("\r")))+1)
	return &Error{d.file, line, col, fmt.Sprintf(format, args...)}
}

// fail notes a mistake.
func (d *document) fail(at place, format string, args ...any) {
	d.errs = append(d.errs, d.error(at, format, args...))
}

// pos is where a node begins. The token of a mapping itself is a colon.
func (d *document) pos(n ast.Node) place {
	switch m := n.(type) {
	case *ast.MappingNode:
		if len(m.Values) > 0 && !m.IsFlowStyle {
			n = m.Values[0].Key
		}
	case *ast.MappingValueNode:
		n = m.Key
	case *ast.SequenceNode:
		if len(m.Values) > 0 && !m.IsFlowStyle {
			return d.pos(m.Values[0])
		}
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return place{t.Position.Line, t.Position.Column}
	}
	return place{1, 1}
}

// value follows anchors and aliases to what stands for itself. It is nil where
// an alias leads nowhere or to itself.
func (d *document) value(n ast.Node) ast.Node {
	for range 100 {
		switch v := n.(type) {
		case *ast.AnchorNode:
			n = v.Value
		case *ast.AliasNode:
			if v.Value == nil {
				return nil
			}
			n = d.anchors[v.Value.String()]
		default:
			return n
		}
	}
	return nil
}

// entry is a key and its value.
type entry struct {
	name  string
	key   ast.Node
	value ast.Node
}

// entries lists what a mapping holds, with what it merges from others (`<<`)
// last. ok is false for what is no mapping.
func (d *document) entries(n ast.Node) (list []entry, ok bool) {
	var pairs []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		return nil, false
	}
	var merged []ast.Node
	own := map[string]bool{}
	for _, p := range pairs {
		if p.Key.IsMergeKey() {
			merged = append(merged, p.Value)
			continue
		}
		var key ast.Node = p.Key
		if k, ok := key.(*ast.MappingKeyNode); ok {
			key = k.Value
		}
		name := ""
		switch k := d.value(key).(type) {
		case nil:
		case *ast.StringNode:
			name = k.Value
		case ast.ScalarNode:
			name = k.GetToken().Value
		}
		own[name] = true
		list = append(list, entry{name, p.Key, p.Value})
	}
	for _, m := range merged {
		sources := []ast.Node{d.value(m)}
		if s, ok := sources[0].(*ast.SequenceNode); ok {
			sources = s.Values
		}
		for _, s := range sources {
			inherited, ok := d.inherited(s)
			if !ok {
				d.fail(d.pos(m), "expected << to name a mapping, as in *anchor")
			}
			for _, e := range inherited {
				if !own[e.name] {
					own[e.name] = true
					list = append(list, e)
				}
			}
		}
	}
	return list, true
}

// inherited are the entries of a mapping that another one merges. It may merge
// none itself, so that no mapping can merge itself.
func (d *document) inherited(n ast.Node) (list []entry, ok bool) {
	m, ok := d.value(n).(*ast.MappingNode)
	if !ok {
		return nil, false
	}
	for _, p := range m.Values {
		if p.Key.IsMergeKey() {
			d.fail(d.pos(p.Key), "expected no << in what is itself merged")
			return nil, true
		}
	}
	return d.entries(m)
}

// at is the place of the value under a path of keys and indexes, or of its
// nearest parent that is there.
func (d *document) at(path ...any) place {
	_, value := d.find(path)
	return value
}

// keyAt is the place of the last key of a path.
func (d *document) keyAt(path ...any) place {
	key, _ := d.find(path)
	return key
}

func (d *document) find(path []any) (key, value place) {
	if d == nil {
		return place{}, place{}
	}
	n := d.root
	key, value = d.pos(n), d.pos(n)
steps:
	for _, step := range path {
		n = d.value(n)
		switch step := step.(type) {
		case int:
			if s, ok := n.(*ast.SequenceNode); ok && step < len(s.Values) {
				n = s.Values[step]
				key, value = d.pos(n), d.pos(n)
				continue
			}
		case string:
			list, _ := d.entries(n)
			for _, e := range list {
				if e.name == step {
					n = e.value
					key, value = d.pos(e.key), d.pos(e.value)
					continue steps
				}
			}
		}
		break
	}
	return key, value
}
