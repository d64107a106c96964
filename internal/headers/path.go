package headers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agnivade/levenshtein"
)

// openPath opens one place that the user named: one source, or several where
// the place is a folder of wheels. The caller closes the sources even if there
// is an error.
func openPath(path string) ([]source, error) {
	if path == "" {
		return nil, errors.New("an empty path was given for headers: expected a folder of headers, a toolkit root, a wheel or an archive")
	}
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Path: path, Msg: "no such file or folder" + nearest(path), Err: err}
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir() && isWheel(path):
		return nil, errorf(path, "is a folder, though its name ends in .whl: expected the wheel itself, a file; rename a folder that a wheel was unpacked into")
	case info.IsDir():
		return openFolder(path)
	case !info.Mode().IsRegular():
		return nil, errorf(path, "is not a plain file: expected a folder of headers, a toolkit root, a wheel or an archive")
	case isArchive(path):
		a, err := openArchive(path)
		if err != nil {
			return nil, err
		}
		return []source{a}, nil
	case !isWheel(path):
		return nil, errorf(path, "expected a folder of headers, a toolkit root or a file whose name ends in .whl, %s", strings.Join(archiveEnds, ", "))
	}
	w, err := openWheel(path)
	if err != nil {
		return nil, err
	}
	return []source{w}, nil
}

func isWheel(path string) bool {
	return strings.EqualFold(filepath.Ext(path), ".whl")
}

// nearest gives the rest of a "no such file" message: the entry beside it whose
// name is most like the one that was asked for, or which folder is missing.
func nearest(path string) string {
	parent, name := filepath.Split(path)
	if parent == "" {
		parent = "."
	}
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return ", nor is there a folder " + filepath.Clean(parent)
	}
	best, least := "", len(name)/3+1
	for _, e := range entries {
		if d := levenshtein.ComputeDistance(name, e.Name()); d < least {
			best, least = e.Name(), d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + filepath.Join(parent, best) + "?"
}
