// Package parser reads the C headers of a CUDA library into the model of
// package ir, for one target at a time.
//
// It is hermetic. The C front end is modernc.org/cc/v4, in Go; system headers
// are small stubs of our own (stubs/), the compiler's predefined macros stand
// in a table (target.go), and no compiler, environment variable or file of the
// host is looked at. The same headers give the same model everywhere.
//
// Types are taken from the syntax, not from the front end's type checker,
// because only the syntax keeps what a binding has to repeat: typedef names,
// const at every level, arrays in parameters, calling conventions. The checker
// gives what has to be computed: values, sizes, alignments, offsets.
//
// A library may show different functions under different macros. The public
// view is translated whole. The internal view (superseded symbols) is
// translated too, but only functions that the public view lacks are taken from
// it. The view with a per-thread default stream differs in macros alone, so
// its directives are preprocessed without any declaration. See [Config].
//
// Nothing is dropped in silence: a declaration that cannot be bound is an
// [Omission] with a place and a reason, and a macro without a value is kept
// with the reason.
//
// The package knows nothing of Cython, of where headers come from, or of
// other releases.
package parser
