package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/cache"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/fetch"
	"github.com/cybindgo/cybindgo/internal/index"
	"github.com/cybindgo/cybindgo/internal/suggest"
)

// fetching is how headers are fetched: the flags of every command that does.
type fetching struct {
	index            string
	offline, refresh bool
	quiet            bool
}

func (f *fetching) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.index, "index-url", "", "the package index (default: pip's or uv's)")
	cmd.Flags().BoolVar(&f.offline, "offline", false, "use what is in the cache, and no network")
	cmd.Flags().BoolVar(&f.refresh, "refresh", false, "ask the index again for what is in the cache")
	cmd.Flags().BoolVar(&f.quiet, "no-progress", false, "do not show progress")
}

// open makes a fetcher. Whoever called closes the progress, before anything else
// is printed.
func (f *fetching) open(cmd *cobra.Command) (fetcher *fetch.Fetcher, shown *progress, err error) {
	if f.offline && f.refresh {
		return nil, nil, fmt.Errorf("--offline and --refresh exclude each other")
	}
	dir, err := cache.DefaultDir()
	if err != nil {
		return nil, nil, err
	}
	shown = newProgress(cmd.ErrOrStderr(), f.quiet)
	return &fetch.Fetcher{
		Cache: cache.Open(dir), Offline: f.offline, Refresh: f.refresh, Watch: shown.watch,
		Connect: func(ctx context.Context) (*index.Client, error) {
			where, err := index.Locate(ctx, f.index)
			if err != nil {
				return nil, err
			}
			return index.NewClient(where)
		},
	}, shown, nil
}

// interruptible is a context that ends when the user interrupts the program.
// The second time ends the program itself.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// packagesOf says which packages carry the headers of libraries: what their
// definitions say, or what is known of those without one.
func packagesOf(libraries config.Libraries, names []string) (packages []string, err error) {
	for _, name := range names {
		if slices.Contains(libraries.Names(), name) {
			lib, err := libraries.Load(name)
			if err != nil {
				return nil, err
			}
			if len(lib.Headers.Packages) > 0 {
				packages = append(packages, lib.Headers.Packages...)
				continue
			}
		}
		list, known := fetch.Packages(name)
		if !known && slices.Contains(libraries.Names(), name) {
			return nil, fmt.Errorf("library %s: its definition names no packages that carry its headers, under headers: packages", name)
		}
		if !known {
			all := slices.Concat(libraries.Names(), fetch.Libraries())
			slices.Sort(all)
			all = slices.Compact(all)
			return nil, fmt.Errorf("library %q: expected one of %s%s", name, strings.Join(all, ", "), suggest.Hint(name, all))
		}
		packages = append(packages, list...)
	}
	return packages, nil
}

// known finds the definitions that can be used: the project's, if there is one
// here, and those built in.
func (p *project) known() (config.Libraries, error) {
	if p.config == "" {
		if _, err := p.file(); err != nil {
			return config.Libraries{}, nil
		}
	}
	libraries, _, err := p.libraries()
	return libraries, err
}
