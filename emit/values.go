package emit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

// libraryValues is what the templates of a library print.
type libraryValues struct {
	Licence   []string
	Title     string
	Covers    string
	Candidate string // the label of a covered candidate
	Module    string
	Lib       string

	Cimports    []string
	Helpers     bool
	Bool        bool
	Types       []typeBlock
	Enumerators []string
	Constants   []string
	Functions   []functionValues // by public name
	Wrappers    []functionValues // the same by symbol, the order of Rows

	Platform     string
	Rows         []rowValues
	NameSize     int // bytes for the longest symbol, a per-thread one included
	ProcAddress  *config.ProcAddress
	Versioned    []string // other names of symbols, the newest first, as formats of printf
	Pathfinder   string
	PerThreadEnv string
	OpenNames    string

	HandWritten *handWritten

	open    config.OpenNames
	snippet *config.Snippet
	public  []string // the names of Functions
	notes   []string
}

// typeBlock is a block of declarations, or C text that defines types.
type typeBlock struct {
	block
	Verbatim string
}

// functionValues is a function as the wrappers print it. Values are as long as
// they can be without hiding what the templates say: most of the time of a run
// is spent printing them.
type functionValues struct {
	Prototype string // CUresult cuMemAlloc(...) except? CUDA_ERROR_NOT_FOUND nogil
	Loader    string // the same with the loader's name, _cuMemAlloc_v2
	Since     string // a comment, or nothing
	Symbol    string
	Args      string // the parameters' names
	Cast      string // the type of a pointer to it
	Return    string // "return ", or nothing where there is nothing to return
}

// rowValues is a row of the loader's table.
type rowValues struct {
	Symbol string
	Cells  string
}

func (v *libraryValues) library() string { return v.Lib }

func (v *libraryValues) forFile(f *file) any {
	c := *v
	c.Platform = f.platform
	if names := v.open.For(f.platform); v.Pathfinder == "" && len(names) > 0 {
		c.OpenNames = ` "` + strings.Join(names, `", "`) + `" `
	}
	if section := v.snippet.Section(f.section(v.Lib)); section != nil {
		c.HandWritten = &handWritten{v.snippet.Name, section.Text}
	}
	return &c
}

func newLibraryValues(project *config.Project, pkg *config.Package, lib *config.Library, u *ir.Union, since *firstReleases) (*libraryValues, error) {
	v := &libraryValues{
		Licence: project.Licence, Title: lib.Title, Module: pkg.Module, Lib: lib.Name,
		Covers: covers(u), Candidate: u.Candidate(),
		Versioned: versioned(lib.Loader.Versioned, u), Pathfinder: lib.Loader.Pathfinder, PerThreadEnv: lib.Loader.PerThreadEnv, open: lib.Loader.Open, snippet: lib.HandWritten(),
	}
	if lib.Loader.Resolve == config.ByProcAddress {
		v.ProcAddress = &lib.Loader.ProcAddress
	}
	selected, err := selectFrom(u, lib, pkg.Libraries[lib.Name])
	if err != nil {
		return nil, err
	}
	u, v.notes = selected.union, selected.notes
	functions, dropped := publicNames(u, lib.Public)
	if len(dropped) > 0 {
		v.notes = append(v.notes, "an older symbol gives way to the public name that it has: "+strings.Join(dropped, ", "))
	}
	v.notes = append(v.notes, changeNotes(u)...)
	v.notes = append(v.notes, targetNotes(u, selected.excluded)...)

	plan := planTypes(u, lib.Types.With(pkg.Libraries[lib.Name].Types))
	taken := map[string]bool{}
	for _, name := range plan.names.byC {
		taken[name] = true
	}
	for i := range functions {
		if _, excluded := selected.excluded[functions[i].public]; excluded {
			continue
		}
		if err := v.function(&functions[i], plan, lib, taken, since); err != nil {
			plan.errs = append(plan.errs, err)
		}
	}
	var enumerators = map[string]bool{}
	for i := range u.Enums {
		for _, e := range u.Enums[i].Shape().Enumerators {
			enumerators[e.Name] = true
		}
	}
	// The loader finds a symbol by binary search.
	v.Wrappers = slices.Clone(v.Functions)
	slices.SortFunc(v.Wrappers, func(a, b functionValues) int { return strings.Compare(a.Symbol, b.Symbol) })
	slices.SortFunc(v.Rows, func(a, b rowValues) int { return strings.Compare(a.Symbol, b.Symbol) })
	v.Enumerators, v.Constants = constantDecls(plan, lib.Constants, enumerators)
	plan.errs = append(plan.errs, v.collisions(plan)...)
	if len(plan.errs) > 0 {
		return nil, errors.Join(plan.errs...)
	}
	if len(v.Functions) == 0 {
		return nil, errors.New("no function is left to bind")
	}
	v.Helpers = plan.hasHelpers()
	v.Bool = plan.names.used["_Bool"]
	v.Cimports = cimports(plan.names.used)
	blocks, err := inlineBlocks(plan)
	if err != nil {
		return nil, err
	}
	v.Types = blocks
	return v, nil
}

// covers says which releases a file is made from.
func covers(u *ir.Union) string {
	first, last := u.Releases[0].Label, u.Releases[len(u.Releases)-1].Label
	if first == last {
		return "release " + first
	}
	return "releases " + first + " to " + last
}

// changeNotes lists what has another shape in the range's newest release than
// it had before: callers of the older one see the newest.
func changeNotes(u *ir.Union) []string {
	var notes []string
	note := func(name, what string, changed []int) {
		if len(changed) == 0 {
			return
		}
		var labels []string
		for _, c := range changed {
			labels = append(labels, u.Releases[c].Label)
		}
		notes = append(notes, fmt.Sprintf("%s has another %s from %s on; the newest is bound", name, what, strings.Join(labels, ", then ")))
	}
	for i := range u.Functions {
		note(u.Functions[i].Shape().Name, "declaration", u.Functions[i].Changed)
	}
	for i := range u.Records {
		note(u.Records[i].Shape().Name, "shape", u.Records[i].Changed)
	}
	return notes
}

func cimports(used map[string]bool) []string {
	byModule := map[string][]string{}
	for _, name := range sortedKeys(used) {
		if module := standard[name]; module != "" {
			byModule[module] = append(byModule[module], name)
		}
	}
	var lines []string
	for _, module := range sortedKeys(byModule) {
		lines = append(lines, "from "+module+" cimport "+strings.Join(byModule[module], ", "))
	}
	return lines
}

func (v *libraryValues) function(b *bound, plan *typePlan, lib *config.Library, taken map[string]bool, since *firstReleases) error {
	f := b.entry.Shape()
	if f.Inline {
		v.notes = append(v.notes, f.Name+" is left out: the header defines it, the library does not export it")
		return nil
	}
	plan.check(f.Type, "function "+f.Name, f.Header)
	plan.calls = append(plan.calls, f.Type)
	except, err := exceptClause(f.Type.Elem, lib.Results)
	if err != nil {
		return fmt.Errorf("function %s (%s): %w", f.Name, f.Header, err)
	}
	names := paramNames(f.Type, taken)
	n := &plan.names
	rest := "(" + n.params(f.Type, names) + ") " + except + " nogil"
	result := n.left(unqualified(f.Type.Elem)) + " "
	fv := functionValues{
		Prototype: result + identifier(b.public, nil) + rest,
		Loader:    result + "_" + f.Symbol + rest,
		Since:     since.comment(b.public, f.Type.Signature()),
		Symbol:    f.Symbol,
		Args:      strings.Join(names, ", "),
		Cast:      n.declare(&ir.Type{Kind: ir.Pointer, Elem: decayed(f.Type)}, ""),
		Return:    "return ",
	}
	if f.Type.Elem.IsVoid() {
		fv.Return = ""
	}
	v.Functions = append(v.Functions, fv)
	v.public = append(v.public, identifier(b.public, nil))
	row, err := v.row(f)
	v.Rows = append(v.Rows, row)
	return err
}

// row writes the cells of a function's row, as the loader declares them. What a
// library calls a function begins its symbol, and a per-thread symbol goes on
// from it, so that a row needs one pointer: each costs a relocation.
func (v *libraryValues) row(f *ir.Function) (rowValues, error) {
	suffix, ok := strings.CutPrefix(f.PerThread, f.Symbol)
	if f.PerThread != "" && (!ok || len(suffix) > 6) {
		return rowValues{}, fmt.Errorf("function %s (%s): the per-thread symbol %q is not %s and up to 6 letters", f.Name, f.Header, f.PerThread, f.Symbol)
	}
	v.NameSize = max(v.NameSize, len(f.Symbol)+8)
	for _, format := range v.Versioned {
		v.NameSize = max(v.NameSize, len(f.Symbol)+len(format)) // %s makes room for the NUL
	}
	if v.ProcAddress == nil {
		return rowValues{f.Symbol, fmt.Sprintf("%q, %q", "__"+f.Symbol, suffix)}, nil
	}
	if !strings.HasPrefix(f.Symbol, f.Query.Base) || len(f.Query.Base) > 255 {
		return rowValues{}, fmt.Errorf("function %s (%s): what the library calls it, %q, does not begin its symbol %s", f.Name, f.Header, f.Query.Base, f.Symbol)
	}
	return rowValues{f.Symbol, fmt.Sprintf("%q, %d, %d, %d, %q", "__"+f.Symbol,
		f.Query.Version, max(f.Query.PerThread, f.Query.Version), len(f.Query.Base), suffix)}, nil
}

// decayed is the function type with nameless parameters, arrays as the
// pointers that they are.
func decayed(f *ir.Type) *ir.Type {
	c := *f
	c.Params = nil
	for _, p := range f.Params {
		t := p.Type
		if t.Kind == ir.Array {
			t = &ir.Type{Kind: ir.Pointer, Elem: t.Elem}
		}
		c.Params = append(c.Params, ir.Param{Type: unqualified(t)})
	}
	return &c
}

// exceptClause is how a wrapper with this result says that it raised.
func exceptClause(result *ir.Type, values map[string]string) (string, error) {
	if value, ok := values[result.String()]; ok {
		return "except? " + value, nil
	}
	switch {
	case result.IsVoid():
		return "except *", nil
	case result.Kind == ir.Pointer:
		return "except? NULL", nil
	}
	return "", fmt.Errorf("result type %q: expected a value for it under results in the library's definition, to return when a call raises", result)
}
