package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/suggest"
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

// load reads the configuration and everything that generating needs.
func (p *project) load() (in emit.Input, root string, err error) {
	file, err := p.file()
	if err != nil {
		return in, "", err
	}
	root = filepath.Dir(file)
	data, err := os.ReadFile(file)
	if err != nil {
		return in, "", err
	}
	if in.Project, err = config.LoadProject(file, data); err != nil {
		return in, "", err
	}
	in.Libraries, in.Histories = map[string]*config.Library{}, map[string]*ir.History{}
	for i := range in.Project.Packages {
		for _, name := range in.Project.Packages[i].LibraryNames() {
			if in.Libraries[name] != nil {
				continue
			}
			if in.Libraries[name], err = config.LoadLibrary(name); err != nil {
				return in, "", err
			}
			if in.Histories[name], err = loadHistory(root, name); err != nil {
				return in, "", err
			}
		}
	}
	return in, root, nil
}

// historyFile is where a project keeps the history of a library.
func historyFile(root, library string) string {
	return filepath.Join(root, "releases", library+".json")
}

// loadHistory reads a history from the project's releases folder, or the
// embedded one where the project has none of its own.
func loadHistory(root, library string) (*ir.History, error) {
	file := historyFile(root, library)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		file = "embedded releases/" + library + ".json"
		if data, err = releases.FS.ReadFile(library + ".json"); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("library %s has no releases yet: `cybindgo releases add` reads some", library)
		}
	}
	if err != nil {
		return nil, err
	}
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
func libraryArgs(args []string, valid []string) error {
	for _, a := range args {
		found := false
		for _, v := range valid {
			found = found || a == v
		}
		if !found {
			return fmt.Errorf("library %q: expected one of %s%s", a, strings.Join(valid, ", "), suggest.Hint(a, valid))
		}
	}
	return nil
}

func embedded(library string) bool {
	_, err := fs.Stat(releases.FS, library+".json")
	return err == nil
}
