package config

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

// FileName is the name of a project's configuration.
const FileName = "cybindgo.yaml"

// Project says which packages `cybindgo generate` writes. Paths start from the
// file's own folder.
type Project struct {
	// Lines that stand at the top of every emitted file, as comments.
	Licence []string `yaml:"licence" rule:"licence" example:"SPDX-License-Identifier: Apache-2.0"`
	// The packages to write.
	Packages []Package `yaml:"packages" jsonschema:"required,minItems=1" expect:"a list with at least one package"`

	doc *document
}

// Package is one binding package to write.
type Package struct {
	// The distribution's name.
	Name string `yaml:"name" jsonschema:"required" rule:"distribution" example:"cuda-bindings"`
	// The distribution's version.
	Version string `yaml:"version" jsonschema:"required" rule:"version" example:"13.5.0"`
	// The Python package that the modules go into.
	Module string `yaml:"module" jsonschema:"required" rule:"module" example:"cuda.bindings"`
	// The folder to write, below the configuration's own.
	Output string `yaml:"output" jsonschema:"required" rule:"folder" example:"generated/cuda_bindings_13"`
	// The libraries to bind, by name.
	Libraries map[string]Binding `yaml:"libraries" jsonschema:"required" keys:"library" example:"driver: {releases: 12.9.0..13.5.0}" expect:"the libraries to bind, such as driver: {releases: 12.9.0..13.5.0}"`
}

// Binding is one library in one package.
type Binding struct {
	// The releases that the package covers: one, or a range `FROM..TO` with both
	// ends. It declares what any of them has.
	Releases string `yaml:"releases" jsonschema:"required" rule:"range" example:"12.9.0..13.5.0"`
	// Overrides the default type mode of the library's definition: with `inline`
	// the package builds without the library's headers.
	Types TypeMode `yaml:"types" example:"inline"`
	// Header families of the library that this package leaves out, with all that
	// they declare.
	Without []string `yaml:"without" jsonschema:"uniqueItems=true" rule:"family" example:"egl"`
	// Functions that this package binds from a release on, as in the library's
	// definition, which gives way to what stands here.
	MinVersion map[string]string `yaml:"min-version" rule:"release" keys:"identifier" example:"demoFlush: 13.0.0"`
	// Functions and enumerators that are known to have vanished, as in the
	// library's definition, in addition to what stands there.
	AllowRemoved map[string]string `yaml:"allow-removed" rule:"reason" keys:"identifier" example:"demoOld: withdrawn in 13.0.0"`
}

// Range splits the releases into the first and the last.
func (b Binding) Range() (from, to string) {
	from, to, isRange := strings.Cut(b.Releases, "..")
	if !isRange {
		to = from
	}
	return from, to
}

// LibraryNames lists the bound libraries in order.
func (p *Package) LibraryNames() []string { return slices.Sorted(maps.Keys(p.Libraries)) }

// LibraryNames lists the libraries that any package binds, in order.
func (p *Project) LibraryNames() []string {
	var names []string
	for i := range p.Packages {
		names = append(names, p.Packages[i].LibraryNames()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Allowed are the names that may vanish from a library: those that its
// definition allows, and those that any package does.
func (p *Project) Allowed(lib *Library) map[string]bool {
	allowed := map[string]bool{}
	for name := range lib.AllowRemoved {
		allowed[name] = true
	}
	for i := range p.Packages {
		for name := range p.Packages[i].Libraries[lib.Name].AllowRemoved {
			allowed[name] = true
		}
	}
	return allowed
}

// LoadProject reads and checks a project's configuration, as far as it can be
// checked alone: [Project.CheckLibraries] and [Project.Check] do the rest. file
// is the name for messages. The error is of type [*Error] or [Errors].
func LoadProject(file string, data []byte) (*Project, error) {
	var p Project
	doc, err := decode(file, data, &p)
	if err != nil {
		return nil, err
	}
	p.doc = doc
	if len(doc.errs) == 0 {
		p.check()
	}
	if err := doc.errs.err(); err != nil {
		return nil, err
	}
	return &p, nil
}

// check finds what is wrong with the configuration in itself.
func (p *Project) check() {
	d := p.doc
	for i := range p.Packages {
		pkg := &p.Packages[i]
		at := d.at("packages", i, "output")
		if !fs.ValidPath(pkg.Output) || pkg.Output == "." {
			d.fail(at, "output %q: expected a folder below the configuration, such as generated/%s", pkg.Output, pkg.Name)
		}
		for _, other := range p.Packages[:i] {
			if within(other.Output, pkg.Output) || within(pkg.Output, other.Output) {
				d.fail(at, "output %q of %s overlaps %q of %s: expected a folder for each package", pkg.Output, pkg.Name, other.Output, other.Name)
			}
		}
		if len(pkg.Libraries) == 0 {
			d.fail(d.at("packages", i, "libraries"), "package %s: expected at least one library", pkg.Name)
		}
		for _, name := range pkg.LibraryNames() {
			p.checkRange(i, name)
		}
	}
}

// checkRange finds a range that no history can have.
func (p *Project) checkRange(i int, name string) {
	from, to := p.Packages[i].Libraries[name].Range()
	at := p.doc.at("packages", i, "libraries", name, "releases")
	first, err := ir.ParseVersion(from)
	if err != nil {
		p.doc.fail(at, "%v", err)
		return
	}
	last, err := ir.ParseVersion(to)
	if err != nil {
		p.doc.fail(at, "%v", err)
		return
	}
	if first.Compare(last) > 0 {
		p.doc.fail(at, "releases %s..%s: the range ends before it begins; write %s..%s", from, to, to, from)
	}
}

func within(dir, p string) bool {
	return p == dir || strings.HasPrefix(p, path.Clean(dir)+"/")
}

// hint suggests the nearest of some names.
func hint(name string, lists ...[]string) string { return suggest.Hint(name, slices.Concat(lists...)) }
