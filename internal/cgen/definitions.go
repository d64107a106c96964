package cgen

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// DefinitionOptions are the choices of [Definitions].
type DefinitionOptions struct {
	// Guard is a macro that keeps the text from being read twice; empty
	// leaves the guard out.
	Guard string
	// Checks adds static assertions of every recorded size, alignment and
	// offset, so that a compiler that lays out differently refuses the text.
	Checks bool
	// Only restricts what is written to some entities, by their keys. The
	// others are taken to be declared before. Nil writes all.
	Only func(key string) bool
}

// Definitions writes complete C definitions of every enum, record and typedef
// of a snapshot, in an order in which a compiler accepts them, and of what its
// functions mention: opaque tags, standard headers. Functions themselves are
// not declared. The text is valid as C11 and as C++11. Where targets differ, so
// does the text, under the preprocessor's conditions for them.
//
// The error lists every name that is used and not defined, and every record
// whose layout cannot be written in C.
func Definitions(s *ir.Snapshot, opts DefinitionOptions) ([]byte, error) {
	d, err := define(s)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if opts.Guard != "" {
		fmt.Fprintf(&b, "#ifndef %s\n#define %[1]s\n\n", opts.Guard)
	}
	if err := d.write(&b, opts); err != nil {
		return nil, err
	}
	if opts.Guard != "" {
		b.WriteString("\n#endif\n")
	}
	return []byte(b.String()), nil
}

// definitions is what is written for a snapshot, with what it takes from
// elsewhere.
type definitions struct {
	targets []ir.Target
	nodes   map[string]*node
	keys    []string            // of nodes, as they were met
	headers map[string]bool     // standard headers
	forward map[string]bool     // tags of records, "struct X"
	missing map[string][]string // names without a definition, with their users
	layouts []error
}

// node is one entity: its text for each target, and the entities that have to
// stand before it.
type node struct {
	texts  []shaped
	checks []shaped
	needs  []string
}

// shaped is a text and the targets that it is for.
type shaped struct {
	on   ir.TargetSet
	text string
}

// add puts a text under the targets that share it.
func add(list []shaped, target int, text string) []shaped {
	for i := range list {
		if list[i].text == text {
			list[i].on |= 1 << target
			return list
		}
	}
	return append(list, shaped{1 << target, text})
}

func define(s *ir.Snapshot) (*definitions, error) {
	d := &definitions{
		targets: s.Targets,
		nodes:   map[string]*node{},
		headers: map[string]bool{},
		forward: map[string]bool{},
		missing: map[string][]string{},
	}
	for i, t := range s.Targets {
		api := s.For(t)
		n := namesOf(api)
		sc := scope{definitions: d, shapes: shapes{platformOf(t), n}, target: i}
		for j := range api.Enums {
			sc.enum(&api.Enums[j])
		}
		for j := range api.Records {
			sc.record(&api.Records[j])
		}
		for j := range api.Typedefs {
			sc.typedef(&api.Typedefs[j])
		}
		for j := range api.Functions {
			sc.begin(api.Functions[j].Key() + "()")
			sc.use(api.Functions[j].Type, false)
		}
	}
	errs := d.layouts
	for _, name := range slices.Sorted(maps.Keys(d.missing)) {
		users := d.missing[name]
		errs = append(errs, fmt.Errorf("type %q is not defined (used by %s)", name, users[0]))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return d, nil
}

// write puts everything down: headers, macros, forward declarations, then each
// entity after those that it needs.
func (d *definitions) write(b *strings.Builder, opts DefinitionOptions) error {
	checks, wanted := opts.Checks, func(key string) bool { return opts.Only == nil || opts.Only(key) }
	order, err := d.order()
	if err != nil {
		return err
	}
	var body, asserted strings.Builder
	for _, k := range order {
		if !wanted(k) {
			continue
		}
		if err := d.shapedText(&body, d.nodes[k].texts); err != nil {
			return err
		}
		if checks {
			if err := d.shapedText(&asserted, d.nodes[k].checks); err != nil {
				return err
			}
		}
	}
	if checks {
		d.headers["stddef.h"] = true // offsetof
	}
	for _, h := range slices.Sorted(maps.Keys(d.headers)) {
		fmt.Fprintf(b, "#include <%s>\n", h)
	}
	for _, m := range macros {
		if strings.Contains(body.String(), m.name) || checks && strings.Contains(asserted.String(), m.name) {
			b.WriteString(m.text)
		}
	}
	b.WriteByte('\n')
	for _, tag := range slices.Sorted(maps.Keys(d.forward)) {
		if wanted(tag) {
			fmt.Fprintf(b, "%s;\n", tag)
		}
	}
	b.WriteString(body.String())
	b.WriteString(asserted.String())
	return nil
}

func (d *definitions) shapedText(b *strings.Builder, texts []shaped) error {
	for _, t := range texts {
		condition, err := guard(d.targets, t.on)
		if err != nil {
			return err
		}
		b.WriteString(guarded(condition, t.text))
	}
	return nil
}

// order sorts the entities so that each stands after those it needs, and
// otherwise as they were met.
func (d *definitions) order() ([]string, error) {
	var out []string
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(k string) error
	visit = func(k string) error {
		switch state[k] {
		case open:
			return fmt.Errorf("the definition of %q needs itself", k)
		case done:
			return nil
		}
		state[k] = open
		for _, need := range d.nodes[k].needs {
			if err := visit(need); err != nil {
				return err
			}
		}
		state[k] = done
		out = append(out, k)
		return nil
	}
	for _, k := range d.keys {
		if err := visit(k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// macros spell what C and C++ say differently. Microsoft's compiler knows
// neither _Alignas nor _Static_assert by default.
var macros = []struct{ name, text string }{
	{"CYBINDGO_STDCALL", `
/* The convention of Windows, which elsewhere does not exist. */
#ifndef CYBINDGO_STDCALL
#if defined(_WIN32)
#define CYBINDGO_STDCALL __stdcall
#else
#define CYBINDGO_STDCALL
#endif
#endif
`},
	{"CYBINDGO_ALIGNAS", `
/* The alignment of a member. */
#ifndef CYBINDGO_ALIGNAS
#if defined(_MSC_VER)
#define CYBINDGO_ALIGNAS(n) __declspec(align(n))
#elif defined(__cplusplus)
#define CYBINDGO_ALIGNAS(n) alignas(n)
#else
#define CYBINDGO_ALIGNAS(n) _Alignas(n)
#endif
#endif
`},
	{"CYBINDGO_ALIGNED", `
/* The alignment of a whole record, for which C has no word of its own. */
#ifndef CYBINDGO_ALIGNED
#if defined(_MSC_VER)
#define CYBINDGO_ALIGNED(n) __declspec(align(n))
#elif defined(__cplusplus)
#define CYBINDGO_ALIGNED(n) alignas(n)
#else
#define CYBINDGO_ALIGNED(n) __attribute__((aligned(n)))
#endif
#endif
`},
	{"CYBINDGO_CHECK", `
#ifndef CYBINDGO_CHECK
#if defined(__cplusplus)
#define CYBINDGO_CHECK(fact) static_assert(fact, #fact)
#define CYBINDGO_ALIGNOF(type) alignof(type)
#elif defined(_MSC_VER)
#define CYBINDGO_CHECK(fact) static_assert(fact, #fact)
#define CYBINDGO_ALIGNOF(type) __alignof(type)
#else
#define CYBINDGO_CHECK(fact) _Static_assert(fact, #fact)
#define CYBINDGO_ALIGNOF(type) _Alignof(type)
#endif
#endif
`},
}
