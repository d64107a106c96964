package index

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
)

// A Location says where an index is and how to get there.
type Location struct {
	URL  *url.URL // of the simple API, with credentials if any
	From string   // who says so, for messages: "PIP_INDEX_URL"
	Ways Ways
}

// Ways is how to reach hosts.
type Ways struct {
	Certificates []string // PEM files, or folders of them, to trust in place of the system's
	Client       string   // a PEM file with a client's certificate and key
	Proxy        *url.URL // nil: what the environment says
	Trusted      []string // hosts, or host:port, to trust whatever their certificate
}

// Locate finds the index: the one given, or else the first of PIP_INDEX_URL,
// UV_INDEX_URL and UV_DEFAULT_INDEX, pip's configuration files, uv's, and what
// the pip or uv at hand uses by default. given may be empty.
func Locate(ctx context.Context, given string) (*Location, error) {
	pip, err := readPipConfig()
	if err != nil {
		return nil, err
	}
	if s, ok := withoutIndex(pip); ok && given == "" {
		return nil, fmt.Errorf("no package index is to be used, says %s: give --index-url, or --headers PATH", s.from)
	}
	l := &Location{}
	if l.Ways, err = waysOf(pip); err != nil {
		return nil, err
	}
	uv, err := readUVConfig()
	if err != nil {
		return nil, err
	}
	for _, s := range []setting{
		{given, "--index-url"},
		{os.Getenv("PIP_INDEX_URL"), "PIP_INDEX_URL"},
		{os.Getenv("UV_INDEX_URL"), "UV_INDEX_URL"},
		{unnamed(os.Getenv("UV_DEFAULT_INDEX")), "UV_DEFAULT_INDEX"},
		pip.get("index-url"),
		uv,
	} {
		if s.value != "" {
			return l.at(s)
		}
	}
	s, err := ask(ctx)
	if err != nil {
		return nil, err
	}
	return l.at(s)
}

// withoutIndex is the setting by which pip or uv is told to do without an
// index, if there is one.
func withoutIndex(pip *pipConfig) (setting, bool) {
	for _, s := range []setting{{os.Getenv("PIP_NO_INDEX"), "PIP_NO_INDEX"}, {os.Getenv("UV_NO_INDEX"), "UV_NO_INDEX"}, pip.get("no-index")} {
		switch strings.ToLower(s.value) {
		case "1", "true", "t", "yes", "y", "on":
			return s, true
		}
	}
	return setting{}, false
}

// unnamed is the URL of NAME=URL.
func unnamed(index string) string {
	if name, rest, ok := strings.Cut(index, "="); ok && !strings.ContainsAny(name, ":/") {
		return rest
	}
	return index
}

// at takes the location that a setting gives.
func (l *Location) at(s setting) (*Location, error) {
	u, err := url.Parse(strings.TrimSpace(s.value))
	// The value is not shown: there may be a password in it.
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("%s is no URL of an index: expected https://HOST/PATH", s.from)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath, u.Fragment, u.RawQuery = "", "", ""
	if u.Scheme == "http" && !loopback(u.Hostname()) && !l.Ways.trusts(u) {
		return nil, fmt.Errorf("the index at %s (from %s) is not secure: expected https, or its host in PIP_TRUSTED_HOST", Show(u), s.from)
	}
	l.URL, l.From = u, s.from
	return l, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// trusts reports whether a host is trusted whatever its certificate.
func (w *Ways) trusts(u *url.URL) bool {
	for _, t := range w.Trusted {
		if strings.EqualFold(t, u.Hostname()) || strings.EqualFold(t, u.Host) {
			return true
		}
	}
	return false
}

// waysOf reads how to reach hosts from the environment, and from pip's
// configuration.
func waysOf(pip *pipConfig) (w Ways, err error) {
	certificate := cmp.Or(os.Getenv("PIP_CERT"), pip.get("cert").value,
		os.Getenv("REQUESTS_CA_BUNDLE"), os.Getenv("CURL_CA_BUNDLE"), os.Getenv("SSL_CERT_FILE"), os.Getenv("SSL_CERT_DIR"))
	if certificate != "" {
		w.Certificates = []string{certificate}
	}
	w.Client = cmp.Or(os.Getenv("PIP_CLIENT_CERT"), pip.get("client-cert").value)
	w.Trusted = strings.FieldsFunc(cmp.Or(os.Getenv("PIP_TRUSTED_HOST"), pip.get("trusted-host").value, os.Getenv("UV_INSECURE_HOST")),
		func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
	if proxy := cmp.Or(os.Getenv("PIP_PROXY"), pip.get("proxy").value); proxy != "" {
		if !strings.Contains(proxy, "://") {
			proxy = "http://" + proxy
		}
		if w.Proxy, err = url.Parse(proxy); err != nil || w.Proxy.Host == "" {
			return w, fmt.Errorf("the proxy that pip is given is no URL: expected http://HOST:PORT")
		}
	}
	return w, nil
}

// A setting is a value and who gave it.
type setting struct{ value, from string }

// Show gives a URL as messages may show it: without the user, the password and
// the query, which may be a signature.
func Show(u *url.URL) string {
	shown := *u
	shown.User, shown.RawQuery, shown.Fragment, shown.RawFragment = nil, "", "", ""
	return shown.String()
}
