// Package fetch brings headers of CUDA releases from a package index into the
// cache.
//
// A release is what the meta-package cuda-toolkit pins: exact versions of
// components. Of a component's wheel, which may have hundreds of megabytes,
// only the headers are read, by a few ranges; a small wheel, or one from a
// server that gives no ranges, is downloaded whole, and its SHA-256 compared
// with the index's. What was fetched once is not fetched again, and needs no
// network.
//
// It parses no headers, and does not know what a library needs but for a list
// of packages.
package fetch
