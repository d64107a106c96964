package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cybindgo/cybindgo/internal/cache"
	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/index"
)

// atOnce is how many components are fetched at a time.
const atOnce = 8

// A Fetcher brings headers into a cache. It may be used by several goroutines
// at once.
type Fetcher struct {
	Cache *cache.Cache
	// Connect finds the index. It is called once, and not before it is needed.
	Connect func(context.Context) (*index.Client, error)
	// Offline uses the cache alone.
	Offline bool
	// Refresh asks the index again for what is in the cache.
	Refresh bool
	// Watch is told what goes on, if set.
	Watch func(Event)

	once    sync.Once
	found   *index.Client
	failure error
	watched sync.Mutex
	pages   sync.Map // project to *pageOnce
}

type pageOnce struct {
	mu   sync.Mutex
	page *index.Page
}

// A Request says what to fetch.
type Request struct {
	Release  string
	Platform Platform
	// Packages are named without -cu11 or -cu12; of several, separated by |, the
	// first counts that the release has.
	Packages []string
}

// Fetch brings headers of a release into the cache. What was brought stays
// there even if there is an error. A package that the release lacks is no
// error, see [Release.Lacking]; nothing at all is one, [ErrLacking].
func (f *Fetcher) Fetch(ctx context.Context, req Request) (*Release, error) {
	t, trips, err := f.toolkit(ctx, req.Release)
	if err != nil {
		return nil, err
	}
	r := &Release{Toolkit: t, Platform: req.Platform, cache: f.Cache}
	var names []string
	seen := map[string]bool{}
	for _, name := range req.Packages {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	f.report(Event{Kind: Resolved, Release: t.Release, Total: len(names)})
	components := make([]*Component, len(names))
	lacks := make([]string, len(names))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, name := range names {
		group.Go(func() error {
			c, err := f.component(ctx, t, name, req.Platform)
			var none *lacking
			if errors.As(err, &none) {
				lacks[i] = none.why
				f.report(Event{Kind: Lacking, Release: t.Release, Package: name, Text: none.why})
				return nil
			}
			components[i] = c
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for i, c := range components {
		switch {
		case c == nil:
			r.Lacking = append(r.Lacking, Lack{names[i], lacks[i]})
		case !have[c.Package]:
			have[c.Package] = true
			r.Components = append(r.Components, *c)
			r.Trips = max(r.Trips, trips+c.Trips)
			r.Requests += c.Requests
			r.Bytes += c.Bytes
		}
	}
	if len(r.Components) == 0 {
		return nil, &lacking{fmt.Sprintf("nothing to fetch for %s: %s", req.Platform, strings.Join(lacks, "; "))}
	}
	return r, nil
}

// client connects to the index, once.
func (f *Fetcher) client(ctx context.Context) (*index.Client, error) {
	f.once.Do(func() {
		f.found, f.failure = f.Connect(ctx)
		if f.found != nil && f.found.Retrying == nil {
			f.found.Retrying = func(err error, pause time.Duration) { f.report(Event{Kind: Retrying, Text: err.Error(), Pause: pause}) }
		}
	})
	return f.found, f.failure
}

// page asks for a project's page, once.
func (f *Fetcher) page(ctx context.Context, project string) (*index.Page, error) {
	client, err := f.client(ctx)
	if err != nil {
		return nil, err
	}
	value, _ := f.pages.LoadOrStore(dist.Normalise(project), &pageOnce{})
	p := value.(*pageOnce)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.page == nil {
		page, err := client.Page(ctx, project)
		if err != nil {
			return nil, err
		}
		p.page = page
	}
	return p.page, nil
}

func (f *Fetcher) report(e Event) {
	if f.Watch != nil {
		f.watched.Lock()
		defer f.watched.Unlock()
		f.Watch(e)
	}
}

// notCached says that something would have to be fetched.
func (f *Fetcher) notCached(what, release string) error {
	return fmt.Errorf("%s is not in the cache (%s), and --offline was given: run `cybindgo headers get %s` with a network", what, f.Cache.Dir(), release)
}

// keyOf is a list of packages as part of a name in the cache.
func keyOf(names string) string { return strings.ReplaceAll(names, "|", "+") }

// wheelKey is what a wheel's contents are kept under: its SHA-256, or, where
// the index does not say one, its file name and where it is.
func wheelKey(file index.File) string {
	if len(file.SHA256) == 64 && strings.Trim(file.SHA256, "0123456789abcdef") == "" {
		return file.SHA256
	}
	return sumOf([]byte(index.Show(file.URL)))[:32] + "-url"
}

// Spent gives the requests that were sent so far, and the bytes that came.
func (f *Fetcher) Spent() (requests, bytes int64) {
	if f.found == nil {
		return 0, 0
	}
	return f.found.Requests(), f.found.Bytes()
}
