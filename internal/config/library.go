package config

import (
	"maps"
	"slices"
	"strings"
)

// Library is the definition of one library: what its headers cannot say. The
// definition of a library called demo is `libraries/demo.yaml` beside
// `cybindgo.yaml`; without that file, the one that is built in.
//
// Every rule has to match something that some release in the library's history
// declares: one that matches nothing is a mistake.
type Library struct {
	// The library's name, the same as the file's: modules are called after it
	// (`cydemo`, `_internal/demo_linux`).
	Name string `yaml:"library" jsonschema:"required" rule:"library" example:"driver"`
	// What the library is called in the first lines of emitted files.
	Title string `yaml:"title" jsonschema:"required" rule:"line" example:"CUDA driver API"`

	// How the headers are read.
	Headers Headers `yaml:"headers" jsonschema:"required" expect:"the headers to bind, under bind"`
	// Which name of a function is public. With `base` it is the one that the header
	// publishes: cuMemAlloc, for the symbol cuMemAlloc_v2. With `symbol` it is the
	// symbol: nvmlInit_v2.
	Public Naming `yaml:"public-names" jsonschema:"required"`
	// How types are declared to Cython.
	Types TypeModes `yaml:"types" jsonschema:"required" expect:"a type mode under default, such as extern"`
	// What a function with this result type returns when it raises: a C
	// expression. It is a legal result too, so callers compare first and then ask
	// whether an exception is set. Functions that return nothing or a pointer need
	// none.
	Results map[string]string `yaml:"results" rule:"expression" keys:"type" numbers:"text" example:"CUresult: CUDA_ERROR_NOT_FOUND"`
	// Integer constants that are published beside those of the API.
	Constants map[string]int `yaml:"constants" keys:"identifier" example:"DEMO_LOADING_ERROR: 500"`
	// Functions that are not bound, by public name, each with the reason. A
	// function that cannot be bound at all has to be named here, so that there is
	// never a hole that nobody knows of.
	Exclude map[string]string `yaml:"exclude" rule:"reason" keys:"identifier" example:"demoLog: takes a variable number of arguments"`
	// Parameters that are declared otherwise than in the headers, as
	// FUNCTION.PARAMETER: a pointer in a pointer's place. Published bindings did so,
	// and modules that were compiled against them are checked against their
	// signatures.
	Parameters map[string]string `yaml:"parameters" rule:"pointer" keys:"parameter" example:"demoRun.options: const char**"`
	// Functions that are bound from a release on, though headers declare them
	// earlier: because they were broken, say, or missing from the library. A
	// package binds the function if the last release that it covers is this one or
	// a later one.
	MinVersion map[string]string `yaml:"min-version" rule:"release" keys:"identifier" example:"demoFlush: 13.0.0"`
	// Functions and enumerators that are known to have vanished from one release
	// to the next, each with the reason. `releases add` refuses a release that
	// lacks others.
	AllowRemoved map[string]string `yaml:"allow-removed" rule:"reason" keys:"identifier" example:"demoOld: withdrawn in 13.0.0"`
	// A file with hand-written Cython that goes into the emitted files, relative to
	// the definition. A line `# cybindgo: FILE` begins a section, which goes to the
	// end of that file: `cydemo.pxd`, `cydemo.pyx`, `_internal/demo.pxd`, or
	// `_internal/demo.pyx` for the loaders of all platforms.
	Snippet string `yaml:"snippet" rule:"snippet" example:"demo.snippet.pyx"`
	// How functions are found at run time.
	Loader Loader `yaml:"loader" jsonschema:"required" expect:"how functions are found, under resolve"`

	doc     *document
	snippet *Snippet
}

// Headers says how the library's headers are read.
type Headers struct {
	// The headers whose declarations are bound, as they are included.
	Bind []string `yaml:"bind" jsonschema:"required,minItems=1,uniqueItems=true" rule:"header" example:"demo.h"`
	// Headers that are read for facts about what is bound, such as the versions
	// of symbols. What they declare is not bound, and they may be missing.
	Consult []string `yaml:"consult" jsonschema:"uniqueItems=true" rule:"header" example:"demoTypedefs.h"`
	// Groups of headers that a platform or a release may lack, by name. They stand
	// under bind or consult too. If one that is bound is missing, the whole family
	// is skipped, and `releases add` says so; any other missing header is an
	// error. A package leaves a family out with `without`.
	Families map[string][]string `yaml:"families" rule:"header" keys:"family" example:"egl: [demoEGL.h, demoEGLTypedefs.h]"`
	// The packages that carry the headers on a package index, without the -cu11 or
	// -cu12 that some releases have behind their names. Of several in one item,
	// separated by a bar, the first counts that a release has. `headers get` and
	// `releases add` fetch them.
	Packages []string `yaml:"packages" jsonschema:"uniqueItems=true" rule:"packages" example:"nvidia-demo"`
	// Macros to define before the headers are read. A type that the headers lack
	// can be given this way.
	Defines []string `yaml:"defines" jsonschema:"uniqueItems=true" rule:"define" example:"demoHandle_t=unsigned int"`
	// The macro under which the headers show superseded symbols, if there is one.
	InternalView string `yaml:"internal-view" rule:"identifier" example:"__CUDA_API_VERSION_INTERNAL"`
	// The macro under which names lead to the symbols with a per-thread default
	// stream, if there is one.
	PerThreadView string `yaml:"per-thread-view" rule:"identifier" example:"CUDA_API_PER_THREAD_DEFAULT_STREAM"`
	// What begins the typedefs that tell the version of each symbol:
	// `PFN_cuMemAlloc_v3020`.
	QueryPrefix string `yaml:"query-prefix" rule:"identifier" example:"PFN_"`
	// The macro that tells which release the headers are of. Headers of another
	// release than they are entered for are refused.
	Version VersionMacro `yaml:"version"`
}

// VersionMacro is the macro that holds the release's first two numbers, as
// `first*major + second*minor`.
type VersionMacro struct {
	// The macro's name.
	Macro string `yaml:"macro" jsonschema:"required" rule:"identifier" example:"CUDA_VERSION"`
	// What the first number is multiplied by.
	Major int `yaml:"major" jsonschema:"required,minimum=1" example:"1000" expect:"a factor above 0, such as 1000"`
	// What the second number is multiplied by.
	Minor int `yaml:"minor" jsonschema:"required,minimum=1" example:"10" expect:"a factor above 0, such as 10"`
}

// Family is the family that a header belongs to, or "".
func (h *Headers) Family(header string) string {
	for _, family := range h.FamilyNames() {
		if slices.Contains(h.Families[family], header) {
			return family
		}
	}
	return ""
}

// FamilyNames lists the families in order.
func (h *Headers) FamilyNames() []string { return slices.Sorted(maps.Keys(h.Families)) }

// Naming is the library's policy for public names.
type Naming string

// The policies: BaseNames publishes cuMemAlloc for the symbol cuMemAlloc_v2,
// SymbolNames publishes each symbol under its own name.
const (
	BaseNames   Naming = "base"
	SymbolNames Naming = "symbol"
)

func (Naming) choices() []string { return []string{string(BaseNames), string(SymbolNames)} }

// TypeMode says how a type is declared to Cython.
type TypeMode string

// The modes. Extern includes the library's own header; Inline carries
// full definitions with the C names, so that no header is needed; Cython
// leaves the C name to Cython, which mangles it.
const (
	Extern TypeMode = "extern"
	Inline TypeMode = "inline"
	Cython TypeMode = "cython"
)

func (TypeMode) choices() []string {
	return []string{string(Extern), string(Inline), string(Cython)}
}

// TypeModes says how types are declared to Cython. With `extern` the library's
// own header is included where the bindings are built. With `inline` the
// bindings carry full definitions, and no header is needed. With `cython` a
// type has no name in C but the one that Cython makes up: only for replacing
// published bindings that did so.
type TypeModes struct {
	// The mode of types that nothing else is said of.
	Default TypeMode `yaml:"default" jsonschema:"required" example:"extern"`
	// The modes of types that these headers declare.
	Headers map[string]TypeMode `yaml:"headers" keys:"header" example:"demoGL.h: inline"`
	// Single types that are declared otherwise.
	Exceptions Exceptions `yaml:"exceptions"`
	// Declares function types without their calling convention. On 64-bit Windows
	// there is one convention for all, and published declarations do without.
	IgnoreConventions bool `yaml:"ignore-conventions" default:"false"`
}

// Exceptions lists types by the mode that they are declared in.
type Exceptions struct {
	// Types that come from the library's own header.
	Extern []string `yaml:"extern" jsonschema:"uniqueItems=true" rule:"typename" example:"demoPoint"`
	// Types that come with their definition.
	Inline []string `yaml:"inline" jsonschema:"uniqueItems=true" rule:"typename" example:"demoPoint"`
	// Types whose C name is left to Cython.
	Cython []string `yaml:"cython" jsonschema:"uniqueItems=true" rule:"typename" example:"GLuint"`
}

// of lists the exceptions of a mode.
func (e *Exceptions) of(mode TypeMode) []string {
	switch mode {
	case Extern:
		return e.Extern
	case Inline:
		return e.Inline
	}
	return e.Cython
}

// With is the modes with another default; empty changes nothing.
func (m TypeModes) With(mode TypeMode) TypeModes {
	if mode != "" {
		m.Default = mode
	}
	return m
}

// Of is the mode of a type that a header declares.
func (m TypeModes) Of(header, name string) TypeMode {
	for _, mode := range typeModes {
		if slices.Contains(m.Exceptions.of(mode), name) {
			return mode
		}
	}
	if mode, ok := m.Headers[header]; ok {
		return mode
	}
	return m.Default
}

var typeModes = []TypeMode{Extern, Inline, Cython}

// Resolution is a way to find functions.
type Resolution string

// The ways: the library resolves its own symbols, or each symbol is looked up
// by name.
const (
	ByProcAddress Resolution = "proc-address"
	ByName        Resolution = "dynamic"
)

func (Resolution) choices() []string { return []string{string(ByProcAddress), string(ByName)} }

// Loader says how functions are found at run time.
type Loader struct {
	// How symbols are found: `proc-address` asks a function of the library itself,
	// `dynamic` looks up each symbol by name.
	Resolve Resolution `yaml:"resolve" jsonschema:"required" example:"dynamic"`
	// The function that resolves symbols, with proc-address.
	ProcAddress ProcAddress `yaml:"proc-address"`
	// What else libraries may call a symbol that they do not export under its own
	// name: a name with `{symbol}`, `{major}` and `{minor}` in it, tried for each
	// release that the package covers, the newest first.
	Versioned string `yaml:"versioned" rule:"versioned" example:"__{symbol}_{major}_{minor}"`
	// The name under which cuda.pathfinder knows the library. Without one, the
	// names under open are tried in order.
	Pathfinder string `yaml:"pathfinder" rule:"pathfinder" example:"cuda"`
	// The file names of the library.
	Open OpenNames `yaml:"open"`
	// The environment variable that asks for the per-thread default stream, if
	// there is one.
	PerThreadEnv string `yaml:"per-thread-env" rule:"identifier" example:"DEMO_PER_THREAD_DEFAULT_STREAM"`
}

// OpenNames lists the file names under which the library is opened, tried in
// order: the newest first.
type OpenNames struct {
	// On Linux: sonames, such as libdemo.so.1. The bare libdemo.so is a link for
	// developers, and users may lack it.
	Linux []string `yaml:"linux" jsonschema:"required,minItems=1,uniqueItems=true" rule:"shared" example:"libdemo.so.1"`
	// On Windows: names of DLLs.
	Windows []string `yaml:"windows" jsonschema:"required,minItems=1,uniqueItems=true" rule:"shared" example:"demo64_1.dll"`
}

// For lists the names on a platform, "linux" or "windows".
func (n *OpenNames) For(platform string) []string {
	if platform == "windows" {
		return n.Windows
	}
	return n.Linux
}

// ProcAddress describes a function of the library that is called as
// `f(name, &pointer, version, flags, NULL)` and returns zero for success.
type ProcAddress struct {
	// The function's symbol.
	Symbol string `yaml:"symbol" jsonschema:"required" rule:"identifier" example:"cuGetProcAddress_v2"`
	// The flags to ask with.
	Flags int `yaml:"flags" default:"0"`
	// The flags that ask for the per-thread default stream.
	PerThreadFlags int `yaml:"per-thread-flags" default:"0" example:"2"`
	// What a stand-in library answers for a function that it lacks: an enumerator.
	NotFound string `yaml:"not-found" rule:"identifier" example:"CUDA_ERROR_NOT_FOUND"`
	// What a stand-in library answers when a look-up fails: an enumerator.
	Failed string `yaml:"failed" rule:"identifier" example:"CUDA_ERROR_UNKNOWN"`
	// The status of a name that does not exist: an enumerator.
	StatusMissing string `yaml:"status-missing" rule:"identifier" example:"CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND"`
	// The status of a name that exists in newer versions only: an enumerator.
	StatusTooOld string `yaml:"status-too-old" rule:"identifier" example:"CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT"`
}

// ParseLibrary reads and checks a definition. file is the name for messages.
// The error is of type [*Error] or [Errors].
func ParseLibrary(file string, data []byte) (*Library, error) {
	var l Library
	doc, err := decode(file, data, &l)
	if err != nil {
		return nil, err
	}
	l.doc = doc
	if len(doc.errs) == 0 {
		l.check()
	}
	if err := doc.errs.err(); err != nil {
		return nil, err
	}
	return &l, nil
}

// check finds what is wrong with the definition in itself.
func (l *Library) check() {
	d := l.doc
	h := &l.Headers
	for _, name := range h.FamilyNames() {
		bound := false
		for i, header := range h.Families[name] {
			at := d.at("headers", "families", name, i)
			bound = bound || slices.Contains(h.Bind, header)
			if !slices.Contains(h.Bind, header) && !slices.Contains(h.Consult, header) {
				d.fail(at, "family %s: %q stands neither under bind nor under consult%s", name, header, hint(header, h.Bind, h.Consult))
			}
			if first := h.Family(header); first != name {
				d.fail(at, "family %s: %q is of family %s already", name, header, first)
			}
		}
		if !bound {
			d.fail(d.keyAt("headers", "families", name), "family %s: expected a header that stands under bind", name)
		}
	}
	for i, header := range h.Consult {
		if slices.Contains(h.Bind, header) {
			d.fail(d.at("headers", "consult", i), "consult: %q stands under bind already", header)
		}
	}
	for _, mode := range typeModes {
		for i, name := range l.Types.Exceptions.of(mode) {
			if first := l.Types.Of("", name); first != mode {
				d.fail(d.at("types", "exceptions", string(mode), i), "%s: %q is an exception of mode %s already", mode, name, first)
			}
		}
	}
	switch o := &l.Loader; {
	case o.Resolve == ByProcAddress && o.ProcAddress.Symbol == "":
		d.fail(d.keyAt("loader"), "resolve is proc-address: expected the function that resolves, under proc-address")
	case o.Resolve != ByProcAddress && o.ProcAddress.Symbol != "":
		d.fail(d.keyAt("loader", "proc-address"), "proc-address goes with resolve: proc-address")
	}
	if o := &l.Loader; o.Versioned != "" && o.Resolve != ByName {
		d.fail(d.keyAt("loader", "versioned"), "versioned goes with resolve: dynamic")
	}
	if o := &l.Loader; o.Pathfinder == "" && len(o.Open.Linux) == 0 {
		d.fail(d.keyAt("loader"), "expected a pathfinder name, or file names under open for linux and windows")
	}
	if snippet := l.Snippet; snippet != "" && strings.HasSuffix(snippet, ".yaml") {
		d.fail(d.at("snippet"), "snippet %q: expected a Cython file, such as %s.snippet.pyx", snippet, l.Name)
	}
}
