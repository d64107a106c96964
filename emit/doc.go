// Package emit turns the model into files: it applies a library's definition
// to the union of a range of releases, prepares the values that templates
// print, seals every file, and compares or writes the result.
//
// [Generate] is a pure function from configuration and history to bytes. Only
// [Write] touches the disk. The Cython text itself stands in package
// templates, C text comes from internal/cgen, and nothing here knows a
// library by name.
package emit
