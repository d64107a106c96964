package ir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// SyntaxError is what is wrong with the JSON of a history, and where.
type SyntaxError struct {
	File      string
	Line, Col int // from 1; Col counts bytes
	Msg       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// maxDepth bounds how deep objects and arrays are nested, so that nonsense in
// a file cannot exhaust the stack.
const maxDepth = 200

// reader reads JSON value by value, each as what the caller expects there. It
// works on tokens, not by reflection into structs, so that an error of meaning
// has the position of its token, as one of syntax has.
//
// The first error stops it; every later call returns zero values, so that
// callers check once, at the end.
type reader struct {
	file  string
	text  string // strings are cut out of it, not copied
	dec   *jsontext.Decoder
	start int // of the token read last
	err   error

	types map[string]*Type // spellings read so far
	// Lists that are being read, those inside others last: an entity gets a
	// copy of the right length.
	enumerators []Enumerator
	fields      []Field
}

func newReader(file string, data []byte) *reader {
	return &reader{
		file:  file,
		text:  string(data),
		dec:   jsontext.NewDecoder(bytes.NewBuffer(data)),
		types: make(map[string]*Type, len(data)/512),
	}
}

// fail records an error at the token read last.
func (r *reader) fail(format string, args ...any) {
	if r.err != nil {
		return
	}
	before := r.text[:r.start]
	r.err = &SyntaxError{
		File: r.file,
		Line: strings.Count(before, "\n") + 1,
		Col:  len(before) - strings.LastIndexByte(before, '\n'),
		Msg:  fmt.Sprintf(format, args...),
	}
}

// syntax records what the decoder says instead of a token.
func (r *reader) syntax(what string, err error) {
	var wrong *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		r.fail("expected %s, found an empty file", what)
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.start = len(r.text)
		r.fail("the file ends in the middle, expected %s: it was cut off, restore it from version control", what)
	case errors.As(err, &wrong):
		r.start = int(wrong.ByteOffset)
		if wrong.Err == jsontext.ErrDuplicateName {
			r.fail("property %q stands twice", wrong.JSONPointer.LastToken())
		}
		r.fail("this is not JSON: %v", wrong.Err)
	default:
		r.fail("%v", err)
	}
}

// next is where the next token begins.
func (r *reader) next() int {
	i := int(r.dec.InputOffset())
	for i < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[i]) >= 0 {
		i++
	}
	return i
}

// token reads a token of one of the kinds, and gives back its text.
func (r *reader) token(what, kinds string) string {
	if r.err != nil {
		return ""
	}
	r.start = r.next()
	t, err := r.dec.ReadToken()
	if err != nil {
		r.syntax(what, err)
		return ""
	}
	text := r.text[r.start:r.dec.InputOffset()]
	if strings.IndexByte(kinds, byte(t.Kind())) < 0 {
		r.fail("expected %s, found `%.20s`", what, text)
		return ""
	}
	return text
}

// more reports whether an element comes before the closing bracket, which it
// reads. Where neither comes, reading the element tells what is wrong.
func (r *reader) more(bracket string) bool {
	if r.err == nil && byte(r.dec.PeekKind()) != bracket[0] {
		return true
	}
	r.token(bracket, bracket)
	return false
}

// open reads the bracket that begins an object or an array.
func (r *reader) open(what, bracket string) {
	r.token(what, bracket)
	if r.dec.StackDepth() > maxDepth {
		r.fail("objects and arrays are nested deeper than %d", maxDepth)
	}
}

// object calls f for each property, after its name has been read.
func (r *reader) object(f func(name string)) {
	r.open("an object", "{")
	for r.more("}") {
		if name := unquote(r.token("a property", `"`)); r.err == nil {
			f(name)
		}
	}
}

// array calls f before each element.
func (r *reader) array(f func()) {
	r.open("an array", "[")
	for r.more("]") {
		f()
	}
}

// end makes sure that nothing follows.
func (r *reader) end() {
	if r.err != nil {
		return
	}
	r.start = r.next()
	if t, err := r.dec.ReadToken(); err == nil {
		r.fail("expected the end of the file, found `%.20s`", t)
	} else if err != io.EOF {
		r.syntax("the end of the file", err)
	}
}

func (r *reader) str() string {
	return unquote(r.token("a string", `"`))
}

// unquote gives back what a token's text stands for.
func unquote(quoted string) string {
	if strings.IndexByte(quoted, '\\') >= 0 {
		s, _ := jsontext.AppendUnquote(nil, quoted) // the decoder has checked it
		return string(s)
	}
	return strings.Trim(quoted, `"`)
}

func (r *reader) int() int64 {
	s := r.token("a number", "0")
	v, err := strconv.ParseInt(s, 10, 64)
	r.whole(s, err)
	return v
}

// size reads a number that counts something.
func (r *reader) size() int64 {
	v := r.int()
	if v < 0 {
		r.fail("expected a number that is not negative, found %d", v)
	}
	return v
}

func (r *reader) integer() Integer {
	s := r.token("a number", "0")
	_, err := strconv.ParseUint(s, 10, 64)
	if strings.HasPrefix(s, "-") {
		_, err = strconv.ParseInt(s, 10, 64)
	}
	r.whole(s, err)
	return Integer(s)
}

// whole refuses the numbers that JSON has and histories have not.
func (r *reader) whole(s string, err error) {
	if err != nil || s == "-0" {
		r.fail("expected a whole number of at most 64 bits, found %.40s", s)
	}
}

func (r *reader) bool() bool {
	return r.token("true or false", "tf") == "true"
}

// unknown reports a property that the format does not have.
func (r *reader) unknown(name string, valid ...string) {
	r.fail("unknown property %q, expected one of %s%s", name, strings.Join(valid, ", "), suggest.Hint(name, valid))
}

func (r *reader) stringMap() map[string]string {
	m := map[string]string{}
	r.object(func(name string) { m[name] = r.str() })
	return m
}
