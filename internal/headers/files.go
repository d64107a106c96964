package headers

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// files is a file system of headers that are read when they are first opened.
type files struct {
	held    map[string]func() ([]byte, error)
	folders map[string][]string // what each folder holds, in order
}

// Files makes a file system of headers, each of which is read, once, when it is
// first opened. Names are slash-separated, as headers are included.
func Files(read map[string]func() ([]byte, error)) fs.FS {
	f := &files{map[string]func() ([]byte, error){}, map[string][]string{".": nil}}
	for name, get := range read {
		f.held[name] = sync.OnceValues(get)
		for name != "." {
			dir := path.Dir(name)
			if !slices.Contains(f.folders[dir], path.Base(name)) {
				f.folders[dir] = append(f.folders[dir], path.Base(name))
			}
			name = dir
		}
	}
	for _, names := range f.folders {
		slices.Sort(names)
	}
	return f
}

// Open implements [fs.FS].
func (f *files) Open(name string) (fs.File, error) {
	if _, folder := f.folders[name]; folder {
		return &folderOfFiles{info{name, 0, true}, f, f.folders[name]}, nil
	}
	data, err := f.read(name)
	if err != nil {
		return nil, err
	}
	return &openFile{bytes.NewReader(data), info{name, int64(len(data)), false}}, nil
}

// ReadFile implements [fs.ReadFileFS].
func (f *files) ReadFile(name string) ([]byte, error) {
	data, err := f.read(name)
	return slices.Clone(data), err
}

// read gives a header's bytes, which the caller must not change.
func (f *files) read(name string) ([]byte, error) {
	get, ok := f.held[name]
	if !ok || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return get()
}

// Stat implements [fs.StatFS].
func (f *files) Stat(name string) (fs.FileInfo, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	return file.Stat()
}

// info describes a header, or a folder of them.
type info struct {
	name   string
	size   int64
	folder bool
}

func (i info) Name() string       { return path.Base(i.name) }
func (i info) Size() int64        { return i.size }
func (i info) IsDir() bool        { return i.folder }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) Sys() any           { return nil }
func (i info) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type openFile struct {
	*bytes.Reader
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type folderOfFiles struct {
	info info
	of   *files
	rest []string
}

func (d *folderOfFiles) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folderOfFiles) Close() error               { return nil }
func (d *folderOfFiles) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir implements [fs.ReadDirFile].
func (d *folderOfFiles) ReadDir(n int) (list []fs.DirEntry, err error) {
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	for _, name := range d.rest[:n] {
		full := strings.TrimPrefix(path.Join(d.info.name, name), "./")
		stat, err := d.of.Stat(full)
		if err != nil {
			return list, err
		}
		list = append(list, fs.FileInfoToDirEntry(stat))
	}
	d.rest = d.rest[n:]
	return list, nil
}
