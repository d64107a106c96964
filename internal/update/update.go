package update

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/ir"
)

// Source is where releases come from.
type Source interface {
	// Releases lists what is on offer.
	Releases(ctx context.Context) ([]string, error)
	// Read reads a library's headers of a release. The error is [ErrAbsent] if
	// the release does not have the library.
	Read(ctx context.Context, lib *config.Library, release string) (*intake.Result, error)
}

// ErrAbsent says that a release does not have a library.
var ErrAbsent = errors.New("the release does not have the library")

// Input is a project as it stands.
type Input struct {
	Project   *config.Project
	Config    []byte // the configuration's text
	Libraries map[string]*config.Library
	Histories map[string]*ir.History
	Only      []string // the libraries to update; empty for all that the project binds
}

// Update is what newer releases make of a project.
type Update struct {
	Releases  []Release
	Histories map[string]*ir.History // those that changed
	Packages  []Package
	Project   *config.Project // with packages carried on
	Config    []byte          // its text
	Decisions []Decision
}

// Release is one release of one library that is new to the history.
type Release struct {
	Library  string
	Label    string
	Previous string // the release before it
	Result   *intake.Result
	Changes  *ir.Changes // since Previous
	Removals []intake.Removal

	before *ir.Snapshot // of Previous; empty if there is none
}

// Package is a package that is carried on to newer releases of a library.
type Package struct {
	Output, Library string
	Before, After   string // its releases
}

// Find reads the releases that the histories lack and says what they mean.
// Nothing is written, and the histories of the input are not changed.
func Find(ctx context.Context, in Input, source Source) (*Update, error) {
	u := &Update{Histories: map[string]*ir.History{}, Project: in.Project, Config: in.Config}
	offered, err := source.Releases(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range in.Project.LibraryNames() {
		if len(in.Only) > 0 && !slices.Contains(in.Only, name) {
			continue
		}
		if err := u.library(ctx, in, source, name, offered); err != nil {
			return nil, err
		}
	}
	if err := u.carryOn(in); err != nil {
		return nil, err
	}
	u.decide(in)
	return u, nil
}

// library reads what the history of one library lacks.
func (u *Update) library(ctx context.Context, in Input, source Source, name string, offered []string) error {
	before := in.Histories[name]
	if before == nil || len(before.Releases) == 0 {
		u.Decisions = append(u.Decisions, Decision{Library: name, Text: fmt.Sprintf("%s has no history to go on from: `cybindgo releases add --all %s` begins one", name, name)})
		return nil
	}
	missing, err := Missing(before, offered)
	if err != nil || len(missing) == 0 {
		return err
	}
	// A copy: the old one is still needed.
	after, err := ir.Decode(name, before.Encode())
	if err != nil {
		return err
	}
	var added []Release
	for _, label := range missing {
		result, err := source.Read(ctx, in.Libraries[name], label)
		if errors.Is(err, ErrAbsent) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", name, label, err)
		}
		if err := after.Add(result.Snapshot); err != nil {
			return err
		}
		added = append(added, Release{Library: name, Label: label, Result: result})
	}
	if len(added) == 0 {
		return nil
	}
	// No header, however odd, leaves a history behind that cannot be read.
	if _, err := ir.Decode("the history of "+name, after.Encode()); err != nil {
		return fmt.Errorf("what these headers declare cannot be kept: %w", err)
	}
	u.Histories[name] = after
	for i := range added {
		if err := added[i].compare(after); err != nil {
			return err
		}
	}
	u.Releases = append(u.Releases, added...)
	return nil
}

// compare says what a release changed.
func (r *Release) compare(history *ir.History) error {
	r.before = &ir.Snapshot{}
	at, err := history.Find(r.Label)
	if err != nil || at == 0 {
		return err
	}
	r.Previous = history.Releases[at-1].Label
	if r.before, err = history.At(r.Previous); err != nil {
		return err
	}
	now, err := history.At(r.Label)
	if err != nil {
		return err
	}
	r.Changes = ir.Diff(r.before, now)
	removals, err := intake.Removals(history, r.Label)
	for _, x := range removals {
		if x.Lacks == r.Label {
			r.Removals = append(r.Removals, x)
		}
	}
	return err
}

// carryOn lets packages that ended at the newest release of their major
// version end at the one that is newest now. What ends earlier does so for a
// reason, and is left alone.
func (u *Update) carryOn(in Input) error {
	for i := range in.Project.Packages {
		pkg := &in.Project.Packages[i]
		for _, name := range pkg.LibraryNames() {
			after := u.Histories[name]
			if after == nil {
				continue
			}
			from, to := pkg.Libraries[name].Range()
			v, err := ir.ParseVersion(to)
			if err != nil {
				return err
			}
			last := newest(after, v)
			if newest(in.Histories[name], v) != to || last == to {
				continue
			}
			p := Package{Output: pkg.Output, Library: name, Before: pkg.Libraries[name].Releases, After: from + ".." + last}
			u.rewrite(i, p)
		}
	}
	return nil
}

// rewrite carries a package on in the configuration, or leaves that to a person
// where its text is not a plain one.
func (u *Update) rewrite(i int, p Package) {
	project, text, err := u.Project.WithReleases(u.Config, i, p.Library, p.After)
	if err != nil {
		u.Decisions = append(u.Decisions, Decision{Library: p.Library, Text: err.Error()})
		return
	}
	u.Packages = append(u.Packages, p)
	u.Project, u.Config = project, text
}
