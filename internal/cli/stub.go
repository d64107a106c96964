package cli

import (
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
)

func newStub(p *project) *cobra.Command {
	var release string
	cmd := &cobra.Command{
		Use:   "stub LIB",
		Short: "Print C source of a stand-in library for tests",
		Long:  "Stub prints C source of a library that exports every symbol of a release, records\nits calls and arguments, and can be told what to return and what to lack. Build it\nwith `cc -shared -fPIC -o libcuda.so.1 stub.c`.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			libraries, root, err := p.libraries()
			if err != nil {
				return err
			}
			lib, err := libraries.Load(args[0])
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
			snapshot, err := history.At(release)
			if err != nil {
				return err
			}
			source, err := cgen.Stub(snapshot, stubOptions(lib, snapshot))
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(source)
			return err
		},
	}
	cmd.Flags().StringVarP(&release, "release", "r", "", "the release to stand in for (default: the newest)")
	return cmd
}

// stubOptions is what a definition says of a stand-in. A release from before the
// function that resolves symbols is asked for each by name.
func stubOptions(lib *config.Library, s *ir.Snapshot) cgen.StubOptions {
	opts := cgen.StubOptions{}
	if p := lib.Loader.ProcAddress; lib.Loader.Resolve == config.ByProcAddress && s.Exports(p.Symbol) {
		opts.ProcAddress = &cgen.ProcAddress{
			Symbol: p.Symbol, PerThreadFlags: p.PerThreadFlags,
			NotFound: p.NotFound, Failed: p.Failed, StatusMissing: p.StatusMissing, StatusTooOld: p.StatusTooOld,
		}
	}
	return opts
}
