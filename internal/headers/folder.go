package headers

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// toolkitLayout is where the root of a toolkit keeps headers, in search order.
// The linux/amd64 target comes first: its headers are the reference.
var toolkitLayout = []string{"include", "targets/x86_64-linux/include", "targets/*/include", "nvvm/include"}

// installedLayout is where wheels put headers: per component in 11 and 12, one
// folder for all in 13. nvvm.h has a folder of its own before 13.
var installedLayout = []string{"nvidia/*/include", "nvidia/*/nvvm/include"}

// A folder is a source on disk: a folder of headers, a toolkit root, or a
// folder that wheels were installed into.
type folder struct{ found []root }

func (f *folder) roots() []root       { return f.found }
func (f *folder) metadata() *metadata { return nil }
func (f *folder) Close() error        { return nil }

// openFolder finds the header folders in and below dir. A folder that holds
// wheels and no headers stands for those wheels.
func openFolder(dir string) ([]source, error) {
	disk := os.DirFS(dir)
	entries, err := fs.ReadDir(disk, ".")
	if err != nil {
		return nil, unreadable(dir, err)
	}
	if len(entries) == 0 {
		return nil, errorf(dir, "the folder is empty: expected %s", layouts)
	}

	var found []string
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isHeader(e.Name()) }) {
		found = append(found, ".")
	}
	found = append(found, matches(disk, toolkitLayout)...)
	installed := distinct(dir, matches(disk, installedLayout))
	if err := oneRelease(dir, disk, installed); err != nil {
		return nil, err
	}
	found = append(found, installed...)
	if len(found) == 0 {
		if wheels, _ := fs.Glob(disk, "*.whl"); len(wheels) > 0 {
			return openWheels(dir, wheels)
		}
		// The headers of some components lie one level down: crt/host_config.h.
		if deeper, _ := fs.Glob(disk, "*/*.h"); len(deeper) == 0 {
			return nil, errorf(dir, "no headers in this folder: expected %s", layouts)
		}
		found = []string{"."}
	}

	f := &folder{}
	var first error
	for _, name := range distinct(dir, found) {
		at := filepath.Join(dir, filepath.FromSlash(name))
		sub := headerFolder{at, os.DirFS(at)}
		switch held, err := sub.holdsHeader(); {
		case err != nil:
			return nil, unreadable(at, err)
		case held:
			f.found = append(f.found, root{label: at, files: sub})
		case first == nil:
			first = errorf(at, "no headers in this folder: expected files such as cuda.h")
		}
	}
	if len(f.found) == 0 {
		return nil, first
	}
	return []source{f}, nil
}

const layouts = "files such as cuda.h, a toolkit's include/ or targets/*/include/, or nvidia/*/include/ as wheels install it"

// openWheels opens the wheels in dir. The caller closes those that were opened
// even if there is an error.
func openWheels(dir string, names []string) ([]source, error) {
	var sources []source
	var errs []error
	for _, name := range names {
		opened, err := openPath(filepath.Join(dir, name))
		sources = append(sources, opened...)
		errs = append(errs, err)
	}
	return sources, errors.Join(errs...)
}

// matches gives the folders that match any of the patterns, in the order of
// the patterns, then sorted, each once.
func matches(disk fs.FS, patterns []string) []string {
	var found []string
	for _, pattern := range patterns {
		names, _ := fs.Glob(disk, pattern) // fails for malformed patterns only
		for _, name := range names {
			info, err := fs.Stat(disk, name)
			if err == nil && info.IsDir() && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// distinct drops folders that are an earlier one by another name: a toolkit's
// include is often a link to targets/x86_64-linux/include.
func distinct(dir string, names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		real, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return false // reading it will say what is wrong
		}
		again := seen[real]
		seen[real] = true
		return again
	})
}

// oneRelease refuses a folder in which two components carry the same header.
// Those of one release never do, so such a folder holds, say, CUDA 12 in
// nvidia/cuda_runtime and CUDA 13 in nvidia/cu13.
func oneRelease(dir string, disk fs.FS, installed []string) error {
	owner := map[string]string{}
	for _, in := range installed {
		entries, err := fs.ReadDir(disk, in)
		if err != nil {
			return unreadable(filepath.Join(dir, filepath.FromSlash(in)), err)
		}
		for _, e := range entries {
			if !isHeader(e.Name()) {
				continue
			}
			if other, twice := owner[e.Name()]; twice {
				return errorf(dir, "holds two releases: %s is in %s and in %s; expected one of these folders instead of %s",
					e.Name(), other, in, dir)
			}
			owner[e.Name()] = in
		}
	}
	return nil
}

func isHeader(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".h", ".hpp", ".hh", ".hxx", ".cuh":
		return true
	}
	return false
}

// headerFolder is the file system of one header folder on disk. What it opens
// is a plain file of bounded size: not a pipe that never ends.
type headerFolder struct {
	dir  string
	disk fs.FS
}

func (h headerFolder) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(h.disk, name)
	switch {
	case err != nil && isAbsent(err):
		return nil, err
	case err != nil:
		return nil, unreadable(h.path(name), err)
	case info.IsDir():
		return info, nil
	case !info.Mode().IsRegular():
		return nil, errorf(h.path(name), "is not a plain file: expected a header")
	case info.Size() > maxHeader:
		return nil, errorf(h.path(name), "has %d bytes: expected a header of at most %d", info.Size(), maxHeader)
	}
	return info, nil
}

func (h headerFolder) Open(name string) (fs.File, error) {
	if _, err := h.Stat(name); err != nil {
		return nil, err
	}
	f, err := h.disk.Open(name)
	if err != nil {
		return nil, unreadable(h.path(name), err)
	}
	return f, nil
}

func (h headerFolder) path(name string) string {
	return filepath.Join(h.dir, filepath.FromSlash(name))
}

// holdsHeader says whether there is a header anywhere in the folder. It stops
// at the first.
func (h headerFolder) holdsHeader() (held bool, err error) {
	err = fs.WalkDir(h.disk, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !e.IsDir() && isHeader(name) {
			held = true
			return fs.SkipAll
		}
		return nil
	})
	return held, err
}
