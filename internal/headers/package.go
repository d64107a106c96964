package headers

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
)

// ErrNoHeaders says that a wheel is whole and has no headers in it.
var ErrNoHeaders = errors.New("no headers")

// A Package is a component whose headers are held elsewhere, in a cache.
type Package struct {
	Component
	// Label is where the headers are, for messages.
	Label string
	// Files has the headers, as they are included.
	Files fs.FS
}

func (p *Package) roots() []root { return []root{{label: p.Label, files: p.Files}} }
func (p *Package) metadata() *metadata {
	return &metadata{path: p.Label, name: p.Name, version: p.Version}
}
func (p *Package) Close() error { return nil }

// Of makes a set of the packages of a toolkit release. The pins are those of
// the release, see [Set.Pins].
func Of(release string, pins map[string]string, packages []Package) (*Set, error) {
	s := &Set{
		files: &overlay{}, exact: true,
		toolkit: &metadata{path: "CUDA " + release, name: toolkitName, version: release, pins: maps.Clone(pins)},
	}
	seen := map[string]*metadata{}
	for i := range packages {
		s.sources = append(s.sources, &packages[i])
		if err := s.add(&packages[i], seen); err != nil {
			return nil, err
		}
	}
	if len(packages) == 0 {
		return nil, errorf(s.toolkit.path, "no headers were found for this release")
	}
	slices.SortFunc(s.components, func(a, b Component) int { return cmp.Compare(a.Name, b.Name) })
	return s, nil
}

// InWheel reports whether the member of a wheel is read by [ReadWheel]: a file
// in a header folder, or the wheel's own metadata.
func InWheel(member string) bool {
	metadata, _ := path.Match("*.dist-info/METADATA", member)
	return metadata || headerFolderOf(member) != "" && !isFolder(member) && !isPython(member)
}

// ReadWheel reads all headers of a wheel, by the names that they are included
// by, and what it says it is. The label is for messages. A wheel without
// headers is [ErrNoHeaders].
func ReadWheel(label string, data io.ReaderAt, size int64) (Component, map[string][]byte, error) {
	w, err := readWheel(label, data, size)
	if err != nil {
		return Component{}, nil, err
	}
	files := map[string][]byte{}
	for _, root := range w.found {
		in := root.files.(*wheelFolder)
		for name, m := range w.members {
			rel, inside := cutFolder(name, in.dir)
			if _, earlier := files[rel]; !inside || earlier || isPython(name) {
				continue
			}
			if files[rel], err = m.read(); err != nil {
				return Component{}, nil, err
			}
		}
	}
	return Component{w.meta.name, w.meta.version}, files, nil
}

// isPython reports whether a file makes a folder a Python package: some wheels
// of CUDA 11 have one beside the headers.
func isPython(name string) bool { return path.Ext(name) == ".py" }
