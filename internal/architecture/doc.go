// Package architecture holds no code: its test keeps imports going one way,
// from headers to what is generated.
package architecture
