// Package config reads what a user writes: cybindgo.yaml, which says what
// packages there are, the definitions of libraries, which are built in or lie
// beside it, and the snippets of hand-written Cython that these name.
//
// It finds all that is wrong with a file, each with its place: first what breaks
// the file's shape, which the published JSON schemas say too, then what makes no
// sense in itself, and last what no history of a library bears out. The
// schemas and the reference in docs are made from the types here, by its tests.
//
// It decides nothing about what is emitted.
package config
