package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// versions is what the typedefs of one base say, the highest version first.
type versions []version

type version struct {
	number int
	params string // see resolver.params
	used   bool
}

// queries finds how each symbol is asked for. A library that hands out its own
// symbols knows them by a base name and a version; typedefs named after both
// tell the versions, but not which symbol each belongs to. So the symbols of a
// base are walked from the highest number down, and each takes the highest
// version that is left and has its parameters.
func queries(functions []ir.Function, prefix string, types resolver) {
	plain, threaded := map[string]versions{}, map[string]versions{}
	for name, t := range types {
		name, ok := strings.CutPrefix(name, prefix)
		if !ok || t.Kind != ir.Pointer || t.Elem.Kind != ir.Func {
			continue
		}
		into := plain
		base, number := splitNumber(name)
		if number == 0 { // a per-thread symbol's: PFN_cuMemcpy_v7000_ptds
			into = threaded
			base, number = splitNumber(name[:max(strings.LastIndexByte(name, '_'), 0)])
		}
		if number > 0 {
			into[base] = append(into[base], version{number: number, params: types.params(t.Elem)})
		}
	}
	for _, set := range []map[string]versions{plain, threaded} {
		for _, list := range set {
			slices.SortFunc(list, func(a, b version) int { return b.number - a.number })
		}
	}
	for _, f := range byNumber(functions) {
		candidates, perThread := plain[f.base], threaded[f.base]
		if len(candidates) == 0 {
			continue
		}
		params := types.params(f.Type)
		if n := candidates.take(params); n > 0 {
			f.Query.Base, f.Query.Version = f.base, n
		}
		if f.PerThread != "" {
			f.Query.PerThread = perThread.take(params)
		}
	}
}

// splitNumber takes `_v2` off a name; without it the number is 0.
func splitNumber(name string) (base string, number int) {
	i := strings.LastIndex(name, "_v")
	if i <= 0 {
		return name, 0
	}
	n, err := strconv.ParseUint(name[i+2:], 10, 31)
	if err != nil {
		return name, 0
	}
	return name[:i], int(n)
}

type numbered struct {
	*ir.Function
	base   string
	number int
}

// byNumber lists the functions from the highest symbol number down. A symbol
// without a number is the first.
func byNumber(functions []ir.Function) []numbered {
	list := make([]numbered, len(functions))
	for i := range functions {
		f := &functions[i]
		base, number := splitNumber(f.Symbol)
		list[i] = numbered{f, base, max(number, 1)}
	}
	slices.SortStableFunc(list, func(a, b numbered) int { return b.number - a.number })
	return list
}

// take uses up the highest version with the parameters; 0 if there is none.
func (list versions) take(params string) int {
	for i := range list {
		if v := &list[i]; !v.used && v.params == params {
			v.used = true
			return v.number
		}
	}
	return 0
}

// resolver knows what typedefs stand for.
type resolver map[string]*ir.Type

// params spells the parameter types of a function without typedefs, names and
// what C ignores in a parameter: const at the top, and an array's length. Two
// functions take the same parameters if the spellings are equal.
func (r resolver) params(f *ir.Type) string {
	var b strings.Builder
	for _, p := range f.Params {
		t := r.follow(*p.Type)
		if t.Kind == ir.Array {
			t.Kind = ir.Pointer
		}
		t.Const = false
		r.spell(&b, t)
		b.WriteByte(',')
	}
	return b.String()
}

// follow gives what a typedef's name stands for.
func (r resolver) follow(t ir.Type) ir.Type {
	for t.Kind == ir.Named && t.Tag == "" {
		to := r[t.Name]
		if to == nil {
			break
		}
		isConst := t.Const
		t = *to
		t.Const = t.Const || isConst
	}
	return t
}

func (r resolver) spell(b *strings.Builder, t ir.Type) {
	t = r.follow(t)
	switch t.Kind {
	case ir.Pointer:
		r.spell(b, *t.Elem)
		b.WriteByte('*')
	case ir.Array:
		r.spell(b, *t.Elem)
		b.WriteString("[" + strconv.FormatInt(t.Len, 10) + "]")
	case ir.Func:
		r.spell(b, *t.Elem)
		b.WriteString("(" + r.params(&t) + ")")
	default:
		b.WriteString(t.Tag + " " + t.Name)
	}
	if t.Const {
		b.WriteString(" const")
	}
}
