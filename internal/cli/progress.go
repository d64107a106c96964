package cli

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"github.com/cybindgo/cybindgo/internal/fetch"
)

// progress shows what is fetched: a bar on a terminal, a line for each
// component elsewhere.
type progress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar // nil where there is no terminal
	quiet bool

	mu    sync.Mutex
	total int
}

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet}
	f, file := w.(*os.File)
	if !quiet && file && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb" {
		p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(),
			progressbar.OptionShowCount(), progressbar.OptionSetWidth(30), progressbar.OptionSetDescription("finding the release"),
			progressbar.OptionEnableColorCodes(os.Getenv("NO_COLOR") == ""))
	}
	return p
}

// watch is told what goes on.
func (p *progress) watch(e fetch.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		switch e.Kind {
		case fetch.Lacking, fetch.Retrying, fetch.Waiting: // worth a word in any case
			fmt.Fprintln(p.w, e)
		case fetch.Fetched:
			if !p.quiet {
				fmt.Fprintln(p.w, e)
			}
		}
		return
	}
	switch e.Kind {
	case fetch.Resolved:
		p.total += e.Total
		p.bar.ChangeMax(p.total)
		p.bar.Describe("CUDA " + e.Release)
	case fetch.Begun:
		p.bar.Describe(e.Package + " " + e.Component.Version)
	case fetch.Fetched, fetch.Cached:
		p.bar.Add(1)
	case fetch.Lacking, fetch.Retrying, fetch.Waiting:
		p.bar.Clear()
		fmt.Fprintln(p.w, e)
		if e.Kind == fetch.Lacking {
			p.bar.Add(1)
		}
	}
}

// close takes the bar away.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Finish()
		p.bar.Clear()
		p.bar, p.quiet = nil, true
	}
}
