package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/textfile"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/releases"
)

// project is a configuration on disk and what belongs to it.
type project struct {
	config string // the flag; empty to search
}

// file finds the configuration: the one named, or the nearest one upwards.
func (p *project) file() (string, error) {
	if p.config != "" {
		return p.config, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		name := filepath.Join(d, config.FileName)
		if _, err := os.Stat(name); err == nil {
			if rel, err := filepath.Rel(dir, name); err == nil {
				return rel, nil
			}
			return name, nil
		}
		if filepath.Dir(d) == d {
			return "", fmt.Errorf("no %s in %s or above it: go to the project's folder, or name the file with --config", config.FileName, dir)
		}
	}
}

// root is the folder that the configuration's paths start from.
func (p *project) root() (string, error) {
	file, err := p.file()
	return filepath.Dir(file), err
}

// libraries finds the definitions that the project can use, and its root.
func (p *project) libraries() (libraries config.Libraries, root string, err error) {
	if root, err = p.root(); err != nil {
		return libraries, "", err
	}
	libraries, err = config.FindLibraries(root)
	return libraries, root, err
}

// read reads the configuration and finds the definitions.
func (p *project) read() (project *config.Project, libraries config.Libraries, root string, err error) {
	file, err := p.file()
	if err != nil {
		return nil, libraries, "", err
	}
	data, err := textfile.Read(file)
	if err != nil {
		return nil, libraries, "", err
	}
	if project, err = config.LoadProject(file, data); err != nil {
		return nil, libraries, "", err
	}
	if libraries, root, err = p.libraries(); err != nil {
		return nil, libraries, "", err
	}
	return project, libraries, root, project.CheckLibraries(libraries)
}

// load reads everything that generating needs: the configuration, and the
// definition and history of each library that is bound. only are names from
// the command line.
func (p *project) load(only []string) (in emit.Input, root string, err error) {
	return p.loadFrom(only, &source{})
}

// loadFrom is load with headers in place of a history, where some are given.
func (p *project) loadFrom(only []string, from *source) (in emit.Input, root string, err error) {
	in, root, errs, err := p.gather(only, from)
	if err != nil {
		return in, "", err
	}
	errs = append(errs, in.Project.Check(in.Libraries, in.Histories))
	if err := errors.Join(errs...); err != nil {
		return in, "", err
	}
	return in, root, from.apply(&in, only)
}

// gather reads the same, and does not ask yet whether the configuration agrees
// with the histories. errs are what is wrong with single libraries.
func (p *project) gather(only []string, from *source) (in emit.Input, root string, errs []error, err error) {
	project, libraries, root, err := p.read()
	if err != nil {
		return in, "", nil, err
	}
	if err := libraryArgs(only, libraries); err != nil {
		return in, "", nil, err
	}
	in.Project = project
	in.Libraries, in.Histories = map[string]*config.Library{}, map[string]*ir.History{}
	for _, name := range project.LibraryNames() {
		lib, err := libraries.Load(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		in.Libraries[name] = lib
		history, err := loadHistory(root, name)
		if errors.Is(err, errNoReleases) && from.isFor(only, name) {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		// Rules that are built in need not match a history that is not.
		if libraries.Own(name) {
			errs = append(errs, lib.CheckRules(history))
		}
		in.Histories[name] = history
	}
	return in, root, errs, nil
}

// historyFile is where a project keeps the history of a library.
func historyFile(root, library string) string {
	return filepath.Join(root, "releases", library+".json")
}

// errNoReleases is the error about a library without a history.
var errNoReleases = errors.New("has no releases yet")

// loadHistory reads a history from the project's releases folder, or the
// embedded one where the project has none of its own.
func loadHistory(root, library string) (*ir.History, error) {
	file := historyFile(root, library)
	data, err := textfile.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return loadEmbedded(library)
	}
	if err != nil {
		return nil, err
	}
	return decodeHistory(file, library, data)
}

// loadEmbedded reads the history that is built in.
func loadEmbedded(library string) (*ir.History, error) {
	data, err := releases.FS.ReadFile(library + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("library %s %w: `cybindgo releases add RELEASE %s --headers PATH` reads one", library, errNoReleases, library)
	}
	if err != nil {
		return nil, err
	}
	return decodeHistory("embedded releases/"+library+".json", library, data)
}

func decodeHistory(file, library string, data []byte) (*ir.History, error) {
	h, err := ir.Decode(file, data)
	if err != nil {
		return nil, err
	}
	if h.Library != library {
		return nil, fmt.Errorf("%s is the history of %q, expected %q", file, h.Library, library)
	}
	return h, nil
}

// libraryArgs checks names of libraries given on the command line.
func libraryArgs(args []string, libraries config.Libraries) error {
	for _, a := range args {
		if err := libraries.Check(a); err != nil {
			return err
		}
	}
	return nil
}

// libraryNames finds the definitions and gives the libraries that are named on
// the command line, or else all.
func (p *project) libraryNames(args []string) (libraries config.Libraries, root string, names []string, err error) {
	if libraries, root, err = p.libraries(); err != nil {
		return libraries, "", nil, err
	}
	if err := libraryArgs(args, libraries); err != nil {
		return libraries, "", nil, err
	}
	if len(args) == 0 {
		args = libraries.Names()
	}
	return libraries, root, args, nil
}

// embedded reports whether the library's history is built in.
func embedded(library string) bool {
	_, err := fs.Stat(releases.FS, library+".json")
	return err == nil
}
