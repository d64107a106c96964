// Package cache keeps headers that were fetched, in a folder of the user's.
//
// Contents are kept by their SHA-256, each once, however many releases share
// it. Records say which contents belong together. A folder tree for a compiler
// is made from both.
//
// Everything that is read is checked, so that a damaged file counts as missing
// and is fetched again. Everything is written beside its place and renamed, so
// that several processes can use one cache, and one that is killed leaves
// nothing half-written. [Cache.Lock] only spares two processes the same work.
//
// It fetches nothing and knows nothing of releases and wheels.
package cache
