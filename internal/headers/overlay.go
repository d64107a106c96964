package headers

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// A root is one folder of headers.
type root struct {
	label   string // a path, or WHEEL!folder
	inWheel bool
	files   fs.FS
}

func (r root) display(name string) string {
	if r.inWheel {
		return r.label + "/" + name
	}
	return filepath.Join(r.label, filepath.FromSlash(name))
}

// An overlay is the union of several roots. A file is the first root's that
// has it; a folder lists what all roots have in it.
type overlay struct {
	roots []root

	mu    sync.Mutex
	first error // the first failure to read, absence aside
}

// isAbsent tells "not here" from "here, but out of reach". A path through a
// file (nv/target, where nv is a file) is absent too.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// find gives the first root that has name.
func (o *overlay) find(name string) (root, fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return root{}, nil, fs.ErrInvalid
	}
	for _, r := range o.roots {
		info, err := fs.Stat(r.files, name)
		if err == nil {
			return r, info, nil
		}
		if !isAbsent(err) {
			// Not passed over: a later root's file would be a quiet guess.
			return root{}, nil, o.failed(err)
		}
	}
	return root{}, nil, fs.ErrNotExist
}

// Open implements [fs.FS].
func (o *overlay) Open(name string) (fs.File, error) {
	r, info, err := o.find(name)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	if info.IsDir() {
		entries, err := o.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &listing{info: info, name: name, rest: entries}, nil
	}
	f, err := r.files.Open(name)
	if err != nil {
		return nil, o.failed(err)
	}
	return f, nil
}

// Stat implements [fs.StatFS].
func (o *overlay) Stat(name string) (fs.FileInfo, error) {
	_, info, err := o.find(name)
	return info, pathError("stat", name, err)
}

// ReadFile implements [fs.ReadFileFS].
func (o *overlay) ReadFile(name string) ([]byte, error) {
	r, _, err := o.find(name)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	data, err := fs.ReadFile(r.files, name)
	if err != nil {
		return nil, o.failed(err)
	}
	return data, nil
}

// ReadDir implements [fs.ReadDirFS].
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, pathError("readdir", name, fs.ErrInvalid)
	}
	found := false
	merged := map[string]fs.DirEntry{}
	for _, r := range o.roots {
		info, err := fs.Stat(r.files, name)
		if err != nil && !isAbsent(err) {
			return nil, pathError("readdir", name, o.failed(err))
		}
		if err != nil || !info.IsDir() {
			continue
		}
		found = true
		entries, err := fs.ReadDir(r.files, name)
		if err != nil {
			return nil, pathError("readdir", name, o.failed(err))
		}
		for _, e := range entries {
			if _, earlier := merged[e.Name()]; !earlier {
				merged[e.Name()] = e
			}
		}
	}
	if !found {
		return nil, pathError("readdir", name, fs.ErrNotExist)
	}
	all := make([]fs.DirEntry, 0, len(merged))
	for _, e := range merged {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return all, nil
}

// failed notes err for failure and gives it back.
func (o *overlay) failed(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first == nil {
		o.first = err
	}
	return err
}

func (o *overlay) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.first
}

// pathError wraps what package fs knows (absent, invalid) as package fs does.
// An Error says more by itself and stays as it is.
func pathError(op, name string, err error) error {
	var full *Error
	if err == nil || errors.As(err, &full) {
		return err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// A listing is an open folder of an overlay.
type listing struct {
	info fs.FileInfo
	name string
	rest []fs.DirEntry
}

func (l *listing) Stat() (fs.FileInfo, error) { return l.info, nil }
func (l *listing) Close() error               { return nil }

func (l *listing) Read([]byte) (int, error) {
	return 0, pathError("read", l.name, errors.New("is a folder"))
}

// ReadDir implements [fs.ReadDirFile].
func (l *listing) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(l.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(l.rest) {
		n = len(l.rest)
	}
	part := slices.Clone(l.rest[:n])
	l.rest = l.rest[n:]
	return part, nil
}
