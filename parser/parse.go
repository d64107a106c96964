package parser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// Parse reads the headers for one target. The error is of type [Errors], but
// for a target that is not known.
func Parse(cfg Config) (*Result, error) {
	platform, err := findPlatform(cfg.Target)
	if err != nil {
		return nil, err
	}
	r := &reading{cfg: &cfg, platform: &platform, set: newFileSet(&cfg)}
	if errs := r.findRoots(); len(errs) > 0 {
		return nil, errs
	}
	result, errs := r.read()
	if len(errs) > 0 {
		return nil, errs.sorted()
	}
	return result, nil
}

// reading is one Parse.
type reading struct {
	cfg      *Config
	platform *platformFacts
	set      *fileSet
	roots    []string // those that are there
	consult  []string
}

func (r *reading) findRoots() (errs Errors) {
	for _, name := range r.cfg.Roots {
		if _, err := r.set.open(name); err == nil {
			r.roots = append(r.roots, name)
		} else if !slices.Contains(r.cfg.Optional, name) {
			errs = append(errs, &Error{Msg: "cannot find the header " + name, Notes: r.set.searched()})
		}
	}
	for _, name := range r.cfg.Consult {
		if _, err := r.set.open(name); err == nil {
			r.consult = append(r.consult, name)
		}
	}
	return append(errs, r.set.errs...)
}

// sources are the texts that make up one view: the predefined macros, those
// given and those of the view, and the headers.
func (r *reading) sources(view ...string) []cc.Source {
	var macros, roots strings.Builder
	macros.WriteString(r.platform.macros())
	for _, d := range append(slices.Clone(r.cfg.Defines), view...) {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			value = "1"
		}
		fmt.Fprintf(&macros, "#define %s %s\n", name, value)
	}
	for _, name := range r.roots {
		fmt.Fprintf(&roots, "#include <%s>\n", name)
	}
	return []cc.Source{source("predefined", macros.String()), source("roots", roots.String())}
}

// consulted is the text that includes the headers that are only consulted.
func (r *reading) consulted() cc.Source {
	var b strings.Builder
	b.WriteString("#pragma " + pragmaName + " consult\n")
	for _, name := range r.consult {
		fmt.Fprintf(&b, "#include <%s>\n", name)
	}
	return source("consulted", b.String())
}

func (r *reading) read() (*Result, Errors) {
	if errs := r.foresee(); len(errs) > 0 {
		return nil, errs
	}
	public, errs := r.public()
	if len(errs) > 0 {
		return nil, errs
	}
	api := public.api
	last := public
	if r.cfg.PerThreadView != "" && !r.cfg.PublicOnly {
		if errs := r.perThread(api.Functions); len(errs) > 0 {
			return nil, errs
		}
	}
	if !r.onlyPublic() {
		internal, errs := r.internal()
		if len(errs) > 0 {
			return nil, errs
		}
		confirm(api.Functions, internal.api.Functions)
		old := superseded(api.Functions, internal.api.Functions)
		for i := range old {
			old[i].Type = spelledOut(old[i].Type, internal.typedefs, public.typedefs)
		}
		api.Functions = append(api.Functions, old...)
		last = internal
	}
	if r.cfg.QueryPrefix != "" {
		queries(api.Functions, r.cfg.QueryPrefix, last.typedefs)
	}
	result := &Result{API: api, Declared: public.declared, Omitted: public.omitted, Notices: public.notices}
	for _, f := range r.set.order {
		if f.class == bound || f.class == consult {
			result.Files = append(result.Files, f.name)
		}
	}
	return result, nil
}

// onlyPublic reports whether the public view is the only one that is
// translated. The last one that is also reads the headers to be consulted.
func (r *reading) onlyPublic() bool { return r.cfg.PublicOnly || r.cfg.InternalView == "" }

// public reads the view that every program sees.
func (r *reading) public() (*builder, Errors) {
	u, err := r.set.unit(r.platform)
	if err != nil {
		return nil, Errors{{Msg: err.Error()}}
	}
	u.front.EvalAllMacros = true
	sources := r.sources()
	if r.onlyPublic() {
		sources = append(sources, r.consulted())
	}
	sources = append(sources, cc.Source{Name: "<aliases>", Value: &aliases{u: u}})
	ast, errs := u.translate(sources)
	if len(errs) > 0 {
		return nil, errs
	}
	b := newBuilder(u, r.platform, ast)
	b.walk()
	macros := b.macros()
	if errs := r.expansions(macros); len(errs) > 0 {
		return nil, errs
	}
	b.renamed(macros)
	b.constants(macros)
	// The front end's tree is large, and the internal view's comes next.
	b.u, b.ast, b.tags, b.end = nil, nil, nil, cc.Token{}
	return b, b.errs
}

// expansions finds what each macro that takes no arguments stands for.
func (r *reading) expansions(macros []*macro) Errors {
	u, err := r.set.unit(r.platform)
	if err != nil {
		return Errors{{Msg: err.Error()}}
	}
	var names []string
	for _, m := range macros {
		if !m.def.IsFnLike {
			names = append(names, m.name)
		}
	}
	texts, errs := u.expand(names, r.sources())
	if len(errs) > 0 {
		return errs
	}
	for _, m := range macros {
		if !m.def.IsFnLike {
			m.expansion, texts = texts[0], texts[1:]
		}
	}
	return nil
}

// perThread finds the symbols with a per-thread default stream.
func (r *reading) perThread(functions []ir.Function) Errors {
	u, err := r.set.unit(r.platform)
	if err != nil {
		return Errors{{Msg: err.Error()}}
	}
	var names []string
	for _, f := range functions {
		names = append(names, f.Name)
		if f.Symbol != f.Name {
			names = append(names, f.Symbol)
		}
	}
	texts, errs := u.expand(names, r.sources(r.cfg.PerThreadView))
	if len(errs) > 0 {
		return errs
	}
	leads := map[string]string{}
	for i, name := range names {
		leads[name] = texts[i]
	}
	perThread(functions, leads)
	return nil
}

// internal reads the view that shows superseded symbols.
func (r *reading) internal() (*builder, Errors) {
	u, err := r.set.unit(r.platform)
	if err != nil {
		return nil, Errors{{Msg: err.Error()}}
	}
	ast, errs := u.translate(append(r.sources(r.cfg.InternalView), r.consulted()))
	if len(errs) > 0 {
		return nil, errs
	}
	b := newBuilder(u, r.platform, ast)
	b.walk()
	return b, b.errs
}

// confirm drops per-thread symbols that the internal view does not declare: a
// header may define one itself.
func confirm(public, internal []ir.Function) {
	declared := map[string]bool{}
	for _, f := range internal {
		declared[f.Symbol] = true
	}
	for i := range public {
		if f := &public[i]; !declared[f.PerThread] {
			f.PerThread = ""
		}
	}
}
