// Package csource reads C and C++ source as it stands in verbatim blocks and
// small headers: tokens, the branches of conditional compilation, macros, and
// from those the tree of package syntax. It is tolerant like internal/cython: it
// checks no types and includes no file, and gives a Problem with a place for
// what it cannot read. It is no front end for CUDA's headers, which have
// package parser.
package csource
