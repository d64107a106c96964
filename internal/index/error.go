package index

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
)

// An Error is a request that failed for good, worded for a terminal. It holds
// no credentials.
type Error struct {
	URL string // without secrets, see [Show]
	Msg string // what is wrong and what was expected
	Err error  // the cause, or nil
}

// Error gives "URL: message".
func (e *Error) Error() string { return e.URL + ": " + e.Msg }

// Unwrap gives the cause, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

var (
	// ErrNotFound says that there is no such page or file.
	ErrNotFound = errors.New("not found")
	// ErrNoRanges says that a server does not give parts of a file.
	ErrNoRanges = errors.New("no ranges")

	errRedirects = errors.New("too many redirects")
	errStalled   = errors.New("no answer")
)

// failed words what went wrong with a request. Errors of net/http name the URL,
// with what may be secret in it: they are taken apart.
func failed(u *url.URL, err error) *Error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return known
	}
	var outer *url.Error
	for errors.As(err, &outer) {
		err = outer.Err
	}
	e := &Error{URL: Show(u), Err: err}
	var (
		dns     *net.DNSError
		op      *net.OpError
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, context.Canceled):
		e.Msg = "was interrupted"
	case errors.Is(err, errRedirects):
		e.Msg = fmt.Sprintf("redirects more than %d times", maxRedirects)
	case errors.Is(err, errStalled), errors.Is(err, context.DeadlineExceeded):
		e.Msg = "does not answer"
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &invalid), errors.As(err, &verify):
		e.Msg = fmt.Sprintf("its certificate is not trusted (%v); name the authority's certificate in PIP_CERT", err)
	case errors.As(err, &dns):
		e.Msg = "the host is not known: " + dns.Err
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Msg = "the host refuses connections"
	case errors.As(err, &op):
		e.Msg = fmt.Sprintf("cannot be reached: %s: %v", op.Op, op.Err)
	default:
		e.Msg = "cannot be reached: " + strings.TrimPrefix(err.Error(), "http: ")
	}
	return e
}

func errorf(u *url.URL, cause error, format string, args ...any) *Error {
	return &Error{URL: Show(u), Msg: fmt.Sprintf(format, args...), Err: cause}
}
