package cgen

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

// resolver is a library's own look-up in the stub.
type resolver struct {
	Symbol                      string
	PerThreadFlags              int
	NotFound, Failed            ir.Integer
	StatusMissing, StatusTooOld ir.Integer
	Rows                        []stubRow
	symbols                     []string // all functions that resolve
}

// stubRow is a line of the table: a symbol, what it is asked for with, and its
// twin with a per-thread default stream.
type stubRow struct {
	Guard     string
	Base      string
	Version   int
	Symbol    string
	Present   bool // not omitted
	PerThread *stubTwin
	old       bool
}

type stubTwin struct {
	Version int
	Symbol  string
}

// answers reports whether a symbol is a function that resolves.
func (r *resolver) answers(symbol string) bool {
	return r != nil && slices.Contains(r.symbols, symbol)
}

func newResolver(s *ir.Snapshot, functions []ir.Function, opts StubOptions) (*resolver, error) {
	p := opts.ProcAddress
	r := &resolver{Symbol: p.Symbol, PerThreadFlags: p.PerThreadFlags}
	values := map[string]ir.Integer{}
	var enumerators []string
	for _, e := range s.Enums {
		for _, v := range e.Enumerators {
			values[v.Name] = v.Value
			enumerators = append(enumerators, v.Name)
		}
	}
	for _, want := range []struct {
		what, name string
		to         *ir.Integer
	}{
		{"not found", p.NotFound, &r.NotFound}, {"failed", p.Failed, &r.Failed},
		{"status missing", p.StatusMissing, &r.StatusMissing}, {"status too old", p.StatusTooOld, &r.StatusTooOld},
	} {
		v, ok := values[want.name]
		if !ok {
			return nil, fmt.Errorf("%s of %s: there is no enumerator %q%s", want.what, p.Symbol, want.name, suggest.Hint(want.name, enumerators))
		}
		*want.to = v
	}
	base := ""
	var symbols []string
	for i := range functions {
		symbols = append(symbols, functions[i].Symbol)
		if functions[i].Symbol == p.Symbol {
			base = queryBase(&functions[i])
		}
	}
	if base == "" {
		return nil, fmt.Errorf("%s does not export %q, which is to resolve its symbols%s", s.Library, p.Symbol, suggest.Hint(p.Symbol, symbols))
	}
	for i := range functions {
		f := &functions[i]
		b := queryBase(f)
		if b == base {
			r.symbols = append(r.symbols, f.Symbol)
			if f.PerThread != "" {
				r.symbols = append(r.symbols, f.PerThread)
			}
		}
		if b == "" {
			continue
		}
		row := stubRow{
			Base: b, Version: f.Query.Version, Symbol: f.Symbol,
			Present: !omitted(opts.Omit, f.Symbol), old: f.Superseded,
		}
		var err error
		if row.Guard, err = guard(s.Targets, f.On); err != nil {
			return nil, err
		}
		if f.PerThread != "" && !omitted(opts.Omit, f.PerThread) {
			row.PerThread = &stubTwin{f.Query.PerThread, f.PerThread}
		}
		if f.Symbol == p.Symbol {
			row.Guard = both("!defined(CYBINDGO_STUB_NO_PROC_ADDRESS)", row.Guard)
		}
		r.Rows = append(r.Rows, row)
	}
	// Of two with the same version the public one is found, as it stands last.
	slices.SortStableFunc(r.Rows, func(x, y stubRow) int {
		old := 0
		if x.old != y.old {
			if old = 1; x.old {
				old = -1
			}
		}
		return cmp.Or(cmp.Compare(x.Base, y.Base), cmp.Compare(x.Version, y.Version), old, cmp.Compare(x.Symbol, y.Symbol))
	})
	return r, nil
}

// queryBase is the name that a function is asked for with, empty for one that
// is not. Headers that tell no versions leave the public name.
func queryBase(f *ir.Function) string {
	if f.Query.Base == "" && !f.Superseded {
		return f.Name
	}
	return f.Query.Base
}

// resolve makes a function the resolver, after a look at its shape.
func (f *stubFunction) resolve(n *names, t *ir.Type) error {
	shape := []class{pointer, pointer, integral, integral, pointer}
	ok := len(t.Params) == 4 || len(t.Params) == 5
	for i, p := range t.Params {
		ok = ok && i < len(shape) && n.class(p.Type) == shape[i]
	}
	result := n.class(t.Elem)
	if !ok || result != integral && result != enumeration {
		return fmt.Errorf("a function that resolves symbols is expected to take (name, pointer, version, flags) and maybe a status, found %s", t)
	}
	f.Resolves = true
	f.Return = fmt.Sprintf("return (%s)result;", writer{spell: spell}.declare(t.Elem, ""))
	if len(t.Params) == 5 {
		f.Status = writer{spell: spell}.declare(n.resolve(t.Params[4].Type).Elem, "")
	}
	return nil
}
