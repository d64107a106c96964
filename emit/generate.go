package emit

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// Input is everything that the output depends on.
type Input struct {
	Project   *config.Project
	Libraries map[string]*config.Library
	Histories map[string]*ir.History
	// Templates take the place of the built-in templates, if there are any: for
	// tests that show what happens to an edited one.
	Templates fs.FS
}

// Output is what Generate makes.
type Output struct {
	// Files maps slash-separated paths, relative to the configuration, to
	// contents.
	Files map[string][]byte
	// Folders are the folders that belong to the packages, in the
	// configuration's order, and Others the paths of files that belong there
	// too, but to libraries that were not asked for.
	Folders, Others []string
	// Notes are remarks for the user, in order: what changed shape within a
	// range, what was dropped.
	Notes []string
}

// Generate makes all files of all packages. Given names restrict it to these
// libraries; a package's own files are made all the same. Packages are made in
// parallel; the result does not depend on it.
func Generate(in Input, only ...string) (*Output, error) {
	parts := make([]*Output, len(in.Project.Packages))
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i := range in.Project.Packages {
		wg.Go(func() {
			defer func() {
				// A panic here would pass by whoever called Generate.
				if r := recover(); r != nil {
					errs[i] = fmt.Errorf("this is a bug, please report it: %v\n%s", r, debug.Stack())
				}
			}()
			pkg := &in.Project.Packages[i]
			if parts[i], errs[i] = generatePackage(in, pkg, only); errs[i] != nil {
				errs[i] = fmt.Errorf("package %s: %w", pkg.Output, errs[i])
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out := &Output{Files: map[string][]byte{}}
	for _, part := range parts {
		maps.Copy(out.Files, part.Files)
		out.Folders = append(out.Folders, part.Folders...)
		out.Others = append(out.Others, part.Others...)
		out.Notes = append(out.Notes, part.Notes...)
	}
	return out, nil
}

func generatePackage(in Input, pkg *config.Package, only []string) (*Output, error) {
	t, err := in.parsed()
	if err != nil {
		return nil, err
	}
	out := &Output{Files: map[string][]byte{}, Folders: []string{pkg.Output}}
	for _, name := range pkg.LibraryNames() {
		if len(only) > 0 && !slices.Contains(only, name) {
			for _, f := range libraryFiles {
				out.Others = append(out.Others, f.target(pkg, name))
			}
			continue
		}
		lib, history := in.Libraries[name], in.Histories[name]
		from, to := pkg.Libraries[name].Range()
		u, err := history.Range(from, to)
		if err != nil {
			return nil, err
		}
		v, err := newLibraryValues(in.Project, pkg, lib, u, newFirstReleases(history, lib.Parameters))
		if err != nil {
			return nil, fmt.Errorf("library %s: %w", name, err)
		}
		for _, f := range libraryFiles {
			if err := f.render(t, out, pkg, v); err != nil {
				return nil, err
			}
		}
		if err := comparePlatforms(out, pkg, name); err != nil {
			return nil, err
		}
		for _, note := range v.notes {
			out.Notes = append(out.Notes, pkg.Output+": "+name+": "+note)
		}
	}
	v := newPackageValues(in.Project, pkg)
	for _, f := range packageFiles {
		if err := f.render(t, out, pkg, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// modulePath is the folder of a package's modules.
func modulePath(pkg *config.Package) string {
	return path.Join(pkg.Output, strings.ReplaceAll(pkg.Module, ".", "/"))
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

func itoa(i int) string { return strconv.Itoa(i) }
