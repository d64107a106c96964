package headers

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
)

// checkNames refuses a wheel with any member, header or not, that could be
// taken for a file outside it or for another member.
func checkNames(path string, files []*zip.File) error {
	isFile := make(map[string]bool, len(files)) // or a folder, if it is there as false
	refuse := func(f *zip.File, why string) error {
		return &Error{Path: path, Member: f.Name, Msg: why + "; the wheel is refused"}
	}
	for _, f := range files {
		if why := unsafeName(f.Name); why != "" {
			return refuse(f, why)
		}
		bare := strings.TrimSuffix(f.Name, "/")
		if _, twice := isFile[bare]; twice {
			return refuse(f, "the wheel has two members of this name: expected one")
		}
		isFile[bare] = bare == f.Name
	}
	for _, f := range files {
		for dir := parent(f.Name); dir != ""; dir = parent(dir) {
			if isFile[dir] {
				return refuse(f, "the wheel has "+printable(dir)+" both as a file and as a folder: expected one of them")
			}
		}
	}
	return nil
}

// unsafeName says what is wrong with a member's name, or "".
func unsafeName(name string) string {
	bare := strings.TrimSuffix(name, "/")
	switch {
	case len(name) > maxName:
		return fmt.Sprintf("the name has %d bytes: expected at most %d", len(name), maxName)
	case bare == "":
		return "the name is empty or absolute: expected a path inside the wheel"
	case strings.HasPrefix(name, "/"):
		return "the name is absolute: expected a path inside the wheel"
	case strings.Contains(name, `\`):
		return `the name has a backslash: expected a path inside the wheel, with "/"`
	case len(name) > 1 && name[1] == ':':
		return "the name has a drive letter: expected a path inside the wheel"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return `the name has "..": expected a path inside the wheel`
	case !fs.ValidPath(bare) || bare == ".":
		return `the name has an empty part or ".", or is not UTF-8: expected a plain path`
	case strings.ContainsFunc(name, unicode.IsControl):
		return "the name has a control character: expected a plain path"
	}
	return ""
}

// parent gives the folder of a member, "" at the top.
func parent(name string) string {
	return name[:max(0, strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/'))]
}

// isFolder reports whether a member is a folder.
func isFolder(name string) bool { return strings.HasSuffix(name, "/") }

// cutFolder gives a member's path from a folder on.
func cutFolder(name, dir string) (rel string, inside bool) { return strings.CutPrefix(name, dir+"/") }
