package pack

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A File is a member of an archive.
type File struct {
	Name       string // with slashes, relative
	Data       []byte
	Executable bool
}

// mode is how the file is unpacked.
func (f *File) mode() fs.FileMode {
	if f.Executable {
		return 0o755
	}
	return 0o644
}

// inOrder gives files in the order of their names. Names that unpack to
// somewhere else, or twice to one place, are errors.
func inOrder(files []File) ([]File, error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	for i, f := range files {
		if err := checkName(f.Name); err != nil {
			return nil, err
		}
		if i > 0 && f.Name == files[i-1].Name {
			return nil, fmt.Errorf("%s is in the archive twice", f.Name)
		}
	}
	return files, nil
}

func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.ContainsFunc(name, unfit) {
		return fmt.Errorf("%q: expected a path below the archive's root, of printable ASCII without backslashes", name)
	}
	return nil
}

// unfit reports what a member's name must not have, so that every system
// unpacks the same.
func unfit(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`\:*?"<>|`, r) }
