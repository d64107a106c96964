// Package align compares the two platform files of a loader, ours or another
// program's: which functions, signatures, symbol versions and statements of one
// the other does not have. It works on tokens, so that white space, comments and
// line numbers do not count, and gives both places of each difference.
//
// What belongs to a platform is passed over. Our files mark it, in regions
// between `/* platform: linux */` and `/* platform: end */`; the rest must be
// equal, statement by statement. Files without marks are compared function by
// function, without the statements that call a platform's own functions
// (dlopen, LoadLibrary and their like); a look-up of a symbol by dlsym is that
// by GetProcAddress.
//
// The package builds nothing and knows nothing of configurations: package emit
// compares what it is about to write by itself, byte by byte.
package align
