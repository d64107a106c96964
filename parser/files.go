package parser

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"
)

// class says what becomes of a header's declarations.
type class uint8

const (
	bound    class = iota // entities of the model
	consult               // read for their facts
	platform              // a stub of another library's header: entities where something refers to them
	standard              // a stub of a system header: names that every C program knows
)

// file is a header as the front end sees it.
type file struct {
	name    string
	class   class
	code    []byte // see clean; offsets of tokens count in it
	lines   []byte // the directives alone, once they are asked for
	entered bool   // the front end has been in it
}

// directives is the preprocessor's part of the header.
func (f *file) directives() []byte {
	if f.lines == nil {
		f.lines = directives(f.code)
	}
	return f.lines
}

// fileSet holds the headers that the views of one Parse share.
type fileSet struct {
	cfg     *Config
	files   map[string]*file
	order   []*file // as first included
	consult map[string]bool
	errs    Errors
}

func newFileSet(cfg *Config) *fileSet {
	s := &fileSet{cfg: cfg, files: map[string]*file{}, consult: map[string]bool{}}
	for _, name := range cfg.Consult {
		s.consult[name] = true
	}
	return s
}

// open finds a header: among the stubs, which stand in for the host's headers
// whatever the folders of a toolkit may hold, else in FS.
func (s *fileSet) open(name string) (*file, error) {
	if f := s.files[name]; f != nil {
		return f, nil
	}
	f := &file{name: name, class: stubClass(name)}
	raw, err := stubs.ReadFile("stubs/" + name)
	if err != nil {
		if f.class = bound; s.consult[name] {
			f.class = consult
		}
		if raw, err = fs.ReadFile(s.cfg.FS, name); err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
				s.errs = append(s.errs, &Error{Pos: pos0(s.cfg.display(name)), Msg: err.Error()})
			}
			return nil, err
		}
	}
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		s.errs = append(s.errs, &Error{Pos: pos0(s.cfg.display(name)), Msg: "the header is in UTF-16: expected UTF-8, ASCII or Latin-1"})
		raw = nil
	}
	f.code = clean(raw)
	at, msg := tooDeep(f.code), fmt.Sprintf("brackets, #if or operators are nested too deep: more than %d", maxNesting)
	if at < 0 {
		at, msg = stretch(f.code), fmt.Sprintf("nothing ends for %d bytes: expected a comma, a semicolon, a brace or a directive", maxStretch)
	}
	if at >= 0 {
		line := 1 + bytes.Count(f.code[len(enterLine):at], newline)
		col := at - bytes.LastIndexByte(f.code[:at], '\n')
		e := &Error{Pos: pos0(s.cfg.display(name)), Msg: msg}
		e.Pos.Line, e.Pos.Col = line, col
		e.Source = sourceLine(raw, line)
		s.errs = append(s.errs, e)
		f.code = clean(nil)
	}
	s.files[name] = f
	return f, nil
}

// line is a line of the header, for messages. The header is read again: text
// is not kept for a case that ends the run.
func (s *fileSet) line(f *file, n int) string {
	raw, err := stubs.ReadFile("stubs/" + f.name)
	if err != nil {
		if raw, err = fs.ReadFile(s.cfg.FS, f.name); err != nil {
			return ""
		}
	}
	return sourceLine(raw, n)
}

// includeLine is where f includes the header called name, 0 if that cannot be
// told.
func (f *file) includeLine(name string) (line, col int) {
	for text := range bytes.Lines(f.code[len(enterLine):]) {
		line++
		start := len(text) - len(bytes.TrimLeft(text, " \t"))
		if !bytes.HasPrefix(text[start:], []byte("#")) {
			continue
		}
		verb, rest := directive(text[start:])
		if verb != "include" && verb != "include_next" {
			continue
		}
		target := includeTarget(rest)
		if target == name || path.Join(path.Dir(f.name), target) == name {
			return line, 1 + len(text) - len(rest)
		}
	}
	return 0, 0
}

// openFile is a header as fs.FS wants it.
type openFile struct {
	bytes.Reader
	name string
	size int64
}

func newOpenFile(name string, text []byte) *openFile {
	f := &openFile{name: name, size: int64(len(text))}
	f.Reset(text)
	return f
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Close() error               { return nil }
func (f *openFile) Name() string               { return path.Base(f.name) }
func (f *openFile) Size() int64                { return f.size }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }

var _ interface {
	fs.File
	fs.FileInfo
	io.Reader
} = (*openFile)(nil)
