// Package golden holds small libraries and what must come out of them.
//
// A case is a txtar file in this folder. Its comment says which acceptance case
// it is and what it asserts. Its parts are headers, the library's definition,
// a project where the default one will not do, and the text that is wanted:
//
//	library.yaml                     the definition
//	cybindgo.yaml                    the project (default: everything in one package)
//	targets                          the platforms (default: those of ir)
//	languages                        what its headers can be compiled in (default: c c++)
//	1.0.0/kiln.h                     a header of release 1.0.0
//	1.0.0@windows-amd64/kiln.h       the same for a platform that has its own
//	want/cykiln.pxd                  an emitted file, whole
//	want/cykiln.pxd#functions        a section of it
//	want/facts, want/counts, ...     what the model says, see facts_test.go
//	want/errors                      the message, where nothing may be emitted
//
// Headers go the way that a user's go: from disk through internal/intake into a
// history, and from there through package emit. README.md lists every
// acceptance case and the test that holds it.
//
// The package has tests and nothing else. `go test ./golden -update` rewrites
// the wanted parts that a case has; to add one, write its name with nothing
// below it and update. tests/test_golden.py compiles and runs what comes out.
package golden
