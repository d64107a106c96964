package update

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// Decision is something that a person has to look at: no header says what is
// right.
type Decision struct {
	Library string
	Text    string   // a sentence
	Names   []string // what it is about, if that is a list
}

// decide lists what is left to a person, of what matters most first.
func (u *Update) decide(in Input) {
	for i := range u.Releases {
		r := &u.Releases[i]
		u.vanished(in, r)
		u.leftOut(r)
		u.bitFields(r)
		u.directions(r)
	}
	u.uncovered(in)
	u.versions()
}

func (u *Update) ask(library string, names []string, format string, args ...any) {
	if names == nil || len(names) > 0 {
		u.Decisions = append(u.Decisions, Decision{library, fmt.Sprintf(format, args...), names})
	}
}

// vanished asks about names that are gone and that nobody has said may go.
func (u *Update) vanished(in Input, r *Release) {
	allowed := in.Project.Allowed(in.Libraries[r.Library])
	names := []string{}
	for _, x := range r.Removals {
		if !allowed[x.Name] {
			names = append(names, x.Name)
		}
	}
	u.ask(r.Library, names, "%s %s lacks what %s has. Who still calls these? If they may go, name them under `allow-removed`, with the reason", r.Library, r.Label, r.Previous)
}

// leftOut asks about what cannot be bound and could not be before either, in
// words that are new.
func (u *Update) leftOut(r *Release) {
	names := []string{}
	for _, o := range r.Result.Omitted {
		if r.before.Release.Omitted[o.Name] != o.Reason {
			names = append(names, o.Name)
		}
	}
	u.ask(r.Library, names, "%s %s declares what cannot be bound, and the definition excludes it: is that still right?", r.Library, r.Label)
}

// bitFields asks about new fields of some bits: compilers lay them out as they
// like, and Cython cannot take their address.
func (u *Update) bitFields(r *Release) {
	had := map[string]bool{}
	for i := range r.before.Records {
		eachField(&r.before.Records[i], func(path string, f *ir.Field) { had[path] = had[path] || f.Bits > 0 })
	}
	names := []string{}
	for i := range r.Result.Snapshot.Records {
		eachField(&r.Result.Snapshot.Records[i], func(path string, f *ir.Field) {
			if f.Bits > 0 && !had[path] {
				names = append(names, path)
			}
		})
	}
	slices.Sort(names)
	u.ask(r.Library, slices.Compact(names), "%s %s has new bit-fields. Their layout is the compiler's choice, so keep these records `extern` unless every compiler that you support agrees", r.Library, r.Label)
}

// eachField visits the fields of a record and of the unnamed ones in it.
func eachField(r *ir.Record, visit func(path string, f *ir.Field)) {
	var walk func(prefix string, r *ir.Record)
	walk = func(prefix string, r *ir.Record) {
		for i := range r.Fields {
			f := &r.Fields[i]
			path := strings.TrimSuffix(prefix+"."+f.Name, ".")
			visit(path, f)
			if f.Record != nil {
				walk(path, f.Record)
			}
		}
	}
	walk(r.Name, r)
}

// directions asks about pointers in new functions: whether a function reads
// what they point to, or writes it, the header does not say.
func (u *Update) directions(r *Release) {
	before := map[string]bool{}
	for _, f := range r.before.Functions {
		before[f.Symbol] = true
	}
	names, history := []string{}, u.Histories[r.Library]
	for _, f := range r.Result.Snapshot.Functions {
		if before[f.Symbol] || f.Superseded {
			continue
		}
		before[f.Symbol] = true
		for _, p := range f.Type.Params {
			if t := p.Type; t != nil && t.Kind == ir.Pointer && t.Elem != nil && !t.Elem.Const && t.Elem.Kind != ir.Func {
				if _, known := history.RoleOf(f.Name, p.Name, r.Label); known {
					continue
				}
				names = append(names, f.Name+"("+p.Name+")")
			}
		}
	}
	u.ask(r.Library, names, "%s %s has new functions with pointers whose direction is not known (in, out or both). The Cython layer does not need it; a layer above it will", r.Library, r.Label)
}

// uncovered asks about releases that no package covers.
func (u *Update) uncovered(in Input) {
	for i := range u.Releases {
		r := &u.Releases[i]
		v, err := ir.ParseVersion(r.Label)
		if err != nil || newest(u.Histories[r.Library], v) != r.Label || u.covered(r.Library, v) {
			continue
		}
		u.ask(r.Library, nil, "no package covers %s %s: carry one on in `cybindgo.yaml`, or add a package", r.Library, r.Label)
	}
}

// covered reports whether any package ends at a release or later.
func (u *Update) covered(library string, v ir.Version) bool {
	for i := range u.Project.Packages {
		b, ok := u.Project.Packages[i].Libraries[library]
		if !ok {
			continue
		}
		from, to := b.Range()
		first, err1 := ir.ParseVersion(from)
		last, err2 := ir.ParseVersion(to)
		if err1 == nil && err2 == nil && first.Compare(v) <= 0 && v.Compare(last) <= 0 {
			return true
		}
	}
	return false
}

// versions reminds of distributions that are numbered after a release that was
// their last.
func (u *Update) versions() {
	for _, p := range u.Packages {
		for i := range u.Project.Packages {
			pkg := &u.Project.Packages[i]
			_, to := config.Binding{Releases: p.Before}.Range()
			if pkg.Output == p.Output && pkg.Version == to {
				u.ask(p.Library, nil, "%s still has version %s, which was its last release: give it a new one", pkg.Name, pkg.Version)
			}
		}
	}
}
