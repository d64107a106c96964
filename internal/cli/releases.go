package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/ir"
)

func newReleases(p *project) *cobra.Command {
	cmd := &cobra.Command{Use: "releases", Short: "The committed history of each library's API"}
	cmd.AddCommand(newReleasesAdd(p), newReleasesList(p), newReleasesProve(p))
	return cmd
}

func newReleasesAdd(p *project) *cobra.Command {
	var add addition
	cmd := &cobra.Command{
		Use:   "add RELEASE [LIB...] --headers PATH...",
		Short: "Read the headers of a release into the history",
		Long:  "Add reads the headers of a release and enters what they declare into\nreleases/LIB.json. PATH is a folder of headers, a toolkit's root, or a wheel; give\n--headers once for each. OS/ARCH=PATH names headers of another platform; without\nthem Linux headers stand in.\n\nAdding a release that is there already changes nothing. If the headers say\nsomething else than before, the difference is shown and the exit code is 1, unless\n--replace is given.",
		Example: "  cybindgo releases add 13.5.0 --headers /usr/local/cuda\n" +
			"  cybindgo releases add 13.5.0 driver --headers cuda_runtime.whl --headers cuda_profiler_api.whl",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			add.release = args[0]
			for _, a := range args[1:] {
				// Several paths after one flag arrive here.
				if !slices.Contains(config.LibraryNames(), a) && isPath(a) {
					add.paths = append(add.paths, a)
				} else {
					add.libraries = append(add.libraries, a)
				}
			}
			return add.run(cmd, p)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&add.paths, "headers", nil, "where the headers are: PATH, or OS/ARCH=PATH for another platform's")
	f.StringVar(&add.date, "date", "", "the day of publication, YYYY-MM-DD")
	f.BoolVar(&add.replace, "replace", false, "let the headers replace what the history says of the release")
	return cmd
}

func isPath(s string) bool {
	_, err := os.Stat(s)
	return err == nil || strings.ContainsAny(s, `/\=.`)
}

// addition is one run of `releases add`.
type addition struct {
	release, date string
	libraries     []string
	paths         []string
	replace       bool
}

func (a *addition) run(cmd *cobra.Command, p *project) error {
	root, err := p.root()
	if err != nil {
		return err
	}
	if len(a.libraries) == 0 {
		a.libraries = config.LibraryNames()
	} else if err := libraryArgs(a.libraries, config.LibraryNames()); err != nil {
		return err
	}
	sources, err := headerPaths(a.paths)
	if err != nil {
		return err
	}
	found := false
	for _, name := range a.libraries {
		err := a.library(cmd, root, name, sources)
		if errors.Is(err, errFound) {
			found = true
		} else if err != nil {
			return err
		}
	}
	if found {
		return errFound
	}
	return nil
}

// headerPaths sorts the --headers flags by target.
func headerPaths(flags []string) (map[ir.Target][]string, error) {
	sources := map[ir.Target][]string{}
	for _, f := range flags {
		target := ir.Target("")
		if t, path, ok := strings.Cut(f, "="); ok {
			if _, err := os.Stat(f); err != nil { // a path may have an equals sign in it
				var err error
				if target, err = ir.ParseTarget(t); err != nil {
					return nil, fmt.Errorf("--headers %s: %w", f, err)
				}
				f = path
			}
		}
		sources[target] = append(sources[target], f)
	}
	if len(sources[""]) == 0 {
		return nil, errors.New("expected --headers PATH: a folder of headers, a toolkit's root or a wheel")
	}
	return sources, nil
}

func (a *addition) library(cmd *cobra.Command, root, name string, sources map[ir.Target][]string) error {
	lib, err := config.LoadLibrary(name)
	if err != nil {
		return err
	}
	history, err := historyOrNew(root, name)
	if err != nil {
		return err
	}
	result, err := intake.Read(intake.Request{
		Library: lib, Release: a.release, Date: a.date, Targets: ir.DefaultTargets, Headers: sources,
	})
	if err != nil {
		return err
	}
	before := history.Encode()
	known := history.Has(a.release)
	if known {
		old, err := history.At(a.release)
		if err != nil {
			return err
		}
		if a.date == "" {
			result.Snapshot.Release.Date = old.Release.Date
		}
		if err := history.Remove(a.release); err != nil {
			return err
		}
	}
	if err := history.Add(result.Snapshot); err != nil {
		return err
	}
	after := history.Encode()
	out, file := cmd.OutOrStdout(), historyFile(root, name)
	switch {
	case string(before) == string(after):
		fmt.Fprintf(out, "%s %s: the history says the same already\n", name, a.release)
		return nil
	case known && !a.replace:
		fmt.Fprint(out, udiff.Unified("history", "headers", string(before), string(after)))
		fmt.Fprintf(cmd.ErrOrStderr(), "cybindgo: %s has %s already, and these headers say something else; --replace lets them win\n", name, a.release)
		return errFound
	}
	if err := emit.WriteFile(file, after); err != nil {
		return err
	}
	s := result.Snapshot.For(ir.DefaultTargets[0])
	bound := 0
	for _, f := range s.Functions {
		if !f.Superseded {
			bound++
		}
	}
	fmt.Fprintf(out, "%s %s: %d functions declared, %d bound, %d left out; %d records, %d enums, %d typedefs, %d constants\n",
		name, a.release, result.Declared, bound, result.Declared-bound, len(s.Records), len(s.Enums), len(s.Typedefs), len(s.Constants))
	for _, o := range result.Omitted {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d:%d: %s is left out: %s\n", o.Pos.File, o.Pos.Line, o.Pos.Col, o.Name, o.Reason)
	}
	return nil
}

// historyOrNew loads a history, or begins one.
func historyOrNew(root, name string) (*ir.History, error) {
	if _, err := os.Stat(historyFile(root, name)); err != nil && !embedded(name) {
		return ir.NewHistory(name), nil
	}
	return loadHistory(root, name)
}

func newReleasesList(p *project) *cobra.Command {
	return &cobra.Command{
		Use:   "list [LIB...]",
		Short: "List the releases of each library",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = config.LibraryNames()
			} else if err := libraryArgs(args, config.LibraryNames()); err != nil {
				return err
			}
			root, err := p.root()
			if err != nil {
				return err
			}
			for _, name := range args {
				history, err := loadHistory(root, name)
				if err != nil {
					return err
				}
				for _, label := range history.Labels() {
					s, err := history.At(label)
					if err != nil {
						return err
					}
					api := s.For(s.Targets[0])
					public := 0
					for _, f := range api.Functions {
						if !f.Superseded {
							public++
						}
					}
					fmt.Fprintf(cmd.OutOrStdout(), "%-10s %-10s %-10s %4d functions %4d records %4d enums %4d typedefs %4d constants\n",
						name, label, s.Release.Date, public, len(api.Records), len(api.Enums), len(api.Typedefs), len(api.Constants))
				}
			}
			return nil
		},
	}
}
