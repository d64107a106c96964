package ir

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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
// is a reader of its own because every run starts by decoding histories: it
// cuts strings out of the text without copying them, which general decoders
// do not, and it knows what was expected when something else stands there.
//
// The first error stops it; every later call returns zero values, so that
// callers check once, at the end.
type reader struct {
	file  string
	text  string
	pos   int // of the next byte
	start int // of the token read last
	depth int
	err   error

	types map[string]*Type // spellings read so far
	// Lists that are being read, those inside others last: an entity gets a
	// copy of the right length.
	enumerators []Enumerator
	fields      []Field
}

func newReader(file string, data []byte) *reader {
	r := &reader{file: file, text: string(data), types: map[string]*Type{}}
	if !utf8.Valid(data) {
		for r.start < len(data) {
			c, n := utf8.DecodeRune(data[r.start:])
			if c == utf8.RuneError && n == 1 {
				break
			}
			r.start += n
		}
		if wrong := data[r.start:]; utf8.FullRune(wrong) {
			r.fail("expected UTF-8, found the byte 0x%02x", wrong[0])
		} else {
			r.cutOff("the rest of a character")
		}
	}
	return r
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

// expected fails because something else than what stands at the next token.
func (r *reader) expected(what string) {
	switch c := r.peek(); {
	case strings.TrimSpace(r.text) == "":
		r.fail("expected %s, found an empty file", what)
	case r.pos == len(r.text):
		r.cutOff(what)
	case strings.IndexByte(`{}[]":,`, c) >= 0:
		r.fail("expected %s, found `%c`", what, c)
	default:
		end := strings.IndexAny(r.text[r.pos:], "{}[]\":, \t\r\n")
		if end < 0 {
			end = len(r.text) - r.pos
		}
		r.fail("expected %s, found %.20q", what, r.text[r.pos:r.pos+end])
	}
}

func (r *reader) cutOff(what string) {
	r.start = len(r.text)
	r.fail("the file ends in the middle, expected %s: it was cut off, restore it from version control", what)
}

// peek is the first byte of the next token, which it makes the last one read
// for messages; zero at the end.
func (r *reader) peek() byte {
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; c {
		case ' ', '\t', '\r', '\n':
			r.pos++
		default:
			r.start = r.pos
			return c
		}
	}
	r.start = r.pos
	return 0
}

// take reads c, or fails with what was expected.
func (r *reader) take(c byte, what string) bool {
	if r.err != nil {
		return false
	}
	if r.peek() != c {
		r.expected(what)
		return false
	}
	r.pos++
	return true
}

// open reads the bracket that begins an object or an array.
func (r *reader) open(bracket byte, what string) bool {
	if r.take(bracket, what) {
		if r.depth++; r.depth > maxDepth {
			r.fail("objects and arrays are nested deeper than %d", maxDepth)
		}
	}
	return r.err == nil
}

// more reads what stands before an element: a comma, but for the first. It
// reports whether there is one; else it has read the closing bracket.
func (r *reader) more(bracket byte, first bool) bool {
	if r.err != nil {
		return false
	}
	switch c := r.peek(); {
	case c == bracket:
		r.pos++
		r.depth--
		return false
	case first:
		return true
	case c == ',':
		r.pos++
		return true
	}
	r.expected(fmt.Sprintf("`,` or `%c`", bracket))
	return false
}

// object calls f for each property, after its name has been read.
func (r *reader) object(f func(name string)) {
	if !r.open('{', "an object") {
		return
	}
	var seen nameSet
	for first := true; r.more('}', first); first = false {
		name := r.str()
		start := r.start
		if r.err == nil && !seen.add(name) {
			r.fail("property %q stands twice", name)
		}
		if r.take(':', "`:`") {
			r.start = start
			f(name)
		}
	}
}

// array calls f before each element.
func (r *reader) array(f func()) {
	if !r.open('[', "an array") {
		return
	}
	for first := true; r.more(']', first); first = false {
		f()
	}
}

// nameSet is a set of names that is quick while it is small.
type nameSet struct {
	few  [16]string
	n    int
	many map[string]bool
}

// add reports whether the name is new.
func (s *nameSet) add(name string) bool {
	for _, have := range s.few[:s.n] {
		if have == name {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	if s.many[name] {
		return false
	}
	if s.many == nil {
		s.many = map[string]bool{}
	}
	s.many[name] = true
	return true
}

// stops are the bytes that end the plain stretch of a string.
var stops = [256]bool{'"': true, '\\': true, '\n': true, '\r': true}

func (r *reader) str() string {
	if !r.take('"', "a string") {
		return ""
	}
	begin, escaped := r.pos, false
	for i := begin; i < len(r.text); i++ {
		if !stops[r.text[i]] {
			continue
		}
		switch r.text[i] {
		case '"':
			r.pos = i + 1
			if escaped {
				return r.unquote(r.text[r.start:r.pos])
			}
			return r.text[begin:i]
		case '\\':
			escaped = true
			i++ // what it escapes ends nothing
		default:
			r.fail("expected `\"` before the end of the line")
			return ""
		}
	}
	r.pos = len(r.text)
	r.expected("`\"` at the end of a string")
	return ""
}

func (r *reader) unquote(quoted string) (s string) {
	if err := json.Unmarshal([]byte(quoted), &s); err != nil {
		r.fail("expected a string, found %.40s: %v", quoted, err)
	}
	return s
}

// number is the text of a whole number. JSON has other numbers, histories
// have not.
func (r *reader) number() string {
	if r.err != nil {
		return "0"
	}
	if c := r.peek(); c != '-' && (c < '0' || c > '9') {
		r.expected("a number")
		return "0"
	}
	whole := true
	for r.pos++; r.pos < len(r.text); r.pos++ {
		c := r.text[r.pos]
		if c < '0' || c > '9' {
			if strings.IndexByte("+-.Ee", c) < 0 {
				break
			}
			whole = false
		}
	}
	s := r.text[r.start:r.pos]
	if digits := strings.TrimPrefix(s, "-"); !whole || digits == "" || digits[0] == '0' && s != "0" {
		if s == "-" && r.pos == len(r.text) {
			r.cutOff("a number")
		}
		r.fail("expected a whole number, found %.40s", s)
		return "0"
	}
	return s
}

func (r *reader) int() int64 {
	s := r.number()
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		r.fail("expected a whole number of at most 64 bits, found %.40s", s)
	}
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
	s := r.number()
	var err error
	if strings.HasPrefix(s, "-") {
		_, err = strconv.ParseInt(s, 10, 64)
	} else {
		_, err = strconv.ParseUint(s, 10, 64)
	}
	if err != nil {
		r.fail("expected a whole number of at most 64 bits, found %.40s", s)
	}
	return Integer(s)
}

func (r *reader) bool() bool {
	if r.err != nil {
		return false
	}
	r.peek()
	for _, word := range []string{"true", "false"} {
		if strings.HasPrefix(r.text[r.pos:], word) {
			r.pos += len(word)
			return word == "true"
		}
		if r.pos < len(r.text) && strings.HasPrefix(word, r.text[r.pos:]) {
			r.cutOff(word)
		}
	}
	r.expected("true or false")
	return false
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
