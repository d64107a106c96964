package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/fetch"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/internal/update"
	"github.com/cybindgo/cybindgo/ir"
)

// fetch brings the headers of a release from the index.
func (a *addition) fetch(cmd *cobra.Command, libs []*config.Library) (requests []intake.Request, err error) {
	ctx, stop := interruptible()
	defer stop()
	fetcher, shown, err := a.open(cmd)
	if err != nil {
		return nil, err
	}
	defer shown.close()
	for _, lib := range libs {
		request, err := fetchRequest(ctx, fetcher, lib, a.release, a.date)
		if err != nil {
			return nil, interruption(ctx, err)
		}
		requests = append(requests, request)
		a.release = request.Release // as it was published: 13.4.1.0 for 13.4.1
	}
	return requests, nil
}

// fetchRequest brings what a library's definition wants of a release, and says
// how to read it.
func fetchRequest(ctx context.Context, fetcher *fetch.Fetcher, lib *config.Library, release, date string) (intake.Request, error) {
	if len(lib.Headers.Packages) == 0 {
		return intake.Request{}, fmt.Errorf("library %s: its definition names no packages to fetch headers from, under headers: packages; name some, or give --headers PATH", lib.Name)
	}
	r, err := fetcher.Fetch(ctx, fetch.Request{Release: release, Platform: fetch.Reference, Packages: lib.Headers.Packages})
	if err != nil {
		return intake.Request{}, err
	}
	if date == "" {
		if date, err = fetcher.Date(ctx, r.Release); err != nil {
			return intake.Request{}, err
		}
	}
	set, err := r.Set()
	return intake.Request{
		Library: lib, Release: r.Release, Date: date, Targets: ir.DefaultTargets, Sets: map[ir.Target]*headers.Set{"": set},
	}, err
}

// indexSource gives the releases of the index to `update`.
type indexSource struct{ *fetch.Fetcher }

// Read implements [update.Source].
func (s indexSource) Read(ctx context.Context, lib *config.Library, release string) (*intake.Result, error) {
	request, err := fetchRequest(ctx, s.Fetcher, lib, release, "")
	if errors.Is(err, fetch.ErrLacking) {
		return nil, fmt.Errorf("%w: %w", update.ErrAbsent, err)
	}
	if err != nil {
		return nil, err
	}
	result, err := intake.Read(request)
	if errors.Is(err, intake.ErrAbsent) {
		return nil, fmt.Errorf("%w: %w", update.ErrAbsent, err)
	}
	return result, err
}

// interruption is err, or that the user interrupted the program.
func interruption(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted; what was fetched is kept, and the next run goes on from there")
	}
	return err
}

// runAll adds every release that is missing. All that are missing are entered,
// or none.
func (a *addition) runAll(cmd *cobra.Command, p *project, args []string) error {
	if len(a.paths) > 0 || a.date != "" || a.replace {
		return errors.New("--all takes headers and dates from the index: it does not go with --headers, --date and --replace")
	}
	project, libraries, root, err := p.read()
	if err != nil {
		return err
	}
	if err := libraryArgs(args, libraries); err != nil {
		return err
	}
	if len(args) == 0 {
		args = project.LibraryNames()
	}
	ctx, stop := interruptible()
	defer stop()
	fetcher, shown, err := a.open(cmd)
	if err != nil {
		return err
	}
	defer shown.close()
	offered, err := fetcher.Releases(ctx)
	if err != nil {
		return interruption(ctx, err)
	}
	defer lockReleases(root)()
	var entries []*entry
	for _, name := range args {
		lib, err := libraries.Load(name)
		if err != nil {
			return err
		}
		e, err := a.readAll(ctx, root, lib, fetcher, offered)
		if err != nil {
			return interruption(ctx, err)
		}
		entries = append(entries, e)
	}
	shown.close()
	if err := a.checkRemoved(cmd, project, entries); err != nil {
		return err
	}
	for _, e := range entries {
		if len(e.added) == 0 {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: the history lacks none of %d releases\n", e.lib.Name, len(offered))
			continue
		}
		if err := emit.WriteFile(e.file, e.after); err != nil {
			return err
		}
		for _, line := range e.said {
			fmt.Fprintln(cmd.OutOrStdout(), line)
		}
	}
	return nil
}

// fetchAhead is how many releases are fetched at a time.
const fetchAhead = 4

// readReleases fetches releases of a library, several at a time, and reads them,
// as many at a time as there are cores. each is told what came of one, one at a
// time; an error that it gives back ends all.
func readReleases(ctx context.Context, fetcher *fetch.Fetcher, lib *config.Library, releases []ir.Release, each func(i int, result *intake.Result, err error) error) error {
	fetched, read := errgroup.Group{}, errgroup.Group{}
	fetched.SetLimit(fetchAhead)
	read.SetLimit(runtime.GOMAXPROCS(0)/len(ir.DefaultTargets) + 1) // targets are read in parallel as well
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var one sync.Mutex
	tell := func(i int, result *intake.Result, err error) {
		one.Lock()
		defer one.Unlock()
		if ctx.Err() != nil {
			return
		}
		if err := each(i, result, err); err != nil {
			stop(fmt.Errorf("%s %s: %w", lib.Name, releases[i].Label, err))
		}
	}
	for i, release := range releases {
		fetched.Go(func() error {
			request, err := fetchRequest(ctx, fetcher, lib, release.Label, release.Date)
			if err != nil {
				tell(i, nil, err)
				return nil
			}
			// This waits for a free core, so that what is fetched ahead is bounded.
			read.Go(func() error {
				if ctx.Err() == nil {
					result, err := intake.Read(request)
					tell(i, result, err)
				}
				return nil
			})
			return nil
		})
	}
	fetched.Wait()
	read.Wait()
	return context.Cause(ctx)
}

// readAll reads the final releases that a library's history lacks, and enters
// them in memory. Of each no more is kept than what the history has.
func (a *addition) readAll(ctx context.Context, root string, lib *config.Library, fetcher *fetch.Fetcher, offered []string) (*entry, error) {
	history, err := historyOrNew(root, lib.Name)
	if err != nil {
		return nil, err
	}
	e := &entry{lib: lib, file: historyFile(root, lib.Name), history: history, before: history.Encode()}
	releases := missing(history, offered)
	said := make([]string, len(releases))
	err = readReleases(ctx, fetcher, lib, releases, func(i int, result *intake.Result, err error) error {
		if errors.Is(err, fetch.ErrLacking) || errors.Is(err, intake.ErrAbsent) {
			return nil // a release from before the library
		}
		if err == nil {
			said[i] = tally(lib.Name, result)
			err = history.Add(result.Snapshot)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, text := range said {
		if text != "" {
			e.added, e.said = append(e.added, releases[i].Label), append(e.said, text)
		}
	}
	e.after = history.Encode()
	if _, err := ir.Decode(e.file, e.after); err != nil {
		return nil, fmt.Errorf("what these headers declare cannot be kept: %w", err)
	}
	return e, nil
}

// missing lists the final releases that a history lacks.
func missing(history *ir.History, offered []string) (releases []ir.Release) {
	var known []ir.Version
	for _, label := range history.Labels() {
		if v, err := ir.ParseVersion(label); err == nil {
			known = append(known, v)
		}
	}
	for _, label := range offered {
		v, err := ir.ParseVersion(label)
		if err == nil && !v.Prerelease() && !slices.ContainsFunc(known, func(k ir.Version) bool { return k.Compare(v) == 0 }) {
			releases = append(releases, ir.Release{Label: label})
		}
	}
	return releases
}

// removals are the names that vanish with a release, or with any of those that
// were added together.
func (e *entry) removals(release string) (all []intake.Removal, err error) {
	releases := e.added
	if release != "" {
		releases = []string{release}
	}
	for _, release := range releases {
		list, err := intake.Removals(e.history, release)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all, nil
}

// tally counts what a release has.
func tally(name string, result *intake.Result) string {
	s := result.Snapshot.For(ir.DefaultTargets[0])
	bound := 0
	for _, f := range s.Functions {
		if !f.Superseded {
			bound++
		}
	}
	var text strings.Builder
	label := result.Snapshot.Release.Label
	fmt.Fprintf(&text, "%s %s: %d functions declared, %d bound, %d left out; %d records, %d enums, %d typedefs, %d constants",
		name, label, result.Declared, bound, result.Declared-bound, len(s.Records), len(s.Enums), len(s.Typedefs), len(s.Constants))
	for _, s := range result.Skipped {
		fmt.Fprintf(&text, "\n%s %s: %v", name, label, s)
	}
	return text.String()
}

var _ update.Source = indexSource{}
