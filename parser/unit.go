package parser

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// unit is one run of the front end over the headers: one view of them. It is
// the file system that the front end reads.
type unit struct {
	set      *fileSet
	front    cc.Config
	platform *platformFacts
	// directivesOnly leaves declarations out of every header.
	directivesOnly bool
	cut            map[string]int // where the declarations of each header end; see locate

	stack      []string // the headers that are open, the innermost last
	once       map[string]bool
	consulting bool
	entered    int
	text       map[string][]byte // of each header, as the front end has it
}

const (
	maxIncludes    = 200 // one inside another, as in gcc
	maxEntered     = 20000
	expansionLimit = 20_000_000
)

func (s *fileSet) unit(p *platformFacts) (*unit, error) {
	abi, err := p.abi()
	if err != nil {
		return nil, err
	}
	u := &unit{set: s, platform: p, once: map[string]bool{}, text: map[string][]byte{}}
	u.front = cc.Config{
		ABI:             abi,
		ABILayout:       true,
		ExpansionLimit:  expansionLimit,
		FS:              u,
		FSOnly:          true,
		Header:          true,
		IncludePaths:    []string{"", "."},
		PragmaHandler:   u.pragma,
		SysIncludePaths: []string{"."},
		UnsignedEnums:   true,
	}
	return u, nil
}

// Open implements fs.FS for the front end.
func (u *unit) Open(name string) (fs.File, error) {
	f, err := u.set.open(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) || u.elsewhere(name) {
			return nil, err
		}
		return &missingFile{u: u, name: name}, nil
	}
	return u.give(f), nil
}

func (u *unit) give(f *file) *openFile {
	text := f.code
	switch {
	case u.directivesOnly:
		text = f.directives()
	case u.cut != nil:
		text = cutText(text, u.cut[f.name])
	}
	u.text[f.name] = text
	return newOpenFile(f.name, text)
}

// elsewhere reports whether a header that is not beside the one that includes
// it is found under its plain name: the front end is about to try that.
func (u *unit) elsewhere(name string) bool {
	if len(u.stack) == 0 {
		return false
	}
	rest, ok := strings.CutPrefix(name, path.Dir(u.stack[len(u.stack)-1])+"/")
	if !ok {
		return false
	}
	_, err := u.set.open(rest)
	return err == nil
}

// missingFile is a header that cannot be found. The front end asks for its
// size if a program only wants to know whether it is there, and reads it if
// the program includes it. Then it is an error, but reading goes on, so that
// all that is wrong is reported together.
type missingFile struct {
	u    *unit
	name string
	file fs.File
}

func (m *missingFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrNotExist }
func (m *missingFile) Close() error               { return nil }

func (m *missingFile) Read(p []byte) (int, error) {
	if m.file == nil {
		m.u.missing(m.name)
		f := &file{name: m.name, class: standard, code: clean(nil)}
		m.u.set.files[m.name] = f
		m.file = m.u.give(f)
	}
	return m.file.Read(p)
}

// missing reports an include that leads nowhere.
func (u *unit) missing(name string) {
	var chain []string
	written := name
	if len(u.stack) > 0 {
		by := u.stack[len(u.stack)-1]
		chain = u.chain(by)
		written = strings.TrimPrefix(name, path.Dir(by)+"/")
	}
	u.includeError(name, "cannot find the header "+written, append(chain, u.set.searched()...))
}

// includeError reports what is wrong with an include of the innermost header.
func (u *unit) includeError(name, msg string, notes []string) {
	e := &Error{Msg: msg, Notes: notes}
	if len(u.stack) > 0 {
		by := u.set.files[u.stack[len(u.stack)-1]]
		e.Pos = pos0(u.set.cfg.display(by.name))
		if line, col := by.includeLine(name); line > 0 {
			e.Pos.Line, e.Pos.Col = line, col
			e.Source = u.set.line(by, line)
		}
	}
	u.set.errs = append(u.set.errs, e)
}

// pragma follows which header the front end is in, and gives `#pragma once`
// its meaning.
func (u *unit) pragma(tokens []cc.Token) error {
	words := make([]string, len(tokens))
	for i := range tokens {
		words[i] = tokens[i].SrcStr()
	}
	if len(words) == 0 {
		return nil
	}
	name := tokens[0].Position().Filename
	switch {
	case words[0] == "once":
		u.once[name] = true
	case words[0] != pragmaName || len(words) != 2:
	case words[1] == "consult":
		u.consulting = true
	case words[1] == "leave" && len(u.stack) > 0:
		u.stack = u.stack[:len(u.stack)-1]
	case words[1] == "enter":
		return u.enter(name)
	}
	return nil
}

func (u *unit) enter(name string) error {
	u.entered++
	if u.once[name] || u.entered > maxEntered {
		return cc.SkipSource
	}
	if len(u.stack) == maxIncludes {
		u.entered = maxEntered
		u.includeError(name, fmt.Sprintf("headers are included more than %d deep: does %s include itself?", maxIncludes, u.set.cfg.display(name)), nil)
		return cc.SkipSource
	}
	u.stack = append(u.stack, name)
	f := u.set.files[name]
	if f.entered {
		return nil
	}
	f.entered = true
	if u.consulting && f.class == bound {
		f.class = consult
	}
	u.set.order = append(u.set.order, f)
	return nil
}

// source is a text of ours; the names of such texts begin with `<`.
func source(name, text string) cc.Source { return cc.Source{Name: "<" + name + ">", Value: text} }

// endSource stands behind all headers. After some mistakes the front end skips
// to a token that it can go on with, and does not stop looking at the end of
// its input: here it finds one. (`int *const;` is enough.)
var endSource = source("end", ";\nint __cybindgo_end_1;\nint __cybindgo_end_2;\n")

// translate parses and checks the headers.
func (u *unit) translate(sources []cc.Source) (ast *cc.AST, errs Errors) {
	sources = append(sources, endSource)
	errs = u.run(func() (err error) {
		ast, err = cc.Translate(&u.front, sources)
		return err
	})
	if errs.unplaced() {
		if e := u.locate(sources); e != nil {
			errs = Errors{e}
		}
	}
	return ast, errs
}

// preprocess gives the text that is left when all macros are expanded.
func (u *unit) preprocess(sources []cc.Source) (text string, errs Errors) {
	var b bytes.Buffer
	errs = u.run(func() error { return cc.Preprocess(&u.front, sources, &b) })
	return b.String(), errs
}

// run calls the front end. What makes it panic is an error like any other: no
// header may bring the program down.
func (u *unit) run(f func() error) (errs Errors) {
	defer func() {
		if r := recover(); r != nil {
			e := &Error{Msg: msgVague}
			if len(u.stack) > 0 {
				e.Pos = pos0(u.set.cfg.display(u.stack[len(u.stack)-1]))
				e.Msg = "the C front end cannot make sense of this header"
			}
			errs = append(errs, e)
		}
		errs = append(u.set.errs, errs...).sorted()
	}()
	defer quiet()()
	if err := f(); err != nil {
		return u.frontEndErrors(err)
	}
	return nil
}

// pos0 is a header as a whole.
func pos0(file string) ir.Position { return ir.Position{File: file} }

// file is the header that a token stands in, nil for texts of ours.
func (u *unit) file(t cc.Token) *file { return u.set.files[t.Position().Filename] }

// searched says where headers were looked for.
func (s *fileSet) searched() []string {
	if len(s.cfg.Searched) == 0 {
		return nil
	}
	return []string{"searched: " + strings.Join(s.cfg.Searched, ", ")}
}
