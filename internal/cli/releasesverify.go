package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newReleasesVerify(p *project) *cobra.Command {
	var v verification
	cmd := &cobra.Command{
		Use:   "verify [LIB...]",
		Short: "Read the headers of releases again, and say whether the history still matches",
		Long:  "Verify reads the headers of each release in the history again and compares what they\nare (the sha256 of each, and the versions of the packages) and what they declare with\nwhat the history says. Headers come from the cache, or else from a package index, see\n`cybindgo headers get`; with --refresh the index is asked for all of them. The exit\ncode is 1 if a release does not match.",
		Example: "  cybindgo releases verify driver\n" +
			"  cybindgo releases verify driver --release 13.5.0 --refresh",
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, p, args) },
	}
	cmd.Flags().StringArrayVar(&v.releases, "release", nil, "the release to look at (default: all); give it once for each")
	v.addFlags(cmd)
	return cmd
}

// verification is one run of `releases verify`.
type verification struct {
	fetching
	releases []string
}

func (v *verification) run(cmd *cobra.Command, p *project, args []string) error {
	libraries, root, names, err := p.libraryNames(args)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	fetcher, shown, err := v.open(cmd)
	if err != nil {
		return err
	}
	defer shown.close()
	matching, others := 0, 0
	for _, name := range names {
		lib, err := libraries.Load(name)
		if err != nil {
			return err
		}
		history, err := historyOrNew(root, name)
		if err != nil {
			return err
		}
		releases, err := v.of(history)
		if err != nil {
			return err
		}
		// What is wrong with each, in the order of releases.
		wrong := make([][]string, len(releases))
		err = readReleases(ctx, fetcher, lib, releases, func(i int, result *intake.Result, err error) error {
			if err == nil {
				wrong[i], err = mismatches(history, lib, releases[i], result.Snapshot)
			}
			return err
		})
		if err != nil {
			return interruption(ctx, err)
		}
		for i, r := range releases {
			if len(wrong[i]) == 0 {
				matching++
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s: matches\n", name, r.Label)
				continue
			}
			others++
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s: %s\n", name, r.Label, strings.Join(wrong[i], "\n  "))
		}
	}
	shown.close()
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d as the history says, %d not\n", finding.Count(matching+others, "release"), matching, others)
	if others > 0 {
		return errFound
	}
	return nil
}

// of lists the releases of a history that are to be looked at.
func (v *verification) of(history *ir.History) (releases []ir.Release, err error) {
	for _, label := range v.releases {
		if !history.Has(label) {
			return nil, fmt.Errorf("%s has no release %q%s", history.Library, label, suggest.Hint(label, history.Labels()))
		}
	}
	for _, r := range history.Releases {
		if len(v.releases) == 0 || slices.Contains(v.releases, r.Label) {
			releases = append(releases, r)
		}
	}
	return releases, nil
}

// mismatches says where headers are not what a history has of a release.
func mismatches(history *ir.History, lib *config.Library, recorded ir.Release, fresh *ir.Snapshot) (list []string, err error) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if fresh.Release.Date == "" {
		fresh.Release.Date = recorded.Date
	}
	for _, name := range slices.Sorted(maps.Keys(recorded.Components)) {
		if got := fresh.Release.Components[name]; got != recorded.Components[name] {
			say("%s is %s now, and was %s", name, orNone(got), recorded.Components[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(recorded.Headers)) {
		switch got := fresh.Release.Headers[name]; {
		case got == "":
			say("%s is not read any more", name)
		case got != recorded.Headers[name]:
			say("%s has changed: its sha256 is %s now, and was %s", name, got, recorded.Headers[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fresh.Release.Headers)) {
		if recorded.Headers[name] == "" {
			say("%s was not read before", name)
		}
	}
	before, err := history.At(recorded.Label)
	if err != nil {
		return nil, err
	}
	// The two as histories of one release each: without places and order, which
	// a history does not keep.
	was, err := alone(lib, before)
	if err != nil {
		return nil, err
	}
	is, err := alone(lib, fresh)
	if err != nil {
		return nil, err
	}
	if n := differing(was, is); n > 0 {
		say("what the headers declare differs in %s; `cybindgo releases add %s %s` shows how", finding.Count(n, "place"), recorded.Label, lib.Name)
	}
	return list, nil
}

func orNone(version string) string {
	if version == "" {
		return "not there"
	}
	return version
}

// alone gives the lines of a history that has one snapshot.
func alone(lib *config.Library, s *ir.Snapshot) ([]string, error) {
	h := ir.NewHistory(lib.Name)
	if err := h.Add(s); err != nil {
		return nil, err
	}
	// The line of the release itself holds what was compared before.
	_, api, _ := strings.Cut(string(h.Encode()), "\n\"releases\":[\n")
	_, api, _ = strings.Cut(api, "\n")
	return strings.Split(api, "\n"), nil
}

// differing counts the lines that one of two lists has and the other has not.
func differing(a, b []string) int {
	left := map[string]int{}
	for _, line := range a {
		left[strings.TrimSuffix(line, ",")]++
	}
	more, fewer := 0, 0
	for _, line := range b {
		if line = strings.TrimSuffix(line, ","); left[line] > 0 {
			left[line]--
		} else {
			more++
		}
	}
	for _, n := range left {
		fewer += n
	}
	return max(more, fewer)
}
