package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

// CheckLibraries refuses a binding of a library that has no definition.
func (p *Project) CheckLibraries(libraries Libraries) error {
	var errs Errors
	for i := range p.Packages {
		for _, name := range p.Packages[i].LibraryNames() {
			if err := libraries.Check(name); err != nil {
				errs = append(errs, p.doc.error(p.doc.keyAt("packages", i, "libraries", name), "%v", err))
			}
		}
	}
	return errs.err()
}

// Check finds what the configuration says that no library or history bears
// out: releases that there are not, rules that match nothing. Libraries without
// a history are passed over.
func (p *Project) Check(libraries map[string]*Library, histories map[string]*ir.History) error {
	p.doc.errs = nil
	for i := range p.Packages {
		for _, name := range p.Packages[i].LibraryNames() {
			if history := histories[name]; history != nil {
				p.checkBinding(i, libraries[name], history)
			}
		}
	}
	return p.doc.errs.err()
}

func (p *Project) checkBinding(i int, lib *Library, history *ir.History) {
	d, b := p.doc, p.Packages[i].Libraries[lib.Name]
	path := []any{"packages", i, "libraries", lib.Name}
	from, to := b.Range()
	for i, label := range slices.Compact([]string{from, to}) {
		if !history.Has(label) {
			d.fail(d.at(append(path, "releases")...), "%s", noRelease(history, label, from != to && i == 0))
		}
	}
	for j, family := range b.Without {
		if families := lib.Headers.FamilyNames(); !slices.Contains(families, family) {
			d.fail(d.at(append(path, "without", j)...), "family %q: %s", family, lib.familiesText(family))
		}
	}
	if len(b.MinVersion) > 0 || len(b.AllowRemoved) > 0 {
		r := rules{d, path, history, history.Names()}
		r.minVersion(b.MinVersion, lib.MinVersion)
		r.allowRemoved(b.AllowRemoved)
	}
}

// noRelease says that a history lacks a release, and which one is nearest: the
// next one for the begin of a range, else the one before.
func noRelease(history *ir.History, label string, begin bool) string {
	if len(history.Releases) == 0 {
		return fmt.Sprintf("%s has no release %q: its history is empty; `cybindgo releases add` reads one", history.Library, label)
	}
	labels := history.Labels()
	after := slices.IndexFunc(labels, func(has string) bool { return later(has, label) })
	nearest := after - 1
	if after < 0 {
		nearest = len(labels) - 1
	} else if begin || after == 0 {
		nearest = after
	}
	return fmt.Sprintf("%s has no release %q; it has %s; did you mean %s?", history.Library, label, history.Extent(), labels[nearest])
}

// later reports whether a release comes after another. Labels that are no
// versions were refused before.
func later(a, b string) bool {
	v, err := ir.ParseVersion(a)
	w, err2 := ir.ParseVersion(b)
	return err == nil && err2 == nil && v.Compare(w) > 0
}

func (l *Library) familiesText(family string) string {
	families := l.Headers.FamilyNames()
	if len(families) == 0 {
		return "library " + l.Name + " has no header families"
	}
	return "expected one of " + strings.Join(families, ", ") + suggest.Hint(family, families)
}

// CheckRules finds rules of the definition that match nothing in all of the
// library's history.
func (l *Library) CheckRules(history *ir.History) error {
	l.doc.errs = nil
	r := rules{l.doc, nil, history, history.Names()}
	r.exclude(l.Exclude)
	r.minVersion(l.MinVersion, nil)
	r.allowRemoved(l.AllowRemoved)
	r.constants(l.Constants)
	for _, key := range sorted(l.Parameters) {
		if function, _, _ := strings.Cut(key, "."); r.names.Functions[function] == nil {
			r.fail(r.key("parameters", key), "a function", function, set(r.names.Functions))
		}
	}
	for _, header := range sorted(l.Types.Headers) {
		if !r.names.Headers[header] {
			r.fail(r.key("types", "headers", header), "a header", header, r.names.Headers)
		}
	}
	for _, mode := range typeModes {
		for i, name := range l.Types.Exceptions.of(mode) {
			if !r.names.Types[name] {
				r.fail(r.doc.at("types", "exceptions", string(mode), i), "a type", name, r.names.Types)
			}
		}
	}
	for _, result := range sorted(l.Results) {
		if !r.names.Results[result] {
			r.fail(r.key("results", result), "a function with the result type", result, r.names.Results)
		}
	}
	a := l.Loader.ProcAddress
	for key, name := range map[string]string{
		"not-found": a.NotFound, "failed": a.Failed, "status-missing": a.StatusMissing, "status-too-old": a.StatusTooOld,
	} {
		if name != "" && r.names.Enumerators[name] == nil {
			r.fail(r.doc.at("loader", "proc-address", key), "an enumerator", name, set(r.names.Enumerators))
		}
	}
	return l.doc.errs.err()
}

// rules checks the rules below a path of a document against a history.
type rules struct {
	doc     *document
	path    []any
	history *ir.History
	names   *ir.Names
}

// key is the place of a rule's key.
func (r *rules) key(path ...any) place { return r.doc.keyAt(append(slices.Clip(r.path), path...)...) }

// fail notes that no release has what a rule names.
func (r *rules) fail(at place, what, name string, has map[string]bool) {
	r.doc.fail(at, "no release of %s has %s %q: the rule matches nothing%s", r.history.Library, what, name, suggest.Hint(name, sorted(has)))
}

// exclude may name what is bound, and what cannot be.
func (r *rules) exclude(names map[string]string) {
	for _, name := range sorted(names) {
		if r.names.Functions[name] == nil && !r.names.Omitted[name] {
			known := set(r.names.Functions)
			maps.Copy(known, r.names.Omitted)
			r.fail(r.key("exclude", name), "a function", name, known)
		}
	}
}

// minVersion checks names that override others: a rule that overrides one has a
// meaning even where it lets all releases in.
func (r *rules) minVersion(names, overridden map[string]string) {
	for _, name := range sorted(names) {
		at := r.key("min-version", name)
		has := r.names.Functions[name]
		if has == nil {
			r.fail(at, "a function", name, set(r.names.Functions))
			continue
		}
		if !r.history.Has(names[name]) {
			r.doc.fail(r.doc.at(append(slices.Clip(r.path), "min-version", name)...), "min-version of %s: %s", name, noRelease(r.history, names[name], true))
			continue
		}
		release, err := r.history.Find(names[name])
		if first := has.First(); err == nil && first >= release && overridden[name] == "" {
			r.doc.fail(at, "min-version %s of %s: the rule matches nothing, no release before %s declares it",
				names[name], name, r.history.Releases[first].Label)
		}
	}
}

func (r *rules) allowRemoved(names map[string]string) {
	for _, name := range sorted(names) {
		at := r.key("allow-removed", name)
		has := r.names.Functions[name]
		if has == nil {
			has = r.names.Enumerators[name]
		}
		if has == nil {
			known := set(r.names.Functions)
			maps.Copy(known, set(r.names.Enumerators))
			r.fail(at, "a function or enumerator", name, known)
		} else if has.Vanished() < 0 {
			r.doc.fail(at, "allow-removed: the rule matches nothing, %s has not vanished from any release of %s", name, r.history.Library)
		}
	}
}

// constants of the definition's own must not stand in the way of the API's.
func (r *rules) constants(names map[string]int) {
	for _, name := range sorted(names) {
		what := ""
		switch {
		case r.names.Functions[name] != nil:
			what = "a function"
		case r.names.Enumerators[name] != nil:
			what = "an enumerator"
		case r.names.Constants[name]:
			what = "a constant"
		case r.names.Types[name]:
			what = "a type"
		default:
			continue
		}
		r.doc.fail(r.key("constants", name), "constant %q: the headers declare %s of that name", name, what)
	}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func set[V any](m map[string]V) map[string]bool {
	out := make(map[string]bool, len(m))
	for k := range m {
		out[k] = true
	}
	return out
}
