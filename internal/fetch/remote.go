package fetch

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cybindgo/cybindgo/internal/index"
)

// ranges is what a remote file needs of [index.Client].
type ranges interface {
	Range(ctx context.Context, u *url.URL, from, to int64) ([]byte, int64, error)
}

// A remote is a file on a server, of which some parts were read. It implements
// [io.ReaderAt]; what is not there yet is asked for.
type remote struct {
	ctx    context.Context
	client ranges
	url    *url.URL
	size   int64

	mu       sync.Mutex
	parts    []part // sorted, disjoint or not
	requests int
	trips    int // requests that waited for each other
	bytes    int64
}

// part is some bytes of a file.
type part struct {
	from int64
	data []byte
}

// tail is how much of a file's end is read at first. The directory of a wheel
// of CUDA headers has 1 to 10 kB, and its metadata lie before it.
const tail = 32 << 10

// openRemote reads the end of a file, which also tells its size and whether the
// server gives ranges. A size below zero is not known.
func openRemote(ctx context.Context, client ranges, u *url.URL, size int64) (*remote, error) {
	r := &remote{ctx: ctx, client: client, url: u, size: size, requests: 1, trips: 1}
	from, to := int64(-tail), int64(0)
	if size >= 0 {
		from, to = max(0, size-tail), size
	}
	data, whole, err := client.Range(ctx, u, from, to)
	if err != nil {
		return r, err
	}
	if size >= 0 && size != whole {
		return r, r.errorf("has %d bytes, but the index says %d", whole, size)
	}
	r.size = whole
	r.add(part{whole - int64(len(data)), data})
	return r, nil
}

func (r *remote) errorf(format string, args ...any) error {
	return &index.Error{URL: index.Show(r.url), Msg: fmt.Sprintf(format, args...)}
}

func (r *remote) add(p part) {
	at, _ := slices.BinarySearchFunc(r.parts, p.from, func(p part, from int64) int { return int(min(max(p.from-from, -1), 1)) })
	r.parts = slices.Insert(r.parts, at, p)
	r.bytes += int64(len(p.data))
}

// span is a stretch of a file.
type span struct{ from, to int64 }

// fetch reads spans that are not there yet, all at once.
func (r *remote) fetch(spans []span) error {
	group, ctx := errgroup.WithContext(r.ctx)
	asked := false
	for _, s := range spans {
		if r.has(s) {
			continue
		}
		asked = true
		r.requests++
		group.Go(func() error {
			data, whole, err := r.client.Range(ctx, r.url, s.from, s.to)
			if err != nil {
				return err
			}
			if whole != r.size {
				return r.errorf("has %d bytes now, and had %d before", whole, r.size)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.add(part{s.from, data})
			return nil
		})
	}
	if asked {
		r.trips++
	}
	return group.Wait()
}

func (r *remote) has(s span) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.copy(nil, s.from, s.to-s.from) == s.to-s.from
}

// copy copies what is there of a stretch, from its begin on, and says how much
// that is. Without a place to copy to it only counts.
func (r *remote) copy(to []byte, from, length int64) (n int64) {
	for _, p := range r.parts {
		at := from + n - p.from
		if n == length || at < 0 {
			break
		}
		if at >= int64(len(p.data)) {
			continue
		}
		have := p.data[at:min(int64(len(p.data)), at+length-n)]
		if to != nil {
			copy(to[n:], have)
		}
		n += int64(len(have))
	}
	return n
}

// morsel is how much is read at least where something is missing.
const morsel = 16 << 10

// ReadAt implements [io.ReaderAt].
func (r *remote) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= r.size {
		return 0, io.EOF
	}
	want := min(int64(len(p)), r.size-off)
	r.mu.Lock()
	n := r.copy(p, off, want)
	r.mu.Unlock()
	if n < want {
		s := span{off + n, min(r.size, off+max(want, n+morsel))}
		if err := r.fetch([]span{s}); err != nil {
			return int(n), err
		}
		r.mu.Lock()
		n = r.copy(p, off, want)
		r.mu.Unlock()
	}
	if n < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}
