package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/cgen"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

// views are the looks at a library's headers that a proof can be made for.
var views = map[string]cgen.View{"public": cgen.Public, "internal": cgen.Internal, "per-thread": cgen.PerThread}

func newReleasesProve(p *project) *cobra.Command {
	var target, view string
	cmd := &cobra.Command{
		Use:   "prove RELEASE LIB",
		Short: "Print C that a compiler checks against the real headers",
		Long:  "Prove prints a C file that includes the library's real headers and asserts all that\nthe history says of a release: the type of every function, every enumerator and\nconstant, every size, alignment and offset. gcc and clang accept it if the history is\nright, and name each fact that is wrong.",
		Example: "  cybindgo releases prove 13.5.0 driver > proof.c\n" +
			"  clang -O1 -c -I /usr/local/cuda/include proof.c -o proof.o",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			release, name := args[0], args[1]
			libraries, root, err := p.libraries()
			if err != nil {
				return err
			}
			lib, err := libraries.Load(name)
			if err != nil {
				return err
			}
			names := []string{"public", "internal", "per-thread"}
			if !slices.Contains(names, view) {
				return fmt.Errorf("view %q: expected one of %v%s", view, names, suggest.Hint(view, names))
			}
			history, err := loadHistory(root, name)
			if err != nil {
				return err
			}
			s, err := history.At(release)
			if err != nil {
				return err
			}
			t, err := ir.ParseTarget(target)
			if err != nil {
				return err
			}
			if !slices.Contains(s.Targets, t) {
				return fmt.Errorf("target %q: %s %s was read for %v", target, name, release, s.Targets)
			}
			opts := cgen.AssertOptions{View: views[view], Defines: lib.Headers.Defines, Includes: lib.Headers.Bind}
			switch opts.View {
			case cgen.Internal:
				opts.Defines = append(opts.Defines, lib.Headers.InternalView)
			case cgen.PerThread:
				opts.Defines = append(opts.Defines, lib.Headers.PerThreadView)
			}
			_, err = cmd.OutOrStdout().Write(cgen.Assertions(s.For(t), t, opts))
			return err
		},
	}
	cmd.Flags().StringVarP(&target, "target", "t", string(ir.DefaultTargets[0]), "the platform to prove")
	cmd.Flags().StringVar(&view, "view", "public", "what the headers show: public, internal or per-thread")
	return cmd
}
