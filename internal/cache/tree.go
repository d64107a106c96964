package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tree gives a folder with these contents, by slash-separated path: for a
// compiler, which does not read the cache by sums. The name is for people; the
// folder is called after it and what is in it, and never changes. It is checked
// each time, and made anew where it does not hold what it should.
func (c *Cache) Tree(name string, files map[string]string) (dir string, err error) {
	names := slices.Sorted(maps.Keys(files))
	var list strings.Builder
	for _, file := range names {
		if !fs.ValidPath(file) || file == "." || strings.ContainsAny(file, `\:`) {
			return "", fmt.Errorf("%.80q cannot be a file in the cache", file)
		}
		fmt.Fprintf(&list, "%s  %s\n", files[file], file)
	}
	dir = c.path(trees, name+"-"+Sum([]byte(list.String()))[:12])
	if !safe(filepath.Base(dir)) {
		return "", fmt.Errorf("%.80q cannot be a folder in the cache", name)
	}
	if c.holds(dir, files) {
		return dir, nil
	}
	if err := os.MkdirAll(c.path(temporary), 0o777); err != nil {
		return "", c.Unwritable(err)
	}
	made, err := os.MkdirTemp(c.path(temporary), "")
	if err != nil {
		return "", c.Unwritable(err)
	}
	defer os.RemoveAll(made)
	for _, file := range names {
		if err := c.place(files[file], filepath.Join(made, filepath.FromSlash(file))); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(made, 0o755); err != nil {
		return "", c.Unwritable(err)
	}
	if err := c.swap(made, dir, files); err != nil {
		return "", err
	}
	return dir, nil
}

// swap puts a folder in its place. Another process may have been faster.
func (c *Cache) swap(made, dir string, files map[string]string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return c.Unwritable(err)
	}
	var err error
	for range 10 {
		if err = os.Rename(made, dir); err == nil || c.holds(dir, files) {
			return nil
		}
		// What is in the way is damaged.
		aside, err2 := os.MkdirTemp(c.path(temporary), "")
		if err2 != nil {
			return c.Unwritable(err2)
		}
		err2 = os.Rename(dir, filepath.Join(aside, "old"))
		os.RemoveAll(aside)
		if err2 != nil && !errors.Is(err2, fs.ErrNotExist) {
			return c.Unwritable(err2)
		}
	}
	return c.Unwritable(err)
}

// place makes a file with a content. It is a copy, not a link: whoever edits
// it does not edit the cache.
func (c *Cache) place(sum, name string) error {
	data, err := c.Get(sum)
	if err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Dir(name), 0o777); err == nil {
		err = os.WriteFile(name, data, 0o444)
	}
	if err != nil {
		return c.Unwritable(err)
	}
	return nil
}

// holds reports whether a folder has these files, whole, and no others.
func (c *Cache) holds(dir string, files map[string]string) bool {
	found := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		sum, ok := files[filepath.ToSlash(rel)]
		info, err := d.Info()
		if err != nil || !ok || !info.Mode().IsRegular() || info.Size() > MaxContent {
			return fs.ErrInvalid
		}
		data, err := os.ReadFile(name)
		if err != nil || Sum(data) != sum {
			return fs.ErrInvalid
		}
		found++
		return nil
	})
	return err == nil && found == len(files)
}
