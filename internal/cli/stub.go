package cli

import (
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/config"
)

func newStub(p *project) *cobra.Command {
	var release string
	cmd := &cobra.Command{
		Use:   "stub LIB",
		Short: "Print C source of a stand-in library for tests",
		Long:  "Stub prints C source of a library that exports every symbol of a release, records\nits calls and arguments, and can be told what to return and what to lack. Build it\nwith `cc -shared -fPIC -o libcuda.so.1 stub.c`.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := libraryArgs(args, config.LibraryNames()); err != nil {
				return err
			}
			root, err := p.root()
			if err != nil {
				return err
			}
			history, err := loadHistory(root, args[0])
			if err != nil {
				return err
			}
			if release == "" {
				release = history.Releases[len(history.Releases)-1].Label
			}
			_, err = history.At(release)
			return err
		},
	}
	cmd.Flags().StringVarP(&release, "release", "r", "", "the release to stand in for (default: the newest)")
	return cmd
}
