// Package indextest is a package index for tests: it serves invented CUDA
// releases, and plays whatever an index can do wrong.
//
// Nothing but tests imports it.
package indextest
