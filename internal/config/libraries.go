package config

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// LibraryDir is the folder beside a project's configuration that holds its own
// definitions.
const LibraryDir = "libraries"

//go:embed libraries
var definitions embed.FS

// Libraries finds definitions: those in a project's folder, and the embedded
// ones, which give way to a project's own of the same name. The zero value has
// the embedded ones alone.
type Libraries struct {
	root string   // the project's folder
	own  []string // names that it defines, in order
}

// FindLibraries lists the definitions of the project in folder root. It reads
// none of them.
func FindLibraries(root string) (Libraries, error) {
	l := Libraries{root: root}
	entries, err := os.ReadDir(filepath.Join(root, LibraryDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l, err
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".yml" {
			return l, &Error{File: filepath.Join(root, LibraryDir, e.Name()), Msg: "expected a name that ends in .yaml"}
		}
	}
	l.own = definedIn(entries)
	return l, nil
}

// definedIn lists the libraries that the files of a folder define. Other
// files, such as snippets, may lie there too.
func definedIn(entries []fs.DirEntry) (names []string) {
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Names lists the libraries that have a definition, in order.
func (l Libraries) Names() []string {
	names := slices.Concat(l.own, LibraryNames())
	slices.Sort(names)
	return slices.Compact(names)
}

// Own reports whether the project itself defines the library.
func (l Libraries) Own(name string) bool { return slices.Contains(l.own, name) }

// Check refuses a name that no definition has.
func (l Libraries) Check(name string) error {
	if names := l.Names(); !slices.Contains(names, name) {
		return fmt.Errorf("library %q: expected one of %s, or one that %s/NAME.yaml defines%s",
			name, strings.Join(names, ", "), LibraryDir, suggest.Hint(name, names))
	}
	return nil
}

// Load reads and checks a definition. Mistakes in it are of type [*Error].
func (l Libraries) Load(name string) (*Library, error) {
	if err := l.Check(name); err != nil {
		return nil, err
	}
	read := embedded
	if l.Own(name) {
		read = fromDisk(filepath.Join(l.root, LibraryDir))
	}
	file, data, err := read(name + ".yaml")
	if err != nil {
		return nil, err
	}
	lib, err := ParseLibrary(file, data)
	if err != nil {
		return nil, err
	}
	if lib.Name != name {
		return nil, lib.doc.error(lib.doc.at("library"), "library %q: expected %s, as the file is called", lib.Name, name)
	}
	return lib, lib.readSnippet(read)
}

// embedded reads files that are built in.
func embedded(name string) (file string, data []byte, err error) {
	data, err = definitions.ReadFile(LibraryDir + "/" + name)
	return "embedded " + LibraryDir + "/" + name, data, err
}

// LibraryNames lists the libraries that have an embedded definition, in order.
func LibraryNames() []string {
	entries, err := definitions.ReadDir(LibraryDir)
	if err != nil {
		panic(err) // the folder is embedded
	}
	return definedIn(entries)
}

// LoadLibrary reads an embedded definition.
func LoadLibrary(name string) (*Library, error) { return Libraries{}.Load(name) }
