package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/cybindgo/cybindgo/internal/cache"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/internal/index"
)

const (
	// smallWheel is up to which size a wheel is downloaded whole, so that its
	// SHA-256 can be compared.
	smallWheel = 1 << 20
	// largestWheel bounds a download of which the index does not say the size.
	// CUDA's largest wheel has 0.9 GB.
	largestWheel = 4 << 30
)

// contents are the headers of a wheel, in the cache.
type contents struct {
	Package string // as the wheel itself says
	Version string
	Wheel   string
	SHA256  string            // of the wheel, as the index says
	Whole   bool              // the wheel was downloaded, and has this SHA-256
	Headers map[string]string // sha256 by name as included; none for a wheel without headers
}

// cost is what reading a wheel took.
type cost struct {
	Requests int   `json:"requests"`
	Bytes    int64 `json:"bytes"`
	Trips    int   `json:"trips"` // requests that waited for each other
}

// readWheel reads the headers of a wheel into the cache.
func (f *Fetcher) readWheel(ctx context.Context, client *index.Client, file index.File) (*contents, cost, error) {
	if file.Size < 0 || file.Size > smallWheel {
		c, spent, err := f.readRanges(ctx, client, file)
		if !errors.Is(err, index.ErrNoRanges) {
			return c, spent, err
		}
		c, more, err := f.download(ctx, client, file)
		return c, cost{spent.Requests + more.Requests, spent.Bytes + more.Bytes, spent.Trips + more.Trips}, err
	}
	return f.download(ctx, client, file)
}

// readRanges reads no more of a wheel than its directory and its headers.
func (f *Fetcher) readRanges(ctx context.Context, client ranges, file index.File) (*contents, cost, error) {
	r, err := openWheel(ctx, client, file)
	var c *contents
	if err == nil {
		c, err = f.unpack(file, r, r.size)
	}
	return c, cost{r.requests, r.bytes, r.trips}, err
}

// openWheel opens a wheel of which what there is to read is there already.
func openWheel(ctx context.Context, client ranges, file index.File) (*remote, error) {
	r, err := openRemote(ctx, client, file.URL, file.Size)
	if err != nil {
		return r, err
	}
	all, start, err := readDirectory(r)
	if err != nil {
		return r, err
	}
	if err := r.fetch(r.plan(all, headers.InWheel, start)); err != nil {
		return r, err
	}
	return r, checkMembers(r, all, headers.InWheel)
}

// download reads a whole wheel, which goes when its headers are read.
func (f *Fetcher) download(ctx context.Context, client *index.Client, file index.File) (*contents, cost, error) {
	limit := file.Size
	if limit < 0 {
		limit = largestWheel
	}
	var to *os.File
	var sum hash.Hash
	discard := func() {
		if to != nil {
			to.Close()
			os.Remove(to.Name())
			to = nil
		}
	}
	defer func() { discard() }()
	size, err := client.Download(ctx, file.URL, limit, func() (_ io.Writer, err error) {
		discard()
		if to, err = f.Cache.Temp(); err != nil {
			return nil, err
		}
		sum = sha256.New()
		return io.MultiWriter(cacheWriter{to, f.Cache}, sum), nil
	})
	spent := cost{Requests: 1, Bytes: size, Trips: 1}
	bad := func(format string, args ...any) (*contents, cost, error) {
		return nil, spent, &index.Error{URL: index.Show(file.URL), Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case err != nil:
		return nil, spent, err
	case file.Size >= 0 && size != file.Size:
		return bad("has %d bytes, but the index says %d", size, file.Size)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); file.SHA256 != "" && got != file.SHA256 {
		return bad("its sha256 is %s, but the index says %s; nothing of it is used", got, file.SHA256)
	}
	c, err := f.unpack(file, to, size)
	if err != nil {
		return nil, spent, err
	}
	c.Whole = file.SHA256 != ""
	return c, spent, nil
}

// cacheWriter words a failure to write as the cache does.
type cacheWriter struct {
	io.Writer
	cache *cache.Cache
}

func (w cacheWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		err = w.cache.Unwritable(err)
	}
	return n, err
}

// unpack puts the headers of a wheel into the cache.
func (f *Fetcher) unpack(file index.File, data io.ReaderAt, size int64) (*contents, error) {
	is, files, err := headers.ReadWheel(index.Show(file.URL), data, size)
	c := &contents{Package: is.Name, Version: is.Version, Wheel: file.Name, SHA256: file.SHA256, Headers: map[string]string{}}
	if errors.Is(err, headers.ErrNoHeaders) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		if c.Headers[name], err = f.Cache.Put(text); err != nil {
			return nil, err
		}
	}
	return c, nil
}
