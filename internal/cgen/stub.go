package cgen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/templates"
)

// StubOptions are the choices of [Stub].
type StubOptions struct {
	// Title is what the source says it stands in for; empty is the library
	// and the release.
	Title string
	// ProcAddress describes the function by which the library resolves its own
	// symbols; nil where it has none.
	ProcAddress *ProcAddress
	// Omit lists symbols that are left out, as a library that lacks them.
	Omit []string
}

// ProcAddress describes a function that resolves symbols, called as
// f(name, &pointer, version, flags) or with a pointer to a status behind.
// Everything that answers for the same base name (older versions of it) is
// treated alike. Enumerators are named, not numbered; their values come from
// the model.
type ProcAddress struct {
	Symbol         string // as it is exported
	PerThreadFlags int    // the flags that ask for the per-thread default stream
	NotFound       string // result for a name that is not found
	Failed         string // result for a look-up that was told to fail
	StatusMissing  string // status for a name that does not exist
	StatusTooOld   string // status for one that exists in newer versions only
}

var stubTemplate = template.Must(template.ParseFS(templates.FS, "stub.c.tmpl"))

// Stub writes the C source of a stand-in for a library: it exports every
// symbol of the snapshot, superseded and per-thread ones included, and needs no
// header but C's. What the functions do is told by environment variables, which
// the comment at the head of the source describes. It compiles to a shared
// object or, for Windows, a DLL.
//
// The error names the functions whose types are not defined, the options that
// name nothing, and the parameters that cannot be recorded.
func Stub(s *ir.Snapshot, opts StubOptions) ([]byte, error) {
	functions, err := exported(s, opts.Omit)
	if err != nil {
		return nil, err
	}
	types := reachable(s, functions)
	definitions, err := Definitions(types, DefinitionOptions{Checks: true})
	if err != nil {
		return nil, err
	}
	data := stubData{Title: opts.Title, Definitions: string(definitions)}
	if data.Title == "" {
		data.Title = strings.TrimSpace(s.Library + " " + s.Release.Label)
	}
	if opts.ProcAddress != nil {
		if data.Resolver, err = newResolver(s, functions, opts); err != nil {
			return nil, err
		}
	}
	w := stubWriter{targets: s.Targets, omit: opts.Omit, resolver: data.Resolver, covered: map[string]ir.TargetSet{}}
	for _, t := range s.Targets {
		w.names = append(w.names, namesOf(types.For(t)))
	}
	for i := range functions {
		f := &functions[i]
		for _, symbol := range []string{f.Symbol, f.PerThread} {
			if symbol == "" || omitted(opts.Omit, symbol) {
				continue
			}
			fn, err := w.function(f, symbol)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", symbol, err)
			}
			if fn != nil {
				data.Functions = append(data.Functions, *fn)
			}
		}
	}
	var b bytes.Buffer
	if err := stubTemplate.Execute(&b, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// exported lists the functions that the library exports.
func exported(s *ir.Snapshot, omit []string) ([]ir.Function, error) {
	var out []ir.Function
	known := map[string]bool{}
	for _, f := range s.Functions {
		if f.Inline {
			continue
		}
		out = append(out, f)
		known[f.Symbol] = true
		known[f.PerThread] = true
	}
	for _, o := range omit {
		if !known[o] {
			var symbols []string
			for k := range known {
				symbols = append(symbols, k)
			}
			return nil, fmt.Errorf("symbol %q to omit: %s does not export it%s", o, s.Library, suggest.Hint(o, symbols))
		}
	}
	return out, nil
}

func omitted(omit []string, symbol string) bool {
	for _, o := range omit {
		if o == symbol {
			return true
		}
	}
	return false
}

// stubData is what the template prints.
type stubData struct {
	Title       string
	Definitions string
	Resolver    *resolver
	Functions   []stubFunction
}

type stubFunction struct {
	Guard     string // the preprocessor's condition, empty without one
	Symbol    string
	Prototype string
	Params    []stubParam
	Outputs   []stubOutput
	Return    string // a statement, empty for void
	Resolves  bool   // it is the resolver
	Status    string // the type of the resolver's status, empty without one
}

// stubParam is a parameter and the macro STUB_... that records it.
type stubParam struct{ Name, Put string }

// stubOutput is a parameter and the value for what it points to.
type stubOutput struct{ Name, Value string }

type stubWriter struct {
	targets  []ir.Target
	names    []*names // for each target
	omit     []string
	resolver *resolver
	covered  map[string]ir.TargetSet // symbols that are written
}

// function prepares one exported symbol; nil if it is written already for all
// targets of f.
func (w *stubWriter) function(f *ir.Function, symbol string) (*stubFunction, error) {
	var set ir.TargetSet
	first := -1
	for i := range w.targets {
		if f.On.Has(i) && w.covered[symbol]&(1<<i) == 0 {
			set |= 1 << i
			if first < 0 {
				first = i
			}
		}
	}
	if set == 0 {
		return nil, nil
	}
	w.covered[symbol] |= set
	condition, err := guard(w.targets, set)
	if err != nil {
		return nil, err
	}
	n := w.names[first]
	out := &stubFunction{Guard: condition, Symbol: symbol}
	// Parameters get names of ours: a header's might be those of a macro here.
	typ := *f.Type
	typ.Params = make([]ir.Param, len(f.Type.Params))
	for i, p := range f.Type.Params {
		t := decayed(p.Type)
		param := ir.Param{Name: "a" + strconv.Itoa(i), Type: t}
		typ.Params[i] = param
		put, ok := n.put(t)
		if !ok {
			return nil, fmt.Errorf("parameter %d of type %s cannot be recorded", i+1, p.Type)
		}
		out.Params = append(out.Params, stubParam{param.Name, put})
		if value := n.output(t, 0x1000+i); value != "" {
			out.Outputs = append(out.Outputs, stubOutput{param.Name, value})
		}
	}
	definition := writer{convention: "CYBINDGO_STDCALL", spell: spell}
	out.Prototype = definition.declare(&typ, symbol)
	out.Return = n.returns(f.Type.Elem, symbol)
	if w.resolver.answers(symbol) {
		if err := out.resolve(n, f.Type); err != nil {
			return nil, err
		}
		if symbol == w.resolver.Symbol {
			out.Guard = both("!defined(CYBINDGO_STUB_NO_PROC_ADDRESS)", condition)
		}
	}
	return out, nil
}

// both joins two conditions of the preprocessor, of which the second may be
// empty.
func both(a, b string) string {
	if b == "" {
		return a
	}
	return a + " && (" + b + ")"
}

// output is the value that a parameter's target is set to, empty for one that
// is left alone.
func (n *names) output(t *ir.Type, value int) string {
	t = n.resolve(t)
	if t.Kind != ir.Pointer || t.Elem.Const {
		return ""
	}
	target := n.resolve(t.Elem)
	if target.Const {
		return ""
	}
	cast := "(" + writer{spell: spell}.declare(t.Elem, "") + ")"
	switch n.class(target) {
	case integral, floating, enumeration:
		return fmt.Sprintf("%s0x%x", cast, value)
	case pointer:
		return fmt.Sprintf("%s(uintptr_t)0x%x", cast, value)
	}
	return ""
}

// returns is the statement that ends a function.
func (n *names) returns(t *ir.Type, symbol string) string {
	typ := writer{spell: spell}.declare(t, "")
	switch n.class(t) {
	case void:
		return ""
	case floating:
		return fmt.Sprintf("return (%s)stub_real(%q);", typ, symbol)
	case pointer:
		return fmt.Sprintf("return (%s)(uintptr_t)stub_result(%q);", typ, symbol)
	case aggregate:
		return fmt.Sprintf("return (%s){0};", typ)
	}
	return fmt.Sprintf("return (%s)stub_result(%q);", typ, symbol)
}
