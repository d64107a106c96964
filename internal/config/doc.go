// Package config reads what a user writes: cybindgo.yaml, which says what
// packages there are, and the definitions of libraries, which are embedded.
//
// It checks what can be checked without headers or history, and reports
// mistakes with their place in the file. It decides nothing about what is
// emitted.
package config
