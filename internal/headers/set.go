package headers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"slices"
)

// A source is one place that headers come from. It stays open for as long as
// its headers may be read.
type source interface {
	// roots gives its header folders in search order; a wheel that holds
	// metadata alone has none.
	roots() []root
	// metadata names the package the source is and its version, or is nil
	// where the source cannot tell: a folder does not know its patch release.
	metadata() *metadata
	Close() error
}

// A Component is a package that headers came from.
type Component struct {
	Name    string // normalised as in PEP 503: nvidia-cuda-runtime-cu12
	Version string // as published: 12.0.107
}

// A Set is the headers of one release for one target, from one or more places.
// It may be used by several goroutines at once.
type Set struct {
	sources    []source
	files      *overlay
	components []Component
	toolkit    *metadata // of the cuda-toolkit wheel; nil if none was given
	exact      bool
}

// Open resolves the paths given for one release and target into one read-only
// file system of headers. A path is a folder of headers, the root of a CUDA
// toolkit, a folder that wheels were installed or downloaded into, or a wheel.
// Where two paths carry the same file, the earlier one wins; but two wheels of
// one component are an error, because they are of different releases or
// targets.
//
// Each error is an [*Error]; those of all paths are reported together, joined.
// The caller closes the set.
func Open(paths []string) (*Set, error) {
	if len(paths) == 0 {
		return nil, errors.New("no headers were given: expected a folder of headers, a toolkit root, a wheel or an archive")
	}
	s := &Set{files: &overlay{}, exact: true}
	var errs []error
	seen := map[string]*metadata{}
	for _, path := range paths {
		sources, err := openPath(path)
		s.sources = append(s.sources, sources...)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, src := range sources {
			if err := s.add(src, seen); err != nil {
				errs = append(errs, err)
			}
		}
	}
	if len(errs) == 0 && len(s.files.roots) == 0 {
		errs = append(errs, errorf(s.toolkit.path,
			"this wheel only lists the components of CUDA %s: expected the components' own wheels, or other headers, beside it", s.toolkit.version))
	}
	if len(errs) > 0 {
		return nil, errors.Join(append(errs, s.Close())...)
	}
	slices.SortFunc(s.components, func(a, b Component) int { return cmp.Compare(a.Name, b.Name) })
	return s, nil
}

// add takes a source into the set. The components seen before are in seen, by
// their name without the major release: nvidia-cuda-runtime-cu12 and
// nvidia-cuda-runtime are one component, of two releases.
func (s *Set) add(src source, seen map[string]*metadata) error {
	s.files.roots = append(s.files.roots, src.roots()...)
	meta := src.metadata()
	if meta == nil {
		s.exact = false
		return nil
	}
	base := withoutMajor(meta.name)
	if first, twice := seen[base]; twice {
		return errorf(meta.path, "holds %s %s, but %s holds %s %s: expected one wheel of each component, all of one release and for one target",
			meta.name, meta.version, first.path, first.name, first.version)
	}
	seen[base] = meta
	if meta.name == toolkitName {
		s.toolkit = meta
		return nil
	}
	s.components = append(s.components, Component{meta.name, meta.version})
	return nil
}

// FS gives the headers as a file system, rooted so that "cuda.h" and
// "crt/host_defines.h" open. It holds raw bytes. It also lists folders, each
// the union over all places. Reading a damaged header fails with an [*Error]
// (see [Set.Err]), one that is in no place with [fs.ErrNotExist].
func (s *Set) FS() fs.FS { return s.files }

// Searched gives the folders in which headers are looked for, in that order,
// for messages: a path, or WHEEL!folder.
func (s *Set) Searched() []string {
	labels := make([]string, len(s.files.roots))
	for i, r := range s.files.roots {
		labels[i] = r.label
	}
	return labels
}

// Components gives the component each wheel holds, sorted by name. The
// cuda-toolkit wheel is none, as it holds no headers: see [Set.ToolkitRelease].
func (s *Set) Components() []Component { return slices.Clone(s.components) }

// Exact says whether every place knows its version, as wheels do. A folder
// cannot tell its patch release.
func (s *Set) Exact() bool { return s.exact }

// ToolkitRelease gives the version of the cuda-toolkit wheel ("13.0.2"), or ""
// if none was given.
func (s *Set) ToolkitRelease() string {
	if s.toolkit == nil {
		return ""
	}
	return s.toolkit.version
}

// Pins gives the version of each component that belongs to ToolkitRelease, by
// normalised component name; it is empty if no cuda-toolkit wheel was given.
// A pin is a prefix: 13.5.37 also stands for 13.5.37.post1. Of a range it is
// the lower bound.
func (s *Set) Pins() map[string]string {
	if s.toolkit == nil {
		return map[string]string{}
	}
	return maps.Clone(s.toolkit.pins)
}

// CheckPins says whether the components belong to the toolkit release that was
// given, each mismatch as an [*Error], joined. A component that the toolkit
// does not pin (nccl, cudnn) belongs to any.
func (s *Set) CheckPins() error {
	if s.toolkit == nil {
		return nil
	}
	pinned := map[string]Component{} // by name without the major release
	for name, pin := range s.toolkit.pins {
		pinned[withoutMajor(name)] = Component{name, pin}
	}
	var errs []error
	for _, c := range s.components {
		want, ok := pinned[withoutMajor(c.Name)]
		if ok && (c.Name != want.Name || !matchesPin(c.Version, want.Version)) {
			errs = append(errs, errorf(s.toolkit.path, "CUDA %s has %s %s, but %s %s was given",
				s.toolkit.version, want.Name, want.Version, c.Name, c.Version))
		}
	}
	return errors.Join(errs...)
}

// Display says how to show a header in a message: its real path, or
// WHEEL!member. A header that is in no place is shown by its name.
func (s *Set) Display(name string) string {
	r, _, err := s.files.find(name)
	if err != nil {
		return name
	}
	return r.display(name)
}

// Sum gives the SHA-256 of a header's raw bytes in hexadecimal.
func (s *Set) Sum(name string) (string, error) {
	data, err := s.files.ReadFile(name)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Err gives the first error met while reading a header, absence aside. Whoever
// hands FS to a preprocessor asks afterwards, because a preprocessor says "not
// found" of a header that is there but damaged.
func (s *Set) Err() error { return s.files.failure() }

// Close closes the wheels. Headers that were not read before then are out of
// reach.
func (s *Set) Close() error {
	var errs []error
	for _, src := range s.sources {
		errs = append(errs, src.Close())
	}
	s.sources = nil
	return errors.Join(errs...)
}
