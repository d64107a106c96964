// Package docs holds no code: its tests keep the documentation true. Commands
// that it shows are run and their output is compared, what it quotes has to be
// in the file that it is quoted from, and what can be listed is made from the
// source: `go test ./internal/docs -update` writes those parts anew.
package docs
