// Package scaffold writes the first files of a project: its configuration, and
// the definition of a library of its own, as far as headers tell it.
//
// What it says of a library is a guess that a person looks over: that is why the
// texts have comments. It reads nothing and writes nothing to disk.
package scaffold
