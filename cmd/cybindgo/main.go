// Cybindgo reads CUDA's C headers and writes the Cython source that binds
// them. `cybindgo help` lists its commands; README.md has a tour.
package main

import (
	"os"
	"runtime/debug"

	"github.com/cybindgo/cybindgo/internal/cli"
)

func main() {
	// The program lives for a fraction of a second and makes mostly what it
	// keeps: collecting less often takes a fifth off its time.
	debug.SetGCPercent(400)
	os.Exit(cli.Run(os.Args[1:], os.Stdout, os.Stderr))
}
