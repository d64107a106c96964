// Package ir is the model of a C API: what one release of one library declares
// (a [Snapshot]), how that moved over many releases (a [History]), and the
// JSON that a history is committed as.
//
// The model knows C and releases. It knows nothing of Cython (package emit),
// of header files on disk (internal/headers) or of how a header is parsed
// (package parser). It performs no I/O: histories are decoded from bytes and
// encoded to bytes.
package ir
