package emit

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"sync"
	"text/template"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/templates"
)

// file is one kind of emitted file: adding a kind is one entry below.
type file struct {
	template string
	path     string // below the module's folder, or below the output with a leading slash; LIB is the library
	comment  string // what begins a comment, for the seal
	platform string
}

var libraryFiles = []file{
	{template: "cy.pxd.tmpl", path: "cyLIB.pxd", comment: "#"},
	{template: "cy.pyx.tmpl", path: "cyLIB.pyx", comment: "#"},
	{template: "loader.pxd.tmpl", path: "_internal/LIB.pxd", comment: "#"},
	{template: "loader.pyx.tmpl", path: "_internal/LIB_linux.pyx", comment: "#", platform: "linux"},
	{template: "loader.pyx.tmpl", path: "_internal/LIB_windows.pyx", comment: "#", platform: "windows"},
}

var packageFiles = []file{
	{template: "pyproject.toml.tmpl", path: "/pyproject.toml", comment: "#"},
	{template: "setup.py.tmpl", path: "/setup.py", comment: "#"},
	{template: "init.py.tmpl", path: "__init__.py", comment: "#"},
	{template: "init.pxd.tmpl", path: "__init__.pxd", comment: "#"},
	{template: "internal_init.py.tmpl", path: "_internal/__init__.py", comment: "#"},
	{template: "utils.py.tmpl", path: "_internal/utils.py", comment: "#"},
}

// builtIn are all templates, parsed on first use.
var builtIn = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").ParseFS(templates.FS, "*.tmpl")
})

func (in *Input) parsed() (*template.Template, error) {
	if in.Templates == nil {
		return builtIn()
	}
	return template.New("").ParseFS(in.Templates, "*.tmpl")
}

// buffers are reused: files are large, and growing to their size costs as much
// as writing them.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// values is what a template prints; the file's own part is filled in last.
type values interface {
	forFile(f *file) any
	library() string
}

func (f *file) target(pkg *config.Package, lib string) string {
	p := strings.ReplaceAll(f.path, "LIB", lib)
	if rest, ok := strings.CutPrefix(p, "/"); ok {
		return path.Join(pkg.Output, rest)
	}
	return path.Join(modulePath(pkg), p)
}

// section is what the file is called in a library's snippet: platform files are
// one.
func (f *file) section(lib string) string {
	return strings.ReplaceAll(strings.Replace(f.path, "_"+f.platform+".", ".", 1), "LIB", lib)
}

// render executes the template, tidies and seals the result.
func (f *file) render(t *template.Template, out *Output, pkg *config.Package, v values) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := t.ExecuteTemplate(b, f.template, v.forFile(f)); err != nil {
		return err
	}
	text := bytes.TrimLeft(b.Bytes(), "\n")
	text = append(bytes.TrimRight(text, "\n"), '\n')
	sealed, err := seal(text, f.comment)
	if err != nil {
		return fmt.Errorf("%s: %w", f.template, err)
	}
	out.Files[f.target(pkg, v.library())] = sealed
	return nil
}
