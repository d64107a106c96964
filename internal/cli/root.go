package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitClean = 0 // did what was asked, found nothing
	exitFound = 1 // found something: drift, a hand edit, a difference
	exitError = 2 // could not run: usage, configuration, headers, input and output
)

// errFound ends a command that has reported what it found.
var errFound = errors.New("found something")

// Run executes a command line and gives back the exit code.
func Run(args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			// Nobody should see this. If somebody does, the trace is what helps.
			fmt.Fprintf(stderr, "cybindgo: this is a bug, please report it: %v\n%s", r, debug.Stack())
			code = exitError
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errFound):
		return exitFound
	}
	fmt.Fprintf(stderr, "cybindgo: %v\n", err)
	return exitError
}

// Commands is the command line as cobra knows it, for whoever writes man pages
// and completions of it.
func Commands() *cobra.Command { return newRoot() }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "cybindgo",
		Short:         "Write thread-safe Cython bindings from CUDA's C headers",
		Long:          "Cybindgo reads CUDA's C headers and writes the Cython source that binds them:\nsafe on free-threaded Python, the same on Linux and Windows but for marked lines,\nsealed with a content hash.\n\nExit codes: 0 clean, 1 found something, 2 could not run.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       ownVersion(),
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	var p project
	root.PersistentFlags().StringVarP(&p.config, "config", "c", "", "the project's configuration (default: cybindgo.yaml here or in a parent folder)")
	root.AddCommand(newInit(&p), newGenerate(&p), newCheck(&p), newVerify(), newAlign(), newReleases(&p), newStub(&p), newDiff(&p), newInspect(&p), newMinVersion(&p), newSince(&p), newHeaders(&p), newUpdate(&p))
	return root
}
