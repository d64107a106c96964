package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/finding"
)

// reporting is how a command prints its findings.
type reporting struct {
	format finding.Format
}

// flag adds --format to a command.
func (o *reporting) flag(cmd *cobra.Command) {
	o.format = finding.Text
	cmd.Flags().Var(&o.format, "format", "how to print findings: text, json, github or sarif")
	// Nothing but a misuse of cobra makes this fail.
	_ = cmd.RegisterFlagCompletionFunc("format", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"text", "json", "github", "sarif"}, cobra.ShellCompDirectiveNoFileComp
	})
}

// print prints what a command found. The error is errFound if that is worse
// than notes.
func (o *reporting) print(cmd *cobra.Command, r *finding.Report, diffLines int) error {
	if err := r.Print(cmd.OutOrStdout(), o.format, diffLines); err != nil {
		return err
	}
	if finding.Failed(r.Findings) {
		return errFound
	}
	return nil
}

// shownPath is a path for people and programs: with slashes, and relative to
// the current folder where it lies below that.
func shownPath(name string) string {
	if filepath.IsAbs(name) {
		if dir, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(dir, name); err == nil && !strings.HasPrefix(rel, "..") {
				name = rel
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(name))
}
