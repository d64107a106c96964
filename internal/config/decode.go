package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Error is a mistake in a configuration, with its place.
type Error struct {
	File      string
	Line, Col int
	Msg       string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// decode reads YAML strictly: unknown and doubled keys are mistakes.
func decode(file string, data []byte, into any) error {
	err := yaml.UnmarshalWithOptions(data, into, yaml.Strict())
	if err == nil {
		return nil
	}
	out := &Error{File: file, Msg: strings.TrimSpace(err.Error())}
	var at yaml.Error
	if errors.As(err, &at) {
		out.Msg = at.GetMessage()
		if tok := at.GetToken(); tok != nil && tok.Position != nil {
			out.Line, out.Col = tok.Position.Line, tok.Position.Column
		}
	}
	return out
}

// locator makes errors at the place of a YAML path, or of the nearest parent
// that exists.
func locator(file string, data []byte) func(path, format string, args ...any) error {
	return func(path, format string, args ...any) error {
		e := &Error{File: file, Msg: fmt.Sprintf(format, args...), Line: 1, Col: 1}
		parsed, err := parser.ParseBytes(data, 0)
		if err != nil {
			return e
		}
		for path != "$" && path != "" {
			if p, err := yaml.PathString(path); err == nil {
				if node, err := p.FilterFile(parsed); err == nil {
					if tok := first(node).GetToken(); tok != nil && tok.Position != nil {
						e.Line, e.Col = tok.Position.Line, tok.Position.Column
						return e
					}
				}
			}
			cut := strings.LastIndexAny(path, ".[")
			if cut < 0 {
				break
			}
			path = path[:cut]
		}
		return e
	}
}

// first is the leftmost node of a mapping, whose own token is its colon.
func first(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 {
			return n.Values[0].Key
		}
	case *ast.MappingValueNode:
		return n.Key
	}
	return n
}
