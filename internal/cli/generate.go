package cli

import (
	"fmt"
	"io"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/finding"

	"github.com/cybindgo/cybindgo/emit"
)

func newGenerate(p *project) *cobra.Command {
	var dryRun, force bool
	var from source
	cmd := &cobra.Command{
		Use:   "generate [LIB...]",
		Short: "Write the bindings of every package",
		Long:  "Generate writes the files of every package in the configuration and prints what\nchanged. A file that was edited by hand is listed and left alone, and the exit code\nis 1, unless --force is given.",
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out, states, err := generated(p, args, &from)
			if err != nil {
				return err
			}
			if dryRun {
				return printDiffs(cmd.OutOrStdout(), out, states)
			}
			if err := emit.Write(root, out, states, force); err != nil {
				return err
			}
			return reportWritten(cmd.OutOrStdout(), cmd.ErrOrStderr(), out, states, force)
		},
	}
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "n", false, "print a diff of what would change; write nothing")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite files that were edited by hand")
	cmd.Flags().StringArrayVar(&from.paths, "headers", nil, "take the one library named from these headers, not from its history")
	cmd.Flags().StringVar(&from.release, "release", "", "with --headers: the release that they are of")
	cmd.Flags().StringArrayVar(&from.targets, "target", nil, "with --headers: the platforms to read them for (default: all)")
	cmd.Flags().BoolVar(&from.publicOnly, "public-only", false, "with --headers: do not look for per-thread symbols")
	return cmd
}

// generated makes the files in memory and compares them with the disk.
func generated(p *project, libraries []string, from *source) (root string, out *emit.Output, states []emit.FileState, err error) {
	in, root, err := p.loadFrom(libraries, from)
	if err != nil {
		return "", nil, nil, err
	}
	if out, err = emit.Generate(in, libraries...); err != nil {
		return "", nil, nil, err
	}
	states, err = emit.Compare(root, out)
	return root, out, states, err
}

func reportWritten(stdout, stderr io.Writer, out *emit.Output, states []emit.FileState, force bool) error {
	same, written, edited := 0, 0, 0
	for _, s := range states {
		switch {
		case s.State == emit.Same:
			same++
		case s.State == emit.Stale:
			fmt.Fprintf(stdout, "stale      %s (generated no more; delete it)\n", s.Path)
		case s.State == emit.Unknown:
			fmt.Fprintf(stdout, "unknown    %s (marked as generated, and not by this project; see `cybindgo check`)\n", s.Path)
		case s.State == emit.Edited && !force:
			edited++
			fmt.Fprintf(stdout, "kept       %s (%v)\n", s.Path, s.Seal)
		case s.State == emit.Missing:
			written++
			fmt.Fprintf(stdout, "created    %s\n", s.Path)
		default:
			written++
			fmt.Fprintf(stdout, "updated    %s\n", s.Path)
		}
	}
	if written > 0 {
		for _, note := range out.Notes {
			fmt.Fprintf(stderr, "note: %s\n", note)
		}
	}
	fmt.Fprintf(stdout, "%s written, %d unchanged\n", finding.Count(written, "file"), same)
	if edited > 0 {
		fmt.Fprintf(stderr, "cybindgo: edited by hand and left alone: %s; move the edits into a snippet or drop them, then run again with --force\n", finding.Count(edited, "file"))
		return errFound
	}
	return nil
}

// printDiffs shows what generating would change.
func printDiffs(w io.Writer, out *emit.Output, states []emit.FileState) error {
	for _, s := range states {
		if s.State == emit.Same || !s.State.Generated() {
			continue
		}
		old := "a/" + s.Path
		if s.State == emit.Missing {
			old = "/dev/null"
		}
		fmt.Fprint(w, udiff.Unified(old, "b/"+s.Path, string(s.Old), string(out.Files[s.Path])))
	}
	return nil
}
