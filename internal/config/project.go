package config

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// FileName is the name of a project's configuration.
const FileName = "cybindgo.yaml"

// Project is the content of cybindgo.yaml.
type Project struct {
	// Licence lines stand at the top of every emitted file, as comments.
	Licence  []string  `yaml:"licence"`
	Packages []Package `yaml:"packages"`
}

// Package is one binding package to write.
type Package struct {
	// Name is the distribution's name, and Version its version.
	Name    string `yaml:"name"`
	Version string `yaml:"version"`
	// Module is the Python package that the modules go into: cuda.bindings.
	Module string `yaml:"module"`
	// Output is the folder to write, relative to the configuration.
	Output string `yaml:"output"`
	// Libraries says what is bound, and which releases of it are covered.
	Libraries map[string]Binding `yaml:"libraries"`
}

// Binding is one library in one package.
type Binding struct {
	// Releases is a range "FROM..TO", both included, or a single release.
	Releases string `yaml:"releases"`
	// Types overrides the definition's default type mode: with inline, the
	// package builds without the library's headers.
	Types TypeMode `yaml:"types"`
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
func (p *Package) LibraryNames() []string {
	var names []string
	for name := range p.Libraries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// LoadProject reads and checks a project's configuration. file is the name
// for messages.
func LoadProject(file string, data []byte) (*Project, error) {
	var p Project
	if err := decode(file, data, &p); err != nil {
		return nil, err
	}
	at := locator(file, data)
	if len(p.Packages) == 0 {
		return nil, at("$.packages", "expected at least one package")
	}
	outputs := map[string]string{}
	for i, pkg := range p.Packages {
		where := fmt.Sprintf("$.packages[%d]", i)
		for _, f := range []struct{ key, value, example string }{
			{"name", pkg.Name, "cuda-bindings"}, {"version", pkg.Version, "13.5.0"},
			{"module", pkg.Module, "cuda.bindings"}, {"output", pkg.Output, "generated/cuda_bindings_13"},
		} {
			if f.value == "" {
				return nil, at(where, "package %d: expected a %s, such as %s", i+1, f.key, f.example)
			}
		}
		if !fs.ValidPath(pkg.Output) || pkg.Output == "." {
			return nil, at(where+".output", "output %q: expected a folder below the configuration, such as generated/%s", pkg.Output, pkg.Name)
		}
		if !validModule(pkg.Module) {
			return nil, at(where+".module", "module %q: expected dotted Python names, such as cuda.bindings", pkg.Module)
		}
		for other, name := range outputs {
			if within(other, pkg.Output) || within(pkg.Output, other) {
				return nil, at(where+".output", "output %q of %s overlaps %q of %s: expected a folder for each package", pkg.Output, pkg.Name, other, name)
			}
		}
		outputs[pkg.Output] = pkg.Name
		if len(pkg.Libraries) == 0 {
			return nil, at(where, "package %s: expected at least one library", pkg.Name)
		}
		for _, lib := range pkg.LibraryNames() {
			if !slices.Contains(LibraryNames(), lib) {
				return nil, at(where+".libraries."+lib, "library %q: expected one of %s%s", lib, strings.Join(LibraryNames(), ", "), suggest.Hint(lib, LibraryNames()))
			}
			if mode := pkg.Libraries[lib].Types; mode != "" && !slices.Contains(typeModes, mode) {
				return nil, at(where+".libraries."+lib+".types", "types %q: expected extern, inline or cython%s", mode, suggest.Hint(string(mode), []string{"extern", "inline", "cython"}))
			}
			if pkg.Libraries[lib].Releases == "" {
				return nil, at(where+".libraries."+lib, "library %s: expected releases, such as 12.9.0..13.5.0", lib)
			}
		}
	}
	return &p, nil
}

func within(dir, p string) bool {
	return p == dir || strings.HasPrefix(p, path.Clean(dir)+"/")
}

func validModule(m string) bool {
	for _, part := range strings.Split(m, ".") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != "" || part[0] >= '0' && part[0] <= '9' {
			return false
		}
	}
	return true
}
