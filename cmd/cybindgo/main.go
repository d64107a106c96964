// Cybindgo reads CUDA's C headers and writes the Cython source that binds
// them. `cybindgo help` lists its commands; README.md has a tour.
package main

import (
	"os"

	"github.com/cybindgo/cybindgo/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdout, os.Stderr))
}
