// Package diffpage writes what changed between two releases as one page for a
// browser: nothing is loaded from elsewhere, and it can be read without its
// script. It does not compare releases; that is package ir's.
package diffpage
