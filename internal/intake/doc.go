// Package intake makes a snapshot of one release from header sources: it
// opens them, parses them once for each target, puts the targets together and
// checks that the headers are those of the release that they are said to be.
//
// It changes no history and writes nothing.
package intake
