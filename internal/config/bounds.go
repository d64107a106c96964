package config

import (
	"fmt"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Bounds on a configuration. The YAML parser takes time and memory beyond all
// measure for text that is nested very deep; its lexer does not.
const (
	maxSize    = 1 << 20 // bytes of a file; ours have 3,000
	maxNesting = 100     // of brackets, and of what nests within a line: `- - a`
)

// bounds refuses text that the YAML parser had better not see.
func bounds(file string, data []byte) error {
	if len(data) > maxSize {
		return &Error{File: file, Line: 1, Col: 1, Msg: fmt.Sprintf("the file has %d bytes: expected at most %d", len(data), maxSize)}
	}
	open, line, inLine := 0, 0, 0
	for _, t := range lexer.Tokenize(string(data)) {
		if t.Position.Line != line {
			line, inLine = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open--
		case token.CollectEntryType: // a comma: what follows is beside, not inside
			inLine = 0
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.AnchorType, token.TagType:
			inLine++
		}
		if open > maxNesting || inLine > maxNesting {
			return &Error{File: file, Line: t.Position.Line, Col: t.Position.Column, Msg: fmt.Sprintf("nested too deep: more than %d levels", maxNesting)}
		}
	}
	return nil
}
