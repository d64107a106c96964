package config

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/internal/textfile"
)

// Snippet is hand-written Cython that goes into the emitted files of a library:
// what headers cannot say. It is one file with a section for each emitted file
// that it adds to:
//
//	# cybindgo: cydemo.pxd
//	cdef int demoLocalVersion(int* version) except? -1 nogil
//
//	# cybindgo: cydemo.pyx
//	cdef int demoLocalVersion(int* version) except? -1 nogil:
//	    return _cyb_loader._demoLocalVersion(version)
//
// The sections are cyLIB.pxd, cyLIB.pyx, _internal/LIB.pxd and
// _internal/LIB.pyx; the last goes into the loaders of all platforms. Above the
// first section only comments may stand. A section is emitted at the end of its
// file, below a line that names the snippet's file.
type Snippet struct {
	Name     string // as the definition names the file
	File     string // for messages
	sections map[string]*Section
}

// Section is a part of a snippet.
type Section struct {
	Text string // without blank lines around it; with its last line end
	Line int    // where Text begins in the file, from 1
}

// Section is what goes into an emitted file, named as in the snippet, or nil.
func (s *Snippet) Section(name string) *Section {
	if s == nil {
		return nil
	}
	return s.sections[name]
}

// HandWritten is the library's snippet, or nil.
func (l *Library) HandWritten() *Snippet { return l.snippet }

// readSnippet reads the file that the definition names, with a function that
// reads it and tells its name for messages.
func (l *Library) readSnippet(read func(name string) (file string, data []byte, err error)) error {
	if l.Snippet == "" {
		return nil
	}
	file, data, err := read(l.Snippet)
	if err != nil {
		return l.doc.error(l.doc.at("snippet"), "snippet %q: cannot read the file: %v", l.Snippet, err)
	}
	return l.ParseSnippet(file, data)
}

// fromDisk reads files below a folder.
func fromDisk(dir string) func(string) (string, []byte, error) {
	return func(name string) (string, []byte, error) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		data, err := textfile.Read(file)
		return file, data, err
	}
}

// ParseSnippet takes the text of the library's snippet. file is the name for
// messages. The error is of type [*Error] or [Errors].
func (l *Library) ParseSnippet(file string, data []byte) error {
	d := &document{file: file, lines: bytes.Split(data, []byte("\n"))}
	if err := d.onlyText(data); err != nil {
		return err
	}
	s := &Snippet{Name: l.Snippet, File: file, sections: map[string]*Section{}}
	valid := []string{"cy" + l.Name + ".pxd", "cy" + l.Name + ".pyx", "_internal/" + l.Name + ".pxd", "_internal/" + l.Name + ".pyx"}
	marks := map[string]int{}
	var section *Section
	for i, raw := range d.lines {
		at := place{i + 1, 1}
		line := string(bytes.TrimSuffix(bytes.TrimPrefix(raw, []byte("\ufeff")), []byte("\r")))
		if name, ok := sectionMark(line); ok {
			known := false
			for _, v := range valid {
				known = known || v == name
			}
			switch {
			case !known:
				d.fail(at, "section %q: expected one of %s%s", name, strings.Join(valid, ", "), suggest.Hint(name, valid))
			case s.sections[name] != nil:
				d.fail(at, "section %s stands twice: first in line %d", name, marks[name])
			default:
				marks[name] = i + 1
			}
			section = &Section{}
			if s.sections[name] == nil {
				s.sections[name] = section
			}
			continue
		}
		if msg, col := badLine(line); msg != "" {
			d.fail(place{i + 1, col}, "%s", msg)
		}
		blank := strings.TrimSpace(line) == ""
		switch {
		case section == nil:
			if !blank && !strings.HasPrefix(line, "#") {
				d.fail(at, "expected a line that says where this goes, such as: # cybindgo: %s", valid[0])
				section = &Section{} // said once
			}
		case section.Line == 0 && blank:
		case section.Line == 0:
			section.Line = i + 1
			fallthrough
		default:
			section.Text += line + "\n"
		}
	}
	for name, line := range marks {
		if section := s.sections[name]; !hasCode(section.Text) {
			d.fail(place{line, 1}, "section %s is empty", name)
		} else {
			section.Text = strings.TrimRight(section.Text, "\n \t") + "\n"
		}
	}
	if len(marks) == 0 && len(d.errs) == 0 {
		d.fail(place{1, 1}, "the snippet is empty: expected a section, such as: # cybindgo: %s", valid[0])
	}
	l.snippet = s
	return d.errs.err()
}

// sectionMark reads a line that begins a section.
func sectionMark(line string) (name string, ok bool) {
	comment, ok := strings.CutPrefix(line, "#")
	if !ok {
		return "", false
	}
	name, ok = strings.CutPrefix(strings.TrimLeft(comment, " "), "cybindgo:")
	return strings.TrimSpace(name), ok
}

// reserved are texts that stand for something in emitted files.
var reserved = []string{"CYTHON-BINDINGS-GENERATED", "@SEAL@", "/* platform:"}

// badLine says what is wrong with a line, and in which column.
func badLine(line string) (msg string, col int) {
	for _, text := range reserved {
		if at := strings.Index(line, text); at >= 0 {
			return fmt.Sprintf("%q has a meaning of its own in generated files: write something else", text), column(line, at)
		}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if at := strings.Index(indent, "\t"); at >= 0 && indent != line {
		return "a tab: expected spaces, as in the rest of the generated file", column(line, at)
	}
	return "", 0
}

// column turns an offset in a line into a column.
func column(line string, at int) int { return utf8.RuneCountInString(line[:at]) + 1 }

// hasCode reports whether there is more than comments.
func hasCode(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}
