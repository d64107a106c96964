// Package syntax holds what the readers of Cython and of C have in common:
// tokens with places, and one tree of expressions and statements, so that a
// flow from Python through Cython into a verbatim C block is followed as one.
// It reads nothing: see internal/cython and internal/csource. It keeps what
// matters for following state and drops the rest, so nothing can be printed
// back from it.
package syntax
