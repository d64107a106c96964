// Mkdist makes what is published of cybindgo: wheels for Python's package
// index, which carry the program, and archives with the program, its manual
// pages and completions for shells.
//
//	go run ./cmd/mkdist [-o DIR] [-version V] [-commit C] [-platform LIST] wheels|archives|all
//
// It is run from the root of the repository. The same source, version of Go and
// arguments give the same bytes, on any machine: nothing of the machine goes
// into them, and members have the time in SOURCE_DATE_EPOCH, or 1980. A file
// SHA256SUMS lists what the folder then holds of the version.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cybindgo/cybindgo/internal/pack"
)

// unreleased is the version of what is no release.
const unreleased = "0.0.0.dev0"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "mkdist: %v\n", err)
		os.Exit(2)
	}
}

// job is what is to be made.
type job struct {
	dir              string
	version, commit  string
	platforms        []platform
	wheels, archives bool
	at               time.Time
}

func run(ctx context.Context, args []string) error {
	j, err := parse(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		return err
	}
	manual, err := writeManual(j)
	if err != nil {
		return err
	}
	for _, p := range j.platforms {
		b, err := build(ctx, p, j.version, j.commit)
		if err != nil {
			return err
		}
		if j.wheels {
			w, err := wheel(p, b, j.version)
			if err != nil {
				return err
			}
			data, err := w.Pack(j.at)
			if err != nil {
				return err
			}
			if err := j.put(w.FileName(), data); err != nil {
				return err
			}
		}
		if j.archives {
			name, data, err := archive(p, b, manual, j)
			if err != nil {
				return err
			}
			if err := j.put(name, data); err != nil {
				return err
			}
		}
	}
	return j.sums()
}

func parse(args []string) (*job, error) {
	j := &job{}
	var list string
	f := flag.NewFlagSet("mkdist", flag.ContinueOnError)
	f.StringVar(&j.dir, "o", "dist", "the folder to write to")
	f.StringVar(&j.version, "version", "", "the version (default "+unreleased+")")
	f.StringVar(&j.commit, "commit", "", "the commit that is built")
	f.StringVar(&list, "platform", "", "platforms, separated by commas: "+platformNames()+", or host (default all)")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if j.version == "" {
		j.version = unreleased
	}
	var err error
	if j.version, err = pack.NormalVersion(j.version); err != nil {
		return nil, err
	}
	if j.platforms, err = choose(list); err != nil {
		return nil, err
	}
	switch what := f.Arg(0); {
	case f.NArg() == 1 && what == "all":
		j.wheels, j.archives = true, true
	case f.NArg() == 1 && what == "wheels":
		j.wheels = true
	case f.NArg() == 1 && what == "archives":
		j.archives = true
	default:
		return nil, errors.New("expected what to make: wheels, archives or all")
	}
	j.at, err = sourceDate(os.Getenv("SOURCE_DATE_EPOCH"))
	return j, err
}

// sourceDate reads the time that everything is given.
func sourceDate(epoch string) (time.Time, error) {
	if epoch == "" {
		return pack.FirstTime, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	at := time.Unix(seconds, 0).UTC()
	if err != nil || at.Year() > 2107 {
		return at, fmt.Errorf("SOURCE_DATE_EPOCH %q: expected seconds since 1970", epoch)
	}
	if at.Before(pack.FirstTime) {
		at = pack.FirstTime // no zip can tell an earlier one
	}
	return at, nil
}

// put writes a file of the job and says so.
func (j *job) put(name string, data []byte) error {
	if err := os.WriteFile(filepath.Join(j.dir, name), data, 0o666); err != nil {
		return err
	}
	fmt.Printf("%s  %.1f MB\n", name, float64(len(data))/1e6)
	return nil
}

// sums writes SHA256SUMS, as sha256sum --check reads it, about all files of the
// version that the folder holds.
func (j *job) sums() error {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "cybindgo-"+j.version+"-") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(j.dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return os.WriteFile(filepath.Join(j.dir, "SHA256SUMS"), []byte(b.String()), 0o666)
}
