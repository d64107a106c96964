package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// Capsule is a function that other Cython modules import: an entry of the
// module's __pyx_capi__. An import is refused where the signature differs by a
// letter, or the name is missing.
type Capsule struct {
	Module    string `json:"module"`
	Name      string `json:"name"`
	Symbol    string `json:"symbol"` // what the library exports
	Signature string `json:"signature"`
	// Since is the first release of the history in which the function has this
	// name, SignatureSince the first since when the name has this signature.
	Since          string `json:"since"`
	SignatureSince string `json:"signatureSince"`
}

// Capsules lists what the modules of a library in a package export, by module,
// then by name: the public module, and the internal one with a function for
// each symbol. Hand-written functions of a snippet are not among them.
func Capsules(in Input, pkg *config.Package, library string) ([]Capsule, error) {
	lib, history := in.Libraries[library], in.Histories[library]
	from, to := pkg.Libraries[library].Range()
	u, err := history.Range(from, to)
	if err != nil {
		return nil, err
	}
	since := newFirstReleases(history, lib.Parameters)
	v, err := newLibraryValues(in.Project, pkg, lib, u, since)
	if err != nil {
		return nil, fmt.Errorf("library %s: %w", library, err)
	}
	selected, err := selectFrom(u, lib, pkg.Libraries[library])
	if err != nil {
		return nil, fmt.Errorf("library %s: %w", library, err)
	}
	u = selected.union
	wrapped := map[string]bool{} // by symbol
	for i := range v.Functions {
		wrapped[v.Functions[i].Symbol] = true
	}
	public := pkg.Module + ".cy" + library
	c := cNames{plan: planTypes(u, lib.Types.With(pkg.Libraries[library].Types)), module: public}
	functions, _ := publicNames(u, lib.Public)
	var out, internal []Capsule
	for i := range functions {
		b := &functions[i]
		f := b.entry.Shape()
		if !wrapped[f.Symbol] {
			continue
		}
		capsule := Capsule{Module: public, Name: identifier(b.public, nil), Symbol: f.Symbol, Signature: c.declare(f.Type, "")}
		capsule.Since, capsule.SignatureSince = since.of(b.public, f.Type.Signature())
		out = append(out, capsule)
		capsule.Module, capsule.Name = pkg.Module+"._internal."+library, "_"+f.Symbol
		internal = append(internal, capsule)
	}
	byName := func(a, b Capsule) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(out, byName)
	slices.SortFunc(internal, byName)
	return append(out, internal...), nil
}

// cNames writes types as Cython does in C, which is how signatures are spelled:
// const behind what it belongs to, stars apart from the type.
type cNames struct {
	plan   *typePlan
	module string
}

// declare writes a declarator of the type around inner, which is empty for a
// type alone.
func (c *cNames) declare(t *ir.Type, inner string) string {
	if t.Const {
		if inner != "" {
			inner = " " + inner
		}
		inner = "const" + inner
	}
	switch t.Kind {
	case ir.Pointer:
		return c.declare(t.Elem, "*"+inner)
	case ir.Array:
		if strings.HasPrefix(inner, "*") {
			inner = "(" + inner + ")"
		}
		return c.declare(t.Elem, fmt.Sprintf("%s[%d]", inner, max(t.Len, 1)))
	case ir.Func:
		convention := c.plan.names.convention(t)
		if inner == "" && convention != "" || strings.HasPrefix(inner, "*") {
			inner, convention = "("+convention+inner+")", ""
		}
		return c.declare(unqualified(t.Elem), convention+inner+"("+c.params(t)+")")
	}
	base := c.name(t)
	if inner == "" {
		return base
	}
	return base + " " + inner
}

func (c *cNames) params(f *ir.Type) string {
	var list []string
	for _, p := range decayed(f).Params {
		list = append(list, c.declare(p.Type, ""))
	}
	if f.Variadic {
		list = append(list, "...")
	}
	if len(list) == 0 {
		return "void"
	}
	return strings.Join(list, ", ")
}

// name is what a basic or named type is called in the C code that Cython makes.
func (c *cNames) name(t *ir.Type) string {
	p := c.plan
	switch {
	case t.Kind == ir.Basic && t.Name == "_Bool":
		return "bool" // cyb_bool's name in C
	case t.Kind == ir.Basic:
		return strings.ReplaceAll(t.Name, "long long", "PY_LONG_LONG")
	}
	key := t.Name
	if t.Tag != "" {
		key = t.Tag + " " + t.Name
	}
	if e := p.typedefs[key]; e != nil {
		s := e.Shape()
		if p.mode(s.Header, s.Name, e.Last) == config.Cython {
			return c.mangled(p.names.byC[s.Name])
		}
		return s.Name
	}
	if e := p.records[key]; e != nil {
		s := e.Shape()
		return c.tagged(s.Keyword(), s.Name, p.names.byC[key], s.Tagged, p.mode(s.Header, s.Name, e.Last))
	}
	if e := p.enums[key]; e != nil {
		s := e.Shape()
		mode := p.mode(s.Header, s.Name, e.Last)
		if memberEnum(s) && mode != config.Cython {
			_, name := p.enumName(s, mode)
			return name
		}
		return c.tagged("enum", s.Name, p.names.byC[key], s.Tagged, mode)
	}
	if key == "ssize_t" {
		return "Py_ssize_t"
	}
	return key
}

// tagged is the name of a record or an enum, as [typePlan.head] declares it.
func (c *cNames) tagged(keyword, name, cython string, tagged bool, mode config.TypeMode) string {
	p := c.plan
	member := p.through[keyword+" "+name]
	switch {
	case tagged && !p.sameTypedef(keyword, name) && member != "" && keyword != "enum":
		return "CYBINDGO_TYPE_OF(" + member + ")"
	case mode == config.Cython && tagged && !p.sameTypedef(keyword, name) && cython == name:
		return keyword + " " + c.mangled(cython)
	case mode == config.Cython:
		return c.mangled(cython)
	case tagged && !p.sameTypedef(keyword, name):
		return keyword + " " + name
	}
	return name
}

// mangled is the C name that Cython makes up for a type of the module.
func (c *cNames) mangled(name string) string {
	var b strings.Builder
	b.WriteString("__pyx_t_")
	for _, part := range strings.Split(c.module, ".") {
		fmt.Fprintf(&b, "%d%s_", len(part), part)
	}
	return b.String() + name
}
