package headers

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ulikunitz/xz"

	"github.com/cybindgo/cybindgo/internal/dist"
)

// archiveEnds are the ends of archives' names, as NVIDIA has them for
// redistribution and as others may have them.
var archiveEnds = []string{".tar.xz", ".txz", ".tar.gz", ".tgz", ".zip"}

func isArchive(path string) bool {
	path = strings.ToLower(path)
	return slices.ContainsFunc(archiveEnds, func(end string) bool { return strings.HasSuffix(path, end) })
}

// What an archive unpacks to is bounded by its own size. Those of CUDA have a
// ratio of 3 to 20.
const (
	maxArchiveRatio = 200
	archiveFrom     = 16 << 20 // bytes that any archive may unpack to
	maxDictionary   = 256 << 20
)

// An archive is a source that is a .tar.xz, .tar.gz or .zip: a redistributable
// component, or a folder of headers that somebody packed. Its headers are in
// memory: the first two can be read from front to back only.
type archive struct {
	found []root
	meta  *metadata // of a redistributable component
}

func (a *archive) roots() []root       { return a.found }
func (a *archive) metadata() *metadata { return a.meta }
func (a *archive) Close() error        { return nil }

// openArchive reads the archive at path.
func openArchive(path string) (*archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, unreadable(path, err)
	}
	return readArchive(path, file, info.Size())
}

// readArchive reads an archive of the kind that path says.
func readArchive(path string, data io.ReaderAt, size int64) (*archive, error) {
	r := &unpacking{path: path, files: map[string][]byte{}, names: map[string]bool{}}
	var err error
	switch name := strings.ToLower(path); {
	case size == 0:
		return nil, errorf(path, "the file is empty: expected an archive of headers")
	case strings.HasSuffix(name, ".zip"):
		err = r.zip(data, size)
	case strings.HasSuffix(name, "xz"):
		err = r.tar(data, size, newXZ)
	default:
		err = r.tar(data, size, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	}
	if err != nil {
		return nil, err
	}
	return r.archive()
}

// unpacking collects the headers of an archive.
type unpacking struct {
	path  string
	files map[string][]byte
	names map[string]bool // of all plain files
	total int64           // bytes of headers
}

func (u *unpacking) errorf(member string, cause error, format string, args ...any) *Error {
	e := errorf(u.path, format, args...)
	e.Member, e.Err = member, cause
	return e
}

// damaged words what a reader says of bytes that are no such archive.
func (u *unpacking) damaged(member string, err error) error {
	var ours *Error
	var system *fs.PathError
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &system):
		return unreadable(u.path, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return u.errorf(member, err, "the archive is cut off; fetch it again")
	}
	return u.errorf(member, err, "the archive is damaged, or not what its name says (%v); fetch it again", err)
}

// take notes a member, and reads it if it is a header.
func (u *unpacking) take(name string, mode fs.FileMode, size int64, read func() (io.Reader, error)) error {
	name = strings.TrimPrefix(name, "./")
	if name == "" {
		return nil
	}
	if why := unsafeName(name); why != "" {
		return u.errorf(name, nil, "%s; the archive is refused", strings.ReplaceAll(why, "wheel", "archive"))
	}
	header := isHeader(name) || path.Ext(name) == "" && strings.Contains(name, "/include/")
	switch {
	case mode.IsDir() || isFolder(name):
		return nil
	case header && !mode.IsRegular():
		return u.errorf(name, nil, "is a link or a device (%v): expected a plain file", mode)
	case u.names[name]:
		return u.errorf(name, nil, "the archive has two members of this name: expected one; the archive is refused")
	}
	u.names[name] = true
	if !header {
		return nil
	}
	if size > maxHeader {
		return u.errorf(name, nil, "has %d bytes unpacked: expected at most %d", size, maxHeader)
	}
	if u.total += size; u.total > maxTotal {
		return u.errorf("", nil, "its headers have more than %d bytes unpacked: expected an archive of CUDA headers", maxTotal)
	}
	r, err := read()
	if err != nil {
		return u.damaged(name, err)
	}
	var text bytes.Buffer
	n, err := io.Copy(&text, io.LimitReader(r, size+1))
	switch {
	case err != nil:
		return u.damaged(name, err)
	case n != size:
		return u.errorf(name, nil, "is damaged: it is not the %d bytes that the archive records; fetch the archive again", size)
	}
	u.files[name] = text.Bytes()
	return nil
}

func (u *unpacking) zip(data io.ReaderAt, size int64) error {
	archive, err := zip.NewReader(data, size)
	if err != nil {
		return u.damaged("", err)
	}
	if err := checkNames(u.path, archive.File); err != nil {
		var bad *Error
		if errors.As(err, &bad) {
			bad.Msg = strings.ReplaceAll(bad.Msg, "wheel", "archive")
		}
		return err
	}
	for _, f := range archive.File {
		if !f.Mode().IsDir() && f.UncompressedSize64 >= ratioFrom && f.UncompressedSize64/maxRatio > f.CompressedSize64 && isHeader(f.Name) {
			return u.errorf(f.Name, nil, "unpacks to more than %d times its size (%d bytes from %d): expected the text of a header",
				maxRatio, f.UncompressedSize64, f.CompressedSize64)
		}
		if f.UncompressedSize64 > 1<<62 {
			return u.errorf(f.Name, nil, "has a size that cannot be")
		}
		err := u.take(f.Name, f.Mode(), int64(f.UncompressedSize64), func() (io.Reader, error) { return f.Open() })
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacking) tar(data io.ReaderAt, size int64, unpack func(io.Reader) (io.Reader, error)) error {
	plain, err := unpack(bufio.NewReaderSize(io.NewSectionReader(data, 0, size), 1<<16))
	if err != nil {
		return u.damaged("", err)
	}
	most := archiveFrom + maxArchiveRatio*size
	bounded := &bounded{plain, most, u.errorf("", nil, "unpacks to more than %d times its size: expected an archive of CUDA headers", maxArchiveRatio)}
	archive := tar.NewReader(bounded)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			// The sum of all that was packed is behind the archive's end.
			if _, err := io.Copy(io.Discard, bounded); err != nil {
				return u.damaged("", err)
			}
			return nil
		}
		if err != nil {
			return u.damaged("", err)
		}
		mode := h.FileInfo().Mode()
		if h.Typeflag == tar.TypeLink {
			mode |= fs.ModeSymlink // a hard link is a link all the same
		}
		if err := u.take(h.Name, mode, h.Size, func() (io.Reader, error) { return archive, nil }); err != nil {
			return err
		}
	}
}

// bounded gives an error where more is read than may be.
type bounded struct {
	io.Reader
	left    int64
	tooMuch error
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, b.tooMuch
	}
	return n, err
}

// newXZ reads xz. The window that the first block asks for is bounded, as it is
// memory: xz -9 has 64 MB.
func newXZ(r io.Reader) (io.Reader, error) {
	buffered := r.(*bufio.Reader)
	start, err := buffered.Peek(64)
	if err != nil && err != io.EOF {
		return nil, err
	}
	// The filter LZMA2 in the block's header: its number, one byte of
	// properties, which is the size in steps of a half power of two.
	if at := bytes.Index(start, []byte{0x21, 1}); at > 0 && at+2 < len(start) {
		if bits := start[at+2]; bits <= 40 && int64(2|bits&1)<<(bits/2+11) > maxDictionary {
			return nil, errors.New("it asks for too much memory")
		}
	}
	return xz.NewReader(buffered)
}

// redistName is the folder in a redistributable archive:
// cuda_cudart-linux-x86_64-13.0.96-archive.
var redistName = regexp.MustCompile(`^([a-z0-9_]+)-(linux|windows)-([a-z0-9_]+)-([0-9]+(?:\.[0-9]+)*)-archive$`)

// archive finds the header folders among the members.
func (u *unpacking) archive() (*archive, error) {
	a := &archive{}
	top := u.top()
	if m := redistName.FindStringSubmatch(top); m != nil {
		a.meta = &metadata{path: u.path, name: dist.Normalise(m[1]), version: m[4]}
	}
	inside := map[string][]byte{} // below the top folder
	for name, text := range u.files {
		inside[strings.TrimPrefix(name, top+"/")] = text
	}
	names := slices.Sorted(maps.Keys(inside))
	for _, pattern := range slices.Concat(toolkitLayout, installedLayout) {
		dirs := map[string]bool{}
		for _, name := range names {
			for dir := parent(name); dir != ""; dir = parent(dir) {
				if ok, _ := path.Match(pattern, dir); ok {
					dirs[dir] = true
				}
			}
		}
		for _, dir := range slices.Sorted(maps.Keys(dirs)) {
			a.add(u.path, path.Join(top, dir), dir, inside)
		}
	}
	if len(a.found) == 0 && slices.ContainsFunc(names, func(name string) bool { return parent(name) == "" }) {
		a.add(u.path, top, "", inside)
	}
	if len(a.found) == 0 {
		return nil, errorf(u.path, "no headers in this archive: expected %s", layouts)
	}
	return a, nil
}

// top is the one folder that all members are in, or "".
func (u *unpacking) top() string {
	first := ""
	for name := range u.names {
		dir, _, inside := strings.Cut(name, "/")
		if !inside || first != "" && dir != first || slices.Contains([]string{"include", "targets", "nvvm", "nvidia"}, dir) {
			return ""
		}
		first = dir
	}
	return first
}

// add makes a root of a folder, if that is none yet.
func (a *archive) add(archivePath, label, dir string, files map[string][]byte) {
	read := map[string]func() ([]byte, error){}
	for name, text := range files {
		if rel, inside := strings.CutPrefix(name, dir+"/"); inside || dir == "" {
			if dir == "" {
				rel = name
			}
			read[rel] = func() ([]byte, error) { return text, nil }
		}
	}
	label = archivePath + "!" + label
	if len(read) > 0 && !slices.ContainsFunc(a.found, func(r root) bool { return r.label == label }) {
		a.found = append(a.found, root{label: label, inWheel: true, files: Files(read)})
	}
}
