// Package cython reads Cython and Python source: tokens, logical lines nested
// by indentation, and from those the tree of package syntax. It is tolerant: it
// checks no types, resolves no names, and gives a Problem with a place for what
// it cannot read, in place of a guess.
package cython
