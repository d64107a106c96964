package intake

import (
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/parser"
)

// Request says what to read.
type Request struct {
	Library *config.Library
	Release string // the toolkit's full version
	Date    string // of publication, YYYY-MM-DD, where known
	Targets []ir.Target
	// Headers are paths for package headers. The empty target is the
	// reference: what a target has no headers of its own for is read from there.
	Headers map[ir.Target][]string
	// Sets are headers that are open already, in the same way. Whoever opened them
	// closes them.
	Sets map[ir.Target]*headers.Set
	// LeaveOut leaves out functions that cannot be bound, without asking whether
	// the definition names them: for a definition that is only being made.
	LeaveOut bool
	// PublicOnly leaves out superseded symbols and those with a per-thread
	// default stream, which take another look at the headers each.
	PublicOnly bool
}

// Result is a snapshot and what was left out of it.
type Result struct {
	Snapshot *ir.Snapshot
	// Declared counts the functions of the reference target.
	Declared int
	// Omitted and Notices are those of the reference target, and behind them
	// what is said of other targets alone.
	Omitted []parser.Omission
	Notices []parser.Notice
	// Skipped are header families that are missing.
	Skipped []Skipped
}

// Read makes the snapshot. Targets are parsed in parallel.
func Read(req Request) (*Result, error) {
	version, err := ir.ParseVersion(req.Release)
	if err != nil {
		return nil, err
	}
	sets := maps.Clone(req.Sets)
	if sets == nil {
		sets = map[ir.Target]*headers.Set{}
	}
	for target, paths := range req.Headers {
		set, err := headers.Open(paths)
		if err != nil {
			return nil, err
		}
		defer set.Close()
		sets[target] = set
	}
	results := make([]*parser.Result, len(req.Targets))
	errs := make([]error, len(req.Targets))
	there := make([]present, len(req.Targets))
	for i, target := range req.Targets {
		if there[i], errs[i] = find(req.Library, sourceOf(target, sets)); errs[i] != nil {
			return nil, errs[i]
		}
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce(req, sets))
	for i, target := range req.Targets {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() {
				// A panic here would pass by whoever called Read.
				if r := recover(); r != nil {
					errs[i] = fmt.Errorf("this is a bug, please report it: %v\n%s", r, debug.Stack())
				}
				<-slots
			}()
			results[i], errs[i] = parse(req, target, sourceOf(target, sets), &there[i])
		})
	}
	wg.Wait()
	if err := firstError(errs, req.Targets); err != nil {
		return nil, err
	}
	if !req.LeaveOut {
		if err := unbound(req.Library, results[0].Omitted); err != nil {
			return nil, err
		}
	}

	release := ir.Release{Label: req.Release, Date: req.Date, Prerelease: version.Prerelease(), Components: map[string]string{}}
	apis := make([]*ir.API, len(results))
	for i, r := range results {
		apis[i] = r.API
		if err := tooDeep(r.API, sourceOf(req.Targets[i], sets).Display); err != nil {
			return nil, err
		}
		if err := provenance(&release, req.Targets[i], i == 0, sourceOf(req.Targets[i], sets), r.Files); err != nil {
			return nil, err
		}
	}
	if err := checkRelease(req, &release, apis[0], sets); err != nil {
		return nil, err
	}
	result := &Result{Snapshot: ir.Merge(req.Library.Name, release, req.Targets, apis), Declared: results[0].Declared, Skipped: together(there, req.Targets)}
	result.Declared -= underPublicNames(result.Snapshot, req.Library.Loader.Versioned)
	result.remarks(results, req.Targets)
	for _, o := range result.Omitted {
		if o.Function {
			if result.Snapshot.Release.Omitted == nil {
				result.Snapshot.Release.Omitted = map[string]string{}
			}
			result.Snapshot.Release.Omitted[o.Name] = o.Reason
		}
	}
	return result, nil
}

// remarks collects what is said of declarations, of each at the first target
// only.
func (r *Result) remarks(results []*parser.Result, targets []ir.Target) {
	said := map[string]bool{}
	for i, of := range results {
		only := ""
		if i > 0 {
			only = fmt.Sprintf(" (on %s)", targets[i])
		}
		for _, o := range of.Omitted {
			if i == 0 || !said[o.Name] {
				said[o.Name] = true
				o.Reason += only
				r.Omitted = append(r.Omitted, o)
			}
		}
		for _, n := range of.Notices {
			if i == 0 || !said[n.Text] {
				said[n.Text] = true
				n.Text += only
				r.Notices = append(r.Notices, n)
			}
		}
	}
}

// unbound refuses functions that cannot be bound, unless the definition says
// that they are to be left out: a hole is never made in silence.
func unbound(lib *config.Library, omitted []parser.Omission) error {
	var errs []error
	for _, o := range omitted {
		if _, known := lib.Exclude[o.Name]; o.Function && !known {
			errs = append(errs, fmt.Errorf("%s:%d:%d: %s cannot be bound: %s; name it under exclude in the library's definition, with the reason, to leave it out",
				o.Pos.File, o.Pos.Line, o.Pos.Col, o.Name, o.Reason))
		}
	}
	return errors.Join(errs...)
}

// sourceOf is where a target's headers come from.
func sourceOf(target ir.Target, sets map[ir.Target]*headers.Set) *headers.Set {
	if s := sets[target]; s != nil {
		return s
	}
	return sets[""]
}

// parse reads the headers for one target.
func parse(req Request, target ir.Target, set *headers.Set, there *present) (*parser.Result, error) {
	h := &req.Library.Headers
	r, err := parser.Parse(parser.Config{
		FS: set.FS(), Display: set.Display, Searched: set.Searched(), Target: target,
		Roots: there.bind, Consult: there.consult, Defines: h.Defines,
		InternalView: h.InternalView, PerThreadView: h.PerThreadView, QueryPrefix: h.QueryPrefix,
		PublicOnly: req.PublicOnly,
	})
	// A header that is there but cannot be read looks like one that is
	// missing, to the parser.
	if damaged := set.Err(); damaged != nil {
		return nil, damaged
	}
	return r, err
}

// provenance records where a target's facts came from.
func provenance(r *ir.Release, target ir.Target, reference bool, set *headers.Set, files []string) error {
	sums := map[string]string{}
	for _, f := range files {
		sum, err := set.Sum(f)
		if err != nil {
			return err
		}
		sums[f] = sum
	}
	for _, c := range set.Components() {
		r.Components[c.Name] = c.Version
	}
	r.Asserted = r.Asserted || !set.Exact()
	if reference {
		r.Headers = sums
		return nil
	}
	for f, sum := range sums {
		if r.Headers[f] != sum {
			if r.OtherHeaders == nil {
				r.OtherHeaders = map[ir.Target]map[string]string{}
			}
			r.OtherHeaders[target] = sums
			break
		}
	}
	return nil
}

// checkRelease refuses headers of another release than the one they are
// entered for.
func checkRelease(req Request, r *ir.Release, api *ir.API, sets map[ir.Target]*headers.Set) error {
	parts := strings.SplitN(req.Release, ".", 3)
	// Libraries that tell no release of their own may be numbered as they are.
	if len(parts) < 3 && (req.Library.Headers.Version.Macro != "" || len(r.Components) > 0) {
		return fmt.Errorf("release %q: expected a full version such as 13.5.0: patch releases change the API", req.Release)
	}
	want := strings.Join(parts[:min(2, len(parts))], ".")
	if m := req.Library.Headers.Version; m.Macro != "" {
		i := slices.IndexFunc(api.Constants, func(c ir.Constant) bool { return c.Name == m.Macro })
		if i < 0 || api.Constants[i].Type == nil {
			return fmt.Errorf("the headers do not define %s, which tells their release", m.Macro)
		}
		c := api.Constants[i]
		var value int
		if _, err := fmt.Sscanf(c.Value, "%d", &value); err != nil {
			return fmt.Errorf("%s is %q, expected a number", m.Macro, c.Value)
		}
		if got := fmt.Sprintf("%d.%d", value/m.Major, value%m.Major/m.Minor); got != want {
			return fmt.Errorf("%s:%d: these are headers of release %s (%s is %d), expected %s for release %s",
				sets[""].Display(c.Pos.File), c.Pos.Line, got, m.Macro, value, want, req.Release)
		}
	}
	for target, set := range sets {
		if target != "" && !slices.Contains(req.Targets, target) {
			return fmt.Errorf("headers are given for %s, which is not read; targets are %v", target, req.Targets)
		}
		if err := set.CheckPins(); err != nil {
			return err
		}
		if release := set.ToolkitRelease(); release != "" && release != req.Release {
			return fmt.Errorf("the cuda-toolkit wheel is of release %s, expected %s", release, req.Release)
		}
		pins := set.Pins()
		for _, c := range set.Components() {
			if _, pinned := pins[c.Name]; pinned {
				continue // it may have a version line of its own: cufile 1.20 is of 13.5
			}
			if c.Version != want && !strings.HasPrefix(c.Version, want+".") {
				return fmt.Errorf("%s %s is of another release, expected %s.* for release %s", c.Name, c.Version, want, req.Release)
			}
		}
	}
	return nil
}

// firstError is the reference target's error, or else the first, which then says
// which target it is about.
func firstError(errs []error, targets []ir.Target) error {
	for i, err := range errs {
		switch {
		case err == nil:
		case i == 0:
			return err
		default:
			return fmt.Errorf("%w\n(read for %s; for %s there is no such error)", err, targets[i], targets[0])
		}
	}
	return nil
}
