// Package index is a client of Python package indexes: the simple repository
// API, as JSON (PEP 691) and as HTML (PEP 503), and the files that it lists,
// whole or by ranges.
//
// Where the index is, whom to trust and by which proxy to go is what pip and uv
// are told: [Locate] reads their settings. No index is written down here; where
// none is set, pip or uv themselves are asked which one they use.
//
// An index is far away and may be ill. Every request has bounds in time and
// size, is tried again where that may help, and ends in an [*Error] that names
// the place without the secrets in it.
//
// The package knows nothing of CUDA, wheels' contents or the cache.
package index
