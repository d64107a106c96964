package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/emit"
)

func newCheck(p *project) *cobra.Command {
	return &cobra.Command{
		Use:   "check [LIB...]",
		Short: "Compare the files on disk with what would be generated",
		Long:  "Check generates in memory and compares. Missing, changed, hand-edited and stale\nfiles are listed, and the exit code is then 1.",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, _, states, err := generated(p, args, &source{})
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			drift := 0
			for _, s := range states {
				switch s.State {
				case emit.Same:
					continue
				case emit.Missing:
					fmt.Fprintf(w, "%s: missing; run `cybindgo generate`\n", s.Path)
				case emit.Changed:
					fmt.Fprintf(w, "%s: differs from what is generated; run `cybindgo generate`\n", s.Path)
				case emit.Edited:
					fmt.Fprintf(w, "%s: %v; restore it, or `cybindgo generate --force`\n", s.Path, s.Seal)
				case emit.Stale:
					fmt.Fprintf(w, "%s: stale: it is generated no more; delete it\n", s.Path)
				}
				drift++
			}
			if drift > 0 {
				fmt.Fprintf(w, "%d of %d files are not as generated\n", drift, len(states))
				return errFound
			}
			fmt.Fprintf(w, "%d files are as generated\n", len(states))
			return nil
		},
	}
}
