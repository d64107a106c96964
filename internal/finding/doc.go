// Package finding holds the one type in which everything that inspects files
// says what it found, and prints findings for people, programs, GitHub and
// code scanners. It inspects nothing itself.
package finding
