package ir

import (
	"fmt"
	"math/rand"
	"slices"
)

// generator makes random APIs. Names come from small pools, so that releases
// and targets meet in them.
type generator struct{ *rand.Rand }

func (g *generator) chance(percent int) bool { return g.Intn(100) < percent }

func pick[T any](g *generator, list ...T) T { return list[g.Intn(len(list))] }

// snapshots makes a few releases in order, and for each the APIs that it was
// merged from, in the order of its targets.
func (g *generator) snapshots() ([]*Snapshot, [][]*API) {
	labels := []string{"9.2.148", "12.0.0", "12.8.1.1", "12.8.2.0", "12.9.0", "12.10.0", "13.4.0rc1", "13.4.0rc2", "13.4.0", "13.4.2", "14.0.0rc1"}
	for len(labels) > 2+g.Intn(5) {
		i := g.Intn(len(labels))
		labels = slices.Delete(labels, i, i+1)
	}
	var snapshots []*Snapshot
	var all [][]*API
	base := g.api()
	for _, label := range labels {
		g.evolve(base)
		targets := slices.Clone(DefaultTargets)
		if g.chance(20) {
			targets = append(targets, "aix/ppc64")
		}
		if g.chance(30) {
			g.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
		}
		if g.chance(40) {
			targets = targets[:1+g.Intn(len(targets))]
		}
		var apis []*API
		for range targets {
			api := *base
			if g.chance(50) {
				g.evolve(&api)
			}
			apis = append(apis, &api)
		}
		v, err := ParseVersion(label)
		if err != nil {
			panic(err)
		}
		release := Release{Label: label, Prerelease: v.Prerelease(), Asserted: g.chance(20)}
		if g.chance(80) {
			release.Date = fmt.Sprintf("2025-%02d-01", 1+g.Intn(12))
			release.Components = map[string]string{"runtime": label, "profiler": g.text()}
			release.Headers = map[string]string{"demo.h": g.text(), "demoGL.h": g.text()}
		}
		if g.chance(30) {
			release.OtherHeaders = map[Target]map[string]string{pick(g, targets...): {"demo.h": g.text()}}
		}
		snapshots = append(snapshots, Merge("demo", release, targets, apis))
		all = append(all, apis)
	}
	return snapshots, all
}

func (g *generator) api() *API {
	a := &API{}
	for range 3 {
		g.evolve(a)
	}
	return a
}

// evolve changes a few entities of each kind.
func (g *generator) evolve(a *API) {
	a.Functions = evolve(g, a.Functions, g.function)
	a.Enums = evolve(g, a.Enums, g.enum)
	a.Records = evolve(g, a.Records, g.namedRecord)
	a.Typedefs = evolve(g, a.Typedefs, g.typedef)
	a.Constants = evolve(g, a.Constants, g.constant)
}

// evolve is a copy of list in which entities were removed, added and changed.
func evolve[T any, P entity[T]](g *generator, list []T, fresh func() T) []T {
	list = slices.Clone(list)
	for range g.Intn(4) {
		if len(list) > 0 && g.chance(30) {
			i := g.Intn(len(list))
			list = slices.Delete(list, i, i+1)
			continue
		}
		value := fresh()
		P(&value).meta().Header = pick(g, "demo.h", "demoGL.h", "")
		P(&value).meta().Pos = Position{File: "demo.h", Line: 7, Col: 1}
		i := slices.IndexFunc(list, func(old T) bool { return P(&old).Key() == P(&value).Key() })
		if i >= 0 {
			list[i] = value
		} else {
			list = slices.Insert(list, g.Intn(len(list)+1), value)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// text is a string with what JSON must escape and what it need not.
func (g *generator) text() string {
	return pick(g, "", "0a0b", `a "b" \c\`, "line\nline\r\t", "ü€𝄞", "</script>&", "\x00\x7f", "stdcall", "{}[]:,")
}

func (g *generator) name(prefix string, n int) string {
	return fmt.Sprintf("%s%d", prefix, g.Intn(n))
}

func (g *generator) integer() Integer {
	return pick(g, "0", "1", "-1", "7", "101", "2147483647", "-2147483648", "4294967295", "-9223372036854775808", "18446744073709551615", Integer(fmt.Sprint(g.Intn(100)-50)))
}

func (g *generator) typ(depth int) *Type {
	if depth == 0 || g.chance(30) {
		t := pick(g,
			basic("int"), basic("unsigned long long"), basic("char"), Void, named("size_t"), named("demoCtx"),
			tagged("struct", "demo_st"), tagged("union", "demo_un"), tagged("enum", "demo_en"))
		if g.chance(20) {
			return constant(t)
		}
		return t
	}
	switch g.Intn(4) {
	case 0:
		return array(int64(g.Intn(4)-1), g.typ(depth-1))
	case 1:
		return g.funcType(depth - 1)
	default:
		t := g.typ(depth - 1).pointer()
		t.Const = g.chance(20)
		return t
	}
}

func (g *generator) funcType(depth int) *Type {
	// The calling convention would be carried from one target to others.
	f := &Type{Kind: Func, Elem: g.typ(depth), Variadic: g.chance(10)}
	for i := range g.Intn(3) {
		f.Params = append(f.Params, Param{pick(g, "", fmt.Sprintf("p%d", i)), g.typ(depth)})
	}
	return f
}

func (g *generator) function() Function {
	f := Function{Name: g.name("demoF", 6), Type: g.funcType(2), Inline: g.chance(10), Deprecated: g.chance(10)}
	f.Symbol = f.Name + pick(g, "", "", "_v2", "_v3")
	if f.Name == f.Symbol {
		f.Superseded = g.chance(30)
	}
	if g.chance(50) {
		f.Query = Query{Base: f.Name, Version: 1000 * g.Intn(3), PerThread: 1000 * g.Intn(3)}
		f.PerThread = pick(g, "", f.Symbol+"_ptds")
	}
	return f
}

func (g *generator) enum() Enum {
	e := Enum{Name: g.name("demoE", 5), Tagged: g.chance(50), Underlying: pick(g, "int", "unsigned int", "unsigned long long")}
	if e.Name == "demoE0" {
		e.Tagged, e.Anonymous = false, true
	}
	for _, i := range g.Perm(5)[:g.Intn(6)] {
		e.Enumerators = append(e.Enumerators, Enumerator{fmt.Sprintf("%s_V%d", e.Name, i), g.integer()})
	}
	if g.chance(5) { // more than are looked through one by one
		for i := range 40 {
			e.Enumerators = append(e.Enumerators, Enumerator{fmt.Sprintf("%s_MANY%d", e.Name, i), g.integer()})
		}
	}
	return e
}

func (g *generator) namedRecord() Record {
	r := g.record(2)
	r.Name, r.Tagged = g.name("demoR", 5), g.chance(60)
	return r
}

func (g *generator) record(depth int) Record {
	if g.chance(15) {
		return Record{Incomplete: true, Union: g.chance(30)}
	}
	r := Record{Union: g.chance(30), Size: int64(g.Intn(64)), Align: int64(1 << g.Intn(4))}
	for i := range g.Intn(4) {
		f := Field{Name: pick(g, fmt.Sprintf("f%d", i), ""), Offset: int64(g.Intn(32))}
		switch {
		case depth > 0 && g.chance(30):
			inner := g.record(depth - 1)
			f.Record = &inner
			if g.chance(30) {
				f.Dims = []int64{int64(1 + g.Intn(4)), 3}[:1+g.Intn(2)]
				if g.chance(50) {
					f.Type = g.typ(1)
				}
			}
		default:
			f.Type = g.typ(2)
			if g.chance(20) {
				f.Bits, f.Bit = 1+g.Intn(8), g.Intn(8)
			}
			f.Flex = g.chance(5)
		}
		r.Fields = append(r.Fields, f)
	}
	return r
}

func (g *generator) typedef() Typedef {
	return Typedef{Name: g.name("demoT", 6), Type: g.typ(3), Macro: g.chance(20)}
}

func (g *generator) constant() Constant {
	c := Constant{Name: g.name("DEMO_C", 6)}
	if g.chance(20) {
		c.Reason = "takes arguments"
		return c
	}
	c.Type, c.Value = g.typ(1), g.text()
	return c
}
