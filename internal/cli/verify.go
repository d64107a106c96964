package cli

import (
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/guard"
)

func newVerify() *cobra.Command {
	var show reporting
	var all bool
	cmd := &cobra.Command{
		Use:   "verify PATH...",
		Short: "Check the seals of generated files",
		Long: `Verify checks the seals of files, those of published cuda.bindings packages as
well as ours. It needs no configuration. The exit code is 1 if a seal is

  no-seal          missing
  two-seals        there twice
  malformed-seal   not one that can be read
  broken-seal      not that of the content: the file was edited
  line-ends        right, but for CRLF line ends

A file that is named must have a seal. A folder is walked, and the files in it
that have a seal are checked: sources of Cython, Python and C (.pyx, .pxd, .pxi,
.py, .pyi, .toml, .c, .h, .cc, .cpp, .cxx, .hpp, and templates of them that end
in .in), but for hidden folders and caches. With --all every such file must have
a seal.`,
		Example: "  cybindgo verify generated\n  cybindgo verify .venv/lib/python3.13/site-packages/cuda/bindings",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := guard.Seals(args, all)
			if err != nil {
				return err
			}
			for i := range r.Findings {
				f := &r.Findings[i]
				f.File = shownPath(f.File)
				for j := range f.Related {
					f.Related[j].File = shownPath(f.Related[j].File)
				}
			}
			return show.print(cmd, r, finding.AllLines)
		},
	}
	show.flag(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "in folders, report files without a seal as well")
	return cmd
}
