package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/ir"
)

// source is headers to generate from in place of a history: for a look at what
// a release would give, before it is entered.
type source struct {
	paths      []string
	release    string
	targets    []string
	publicOnly bool
}

// isFor reports whether headers are given for a library. only are names from
// the command line.
func (s *source) isFor(only []string, library string) bool {
	return len(s.paths) > 0 && slices.Equal(only, []string{library})
}

// apply reads the headers, where some are given, and lets every package cover
// just them.
func (s *source) apply(in *emit.Input, libraries []string) error {
	if len(s.paths) == 0 {
		if s.release != "" || len(s.targets) > 0 || s.publicOnly {
			return errors.New("--release, --target and --public-only go with --headers")
		}
		return nil
	}
	if len(libraries) != 1 || s.release == "" {
		return errors.New("--headers needs the name of one library and --release")
	}
	name := libraries[0]
	sources, err := headerPaths(s.paths)
	if err != nil {
		return err
	}
	targets := ir.DefaultTargets
	if len(s.targets) > 0 {
		targets = nil
		for _, t := range s.targets {
			target, err := ir.ParseTarget(t)
			if err != nil {
				return err
			}
			targets = append(targets, target)
		}
	}
	lib := in.Libraries[name]
	if lib == nil {
		return fmt.Errorf("no package in the configuration binds library %s", name)
	}
	result, err := intake.Read(intake.Request{
		Library: lib, Release: s.release, Targets: targets, Headers: sources, PublicOnly: s.publicOnly,
	})
	if err != nil {
		return err
	}
	history := ir.NewHistory(name)
	if err := history.Add(result.Snapshot); err != nil {
		return err
	}
	in.Histories[name] = history
	for i := range in.Project.Packages {
		if binding, ok := in.Project.Packages[i].Libraries[name]; ok {
			binding.Releases = s.release
			in.Project.Packages[i].Libraries[name] = binding
		}
	}
	return nil
}
