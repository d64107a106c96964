package headers

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Bounds on what is read. Of the headers of CUDA 12.0 to 13.5, cuda.h is the
// largest (1.3 MB), and none is packed to less than a sixteenth.
const (
	maxName   = 1024     // bytes of a member's name
	maxHeader = 64 << 20 // bytes of one header
	maxTotal  = 1 << 30  // bytes of all headers of one wheel
	maxRatio  = 100      // size over packed size of one header...
	ratioFrom = 1 << 20  // ...from this size on: small files may be blank
)

// wheelLayout is where wheels keep headers. cutensor has a folder of its own
// at the top.
var wheelLayout = append(slices.Clone(installedLayout), "*/include")

// A wheel is a source that is a .whl file: a zip archive with a METADATA file.
// No member but METADATA and the headers that are asked for is ever inflated.
type wheel struct {
	path    string
	file    io.Closer
	members map[string]*member // all plain files in header folders
	folders map[string]bool    // all folders that hold members
	found   []root
	meta    *metadata
}

func (w *wheel) roots() []root       { return w.found }
func (w *wheel) metadata() *metadata { return w.meta }
func (w *wheel) Close() error        { return w.file.Close() }

// openWheel opens the wheel at path, which stays open until Close.
func openWheel(path string) (*wheel, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, unreadable(path, err)
	}
	w, err := readWheel(path, file, info.Size())
	if err != nil {
		file.Close()
		return nil, err
	}
	w.file = file
	return w, nil
}

// readWheel reads the directory of a wheel and its METADATA, and checks every
// member's name. The path is for messages.
func readWheel(path string, data io.ReaderAt, size int64) (*wheel, error) {
	archive, err := zip.NewReader(data, size)
	if err != nil {
		return nil, notZip(path, data, size, err)
	}
	w := &wheel{path: path, members: map[string]*member{}, folders: map[string]bool{}}
	if err := checkNames(path, archive.File); err != nil {
		return nil, err
	}
	if err := w.readMetadata(archive.File); err != nil {
		return nil, err
	}
	var total, packed uint64
	withHeaders := map[string]bool{} // header folders that hold one
	for _, f := range archive.File {
		folder := headerFolderOf(f.Name)
		if folder == "" || isFolder(f.Name) {
			continue
		}
		m, err := newMember(path, f)
		if err != nil {
			return nil, err
		}
		if total += f.UncompressedSize64; total > maxTotal {
			return nil, errorf(path, "its headers have more than %d bytes unpacked: expected a wheel of CUDA headers", maxTotal)
		}
		packed += f.CompressedSize64
		w.members[f.Name] = m
		w.addParents(f.Name)
		if isHeader(f.Name) {
			withHeaders[folder] = true
		}
	}
	// With the bound on the ratio, this bounds what a file of some size can hold.
	if packed > uint64(size) {
		return nil, errorf(path, "its headers have %d bytes packed, but the file has %d: members overlap, or their sizes are wrong; the wheel is refused", packed, size)
	}
	if len(withHeaders) == 0 && w.meta.name != toolkitName {
		none := errorf(path, "no headers in this wheel (%s %s): expected nvidia/<component>/include/ or nvidia/cu13/include/",
			w.meta.name, w.meta.version)
		none.Err = ErrNoHeaders
		return nil, none
	}
	w.setRoots(archive, slices.Sorted(maps.Keys(withHeaders)))
	return w, nil
}

// notZip words what zip.NewReader means by "not a valid zip file".
func notZip(path string, data io.ReaderAt, size int64, err error) error {
	e := &Error{Path: path, Err: err}
	start := make([]byte, 16)
	n, readErr := data.ReadAt(start, 0)
	start = start[:n]
	switch {
	case readErr != nil && readErr != io.EOF:
		return unreadable(path, readErr)
	case size == 0:
		e.Msg = "the file is empty: expected a wheel, which is a zip archive"
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		e.Msg = "the wheel is cut off or damaged: its directory, which a zip archive has at its end, is missing or wrong; fetch the wheel again"
	default:
		e.Msg = "not a wheel: expected a zip archive, but the file starts with " + quoteStart(start)
	}
	return e
}

// quoteStart shows the first bytes of a file: as text if they are text, which
// tells a web page or an error message, or else as numbers.
func quoteStart(start []byte) string {
	for _, c := range start {
		if c >= 0x80 || c < ' ' && !unicode.IsSpace(rune(c)) {
			return fmt.Sprintf("the bytes % x", start)
		}
	}
	return strconv.Quote(string(start))
}

// readMetadata finds the one METADATA file and reads it.
func (w *wheel) readMetadata(files []*zip.File) error {
	var found *zip.File
	for _, f := range files {
		if ok, _ := path.Match("*.dist-info/METADATA", f.Name); !ok {
			continue
		}
		if found != nil {
			return &Error{Path: w.path, Member: f.Name, Msg: "a second METADATA file beside " + found.Name + ": expected a wheel of one package"}
		}
		found = f
	}
	if found == nil {
		return errorf(w.path, "not a wheel: expected a member NAME-VERSION.dist-info/METADATA")
	}
	m, err := newMember(w.path, found)
	if err != nil {
		return err
	}
	data, err := m.read()
	if err != nil {
		return err
	}
	w.meta, err = parseMetadata(w.path, found.Name, data)
	return err
}

// headerFolderOf gives the header folder that a member lies in, or "".
func headerFolderOf(name string) string {
	for dir := parent(name); dir != ""; dir = parent(dir) {
		if !strings.HasSuffix(dir, "/include") {
			continue // spares the matching below, for speed
		}
		for _, pattern := range wheelLayout {
			if ok, _ := path.Match(pattern, dir); ok {
				return dir
			}
		}
	}
	return ""
}

// setRoots makes a root of each header folder, in the order of wheelLayout and
// then as given.
func (w *wheel) setRoots(archive *zip.Reader, folders []string) {
	for _, pattern := range wheelLayout {
		for _, dir := range folders {
			if ok, _ := path.Match(pattern, dir); ok {
				files := &wheelFolder{wheel: w, dir: dir, archive: archive}
				w.found = append(w.found, root{label: w.path + "!" + dir, inWheel: true, files: files})
			}
		}
	}
}

func (w *wheel) addParents(name string) {
	for dir := parent(name); dir != "" && !w.folders[dir]; dir = parent(dir) {
		w.folders[dir] = true
	}
}
