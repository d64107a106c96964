package fetch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	version "github.com/aquasecurity/go-pep440-version"

	"github.com/cybindgo/cybindgo/internal/cache"
	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/index"
)

// A Component is a package of a release, whose headers are in the cache.
type Component struct {
	Package  string            `json:"package"` // as published: nvidia-cuda-runtime-cu12
	Version  string            `json:"version"`
	Wheel    string            `json:"wheel"`  // the file's name
	SHA256   string            `json:"sha256"` // of the wheel, as the index says
	Whole    bool              `json:"whole"`  // the wheel was downloaded, and has this SHA-256
	Uploaded time.Time         `json:"uploaded,omitzero"`
	Headers  map[string]string `json:"headers"` // sha256 by name as included

	cost
}

// choice is which wheel a release has of a package, as kept in the cache.
type choice struct {
	Package, Version, Wheel, SHA256 string
	Uploaded                        time.Time
	Key                             string // of the wheel's contents
	Lacking                         string // why there is none
}

// ErrLacking says that a release has nothing of what was asked for.
var ErrLacking = errors.New("the release lacks it")

// lacking says that a release has no headers of a package, and why.
type lacking struct{ why string }

func (l *lacking) Error() string { return l.why }
func (l *lacking) Unwrap() error { return ErrLacking }

// cached gives a component that is whole in the cache, or nil; and why there was
// none, if there was none. (There may be one by now: files are added to an index
// later on.)
func (f *Fetcher) cached(t *Toolkit, name string, p Platform) (*Component, *lacking) {
	var c choice
	if f.Refresh || f.Cache.Record(&c, "components", t.Release, p.key(), keyOf(name)) != nil {
		return nil, nil
	}
	if c.Lacking != "" {
		return nil, &lacking{c.Lacking}
	}
	if contents := f.contents(c.Key); contents != nil && len(contents.Headers) > 0 {
		return c.component(contents), nil
	}
	return nil, nil
}

// contents gives what is in the cache of a wheel, if that is whole.
func (f *Fetcher) contents(key string) *contents {
	var c contents
	if f.Cache.Record(&c, "wheels", key) != nil {
		return nil
	}
	for _, sum := range c.Headers {
		if !f.Cache.Has(sum) {
			return nil
		}
	}
	return &c
}

func (c *choice) component(of *contents) *Component {
	return &Component{Package: c.Package, Version: c.Version, Wheel: c.Wheel, SHA256: c.SHA256, Whole: of.Whole, Uploaded: c.Uploaded, Headers: of.Headers}
}

// component brings a package of a release into the cache, if it is not there.
func (f *Fetcher) component(ctx context.Context, t *Toolkit, name string, p Platform) (*Component, error) {
	c, before := f.cached(t, name, p)
	if c != nil {
		f.report(Event{Kind: Cached, Release: t.Release, Component: *c})
		return c, nil
	}
	if f.Offline {
		if before != nil {
			return nil, before
		}
		return nil, f.notCached(name+" of CUDA "+t.Release+" for "+string(p), t.Release)
	}
	got, trips, err := f.choose(ctx, t, name, p)
	var none *lacking
	if errors.As(err, &none) {
		// For when there is no network.
		if err := f.Cache.PutRecord(choice{Lacking: none.why}, "components", t.Release, p.key(), keyOf(name)); err != nil {
			return nil, err
		}
	} else if err != nil && before != nil && ctx.Err() == nil {
		return nil, before // without a network, what was known before will do
	}
	if err != nil {
		return nil, err
	}
	f.report(Event{Kind: Begun, Release: t.Release, Package: got.Package, Component: Component{Package: got.Package, Version: got.Version, Wheel: got.Wheel}})
	unlock, err := f.Cache.Lock(ctx, got.Key, func() { f.report(Event{Kind: Waiting, Release: t.Release, Package: got.Package}) })
	if err != nil {
		return nil, err
	}
	defer unlock()
	// Another process, or another release, may have brought the wheel.
	contents, spent := f.contents(got.Key), cost{}
	if contents == nil || f.Refresh {
		client, err := f.client(ctx)
		if err != nil {
			return nil, err
		}
		contents, spent, err = f.readWheel(ctx, client, got.file)
		if err != nil {
			return nil, err
		}
		if len(contents.Headers) > 0 && (contents.Package != got.Package || !sameVersion(contents.Version, got.Version)) {
			return nil, &index.Error{URL: index.Show(got.file.URL), Msg: fmt.Sprintf("says that it is %s %s: expected %s %s",
				contents.Package, contents.Version, got.Package, got.Version)}
		}
		if err := f.Cache.PutRecord(contents, "wheels", got.Key); err != nil {
			return nil, err
		}
	}
	if len(contents.Headers) == 0 {
		got.Lacking = fmt.Sprintf("CUDA %s: %s %s has no headers", t.Release, got.Package, got.Version)
	}
	if err := f.Cache.PutRecord(got.choice, "components", t.Release, p.key(), keyOf(name)); err != nil {
		return nil, err
	}
	if got.Lacking != "" {
		return nil, &lacking{got.Lacking}
	}
	c = got.choice.component(contents)
	c.cost = spent
	c.Trips += trips
	kind := Fetched
	if spent.Requests == 0 {
		kind = Cached
	}
	f.report(Event{Kind: kind, Release: t.Release, Component: *c})
	return c, nil
}

// chosen is a choice and the file that it is.
type chosen struct {
	choice
	file index.File
}

// choose finds the wheel of a package of a release. A package is named without
// -cu11 or -cu12; of several, separated by |, the first counts that the release
// has.
func (f *Fetcher) choose(ctx context.Context, t *Toolkit, names string, p Platform) (got chosen, trips int, err error) {
	elsewhere := ""
	for _, name := range alternatives(names) {
		r, pinned, here, err := t.component(name, p)
		if err != nil {
			return got, 0, err
		}
		if pinned && !here {
			elsewhere = name
		}
		if !here {
			continue
		}
		page, err := f.page(ctx, r.Name)
		if errors.Is(err, index.ErrNotFound) {
			return got, 1, &lacking{fmt.Sprintf("CUDA %s has %s, but the index does not", t.Release, r.Name)}
		}
		if err != nil {
			return got, 1, err
		}
		file, v, why := pick(page, r, p)
		if why != "" {
			return got, 1, &lacking{fmt.Sprintf("CUDA %s: %s", t.Release, why)}
		}
		got.file = file
		got.choice = choice{Package: r.Name, Version: v, Wheel: file.Name, SHA256: file.SHA256, Uploaded: file.Uploaded, Key: wheelKey(file)}
		return got, 1, nil
	}
	if elsewhere != "" {
		return got, 0, &lacking{fmt.Sprintf("CUDA %s has no %s for %s", t.Release, elsewhere, p)}
	}
	return got, 0, &lacking{t.unknown(names)}
}

// pick finds the wheel that meets a requirement: of a pin the newest build, of
// a range the oldest version, as the release was made with it.
func pick(page *index.Page, r dist.Requirement, p Platform) (file index.File, v, why string) {
	type candidate struct {
		file    index.File
		wheel   dist.WheelName
		version version.Version
	}
	var fit []candidate
	otherPlatform := ""
	for _, file := range page.Files {
		w, err := dist.ParseWheelName(file.Name)
		if err != nil || w.Name != r.Name || w.Version == placeholder || !r.Admits(w.Version) {
			continue
		}
		if !p.fits(w) {
			otherPlatform = w.Version
			continue
		}
		parsed, err := version.Parse(w.Version)
		if err == nil {
			fit = append(fit, candidate{file, w, parsed})
		}
	}
	if slices.ContainsFunc(fit, func(c candidate) bool { return !c.file.Yanked }) {
		fit = slices.DeleteFunc(fit, func(c candidate) bool { return c.file.Yanked })
	}
	if slices.ContainsFunc(fit, func(c candidate) bool { return !c.version.IsPreRelease() }) {
		fit = slices.DeleteFunc(fit, func(c candidate) bool { return c.version.IsPreRelease() })
	}
	if len(fit) == 0 {
		if otherPlatform != "" {
			return file, "", fmt.Sprintf("%s %s has no wheel for %s", r.Name, otherPlatform, p)
		}
		return file, "", fmt.Sprintf("the index has no %s %s", r.Name, clauses(r))
	}
	if r.Lowest() != "" {
		lowest := slices.MinFunc(fit, func(a, b candidate) int { return a.version.Compare(b.version) })
		fit = slices.DeleteFunc(fit, func(c candidate) bool { return dist.Base(c.version) != dist.Base(lowest.version) })
	}
	best := slices.MaxFunc(fit, func(a, b candidate) int {
		if order := a.version.Compare(b.version); order != 0 {
			return order
		}
		return a.wheel.Build - b.wheel.Build
	})
	return best.file, best.wheel.Version, ""
}

func clauses(r dist.Requirement) (text string) {
	for i, c := range r.Clauses {
		if i > 0 {
			text += ","
		}
		text += c.Op + c.Version
		if c.Prefix {
			text += ".*"
		}
	}
	return text
}

func sameVersion(a, b string) bool {
	v, err := version.Parse(a)
	w, err2 := version.Parse(b)
	return err == nil && err2 == nil && v.Compare(w) == 0
}

func sumOf(data []byte) string { return cache.Sum(data) }
