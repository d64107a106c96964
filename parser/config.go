package parser

import (
	"io/fs"

	"github.com/cybindgo/cybindgo/ir"
)

// Config says what to read and how.
type Config struct {
	// FS holds the headers of one release, by the names that programs include
	// them under: "cuda.h", "crt/host_defines.h".
	FS fs.FS
	// Display turns a header's name into what messages show, such as a path on
	// disk. Without it they show the name.
	Display func(name string) string
	// Searched lists the places behind FS, for messages about missing headers.
	Searched []string

	Target ir.Target

	// Roots are the headers to include, in order. A root may be a stub
	// ("vdpau/vdpau.h"): some headers leave an include to their users.
	Roots []string
	// Optional are roots that a platform may lack.
	Optional []string
	// Consult are headers that are read for facts about the others' symbols;
	// their own declarations are not bound. Missing ones are passed over.
	Consult []string
	// Defines are macros to define first, as NAME or NAME=VALUE.
	Defines []string

	// InternalView is a macro that makes the headers show superseded symbols
	// too. Empty if there is none.
	InternalView string
	// PerThreadView is a macro that makes names lead to the symbols with a
	// per-thread default stream. Empty if there is none.
	PerThreadView string
	// QueryPrefix begins the typedefs of Consult headers that tell the version
	// of each symbol: PFN_ for PFN_cuMemAlloc_v3020. Empty if there are none.
	QueryPrefix string
	// PublicOnly leaves out the internal and the per-thread view.
	PublicOnly bool
}

// Result is what the headers said.
type Result struct {
	API *ir.API
	// Declared counts the functions that the bound headers declare in the
	// public view: those in API that are not superseded, and those in Omitted
	// that are functions.
	Declared int
	// Omitted are the declarations that cannot be bound, in the order of the
	// headers.
	Omitted []Omission
	// Notices are remarks on what is bound, in the order of the headers.
	Notices []Notice
	// Files are the headers that were read from FS, in the order in which they
	// were first included.
	Files []string
}

// Omission is a declaration that is left out.
type Omission struct {
	Pos      ir.Position
	Name     string
	Function bool
	Reason   string
}

// Notice is a remark on a declaration that is bound.
type Notice struct {
	Pos  ir.Position
	Text string
}

func (c *Config) display(name string) string {
	if c.Display == nil {
		return name
	}
	return c.Display(name)
}
