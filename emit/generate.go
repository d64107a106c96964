package emit

import (
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// Input is everything that the output depends on.
type Input struct {
	Project   *config.Project
	Libraries map[string]*config.Library
	Histories map[string]*ir.History
}

// Output is what Generate makes.
type Output struct {
	// Files maps slash-separated paths, relative to the configuration, to
	// contents.
	Files map[string][]byte
	// Notes are remarks for the user, in order: what changed shape within a
	// range, what was dropped.
	Notes []string
}

// Generate makes all files of all packages. Given names restrict it to these
// libraries; a package's own files are made all the same.
func Generate(in Input, only ...string) (*Output, error) {
	out := &Output{Files: map[string][]byte{}}
	for i := range in.Project.Packages {
		pkg := &in.Project.Packages[i]
		if err := generatePackage(out, in, pkg, only); err != nil {
			return nil, fmt.Errorf("package %s: %w", pkg.Output, err)
		}
	}
	return out, nil
}

func generatePackage(out *Output, in Input, pkg *config.Package, only []string) error {
	for _, name := range pkg.LibraryNames() {
		if len(only) > 0 && !contains(only, name) {
			continue
		}
		lib, history := in.Libraries[name], in.Histories[name]
		from, to := pkg.Libraries[name].Range()
		u, err := history.Range(from, to)
		if err != nil {
			return err
		}
		v, err := newLibraryValues(in.Project, pkg, lib, u)
		if err != nil {
			return fmt.Errorf("library %s: %w", name, err)
		}
		for _, f := range libraryFiles {
			if err := f.render(out, pkg, v); err != nil {
				return err
			}
		}
		if err := comparePlatforms(out, pkg, name); err != nil {
			return err
		}
		for _, note := range v.notes {
			out.Notes = append(out.Notes, pkg.Output+": "+name+": "+note)
		}
	}
	v := newPackageValues(in.Project, pkg)
	for _, f := range packageFiles {
		if err := f.render(out, pkg, v); err != nil {
			return err
		}
	}
	return nil
}

// modulePath is the folder of a package's modules.
func modulePath(pkg *config.Package) string {
	return path.Join(pkg.Output, strings.ReplaceAll(pkg.Module, ".", "/"))
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func itoa(i int) string { return strconv.Itoa(i) }
