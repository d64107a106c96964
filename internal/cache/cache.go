package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// FolderVariable names the folder of all that cybindgo caches, in place of
// the user's own cache folder.
const FolderVariable = "CYBINDGO_CACHE"

// A Cache is a folder of headers. Its methods may be called by several
// goroutines at once.
type Cache struct{ dir string }

// DefaultDir is where headers are cached: headers/ in the folder that
// CYBINDGO_CACHE names, or in cybindgo/ of the user's cache folder.
func DefaultDir() (string, error) {
	if dir := os.Getenv(FolderVariable); dir != "" {
		dir, err := filepath.Abs(dir)
		return filepath.Join(dir, "headers"), err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder to cache headers in (%v): name one in %s", err, FolderVariable)
	}
	return filepath.Join(dir, "cybindgo", "headers"), nil
}

// Open makes the folder if need be, and sweeps out what runs that were killed
// have left behind. Where the folder cannot be made, what is there can still
// be read.
func Open(dir string) *Cache {
	c := &Cache{dir}
	os.MkdirAll(c.path(temporary), 0o777)
	c.sweep()
	return c
}

// Dir is the cache's folder.
func (c *Cache) Dir() string { return c.dir }

// The folders of a cache.
const (
	contents  = "contents" // by sha256: ab/abcd...
	records   = "records"  // by kind
	trees     = "include"
	locks     = "locks"
	temporary = "tmp"
)

func (c *Cache) path(parts ...string) string {
	return filepath.Join(append([]string{c.dir}, parts...)...)
}

// leftFor is how old a temporary file is before it is taken for one that a
// killed run has left.
const leftFor = 24 * time.Hour

func (c *Cache) sweep() {
	entries, err := os.ReadDir(c.path(temporary))
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftFor {
			os.RemoveAll(c.path(temporary, e.Name()))
		}
	}
}

// Temp makes an empty file to write to. Whoever called removes it.
func (c *Cache) Temp() (*os.File, error) {
	if err := os.MkdirAll(c.path(temporary), 0o777); err != nil {
		return nil, c.Unwritable(err)
	}
	f, err := os.CreateTemp(c.path(temporary), "")
	if err != nil {
		return nil, c.Unwritable(err)
	}
	return f, nil
}

// write puts a file in its place in one step.
func (c *Cache) write(name string, data []byte) error {
	f, err := c.Temp()
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	_, err = f.Write(data)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		// Readable by whoever may read the folder; nobody is to write it.
		err = os.Chmod(f.Name(), 0o444)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if err == nil {
		err = replace(f.Name(), name)
	}
	if err != nil {
		return c.Unwritable(err)
	}
	return nil
}

// replace renames a file over another one. Where the other one is open or
// read-only, Windows wants it out of the way.
func replace(from, to string) error {
	err := os.Rename(from, to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		os.Chmod(to, 0o666)
		if os.Remove(to) == nil {
			err = os.Rename(from, to)
		}
	}
	return err
}

// Unwritable words a failure to write to the cache.
func (c *Cache) Unwritable(err error) error {
	cause := err
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		cause = p.Err
	case errors.As(err, &l):
		cause = l.Err
	}
	return &WriteError{Dir: c.dir, Err: cause}
}

// A WriteError says that the cache cannot be written: no space, no permission.
// What was cached before is whole.
type WriteError struct {
	Dir string
	Err error
}

// Error names the folder and the cause, and says how to use another one.
func (e *WriteError) Error() string {
	return fmt.Sprintf("the cache in %s cannot be written: %v; make room, or name another folder in %s", e.Dir, e.Err, FolderVariable)
}

// Unwrap gives the cause, for errors.Is.
func (e *WriteError) Unwrap() error { return e.Err }

// safe reports whether a name is one plain part of a path, on all systems.
func safe(name string) bool {
	return name != "" && len(name) <= 200 && name[0] != '.' && !strings.HasSuffix(name, ".") &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") == ""
}
