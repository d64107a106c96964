package emit

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// bound is a function of a package: a public name and the symbol behind it.
type bound struct {
	public string
	entry  ir.Entry[ir.Function]
}

func (b *bound) symbol() string { return b.entry.Shape().Symbol }

// publicNames gives the functions of a union their public names. dropped are
// symbols that gave way to a public name.
func publicNames(u *ir.Union, policy config.Naming) (functions []bound, dropped []string) {
	if policy == config.SymbolNames {
		return symbolNames(u), nil
	}
	return baseNames(u)
}

// symbolNames gives public names after the policy `symbol`: each symbol is its
// own, declared as in the newest release that has it.
func symbolNames(u *ir.Union) (functions []bound) {
	newest := map[string]int{} // symbol to a place in u.Functions
	for i := range u.Functions {
		symbol := u.Functions[i].Shape().Symbol
		if j, ok := newest[symbol]; !ok || newer(&u.Functions[i], &u.Functions[j]) {
			newest[symbol] = i
		}
	}
	for _, symbol := range sortedKeys(newest) {
		functions = append(functions, bound{symbol, u.Functions[newest[symbol]]})
	}
	return functions
}

// baseNames gives public names after the policy `base`: the newest symbol owns
// the name that its header publishes; an older one keeps its own symbol for a
// name, and is dropped where that name is owned. dropped are those.
func baseNames(u *ir.Union) (functions []bound, dropped []string) {
	owner := map[string]int{}   // public name to a place in u.Functions
	symbols := map[string]int{} // symbol to the newest entry that has it
	for i := range u.Functions {
		e := &u.Functions[i]
		f := e.Shape()
		if j, ok := symbols[f.Symbol]; !ok || newer(e, &u.Functions[j]) {
			symbols[f.Symbol] = i
		}
	}
	for i, e := range u.Functions {
		f := e.Shape()
		if symbols[f.Symbol] != i {
			continue // the symbol has another, newer name
		}
		if j, ok := owner[f.Name]; !ok || newer(&e, &u.Functions[j]) {
			owner[f.Name] = i
		}
	}
	for i, e := range u.Functions {
		f := e.Shape()
		switch {
		case symbols[f.Symbol] != i:
		case owner[f.Name] == i:
			functions = append(functions, bound{f.Name, e})
		default:
			if _, owned := owner[f.Symbol]; owned {
				dropped = append(dropped, f.Symbol)
			} else {
				functions = append(functions, bound{f.Symbol, e})
			}
		}
	}
	slices.SortFunc(functions, func(a, b bound) int { return strings.Compare(a.public, b.public) })
	return functions, dropped
}

// newer reports whether a is still there after b has gone, or came later.
func newer(a, b *ir.Entry[ir.Function]) bool {
	if a.Last != b.Last {
		return a.Last > b.Last
	}
	return a.First > b.First
}

// paramNames gives each parameter a name of its own that no keyword and no
// name of the module stands in the way of.
func paramNames(f *ir.Type, taken map[string]bool) []string {
	names := make([]string, len(f.Params))
	used := map[string]bool{}
	for i, p := range f.Params {
		name := p.Name
		if name == "" {
			name = "arg" + itoa(i)
		}
		if strings.HasPrefix(name, "_cyb_") { // the loader's own helpers
			name = "arg" + name
		}
		for keywords[name] || used[name] || taken[name] {
			name += "_"
		}
		used[name] = true
		names[i] = name
	}
	return names
}
