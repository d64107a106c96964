package ir

import (
	"fmt"
	"slices"
	"strings"
)

// functionPairs matches the functions of two APIs. The header's macros make a
// public name stand for a symbol, so that there are two ways to be the same
// function, and the name, which callers write, comes first.
type functionPairs struct {
	old, new []*Function
	// takenOld and takenNew say which have a partner.
	takenOld, takenNew []bool
	pairs              [][2]*Function
	// Symbols that a public name stood for, or stands for now, while in the
	// other API the name stands for another: they map to that name.
	left, came map[string]string
}

func (p *functionPairs) take(i, j int) {
	p.takenOld[i], p.takenNew[j] = true, true
	p.pairs = append(p.pairs, [2]*Function{p.old[i], p.new[j]})
}

// match pairs the functions, each with the first partner that is left, for
// which key gives the same text; an empty text has no partner.
func (p *functionPairs) match(keyOld, keyNew func(*Function) string) {
	free := map[string][]int{}
	for j, f := range p.new {
		if k := keyNew(f); k != "" && !p.takenNew[j] {
			free[k] = append(free[k], j)
		}
	}
	for i, f := range p.old {
		if k := keyOld(f); k != "" && !p.takenOld[i] && len(free[k]) > 0 {
			p.take(i, free[k][0])
			free[k] = free[k][1:]
		}
	}
}

// byKey lists functions in an order that does not depend on the header's.
func byKey(list []Function) []*Function {
	out := make([]*Function, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	slices.SortFunc(out, func(a, b *Function) int { return strings.Compare(a.Key(), b.Key()) })
	return out
}

func pairFunctions(old, new []Function) *functionPairs {
	p := &functionPairs{old: byKey(old), new: byKey(new), left: map[string]string{}, came: map[string]string{}}
	p.takenOld, p.takenNew = make([]bool, len(old)), make([]bool, len(new))
	public := func(text func(*Function) string) func(*Function) string {
		return func(f *Function) string {
			if f.Superseded {
				return ""
			}
			return text(f)
		}
	}
	symbol := func(f *Function) string { return f.Symbol }
	p.match(public((*Function).Key), public((*Function).Key))
	settled := len(p.pairs)
	name := public(func(f *Function) string { return f.Name })
	p.match(name, name)
	for _, pair := range p.pairs[settled:] {
		p.left[pair[0].Symbol], p.came[pair[1].Symbol] = pair[0].Name, pair[1].Name
	}
	superseded := func(f *Function) string {
		if f.Superseded {
			return f.Symbol
		}
		return ""
	}
	p.match(superseded, superseded)
	// A symbol that a public name gave up, or took, is told of with the name.
	p.match(
		func(f *Function) string {
			if f.Superseded && p.came[f.Symbol] != "" {
				return ""
			}
			return symbol(f)
		},
		func(f *Function) string {
			if f.Superseded && p.left[f.Symbol] != "" {
				return ""
			}
			return symbol(f)
		})
	return p
}

func (d *differ) functions() {
	p := pairFunctions(d.old.Functions, d.new.Functions)
	symbols := map[string]bool{} // that the new library has
	for _, f := range p.new {
		symbols[f.Symbol] = true
	}
	for _, pair := range p.pairs {
		d.function(pair[0], pair[1], symbols)
	}
	for i, f := range p.old {
		switch {
		case p.takenOld[i]:
		case f.Superseded && p.came[f.Symbol] != "":
			// Told with the public name that took the symbol.
		case f.Superseded:
			d.add(change{Subject: SymbolSubject, What: Removed, Name: f.Symbol, Old: shownFunction(f.Symbol, f.Type), Header: f.Header})
		case p.came[f.Symbol] != "":
			d.add(change{
				Subject: FunctionSubject, What: Renamed, Name: f.Name, Old: f.Name, New: p.came[f.Symbol],
				Detail: "the symbol is the same, " + f.Symbol, Header: f.Header, Breaks: BreaksSource | BreaksABI,
			})
		default:
			d.add(change{
				Subject: FunctionSubject, What: Removed, Name: f.Name, Old: shownFunction(f.Name, f.Type), Detail: behind(f),
				Header: f.Header, Breaks: f.breaks(),
			})
		}
	}
	for j, f := range p.new {
		switch {
		case p.takenNew[j]:
		case f.Superseded && p.left[f.Symbol] != "":
		case f.Superseded:
			d.add(change{Subject: SymbolSubject, What: Added, Name: f.Symbol, New: shownFunction(f.Symbol, f.Type), Header: f.Header})
		case p.left[f.Symbol] != "":
			d.add(change{
				Subject: FunctionSubject, What: Renamed, Name: f.Name, Old: p.left[f.Symbol], New: f.Name,
				Detail: "the symbol is the same, " + f.Symbol, Header: f.Header,
			})
		default:
			d.add(change{Subject: FunctionSubject, What: Added, Name: f.Name, New: shownFunction(f.Name, f.Type), Detail: behind(f), Header: f.Header})
		}
	}
}

// breaks is what breaks without the function. One that the header defines is
// not bound, so that nobody imports it.
func (f *Function) breaks() Breaks {
	if f.Inline {
		return BreaksSource
	}
	return BreaksSource | BreaksABI
}

// behind says which symbol a public name stands for, where that is another.
func behind(f *Function) string {
	if f.Symbol == f.Name {
		return ""
	}
	return "symbol " + f.Symbol
}

// function compares two functions that were matched. symbols are those that
// the new API declares.
func (d *differ) function(old, new *Function, symbols map[string]bool) {
	if *old == *new {
		return
	}
	const both = BreaksSource | BreaksABI
	subject, breaking := FunctionSubject, both
	if old.Superseded {
		breaking = 0 // callers cannot name it
		if new.Superseded {
			subject = SymbolSubject
		}
	}
	name := old.Name
	put := func(x change) {
		x.Subject, x.Name, x.Header, x.Breaks = subject, name, new.Header, x.Breaks&breaking
		d.add(x)
	}
	switch {
	case old.Superseded && !new.Superseded:
		name = new.Name
		put(change{What: Restored, Detail: "the symbol is the same, " + new.Symbol})
	case !old.Superseded && new.Superseded:
		put(change{What: Superseded, Detail: "no public name leads to it; the library still has " + new.Symbol, Breaks: both})
		breaking = 0
	case old.Name != new.Name:
		put(change{What: Renamed, Old: old.Name, New: new.Name, Detail: "the symbol is the same, " + new.Symbol, Breaks: both})
	case old.Symbol != new.Symbol:
		detail := old.Symbol + " is declared no more"
		if symbols[old.Symbol] {
			detail = old.Symbol + " is still declared"
		}
		put(change{What: SymbolChanged, Old: old.Symbol, New: new.Symbol, Detail: detail})
	}
	if old.Type != new.Type {
		for _, x := range d.signature(name, old.Type, new.Type) {
			put(x)
		}
	}
	if old.Symbol == new.Symbol {
		if old.PerThread != new.PerThread {
			put(change{What: PerThreadChanged, Old: old.PerThread, New: new.PerThread})
		}
		if old.Query != new.Query {
			put(change{What: LookupChanged, Old: old.Query.shown(), New: new.Query.shown()})
		}
	}
	switch {
	case !old.Deprecated && new.Deprecated:
		put(change{What: Deprecated})
	case old.Deprecated && !new.Deprecated:
		put(change{What: Undeprecated})
	}
	switch {
	case !old.Inline && new.Inline:
		// Bindings leave it out, for there is nothing to look up.
		put(change{What: Inlined, Breaks: both})
	case old.Inline && !new.Inline:
		put(change{What: Exported})
	}
	if old.Header != new.Header {
		put(change{What: HeaderChanged, Old: old.Header, New: new.Header})
	}
}

// shown is how the library is asked for a symbol.
func (q Query) shown() string {
	if q == (Query{}) {
		return ""
	}
	text := fmt.Sprintf("%s at %d", q.Base, q.Version)
	if q.PerThread != 0 && q.PerThread != q.Version {
		text += fmt.Sprintf(", per thread at %d", q.PerThread)
	}
	return text
}

// signature compares the types of a function, or of what a callback points to.
func (d *differ) signature(name string, old, new *Type) []change {
	var out []change
	a, b := d.old.signature(old), d.new.signature(new)
	x := change{Old: shownFunction(name, old), New: shownFunction(name, new)}
	switch {
	case shown(a) != shown(b):
		x.What, x.Breaks = SignatureChanged, BreaksABI
		if !d.callable(old, new) {
			x.Breaks |= BreaksSource
		}
		if d.sameConst(old, new) {
			x.Detail = "const"
		} else {
			x.Detail = d.parameters(old, new)
		}
		out = append(out, x)
	case shown(old) == shown(new):
	default:
		x.Detail = renamedParameters(old, new)
		switch {
		case swappedParameters(old, new):
			x.What = ParametersSwapped
		case x.Detail != "":
			x.What = ParametersRenamed
		default:
			x.What = ParametersRespelled
		}
		out = append(out, x)
	}
	if d.convention(old, new) {
		out = append(out, change{What: ConventionChanged, Old: old.String(), New: new.String(), Breaks: d.conventionBreaks()})
	}
	return out
}

// convention reports whether the calling convention changed where that is seen:
// on Windows the type itself has another, or one inside a type that is the same
// otherwise.
func (d *differ) convention(old, new *Type) bool {
	if d.target.OS() != "windows" {
		return false
	}
	return old.Stdcall != new.Stdcall || shown(old) == shown(new) && old.String() != new.String()
}

// conventionBreaks is nothing on 64-bit Windows, where all are one.
func (d *differ) conventionBreaks() Breaks {
	if d.target.Arch() == "386" {
		return BreaksSource | BreaksABI
	}
	return 0
}

// renamedParameters says which parameters got other names, position by
// position.
func renamedParameters(old, new *Type) string {
	var parts []string
	for i := range old.Params {
		if p, q := old.Params[i].Name, new.Params[i].Name; p != q {
			parts = append(parts, fmt.Sprintf("%s, now %s", orNumber(p, i), orNumber(q, i)))
		}
	}
	return strings.Join(parts, "; ")
}

// swappedParameters reports whether a name that both have stands in another
// place, of two lists of the same types: a call that was right passes something
// else for it now.
func swappedParameters(old, new *Type) bool {
	for i, p := range old.Params {
		at := slices.IndexFunc(new.Params, func(q Param) bool { return q.Name == p.Name })
		if p.Name != "" && at >= 0 && at != i {
			return true
		}
	}
	return false
}

// orNumber is a parameter's name, or its place where it has none.
func orNumber(name string, i int) string {
	if name == "" {
		return fmt.Sprintf("parameter %d", i+1)
	}
	return name
}

// parameters says in words how a signature changed.
func (d *differ) parameters(old, new *Type) string {
	var parts []string
	if a, b := shown(d.old.signature(unqualified(old.Elem))), shown(d.new.signature(unqualified(new.Elem))); a != b {
		parts = append(parts, "result "+a+", now "+b)
	}
	matches := d.alignParams(old.Params, new.Params)
	i, j := 0, 0
	for _, m := range append(matches, [2]int{len(old.Params), len(new.Params)}) {
		if m[0]-i == m[1]-j { // as many as before, in the same places
			for ; i < m[0]; i, j = i+1, j+1 {
				parts = append(parts, d.shownParam(d.old, old.Params[i], i)+", now "+d.shownParam(d.new, new.Params[j], j))
			}
		}
		for ; i < m[0]; i++ {
			parts = append(parts, orNumber(old.Params[i].Name, i)+" removed")
		}
		for ; j < m[1]; j++ {
			parts = append(parts, orNumber(new.Params[j].Name, j)+" added")
		}
		if i == len(old.Params) || j == len(new.Params) {
			continue
		}
		p, q := old.Params[i], new.Params[j]
		if a, b := shown(d.old.signature(passed(p.Type))), shown(d.new.signature(passed(q.Type))); a != b {
			parts = append(parts, orNumber(q.Name, j)+" "+a+", now "+b)
		}
		i, j = i+1, j+1
	}
	switch {
	case old.Variadic && !new.Variadic:
		parts = append(parts, "... removed")
	case !old.Variadic && new.Variadic:
		parts = append(parts, "... added")
	}
	return strings.Join(parts, "; ")
}

func (d *differ) shownParam(w *world, p Param, i int) string {
	return shown(w.signature(passed(p.Type))) + " " + orNumber(p.Name, i)
}

// alignParams finds which parameters of two lists are the same one: a longest
// common subsequence in which a name weighs more than a type.
func (d *differ) alignParams(old, new []Param) [][2]int {
	weight := func(i, j int) int {
		w := 0
		if old[i].Name != "" && old[i].Name == new[j].Name {
			w += 3
		}
		if shown(d.old.signature(passed(old[i].Type))) == shown(d.new.signature(passed(new[j].Type))) {
			w += 2
		}
		return w
	}
	best := make([][]int, len(old)+1)
	for i := range best {
		best[i] = make([]int, len(new)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if w := weight(i, j); w > 0 {
				best[i][j] = max(best[i][j], w+best[i+1][j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(old) && j < len(new); {
		switch w := weight(i, j); {
		case w > 0 && best[i][j] == w+best[i+1][j+1]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return out
}
