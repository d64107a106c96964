// Package cgen writes C from the model: declarations and complete type
// definitions ([Declare], [Definitions]), the source of a stand-in library that
// exports what a release exports ([Stub]), and a file of static assertions with
// which a C compiler confirms or refutes the model against the real headers
// ([Assertions]; [Plant] makes the wrong models that it has to refuse).
//
// Definitions are valid C11 and C++11 and reproduce the recorded layout
// exactly: a record whose recorded layout is not the natural one is packed,
// aligned or padded until a simulation of the target's rules gives the recorded
// numbers, and one that cannot be written so is an error.
//
// The package is not the binding emitter: it writes no Cython (package emit),
// reads no headers (package parser) and runs no compiler. It performs no I/O
// but for the templates that are embedded in package templates.
package cgen
