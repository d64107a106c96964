package index

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// maxRedirects bounds how often a request is sent on.
const maxRedirects = 5

// hosts sends a request with or without a look at the host's certificate.
type hosts struct {
	ways             Ways
	checked, trusted *http.Transport
}

// RoundTrip implements [http.RoundTripper].
func (h *hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	if h.ways.trusts(r.URL) {
		return h.trusted.RoundTrip(r)
	}
	return h.checked.RoundTrip(r)
}

// newHTTP makes an HTTP client that goes these ways.
func newHTTP(w Ways) (*http.Client, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(w.Certificates) > 0 {
		config.RootCAs = x509.NewCertPool()
		for _, name := range w.Certificates {
			if err := addCertificates(config.RootCAs, name); err != nil {
				return nil, err
			}
		}
	}
	if w.Client != "" {
		pair, err := tls.LoadX509KeyPair(w.Client, w.Client)
		if err != nil {
			return nil, fmt.Errorf("%s: expected a client's certificate and its key, in one PEM file", w.Client)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	proxy := http.ProxyFromEnvironment
	if w.Proxy != nil {
		proxy = http.ProxyURL(w.Proxy)
	}
	transport := func(config *tls.Config) *http.Transport {
		return &http.Transport{
			Proxy:               proxy,
			DialContext:         (&net.Dialer{Timeout: 20 * time.Second}).DialContext,
			TLSHandshakeTimeout: 20 * time.Second,
			TLSClientConfig:     config,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     time.Minute,
			// Bytes are to come as they are kept: a sum is of these.
			DisableCompression:     true,
			MaxResponseHeaderBytes: 1 << 20,
		}
	}
	trusted := config.Clone()
	trusted.InsecureSkipVerify = true // for hosts that the user named
	return &http.Client{
		Transport: &hosts{w, transport(config), transport(trusted)},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errRedirects
			}
			if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" && !w.trusts(r.URL) {
				return errorf(r.URL, nil, "a redirect leads here from https: expected https again")
			}
			return nil
		},
	}, nil
}

// addCertificates reads a PEM file, or all in a folder.
func addCertificates(pool *x509.CertPool, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("the certificates to trust cannot be read: %w", err)
	}
	files := []string{name}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(name, "*")); err != nil {
			return err
		}
	}
	found := false
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil && !info.IsDir() {
			return fmt.Errorf("the certificates to trust cannot be read: %w", err)
		}
		found = pool.AppendCertsFromPEM(data) || found
	}
	if !found {
		return fmt.Errorf("%s holds no certificates to trust: expected PEM", name)
	}
	return nil
}
