// Package cli is the command line: one file a command, flags in, exit code
// out. What commands do is in the packages that they call; only the reading
// of a project from disk and the words for the terminal are here.
package cli
