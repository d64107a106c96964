package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/guard"
)

func newCheck(p *project) *cobra.Command {
	var show reporting
	var diffLines int
	cmd := &cobra.Command{
		Use:   "check [LIB...]",
		Short: "Compare the files on disk with what would be generated",
		Long: `Check generates in memory and compares. It writes nothing, and needs neither
headers nor a network. The exit code is 1 if it finds a file that is

  missing     the configuration asks for it
  changed     as cybindgo wrote it, but something else would be written now
  edited      its seal does not match: somebody worked in it
  line-ends   as generated, but for CRLF line ends
  stale       cybindgo wrote it once, and generates it no more
  unknown     in a package's folder and marked as generated, but edited since or
              another program's

Changed and edited files come with the first line that differs and a diff, from
what is on disk (-) to what would be generated (+).`,
		Example: "  cybindgo check\n  cybindgo check --format github        # annotations in a GitHub workflow\n  cybindgo check driver --diff-lines=0  # no diffs",
		RunE: func(cmd *cobra.Command, args []string) error {
			if diffLines < finding.AllLines {
				return fmt.Errorf("diff-lines %d: expected a number of lines, 0 for no diffs or %d for all", diffLines, finding.AllLines)
			}
			root, out, states, err := generated(p, args, &source{})
			if err != nil {
				return err
			}
			name := func(path string) string { return shownPath(filepath.Join(root, filepath.FromSlash(path))) }
			return show.print(cmd, guard.Drift(out, states, name, diffLines != 0), diffLines)
		},
	}
	show.flag(cmd)
	cmd.Flags().IntVar(&diffLines, "diff-lines", 40, "most lines to print of each file's diff; 0: no diffs, -1: all. JSON holds them whole")
	return cmd
}
