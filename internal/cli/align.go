package cli

import (
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/align"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/textfile"
)

func newAlign() *cobra.Command {
	var show reporting
	cmd := &cobra.Command{
		Use:   "align LINUX WINDOWS",
		Short: "Compare two platform files outside of platform code",
		Long: `Align compares the two platform files of a loader and reports functions, signatures,
symbols, symbol versions, statements and declarations that one has and the other has
not, with both places. White space and comments do not count.

Platform code is passed over: regions between /* platform: NAME */ and
/* platform: end */ where a file has them; in other files, such as published ones,
statements that call a platform's own functions (dlopen, LoadLibrary), while a
look-up by dlsym and one by GetProcAddress are the same. Functions of platform code
that differ are notes.

The exit code is 1 if anything but notes is found.`,
		Example: "  cybindgo align _internal/driver_linux.pyx _internal/driver_windows.pyx",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			files := map[string][]byte{}
			names := make([]string, len(args))
			for i, arg := range args {
				data, err := textfile.Read(arg)
				if err != nil {
					return err
				}
				names[i] = shownPath(arg)
				files[names[i]] = data
			}
			r, err := align.Files(names[0], files[names[0]], names[1], files[names[1]])
			if err != nil {
				return err
			}
			r.Source = func(file string) []byte { return files[file] }
			return show.print(cmd, r, finding.AllLines)
		},
	}
	show.flag(cmd)
	return cmd
}
