// Package pack writes archives that come out the same every time: zip, tar.gz,
// and wheels of Python on top of zip.
//
// What goes in is held in memory, and nothing of the machine comes in: members
// are in the order of their names, times are one time, owners are nobody. The
// same version of Go gives the same bytes for the same input; another one may
// compress otherwise.
//
// It does not build anything and knows no platform: that is cmd/mkdist's part.
// Wheels are read by internal/dist and internal/headers.
package pack
