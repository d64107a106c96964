package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// selection is what a package binds of a library: the union of its releases
// without what it or the definition leaves out.
type selection struct {
	union *ir.Union
	// excluded are functions that are not bound, by public name.
	excluded map[string]string
	notes    []string
}

func selectFrom(u *ir.Union, lib *config.Library, binding config.Binding) (*selection, error) {
	s := &selection{union: u, excluded: maps.Clone(lib.Exclude)}
	if s.excluded == nil {
		s.excluded = map[string]string{}
	}
	if err := s.tooEarly(lib.MinVersion, binding.MinVersion); err != nil {
		return nil, err
	}
	s.missingFamilies(lib)
	if err := s.parameters(lib.Parameters); err != nil {
		return nil, err
	}
	return s, s.without(lib, binding.Without)
}

// tooEarly excludes functions that are bound from a later release on than the
// package covers.
func (s *selection) tooEarly(definition, binding map[string]string) error {
	from := maps.Clone(definition)
	if from == nil {
		from = map[string]string{}
	}
	maps.Copy(from, binding)
	if len(from) == 0 {
		return nil
	}
	last, err := ir.ParseVersion(s.union.Releases[len(s.union.Releases)-1].Label)
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(from) {
		first, err := ir.ParseVersion(from[name])
		if err != nil {
			return fmt.Errorf("min-version of %s: %w", name, err)
		}
		has := func(e ir.Entry[ir.Function]) bool { return e.Shape().Name == name || e.Shape().Symbol == name }
		if last.Compare(first) < 0 && slices.ContainsFunc(s.union.Functions, has) {
			s.excluded[name] = "min-version"
			s.notes = append(s.notes, fmt.Sprintf("%s is left out: it is bound from release %s on", name, from[name]))
		}
	}
	return nil
}

// missingFamilies notes header families that no covered release had.
func (s *selection) missingFamilies(lib *config.Library) {
	read := s.headersRead()
	if len(read) == 0 {
		return // the history does not say where it came from
	}
	for _, family := range lib.Headers.FamilyNames() {
		missing := ""
		for _, header := range lib.Headers.Bind {
			if lib.Headers.Family(header) == family && !read[header] {
				missing = header
			}
		}
		if missing != "" && !slices.ContainsFunc(lib.Headers.Families[family], func(h string) bool { return read[h] }) {
			s.notes = append(s.notes, fmt.Sprintf("family %s: skipped (%s not found)", family, missing))
		}
	}
}

// headersRead are the library's headers that any covered release was read
// from.
func (s *selection) headersRead() map[string]bool {
	read := map[string]bool{}
	for _, r := range s.union.Releases {
		for header := range r.Headers {
			read[header] = true
		}
		for _, other := range r.OtherHeaders {
			for header := range other {
				read[header] = true
			}
		}
	}
	return read
}

// without drops what the headers of some families declare, and then the types
// of other libraries that nothing refers to any more.
func (s *selection) without(lib *config.Library, families []string) error {
	if len(families) == 0 {
		return nil
	}
	u := *s.union
	s.union = &u
	dropped := map[string]string{} // by type, the family
	for _, family := range families {
		headers := lib.Headers.Families[family]
		functions, types := len(u.Functions), 0
		drop(&u, func(header, name string) bool {
			if !slices.Contains(headers, header) {
				return false
			}
			if name != "" {
				types++
				dropped[name] = family
			}
			return true
		})
		functions -= len(u.Functions)
		s.notes = append(s.notes, fmt.Sprintf("family %s is left out: %d functions, %d types", family, functions, types))
	}
	var missing []string
	used := references(&u, func(from, to string) {
		if family := dropped[to]; family != "" {
			missing = append(missing, fmt.Sprintf("%s needs the type %s of family %s, which the package leaves out", from, to, family))
		}
	})
	if len(missing) > 0 {
		return fmt.Errorf("%s", strings.Join(missing, "\n"))
	}
	if read := s.headersRead(); len(read) > 0 {
		for before := -1; before != len(used); used = references(&u, func(string, string) {}) {
			before = len(used)
			drop(&u, func(header, name string) bool { return name != "" && !read[header] && !used[name] })
		}
	}
	return nil
}

// drop takes entities out of a union. gone is asked with the header and, for a
// type, its key.
func drop(u *ir.Union, gone func(header, name string) bool) {
	u.Functions = slices.DeleteFunc(slices.Clone(u.Functions), func(e ir.Entry[ir.Function]) bool { return gone(e.Shape().Header, "") })
	u.Enums = slices.DeleteFunc(slices.Clone(u.Enums), func(e ir.EnumEntry) bool { return gone(e.Shape().Header, e.Shape().Key()) })
	u.Records = slices.DeleteFunc(slices.Clone(u.Records), func(e ir.Entry[ir.Record]) bool { return gone(e.Shape().Header, e.Shape().Key()) })
	u.Typedefs = slices.DeleteFunc(slices.Clone(u.Typedefs), func(e ir.Entry[ir.Typedef]) bool { return gone(e.Shape().Header, e.Shape().Key()) })
	u.Constants = slices.DeleteFunc(slices.Clone(u.Constants), func(e ir.Entry[ir.Constant]) bool { return gone(e.Shape().Header, "") })
}

// references collects the keys of the types that a union refers to.
func references(u *ir.Union, visit func(from, to string)) map[string]bool {
	used := map[string]bool{}
	refer := func(from string, t *ir.Type) {
		t.Walk(func(t *ir.Type) {
			if t.Kind == ir.Named {
				key := strings.TrimPrefix(t.Tag+" "+t.Name, " ")
				used[key] = true
				visit(from, key)
			}
		})
	}
	for i := range u.Functions {
		refer(u.Functions[i].Shape().Name, u.Functions[i].Shape().Type)
	}
	for i := range u.Typedefs {
		refer(u.Typedefs[i].Shape().Name, u.Typedefs[i].Shape().Type)
	}
	var fields func(from string, r *ir.Record)
	fields = func(from string, r *ir.Record) {
		for i := range r.Fields {
			if inner := r.Fields[i].Record; inner != nil {
				fields(from, inner)
			} else {
				refer(from, r.Fields[i].Type)
			}
		}
	}
	for i := range u.Records {
		fields(u.Records[i].Shape().Name, u.Records[i].Shape())
	}
	return used
}
