package parser

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

var (
	// queryName is a typedef's name behind the prefix: the base, the version,
	// and for a per-thread symbol its suffix.
	queryName = regexp.MustCompile(`^(.+)_v(\d+)((?:_[a-z]+)?)$`)
	// symbolName is a symbol's base and its number; no number is the first.
	symbolName = regexp.MustCompile(`^(.+?)(?:_v(\d+))?$`)
)

// versions is a base's typedefs, the highest version first.
type versions []version

type version struct {
	number int
	params string // canonical types
	used   bool
}

// queries finds how each symbol is asked for. A library that hands out its own
// symbols knows them by a base name and a version; typedefs named after both
// tell the versions, but not which symbol each belongs to. So the symbols of a
// base are walked from the highest number down, and each takes the highest
// version that is left and has its parameters.
func (r *reading) queries(functions []ir.Function, types resolver) {
	plain, threaded := map[string]versions{}, map[string]versions{}
	for name, t := range types {
		rest, ok := strings.CutPrefix(name, r.cfg.QueryPrefix)
		m := queryName.FindStringSubmatch(rest)
		if !ok || m == nil || t.Kind != ir.Pointer || t.Elem.Kind != ir.Func {
			continue
		}
		number, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		into := plain
		if m[3] != "" {
			into = threaded
		}
		into[m[1]] = append(into[m[1]], version{number: number, params: types.params(t.Elem)})
	}
	for _, set := range []map[string]versions{plain, threaded} {
		for _, list := range set {
			slices.SortFunc(list, func(a, b version) int { return b.number - a.number })
		}
	}
	for _, f := range byNumber(functions) {
		m := symbolName.FindStringSubmatch(f.Symbol)
		params := types.params(f.Type)
		if n := plain[m[1]].take(params); n > 0 {
			f.Query.Base, f.Query.Version = m[1], n
		}
		if f.PerThread != "" {
			f.Query.PerThread = threaded[m[1]].take(params)
		}
	}
}

// byNumber lists the functions from the highest symbol number down.
func byNumber(functions []ir.Function) []*ir.Function {
	list := make([]*ir.Function, len(functions))
	for i := range functions {
		list[i] = &functions[i]
	}
	number := func(f *ir.Function) int {
		n, err := strconv.Atoi(symbolName.FindStringSubmatch(f.Symbol)[2])
		if err != nil {
			return 1
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b *ir.Function) int { return number(b) - number(a) })
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

// resolver follows typedefs to what they stand for.
type resolver map[string]*ir.Type

// params spells the parameter types of a function without typedefs, names and
// what C ignores in a parameter: const at the top, and an array's length.
func (r resolver) params(f *ir.Type) string {
	var b strings.Builder
	for _, p := range f.Params {
		t := p.Type
		if t.Kind == ir.Array {
			t = &ir.Type{Kind: ir.Pointer, Elem: t.Elem}
		}
		t = r.resolve(t)
		if t.Const {
			c := *t
			c.Const = false
			t = &c
		}
		b.WriteString(t.String())
		b.WriteByte(',')
	}
	return b.String()
}

func (r resolver) resolve(t *ir.Type) *ir.Type {
	c := *t
	switch t.Kind {
	case ir.Named:
		if t.Tag == "" {
			if to := r[t.Name]; to != nil {
				c = *r.resolve(to)
				c.Const = c.Const || t.Const
			}
		}
	case ir.Pointer, ir.Array:
		c.Elem = r.resolve(t.Elem)
	case ir.Func:
		c.Elem = r.resolve(t.Elem)
		c.Stdcall = false
		c.Params = nil
		for _, p := range t.Params {
			c.Params = append(c.Params, ir.Param{Type: r.resolve(p.Type)})
		}
	}
	return &c
}
