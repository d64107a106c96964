// Package templates holds the text of what is emitted: the only place where
// Cython and C are written. Logic lives in the packages that execute them.
package templates

import "embed"

// FS holds every template.
//
//go:embed *.tmpl
var FS embed.FS
