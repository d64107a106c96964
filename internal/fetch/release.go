package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/internal/index"
)

// A Release is headers of a release, in the cache.
type Release struct {
	*Toolkit
	Platform   Platform
	Components []Component
	Lacking    []Lack
	// What the components took, but for what was in the cache: Trips are the
	// requests that waited for each other, from the first on.
	Requests int
	Bytes    int64
	Trips    int

	cache interface {
		Tree(name string, files map[string]string) (string, error)
		Get(sum string) ([]byte, error)
	}
}

// Lack is a package that a release lacks, and why.
type Lack struct {
	Package string `json:"package"`
	Reason  string `json:"reason"`
}

// Set gives the headers as [headers.Open] would. They are checked as they are
// read.
func (r *Release) Set() (*headers.Set, error) {
	var packages []headers.Package
	for _, c := range r.Components {
		read := map[string]func() ([]byte, error){}
		for name, sum := range c.Headers {
			read[name] = func() ([]byte, error) { return r.cache.Get(sum) }
		}
		packages = append(packages, headers.Package{
			Component: headers.Component{Name: c.Package, Version: c.Version},
			Label:     c.Package + "-" + c.Version,
			Files:     headers.Files(read),
		})
	}
	return headers.Of(r.Release, r.Pins(), packages)
}

// Tree gives a folder of the headers, for a compiler.
func (r *Release) Tree() (string, error) {
	files := map[string]string{}
	for _, c := range r.Components {
		for name, sum := range c.Headers {
			if other, twice := files[name]; twice && other != sum {
				return "", fmt.Errorf("CUDA %s has two headers %s", r.Release, name)
			}
		}
		maps.Copy(files, c.Headers)
	}
	return r.cache.Tree(r.Release+"-"+r.Platform.key(), files)
}

// Date says when a release was published, YYYY-MM-DD: when the last of its
// components was there, or the meta-package, where that was before. (The
// meta-package is younger than most releases that it names; and a component
// may get another build later on.) It is "" where the index does not say when
// files came. The index is asked for the pages of all components, once for a
// release.
func (f *Fetcher) Date(ctx context.Context, release string) (string, error) {
	t, _, err := f.toolkit(ctx, release)
	if err != nil {
		return "", err
	}
	if t.Date != "" || f.Offline {
		return t.Date, nil
	}
	pins := map[string]dist.Requirement{}
	for _, r := range t.parsed.Requires {
		if len(r.Clauses) > 0 {
			pins[r.Name] = r
		}
	}
	days := make(chan time.Time, len(pins))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for name, r := range pins {
		group.Go(func() error {
			page, err := f.page(ctx, name)
			if errors.Is(err, index.ErrNotFound) {
				return nil
			}
			if err == nil {
				days <- firstUpload(page, r)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	close(days)
	var last time.Time
	for day := range days {
		if day.After(last) {
			last = day
		}
	}
	if !t.Uploaded.IsZero() && (last.IsZero() || t.Uploaded.Before(last)) {
		last = t.Uploaded
	}
	if last.IsZero() {
		return "", nil
	}
	t.Date = last.Format(time.DateOnly)
	return t.Date, f.Cache.PutRecord(t, "toolkits", t.Release)
}

// firstUpload is when the first file came that meets a requirement; of a range,
// of its lowest version.
func firstUpload(page *index.Page, r dist.Requirement) (first time.Time) {
	if lowest := r.Lowest(); lowest != "" {
		r.Clauses = []dist.Clause{{Op: "==", Version: lowest, Prefix: true}}
	}
	for _, file := range page.Files {
		w, err := dist.ParseWheelName(file.Name)
		if err != nil || w.Name != r.Name || file.Uploaded.IsZero() || !r.Admits(w.Version) {
			continue
		}
		if first.IsZero() || file.Uploaded.Before(first) {
			first = file.Uploaded
		}
	}
	return first
}
