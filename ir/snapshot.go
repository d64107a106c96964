package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// API is what one library declares.
type API struct {
	Functions []Function
	Enums     []Enum
	Records   []Record
	Typedefs  []Typedef
	Constants []Constant
}

// Snapshot is one release of one library on its targets. Where the targets
// agree an entity stands once; where they differ it stands once for each shape,
// with the targets of that shape in On.
type Snapshot struct {
	Library string
	Targets []Target
	Release Release
	API
}

// Release is a release of the toolkit and where its facts came from.
type Release struct {
	Label      string            // the full version as published, PEP 440: 13.0.2, 12.8.2.0, 13.4.0rc1
	Date       string            // the day of publication, YYYY-MM-DD, where known
	Prerelease bool              // a candidate
	Asserted   bool              // the patch release is the user's word: headers in a folder do not say it
	Components map[string]string // the packages that carried the headers, with their own versions
	// Omitted has the functions that the headers declare and that cannot be bound,
	// each with the reason.
	Omitted map[string]string
	// Headers has the sha256 of every header that was read, for the reference
	// target and, in OtherHeaders, for targets that were given headers of their
	// own.
	Headers      map[string]string
	OtherHeaders map[Target]map[string]string
}

// entity is what the tables of a history hold. P is a pointer to it.
type entity[T any] interface {
	*T
	Key() string
	meta() *Meta
}

func (m *Meta) meta() *Meta { return m }

// Merge puts together what was read for each target, in the order of targets.
// Entities that agree become one.
func Merge(library string, release Release, targets []Target, apis []*API) *Snapshot {
	s := &Snapshot{Library: library, Targets: targets, Release: release}
	mergeKind(&s.Functions, apis, func(a *API) []Function { return a.Functions })
	mergeKind(&s.Enums, apis, func(a *API) []Enum { return a.Enums })
	mergeKind(&s.Records, apis, func(a *API) []Record { return a.Records })
	mergeKind(&s.Typedefs, apis, func(a *API) []Typedef { return a.Typedefs })
	mergeKind(&s.Constants, apis, func(a *API) []Constant { return a.Constants })
	return s
}

func mergeKind[T any, P entity[T]](out *[]T, apis []*API, pick func(*API) []T) {
	index := map[string][]int{} // key to places in out
	var enc encoder
	shapes := []string{}
	for target, api := range apis {
		list := pick(api)
	next:
		for i := range list {
			e := list[i]
			p := P(&e)
			p.meta().On = 0
			whole := enc.shape(p)
			// The calling convention is written down only where a target has
			// one; its absence elsewhere is no difference.
			shape := strings.ReplaceAll(whole, "stdcall:", "")
			for _, at := range index[p.Key()] {
				if shapes[at] == shape {
					on := P(&(*out)[at]).meta().On | 1<<target
					if whole != shape {
						(*out)[at] = e
					}
					P(&(*out)[at]).meta().On = on
					continue next
				}
			}
			p.meta().On = 1 << target
			index[p.Key()] = append(index[p.Key()], len(*out))
			*out = append(*out, e)
			shapes = append(shapes, shape)
		}
	}
	for i := range *out {
		m := P(&(*out)[i]).meta()
		m.On = m.On.short(len(apis))
	}
}

// Exports reports whether the library exports a symbol on some target.
func (s *Snapshot) Exports(symbol string) bool {
	return slices.ContainsFunc(s.Functions, func(f Function) bool { return !f.Inline && (f.Symbol == symbol || f.PerThread == symbol) })
}

// For is the API as one target sees it: every entity once.
func (s *Snapshot) For(t Target) *API {
	i := slices.Index(s.Targets, t)
	if i < 0 {
		return &API{}
	}
	return &API{
		Functions: onTarget(s.Functions, i),
		Enums:     onTarget(s.Enums, i),
		Records:   onTarget(s.Records, i),
		Typedefs:  onTarget(s.Typedefs, i),
		Constants: onTarget(s.Constants, i),
	}
}

func onTarget[T any](list []T, target int) []T {
	var out []T
	for _, e := range list {
		if m := any(&e).(interface{ meta() *Meta }).meta(); m.On.Has(target) {
			m.On = 0
			out = append(out, e)
		}
	}
	return out
}

// check refuses a snapshot that a history could not give back.
func (s *Snapshot) check() error {
	n := len(s.Targets)
	if n == 0 || n > 32 {
		return fmt.Errorf("the snapshot of %s %s has %d targets, expected 1 to 32", s.Library, s.Release.Label, n)
	}
	key := cmp.Or(
		repeated(s.Functions, n), repeated(s.Enums, n), repeated(s.Records, n), repeated(s.Typedefs, n), repeated(s.Constants, n),
	)
	if key != "" {
		return fmt.Errorf("the snapshot of %s %s has %q twice for one target", s.Library, s.Release.Label, key)
	}
	return nil
}

// repeated is the key of an entity that stands twice for one target, or empty.
func repeated[T any, P entity[T]](list []T, targets int) string {
	seen := make(map[string]TargetSet, len(list))
	for i := range list {
		p := P(&list[i])
		key, on := p.Key(), p.meta().On.spell(targets)
		if seen[key]&on != 0 {
			return key
		}
		seen[key] |= on
	}
	return ""
}

// Sort puts the entities into the order of a history: by key, then by target.
func (a *API) Sort() {
	sortKind(a.Functions)
	sortKind(a.Enums)
	sortKind(a.Records)
	sortKind(a.Typedefs)
	sortKind(a.Constants)
}

func sortKind[T any, P entity[T]](list []T) {
	slices.SortStableFunc(list, func(x, y T) int {
		if c := strings.Compare(P(&x).Key(), P(&y).Key()); c != 0 {
			return c
		}
		return int(P(&x).meta().On) - int(P(&y).meta().On)
	})
}

// Stripped is a copy of the snapshot as a history keeps it: sorted, without
// positions.
func (s *Snapshot) Stripped() *Snapshot {
	c := *s
	c.Functions = stripKind(s.Functions)
	c.Enums = stripKind(s.Enums)
	c.Records = stripKind(s.Records)
	c.Typedefs = stripKind(s.Typedefs)
	c.Constants = stripKind(s.Constants)
	c.Sort()
	return &c
}

func stripKind[T any, P entity[T]](list []T) []T {
	out := slices.Clone(list)
	for i := range out {
		P(&out[i]).meta().Pos = Position{}
	}
	return out
}
