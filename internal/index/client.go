package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// A Client asks an index and the hosts of its files. It may be used by several
// goroutines at once.
type Client struct {
	Location *Location
	// Agent is sent with each request.
	Agent string
	// Tries is how often a request is sent at most. Between two there is a
	// pause, Pause at first and then longer, or as long as the host wants, up
	// to LongestPause.
	Tries               int
	Pause, LongestPause time.Duration
	// Stall is how long a host may send nothing.
	Stall time.Duration
	// Retrying is told why a request is sent again, if set.
	Retrying func(err error, pause time.Duration)

	http            *http.Client
	netrc           *credentials
	requests, bytes atomic.Int64
}

// NewClient makes a client with the usual bounds.
func NewClient(l *Location) (*Client, error) {
	h, err := newHTTP(l.Ways)
	if err != nil {
		return nil, err
	}
	return &Client{
		Location: l, Agent: "cybindgo", Tries: 5, Pause: 500 * time.Millisecond, LongestPause: 30 * time.Second, Stall: 30 * time.Second,
		http: h, netrc: readNetrc(os.Getenv),
	}, nil
}

// Requests counts the requests that were sent, those that were sent again
// included.
func (c *Client) Requests() int64 { return c.requests.Load() }

// Bytes counts the bytes of all bodies that were received.
func (c *Client) Bytes() int64 { return c.bytes.Load() }

// request is what is asked for, and how an answer is read.
type request struct {
	url    *url.URL
	header map[string]string
	// read reads the answer to a try. An error is final if it is wrapped by
	// backoff.Permanent.
	read func(*http.Response) error
}

// do sends a request until it is answered, or that is hopeless.
func (c *Client) do(ctx context.Context, r request) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = c.Pause, c.LongestPause
	_, err := backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, c.try(ctx, r) },
		backoff.WithBackOff(pauses), backoff.WithMaxTries(uint(max(c.Tries, 1))), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, pause time.Duration) {
			if c.Retrying != nil && ctx.Err() == nil {
				c.Retrying(failed(r.url, err), pause)
			}
		}))
	if ctx.Err() != nil {
		return failed(r.url, context.Cause(ctx))
	}
	if err == nil {
		return nil
	}
	var final *backoff.PermanentError // of the last try
	if errors.As(err, &final) {
		err = final.Err
	}
	return failed(r.url, err)
}

// try sends a request once.
func (c *Client) try(parent context.Context, r request) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	// The clock runs while nothing comes.
	clock := time.AfterFunc(c.Stall, func() { cancel(errStalled) })
	defer clock.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url.String(), nil)
	if err != nil {
		return backoff.Permanent(errorf(r.url, nil, "is no URL to ask"))
	}
	req.URL.User = nil
	for key, value := range r.header {
		req.Header.Set(key, value)
	}
	req.Header.Set("User-Agent", c.Agent)
	if user := c.userFor(r.url); user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	c.requests.Add(1)
	resp, err := c.http.Do(req)
	if err != nil {
		return c.whether(ctx, err)
	}
	defer resp.Body.Close()
	resp.Body = &counted{resp.Body, func(n int) { c.bytes.Add(int64(n)); clock.Reset(c.Stall) }}
	if err := status(r.url, resp, c.LongestPause); err != nil {
		return err
	}
	if err := r.read(resp); err != nil {
		return c.whether(ctx, err)
	}
	return nil
}

// whether decides if a failure is worth another try.
func (c *Client) whether(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		err = cause // what stopped us, and not that we were stopped
	}
	var outer *url.Error
	var final *backoff.PermanentError
	if errors.As(err, &final) {
		return err
	}
	inner := err
	if errors.As(err, &outer) {
		inner = outer.Err
	}
	var ours *Error
	e := failed(&url.URL{}, inner)
	if errors.Is(inner, errRedirects) || errors.Is(inner, context.Canceled) || errors.As(inner, &ours) && ours.Err != errTruncated ||
		strings.HasPrefix(e.Msg, "its certificate") || strings.HasPrefix(e.Msg, "the host is not known") {
		return backoff.Permanent(inner)
	}
	return inner
}

var errTruncated = errors.New("truncated")

// status judges the status of an answer.
func status(u *url.URL, resp *http.Response, longest time.Duration) error {
	s := resp.StatusCode
	is := fmt.Sprintf("answers %d", s)
	if text := http.StatusText(s); text != "" {
		is += " (" + strings.ToLower(text) + ")"
	}
	switch {
	case s == http.StatusOK, s == http.StatusPartialContent:
		return nil
	case s == http.StatusNotFound, s == http.StatusGone:
		return backoff.Permanent(errorf(u, ErrNotFound, "%s", is))
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		return backoff.Permanent(errorf(u, nil, "%s: expected credentials in the index's URL or in .netrc", is))
	case s == http.StatusRequestedRangeNotSatisfiable:
		return backoff.Permanent(errorf(u, ErrNoRanges, "%s", is))
	case s == http.StatusTooManyRequests, s == http.StatusServiceUnavailable:
		if pause, ok := retryAfter(resp); ok {
			return errors.Join(errorf(u, nil, "%s", is), &backoff.RetryAfterError{Duration: min(pause, longest)})
		}
		return errorf(u, nil, "%s", is)
	case s >= 500, s == http.StatusRequestTimeout:
		return errorf(u, nil, "%s", is)
	}
	return backoff.Permanent(errorf(u, nil, "%s: expected 200 or 206", is))
}

// retryAfter is how long a host wants to be left alone.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	text := resp.Header.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return time.Duration(min(n, 1<<20)) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// counted tells of the bytes that are read.
type counted struct {
	io.ReadCloser
	read func(n int)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.read(n)
	return n, err
}
