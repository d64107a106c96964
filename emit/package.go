package emit

import (
	"github.com/cybindgo/cybindgo/internal/config"
)

// packageValues is what the files of a package print that belong to no
// library.
type packageValues struct {
	Licence   []string
	Name      string
	Version   string
	Module    string
	Libraries []string
}

func newPackageValues(project *config.Project, pkg *config.Package) *packageValues {
	return &packageValues{
		Licence: project.Licence, Name: pkg.Name, Version: pkg.Version, Module: pkg.Module,
		Libraries: pkg.LibraryNames(),
	}
}

func (v *packageValues) library() string { return "" }

func (v *packageValues) forFile(*file) any { return v }
