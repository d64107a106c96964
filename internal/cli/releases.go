package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newReleases(p *project) *cobra.Command {
	cmd := &cobra.Command{Use: "releases", Short: "The committed history of each library's API"}
	cmd.AddCommand(newReleasesAdd(p), newReleasesList(p), newReleasesProve(p), newReleasesVerify(p))
	return cmd
}

func newReleasesAdd(p *project) *cobra.Command {
	var add addition
	cmd := &cobra.Command{
		Use:   "add {RELEASE | --all} [LIB...]",
		Short: "Read the headers of a release into the history",
		Long:  "Add reads the headers of a release and enters what they declare into\nreleases/LIB.json. Headers come from a package index, see `cybindgo headers get`, or\nfrom PATH: a folder of headers, a toolkit's root, a wheel, or an archive as NVIDIA\nhas them for redistribution (.tar.xz, .tar.gz, .zip); give --headers once for each.\nOS/ARCH=PATH names headers of another platform; without them Linux headers stand in.\nWithout LIB every library that the project binds is read, as far as the headers have\nit. With --all it is every\nfinal release on the index that the history lacks.\n\nAdding a release that is there already changes nothing. If the headers say\nsomething else than before, the difference is shown and the exit code is 1, unless\n--replace is given.\n\nA function or enumerator that one release has and the next one lacks may be missing by\nmistake: each is listed, nothing is written and the exit code is 1, unless it is named\nunder allow-removed in the library's definition or with --allow-removed.",
		Example: "  cybindgo releases add 13.5.0\n" +
			"  cybindgo releases add 13.5.0 --headers /usr/local/cuda\n" +
			"  cybindgo releases add 13.5.0 driver --headers cuda_runtime.whl --headers cuda_profiler_api.whl",
		Args: func(cmd *cobra.Command, args []string) error {
			if !add.all && len(args) == 0 {
				return errors.New("expected a release, such as 13.5.0, or --all")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if add.all {
				return add.runAll(cmd, p, args)
			}
			add.release = args[0]
			return add.run(cmd, p, args[1:])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&add.paths, "headers", nil, "where the headers are: PATH, or OS/ARCH=PATH for another platform's")
	f.BoolVar(&add.all, "all", false, "add every final release on the index that the history lacks")
	f.StringVar(&add.date, "date", "", "the day of publication, YYYY-MM-DD")
	f.StringArrayVar(&add.removed, "allow-removed", nil, "a function or enumerator that may vanish with this release; give it once for each")
	f.BoolVar(&add.replace, "replace", false, "let the headers replace what the history says of the release")
	add.addFlags(cmd)
	return cmd
}

func isPath(s string) bool {
	_, err := os.Stat(s)
	return err == nil || strings.ContainsAny(s, `/\=.`)
}

// addition is one run of `releases add`.
type addition struct {
	fetching
	release, date string
	all           bool
	libraries     []string
	paths         []string
	removed       []string
	replace       bool
}

func (a *addition) run(cmd *cobra.Command, p *project, args []string) error {
	project, libraries, root, err := p.read()
	if err != nil {
		return err
	}
	for _, arg := range args {
		// Several paths after one flag arrive here.
		if !slices.Contains(libraries.Names(), arg) && isPath(arg) {
			a.paths = append(a.paths, arg)
		} else {
			a.libraries = append(a.libraries, arg)
		}
	}
	all := len(a.libraries) == 0 // of the project, as far as the headers have them
	if all {
		a.libraries = project.LibraryNames()
	} else if err := libraryArgs(a.libraries, libraries); err != nil {
		return err
	}
	// Nothing is written before all is read and right. The history is locked when
	// headers are there: fetching them may take its time.
	requests, err := a.requests(cmd, libraries)
	if err != nil {
		return err
	}
	defer lockReleases(root)()
	var entries []*entry
	var absent []string
	var lacking []error
	for _, request := range requests {
		e, err := a.read(root, request)
		if all && errors.Is(err, intake.ErrAbsent) {
			absent, lacking = append(absent, request.Library.Name), append(lacking, err)
			continue
		}
		if err != nil {
			return err
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return errors.Join(lacking...)
	}
	if len(absent) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out, since these headers have nothing of it: %s\n", strings.Join(absent, ", "))
	}
	if err := a.checkRemoved(cmd, project, entries); err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		err := a.enter(cmd, e)
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

// requests says what to read for each library: the headers that are named, or
// those of the index.
func (a *addition) requests(cmd *cobra.Command, libraries config.Libraries) (requests []intake.Request, err error) {
	var libs []*config.Library
	for _, name := range a.libraries {
		lib, err := libraries.Load(name)
		if err != nil {
			return nil, err
		}
		libs = append(libs, lib)
	}
	if len(a.paths) == 0 {
		return a.fetch(cmd, libs)
	}
	sources, err := headerPaths(a.paths)
	if err != nil {
		return nil, err
	}
	for _, lib := range libs {
		requests = append(requests, intake.Request{Library: lib, Release: a.release, Date: a.date, Targets: ir.DefaultTargets, Headers: sources})
	}
	return requests, nil
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

// entry is a release of one library on its way into the history.
type entry struct {
	lib           *config.Library
	file          string // of the history
	history       *ir.History
	before, after []byte
	known         bool // the history has had the release before
	result        *intake.Result
	added         []string // the releases that are new, with --all
	said          []string // a summary of each
}

// read reads the release and enters it into the history in memory.
func (a *addition) read(root string, request intake.Request) (*entry, error) {
	lib := request.Library
	history, err := historyOrNew(root, lib.Name)
	if err != nil {
		return nil, err
	}
	result, err := intake.Read(request)
	if err != nil {
		return nil, err
	}
	e := &entry{lib: lib, file: historyFile(root, lib.Name), history: history, before: history.Encode(), known: history.Has(a.release), result: result}
	if e.known {
		old, err := history.At(a.release)
		if err != nil {
			return nil, err
		}
		if request.Date == "" {
			result.Snapshot.Release.Date = old.Release.Date
		}
		if err := history.Remove(a.release); err != nil {
			return nil, err
		}
	}
	if err := history.Add(result.Snapshot); err != nil {
		return nil, err
	}
	e.after = history.Encode()
	// No header, however odd, leaves a history behind that cannot be read.
	if _, err := ir.Decode(e.file, e.after); err != nil {
		return nil, fmt.Errorf("what these headers declare cannot be kept: %w", err)
	}
	return e, nil
}

// checkRemoved refuses what vanishes from a library, but for what is allowed
// to.
func (a *addition) checkRemoved(cmd *cobra.Command, project *config.Project, entries []*entry) error {
	vanished := map[string]bool{}
	found := 0
	for _, e := range entries {
		removals, err := e.removals(a.release)
		if err != nil {
			return err
		}
		allowed := project.Allowed(e.lib)
		for _, r := range removals {
			vanished[r.Name] = true
			if !allowed[r.Name] && !slices.Contains(a.removed, r.Name) {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %v\n", e.lib.Name, r)
				found++
			}
		}
	}
	names := slices.Sorted(maps.Keys(vanished))
	for _, name := range a.removed {
		if !vanished[name] {
			return fmt.Errorf("--allow-removed %s: it has not vanished%s", name, suggest.Hint(name, names))
		}
	}
	if found > 0 {
		what := a.release
		if a.all {
			what = "these releases"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "cybindgo: %s would vanish with %s, and nothing is written. If that is right, name them under allow-removed in the library's definition, with the reason, or give --allow-removed NAME\n", finding.Count(found, "name"), what)
		return errFound
	}
	return nil
}

// enter writes the history and says what was read.
func (a *addition) enter(cmd *cobra.Command, e *entry) error {
	out, name, result := cmd.OutOrStdout(), e.lib.Name, e.result
	switch {
	case string(e.before) == string(e.after):
		fmt.Fprintf(out, "%s %s: the history says the same already\n", name, a.release)
		return nil
	case e.known && !a.replace:
		fmt.Fprint(out, udiff.Unified("history", "headers", string(e.before), string(e.after)))
		fmt.Fprintf(cmd.ErrOrStderr(), "cybindgo: %s has %s already, and these headers say something else; --replace lets them win\n", name, a.release)
		return errFound
	}
	if err := emit.WriteFile(e.file, e.after); err != nil {
		return err
	}
	fmt.Fprintln(out, tally(name, result))
	for _, o := range result.Omitted {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d:%d: %s is left out: %s\n", o.Pos.File, o.Pos.Line, o.Pos.Col, o.Name, o.Reason)
	}
	for _, n := range result.Notices {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d:%d: note: %s\n", n.Pos.File, n.Pos.Line, n.Pos.Col, n.Text)
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
