package intake

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/parser"
)

// Skipped is a header family that was not read, because of a header that is
// missing.
type Skipped struct {
	Family, Header string
	Targets        []ir.Target // empty for all
}

func (s Skipped) String() string {
	on := ""
	for i, t := range s.Targets {
		on += []string{" on ", ", "}[min(i, 1)] + string(t)
	}
	return fmt.Sprintf("family %s: skipped%s (%s not found)", s.Family, on, s.Header)
}

// present is what of a library's headers is read for a target.
type present struct {
	bind, consult []string
	skipped       []Skipped
}

// ErrAbsent is told of headers that have none of a library's own.
var ErrAbsent = errors.New("the headers have nothing of the library")

// absence is an error that is [ErrAbsent].
type absence struct{ error }

func (absence) Is(target error) bool { return target == ErrAbsent }

// find looks for the headers that are bound. One that is missing takes its
// family with it, so that no half of one is read; without a family it is an
// error.
func find(lib *config.Library, set *headers.Set) (present, error) {
	var errs []error
	there := false
	var skipped []Skipped
	without := map[string]bool{}
	for _, header := range lib.Headers.Bind {
		if parser.Provides(header) {
			continue
		}
		// A header that is there and cannot be read is for the parser to report.
		if _, err := fs.Stat(set.FS(), header); !errors.Is(err, fs.ErrNotExist) {
			there = true
			continue
		}
		switch family := lib.Headers.Family(header); {
		case family == "":
			errs = append(errs, fmt.Errorf("cannot find the header %s of %s; searched: %s", header, lib.Name, strings.Join(set.Searched(), ", ")))
		case !without[family]:
			without[family] = true
			skipped = append(skipped, Skipped{Family: family, Header: header})
		}
	}
	err := errors.Join(errs...)
	if err != nil && !there {
		err = absence{err}
	}
	absent := func(header string) bool { return without[lib.Headers.Family(header)] }
	return present{
		bind:    slices.DeleteFunc(slices.Clone(lib.Headers.Bind), absent),
		consult: slices.DeleteFunc(slices.Clone(lib.Headers.Consult), absent),
		skipped: skipped,
	}, err
}

// together puts what was skipped for each target into one list.
func together(of []present, targets []ir.Target) (list []Skipped) {
	for i, p := range of {
		for _, s := range p.skipped {
			at := slices.IndexFunc(list, func(l Skipped) bool { return l.Family == s.Family && l.Header == s.Header })
			if at < 0 {
				list = append(list, s)
				at = len(list) - 1
			}
			list[at].Targets = append(list[at].Targets, targets[i])
		}
	}
	for i := range list {
		if len(list[i].Targets) == len(targets) {
			list[i].Targets = nil
		}
	}
	return list
}
