package pack

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	version "github.com/aquasecurity/go-pep440-version"
)

// A Wheel is a distribution that needs no compiling: it carries executables for
// one platform, and Python that runs on any version.
type Wheel struct {
	Name           string // normalised, as in the file's name
	Version        string // in the normal form of PEP 440
	Summary        string
	Description    string // Markdown
	Licence        string // an SPDX expression
	RequiresPython string
	Author         string
	URLs           []Link
	Classifiers    []string
	Platforms      []string // tags: win_amd64
	Package        []File   // what is imported
	Scripts        []File   // what goes where commands are
	Licences       []File   // their texts
}

// A Link is one of a project's, with its label.
type Link struct{ Label, URL string }

// generator is what the wheel says that it was made by. Its version is the
// wheel's own.
const generator = "cybindgo mkdist"

// FileName is what the wheel has to be called.
func (w *Wheel) FileName() string {
	return w.Name + "-" + w.Version + "-py3-none-" + strings.Join(w.Platforms, ".") + ".whl"
}

// Pack gives the wheel's bytes.
func (w *Wheel) Pack(at time.Time) ([]byte, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	base := w.Name + "-" + w.Version
	files := slices.Clone(w.Package)
	for _, f := range w.Scripts {
		f.Name, f.Executable = path.Join(base+".data/scripts", f.Name), true
		files = append(files, f)
	}
	info := []File{
		{Name: base + ".dist-info/METADATA", Data: []byte(w.metadata())},
		{Name: base + ".dist-info/WHEEL", Data: []byte(w.tags())},
	}
	for _, f := range w.Licences {
		f.Name = path.Join(base+".dist-info/licenses", f.Name)
		info = append(info, f)
	}
	files, err := inOrder(files)
	if err != nil {
		return nil, err
	}
	if info, err = inOrder(info); err != nil {
		return nil, err
	}
	// What describes the wheel comes last, as PEP 427 recommends.
	files = append(files, info...)
	files = append(files, File{Name: base + ".dist-info/RECORD", Data: []byte(record(files, base+".dist-info/RECORD"))})
	return zipInThisOrder(files, at)
}

var (
	wheelName   = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	platformTag = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
)

// check refuses what would make a wheel that tools misread.
func (w *Wheel) check() error {
	if !wheelName.MatchString(w.Name) {
		return fmt.Errorf("the name %q: expected small letters, digits and single underscores", w.Name)
	}
	if normal, err := NormalVersion(w.Version); err != nil {
		return err
	} else if normal != w.Version {
		return fmt.Errorf("the version %q: expected its normal form, %s", w.Version, normal)
	}
	if len(w.Platforms) == 0 {
		return fmt.Errorf("%s: expected at least one platform tag, such as win_amd64", w.Name)
	}
	for _, tag := range w.Platforms {
		if !platformTag.MatchString(tag) {
			return fmt.Errorf("the platform tag %q: expected one such as win_amd64", tag)
		}
	}
	fields := []string{w.Summary, w.Licence, w.RequiresPython, w.Author}
	for _, l := range w.URLs {
		fields = append(fields, l.Label, l.URL)
	}
	for _, field := range append(fields, w.Classifiers...) {
		if field == "" || strings.ContainsAny(field, "\r\n") {
			return fmt.Errorf("the field %q of the metadata: expected one line of text", field)
		}
	}
	return nil
}

// NormalVersion gives a version as Python's tools write it: 1.0rc1 for v1.0-rc.1.
func NormalVersion(text string) (string, error) {
	v, err := version.Parse(text)
	if err != nil {
		return "", fmt.Errorf("the version %q: expected one of Python, such as 1.2.0 or 1.2.0rc1", text)
	}
	return v.String(), nil
}

// metadata is the core metadata, version 2.4.
func (w *Wheel) metadata() string {
	var b strings.Builder
	field := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, value) }
	field("Metadata-Version", "2.4")
	field("Name", w.Name)
	field("Version", w.Version)
	field("Summary", w.Summary)
	field("Author", w.Author)
	field("License-Expression", w.Licence)
	for _, f := range slices.SortedFunc(slices.Values(w.Licences), func(a, b File) int { return strings.Compare(a.Name, b.Name) }) {
		field("License-File", f.Name)
	}
	for _, c := range w.Classifiers {
		field("Classifier", c)
	}
	for _, l := range w.URLs {
		field("Project-URL", l.Label+", "+l.URL)
	}
	field("Requires-Python", w.RequiresPython)
	field("Description-Content-Type", "text/markdown")
	b.WriteString("\n" + w.Description)
	return b.String()
}

// tags is the WHEEL file.
func (w *Wheel) tags() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Wheel-Version: 1.0\nGenerator: %s %s\nRoot-Is-Purelib: false\n", generator, w.Version)
	for _, tag := range w.Platforms {
		fmt.Fprintf(&b, "Tag: py3-none-%s\n", tag)
	}
	return b.String()
}

// record lists the members with their hashes. It has none of itself.
func record(files []File, self string) string {
	var b strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.Data))
	}
	b.WriteString(self + ",,\n")
	return b.String()
}
