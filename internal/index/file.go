package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/cenkalti/backoff/v5"
)

// Range reads the bytes from from up to to of a file. A from below zero counts
// from the end, and to is then left out of account. It gives the size of the
// whole file as well.
//
// Only an answer of exactly that range is taken: a server that sends something
// else, be it the whole file, gives [ErrNoRanges], and the answer is not read
// on.
func (c *Client) Range(ctx context.Context, u *url.URL, from, to int64) (data []byte, size int64, err error) {
	spec := fmt.Sprintf("bytes=%d-%d", from, to-1)
	if from < 0 {
		spec = fmt.Sprintf("bytes=%d", from)
	}
	err = c.do(ctx, request{
		url:    u,
		header: map[string]string{"Range": spec, "Accept-Encoding": "identity"},
		read: func(resp *http.Response) error {
			if resp.StatusCode != http.StatusPartialContent {
				return backoff.Permanent(errorf(u, ErrNoRanges, "answers %d to a range: expected 206", resp.StatusCode))
			}
			first, last, whole, ok := contentRange(resp.Header.Get("Content-Range"))
			wantFirst, wantLast := from, min(to, whole)-1
			if from < 0 {
				wantFirst, wantLast = max(0, whole+from), whole-1
			}
			if !ok || first != wantFirst || last != wantLast {
				return backoff.Permanent(errorf(u, ErrNoRanges, "answers the range %q to %s", resp.Header.Get("Content-Range"), spec))
			}
			data, size = make([]byte, last-first+1), whole
			if n, err := io.ReadFull(resp.Body, data); err != nil {
				return cut(u, int64(n), int64(len(data)), err)
			}
			if n, _ := resp.Body.Read(make([]byte, 1)); n > 0 {
				return backoff.Permanent(errorf(u, ErrNoRanges, "sends more than the %d bytes of a range", len(data)))
			}
			return nil
		},
	})
	if err != nil {
		return nil, 0, err
	}
	return data, size, nil
}

var contentRangeForm = regexp.MustCompile(`^bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})$`)

// contentRange reads "bytes FIRST-LAST/SIZE".
func contentRange(text string) (first, last, size int64, ok bool) {
	m := contentRangeForm.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, 0, false
	}
	first, _ = strconv.ParseInt(m[1], 10, 64)
	last, _ = strconv.ParseInt(m[2], 10, 64)
	size, _ = strconv.ParseInt(m[3], 10, 64)
	return first, last, size, first <= last && last < size && last-first < maxRange
}

// maxRange bounds one range, in bytes.
const maxRange = 256 << 20

// cut says that a body ended too early, which another try may mend.
func cut(u *url.URL, got, want int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errorf(u, errTruncated, "the answer is cut off: %d of %d bytes", got, want)
	}
	return err
}

// Get reads a whole file of at most limit bytes into memory.
func (c *Client) Get(ctx context.Context, u *url.URL, limit int64) (data []byte, err error) {
	err = c.do(ctx, request{url: u, header: map[string]string{"Accept-Encoding": "identity"}, read: func(resp *http.Response) error {
		data, err = readAll(u, resp, limit)
		return err
	}})
	return data, err
}

func readAll(u *url.URL, resp *http.Response, limit int64) ([]byte, error) {
	tooLong := func() error {
		return backoff.Permanent(errorf(u, nil, "has more than the %d bytes that were expected", limit))
	}
	if resp.ContentLength > limit {
		return nil, tooLong()
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, cut(u, int64(len(data)), resp.ContentLength, err)
	case int64(len(data)) > limit:
		return nil, tooLong()
	}
	return data, nil
}

// Download copies a whole file of at most limit bytes to where open leads,
// which is called anew for each try.
func (c *Client) Download(ctx context.Context, u *url.URL, limit int64, open func() (io.Writer, error)) (size int64, err error) {
	err = c.do(ctx, request{url: u, header: map[string]string{"Accept-Encoding": "identity"}, read: func(resp *http.Response) error {
		if resp.ContentLength > limit {
			return backoff.Permanent(errorf(u, nil, "has %d bytes: expected at most %d", resp.ContentLength, limit))
		}
		w, err := open()
		if err != nil {
			return backoff.Permanent(err)
		}
		var broken error
		size, err = io.Copy(writer{w, &broken}, io.LimitReader(resp.Body, limit+1))
		switch {
		case broken != nil:
			return backoff.Permanent(broken)
		case err != nil:
			return cut(u, size, resp.ContentLength, err)
		case size > limit:
			return backoff.Permanent(errorf(u, nil, "has more than the %d bytes that were expected", limit))
		}
		return nil
	}})
	return size, err
}

// writer notes that writing failed, which is not the host's fault.
type writer struct {
	io.Writer
	failed *error
}

func (w writer) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		*w.failed = err
	}
	return n, err
}
