package config

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// Library is the definition of one library: what headers cannot say about it.
type Library struct {
	Name  string `yaml:"library"`
	Title string `yaml:"title"`

	Headers   Headers           `yaml:"headers"`
	Public    Naming            `yaml:"public-names"`
	Types     TypeModes         `yaml:"types"`
	Results   map[string]string `yaml:"results"` // result type to the value after `except?`
	Constants map[string]int    `yaml:"constants"`
	Exclude   map[string]string `yaml:"exclude"` // functions that are not bound, by public name, and why
	Loader    Loader            `yaml:"loader"`
}

// Headers says how the library's headers are read.
type Headers struct {
	Bind     []string `yaml:"bind"`     // what they declare is bound
	Consult  []string `yaml:"consult"`  // read for facts about what is bound
	Optional []string `yaml:"optional"` // may be missing on a platform
	Defines  []string `yaml:"defines"`
	// InternalView and PerThreadView are macros under which the headers show
	// superseded symbols, and the per-thread default stream's symbols.
	InternalView  string       `yaml:"internal-view"`
	PerThreadView string       `yaml:"per-thread-view"`
	QueryPrefix   string       `yaml:"query-prefix"` // of typedefs PREFIX<base>_v<version> that tell a symbol's version
	Version       VersionMacro `yaml:"version"`
}

// VersionMacro is the macro that holds the release: Major*major + Minor*minor.
type VersionMacro struct {
	Macro string `yaml:"macro"`
	Major int    `yaml:"major"`
	Minor int    `yaml:"minor"`
}

// Naming is the library's policy for public names.
type Naming string

// BaseNames publishes cuMemAlloc for the symbol cuMemAlloc_v2.
const BaseNames Naming = "base"

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

var typeModes = []TypeMode{Extern, Inline, Cython}

// TypeModes is a mode for each header and exceptions for single types.
type TypeModes struct {
	Default TypeMode              `yaml:"default"`
	Headers map[string]TypeMode   `yaml:"headers"`
	Types   map[TypeMode][]string `yaml:"exceptions"`
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
		if slices.Contains(m.Types[mode], name) {
			return mode
		}
	}
	if mode, ok := m.Headers[header]; ok {
		return mode
	}
	return m.Default
}

// Loader says how functions are found at run time.
type Loader struct {
	// Resolve is proc-address (the library resolves its own symbols) or
	// dynamic (each symbol is looked up by name).
	Resolve     string      `yaml:"resolve"`
	ProcAddress ProcAddress `yaml:"proc-address"`
	// Pathfinder is the name under which cuda.pathfinder knows the library;
	// without one, the names in Open are tried in order.
	Pathfinder string              `yaml:"pathfinder"`
	Open       map[string][]string `yaml:"open"` // "linux" and "windows" to file names
	// PerThreadEnv is the environment variable that asks for the per-thread
	// default stream.
	PerThreadEnv string `yaml:"per-thread-env"`
}

// ProcAddress describes a function of the library that is called as
// f(name, &pointer, version, flags, NULL) and returns zero for success.
type ProcAddress struct {
	Symbol         string `yaml:"symbol"`
	Flags          int    `yaml:"flags"`
	PerThreadFlags int    `yaml:"per-thread-flags"`
	// What a stand-in answers, as enumerators: the result for a name that is
	// not found and for a look-up that fails, the status for a name that does
	// not exist and for one that exists in newer versions only.
	NotFound      string `yaml:"not-found"`
	Failed        string `yaml:"failed"`
	StatusMissing string `yaml:"status-missing"`
	StatusTooOld  string `yaml:"status-too-old"`
}

//go:embed libraries/*.yaml
var definitions embed.FS

// LibraryNames lists the libraries that have a definition, in order.
var LibraryNames = sync.OnceValue(func() []string {
	entries, err := definitions.ReadDir("libraries")
	if err != nil {
		panic(err) // the folder is embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
})

// LoadLibrary reads an embedded definition.
func LoadLibrary(name string) (*Library, error) {
	file := "libraries/" + name + ".yaml"
	data, err := definitions.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("library %q: expected one of %s%s", name, strings.Join(LibraryNames(), ", "), suggest.Hint(name, LibraryNames()))
	}
	return ParseLibrary(file, data)
}

// ParseLibrary reads and checks a definition. file is the name for messages.
func ParseLibrary(file string, data []byte) (*Library, error) {
	var l Library
	if err := decode(file, data, &l); err != nil {
		return nil, err
	}
	at := locator(file, data)
	oneOf := func(path, what, got string, valid ...string) error {
		if slices.Contains(valid, got) {
			return nil
		}
		return at(path, "%s %q: expected one of %s%s", what, got, strings.Join(valid, ", "), suggest.Hint(got, valid))
	}
	switch {
	case l.Name == "":
		return nil, at("$", "expected a name under \"library\"")
	case len(l.Headers.Bind) == 0:
		return nil, at("$.headers", "expected headers to bind")
	}
	if err := oneOf("$.public-names", "public-names", string(l.Public), string(BaseNames)); err != nil {
		return nil, err
	}
	if err := oneOf("$.loader.resolve", "resolve", l.Loader.Resolve, "proc-address", "dynamic"); err != nil {
		return nil, err
	}
	if l.Loader.Resolve == "proc-address" && l.Loader.ProcAddress.Symbol == "" {
		return nil, at("$.loader", "expected the symbol under proc-address")
	}
	if l.Loader.Pathfinder == "" && (len(l.Loader.Open["linux"]) == 0 || len(l.Loader.Open["windows"]) == 0) {
		return nil, at("$.loader", "expected a pathfinder name, or file names under open for linux and windows")
	}
	modes := map[string]TypeMode{"$.types.default": l.Types.Default}
	for header, mode := range l.Types.Headers {
		modes["$.types.headers.'"+header+"'"] = mode
	}
	for mode := range l.Types.Types {
		modes["$.types.exceptions."+string(mode)] = mode
	}
	for _, path := range slices.Sorted(maps.Keys(modes)) {
		mode := modes[path]
		if err := oneOf(path, "type mode", string(mode), string(Extern), string(Inline), string(Cython)); err != nil {
			return nil, err
		}
	}
	return &l, nil
}
