package index

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cybindgo/cybindgo/internal/indextest"
)

func client(t *testing.T, rawURL string, ways Ways) *Client {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClient(&Location{URL: u, Ways: ways})
	if err != nil {
		t.Fatal(err)
	}
	c.Tries, c.Pause, c.LongestPause, c.Stall = 2, time.Millisecond, 10*time.Millisecond, 300*time.Millisecond
	return c
}

// TestWhoGetsCredentials sends them to the host that they are for, and to no
// other.
func TestWhoGetsCredentials(t *testing.T) {
	bare(t)
	got := map[string]string{}
	handler := func(name string, then func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			got[name+r.URL.Path] = user + ":" + password
			then(w, r)
		}
	}
	other := httptest.NewServer(handler("other", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x") }))
	defer other.Close()
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) // another host, for net/http
	own := httptest.NewServer(handler("own", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sent-on" {
			http.Redirect(w, r, elsewhere+"/redirected", http.StatusFound)
			return
		}
		io.WriteString(w, "x")
	}))
	defer own.Close()

	c := client(t, strings.Replace(own.URL, "http://", "http://me:p%40ss@", 1)+"/simple", Ways{})
	for _, link := range []string{own.URL + "/same", own.URL + "/sent-on", other.URL + "/direct"} {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get(t.Context(), u, 100); err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]string{"own/same": "me:p@ss", "own/sent-on": "me:p@ss", "other/redirected": ":", "other/direct": ":"} {
		if got[path] != want {
			t.Errorf("%s: got %q, want %q", path, got[path], want)
		}
	}

	// With a .netrc, hosts get what it says.
	home := os.Getenv("HOME")
	write(t, filepath.Join(home, ".netrc"), "machine 127.0.0.1\nlogin net\npassword rc\n", 0o600)
	c = client(t, own.URL+"/simple", Ways{})
	u, _ := url.Parse(other.URL + "/direct")
	if _, err := c.Get(t.Context(), u, 100); err != nil || got["other/direct"] != "net:rc" {
		t.Errorf("got %q, %v", got["other/direct"], err)
	}
}

// TestSecretsStayOut makes requests fail in many ways, with secrets in whatever
// URLs there are. No message has them.
func TestSecretsStayOut(t *testing.T) {
	bare(t)
	s := indextest.New(t)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	secret := func(rawURL string) string { return strings.Replace(rawURL, "://", "://user:SECRET@", 1) }
	for name, c := range map[string]*Client{
		"404":       client(t, secret(s.Index()), Ways{}),
		"refused":   client(t, secret(closed.URL), Ways{}),
		"no host":   client(t, "https://user:SECRET@host.invalid/simple", Ways{}),
		"proxy":     client(t, secret(s.Index()), Ways{Proxy: must(t, secret(closed.URL))}),
		"wrong TLS": client(t, strings.Replace(secret(s.Index()), "http://", "https://", 1), Ways{}),
	} {
		said := ""
		c.Retrying = func(err error, _ time.Duration) { said += err.Error() }
		_, err := c.Page(t.Context(), "demo")
		_, err2 := c.Get(t.Context(), must(t, c.Location.URL.String()+"/x?signature=SECRET#SECRET"), 10)
		if err == nil || err2 == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if text := err.Error() + err2.Error() + said; strings.Contains(text, "SECRET") || strings.Contains(text, "user") {
			t.Errorf("%s: %s", name, text)
		}
	}
	// A redirect may lead to an address with a signature in it.
	s.Fail("/simple/", -1, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, secret(closed.URL)+"/file?signature=SECRET", http.StatusFound)
	})
	if _, err := client(t, s.Index(), Ways{}).Page(t.Context(), "demo"); err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("got %v", err)
	}
}

func must(t *testing.T, rawURL string) *url.URL {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestWhichHostsAreTrusted(t *testing.T) {
	bare(t)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"files":[]}`)
	}))
	s.Config.ErrorLog = nil
	defer s.Close()
	dir := t.TempDir()
	authority := filepath.Join(dir, "ca.pem")
	write(t, authority, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})), 0o666)
	write(t, filepath.Join(dir, "empty", "none.pem"), "none", 0o666)
	host := must(t, s.URL)
	for _, c := range []struct {
		name string
		ways Ways
		want string // "" for success
	}{
		{"by the system", Ways{}, s.URL + "/demo/: its certificate is not trusted (tls: failed to verify certificate: x509: certificate signed by unknown authority); name the authority's certificate in PIP_CERT"},
		{"by a file", Ways{Certificates: []string{authority}}, ""},
		{"by a folder", Ways{Certificates: []string{dir}}, ""},
		{"whatever it shows", Ways{Trusted: []string{host.Hostname()}}, ""},
		{"whatever it shows, on a port", Ways{Trusted: []string{host.Host}}, ""},
		{"on another port", Ways{Trusted: []string{host.Hostname() + ":1"}}, s.URL + "/demo/: its certificate is not trusted (tls: failed to verify certificate: x509: certificate signed by unknown authority); name the authority's certificate in PIP_CERT"},
		{"by a folder without certificates", Ways{Certificates: []string{filepath.Join(dir, "empty")}}, filepath.Join(dir, "empty") + " holds no certificates to trust: expected PEM"},
		{"by no file", Ways{Certificates: []string{dir + "/none"}}, "the certificates to trust cannot be read: stat " + dir + "/none: no such file or directory"},
		{"with a client's certificate that is none", Ways{Client: authority}, authority + ": expected a client's certificate and its key, in one PEM file"},
	} {
		cl, err := NewClient(&Location{URL: host, Ways: c.ways})
		if err == nil {
			cl.Tries = 1
			_, err = cl.Page(t.Context(), "demo")
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestProxy(t *testing.T) {
	bare(t)
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := r.Header.Get("Proxy-Authorization")
		asked = append(asked, r.URL.String()+" "+fmt.Sprint(user != ""))
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"files":[]}`)
	}))
	defer proxy.Close()
	c := client(t, "http://index.example/simple", Ways{Trusted: []string{"index.example"}, Proxy: must(t, strings.Replace(proxy.URL, "://", "://me:pw@", 1))})
	if _, err := c.Page(t.Context(), "demo"); err != nil || len(asked) != 1 || asked[0] != "http://index.example/simple/demo/ true" {
		t.Errorf("the proxy was asked for %q, %v", asked, err)
	}
}

func TestRedirectsLeaveNoTLS(t *testing.T) {
	bare(t)
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, plain.URL, http.StatusFound) }))
	defer s.Close()
	dir := t.TempDir()
	write(t, dir+"/ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})), 0o666)
	c := client(t, s.URL, Ways{Certificates: []string{dir + "/ca.pem"}})
	if _, err := c.Page(t.Context(), "demo"); err == nil || err.Error() != plain.URL+": a redirect leads here from https: expected https again" {
		t.Errorf("got %v", err)
	}
	if c.Requests() != 1 {
		t.Errorf("%d requests", c.Requests())
	}
}

func TestRanges(t *testing.T) {
	bare(t)
	s := indextest.New(t)
	s.Add("demo", &indextest.File{Name: "demo.whl", Data: []byte("0123456789")})
	c, u := client(t, s.Index(), Ways{}), must(t, s.URL+"/files/demo/demo.whl")
	for _, r := range []struct {
		from, to int64
		want     string
	}{{0, 3, "012"}, {4, 10, "456789"}, {8, 100, "89"}, {-4, 0, "6789"}, {-100, 0, "0123456789"}} {
		got, size, err := c.Range(t.Context(), u, r.from, r.to)
		if err != nil || string(got) != r.want || size != 10 {
			t.Errorf("%d to %d: %q of %d, %v, want %q", r.from, r.to, got, size, err, r.want)
		}
	}
	s.Fail("demo.whl", -1, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Range", r.URL.Query().Get("range"))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, "012")
	})
	for _, answer := range []string{"", "bytes 0-2/*", "bytes 1-3/10", "bytes 0-3/10", "bytes 2-0/10", "bytes 0-2/2", "bytes 0-1/10", "bytes 0-9999999999999999999/10", "items 0-2/10"} {
		u := must(t, s.URL+"/files/demo/demo.whl?range="+url.QueryEscape(answer))
		if _, _, err := c.Range(t.Context(), u, 0, 3); !errors.Is(err, ErrNoRanges) {
			t.Errorf("%q: got %v", answer, err)
		}
	}
	// The end of a file of unknown size, of which a server gives all.
	s.Mend()
	s.Fail("demo.whl", -1, s.WholeFile)
	if _, _, err := c.Range(t.Context(), u, -4, 0); !errors.Is(err, ErrNoRanges) {
		t.Errorf("got %v", err)
	}
}

// TestDownloadBeginsAnew cuts a download off twice: what is kept is what came
// last.
func TestDownloadBeginsAnew(t *testing.T) {
	bare(t)
	s := indextest.New(t)
	data := bytes.Repeat([]byte("0123456789"), 10_000)
	s.Add("demo", &indextest.File{Name: "demo.whl", Data: data})
	s.Fail("demo.whl", 1, s.CutOff)
	c := client(t, s.Index(), Ways{})
	var kept *bytes.Buffer
	opened := 0
	open := func() (io.Writer, error) { opened++; kept = &bytes.Buffer{}; return kept, nil }
	u := must(t, s.URL+"/files/demo/demo.whl")
	if n, err := c.Download(t.Context(), u, 1<<20, open); err != nil || n != int64(len(data)) || !bytes.Equal(kept.Bytes(), data) || opened != 2 {
		t.Errorf("%d bytes, %d times, %v", n, opened, err)
	}
	// A full disk is no fault of the host's: it is not asked again.
	s.Mend()
	full := errors.New("the disk is full")
	_, err := c.Download(t.Context(), u, 1<<20, func() (io.Writer, error) { return brokenWriter{full}, nil })
	if !errors.Is(err, full) || len(s.Log()) != 1 {
		t.Errorf("got %v after %q", err, s.Log())
	}
	if _, err := c.Download(t.Context(), u, 100, open); err == nil || !strings.HasSuffix(err.Error(), ": has 100000 bytes: expected at most 100") {
		t.Errorf("got %v", err)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// TestPatience counts how often a host is asked, and looks at the first pause,
// without waiting for it.
func TestPatience(t *testing.T) {
	bare(t)
	for _, c := range []struct {
		name  string
		fault http.HandlerFunc
		pause time.Duration // 0: it is not asked again
	}{
		{"there is none", indextest.Status(404, ""), 0},
		{"forbidden", indextest.Status(403, ""), 0},
		{"gone", indextest.Status(410, ""), 0},
		{"a redirect for ever", indextest.Loop, 0},
		{"too many requests", indextest.Status(429, "7"), 7 * time.Second},
		{"too many requests, and come tomorrow", indextest.Status(429, "86400"), 10 * time.Second},
	} {
		s := indextest.New(t)
		s.Fail("/simple/", -1, c.fault)
		client := client(t, s.Index(), Ways{})
		client.LongestPause = 10 * time.Second
		ctx, stop := context.WithCancel(t.Context())
		var paused time.Duration
		client.Retrying = func(_ error, pause time.Duration) { paused = pause; stop() }
		_, err := client.Page(ctx, "demo")
		stop()
		if err == nil || client.Requests() != 1 || paused != c.pause {
			t.Errorf("%s: asked %d times, waited %v, %v; want %v", c.name, client.Requests(), paused, err, c.pause)
		}
	}
	// Pauses grow where the host does not say, and it is asked as often as it may.
	s := indextest.New(t)
	s.Fail("/simple/", -1, indextest.Status(500, ""))
	client := client(t, s.Index(), Ways{})
	client.Tries, client.Pause, client.LongestPause = 5, 4*time.Millisecond, time.Second
	var pauses []time.Duration
	client.Retrying = func(_ error, pause time.Duration) { pauses = append(pauses, pause) }
	if _, err := client.Page(t.Context(), "demo"); err == nil || client.Requests() != 5 || len(pauses) != 4 || pauses[3] <= pauses[0] {
		t.Errorf("asked %d times, waited %v, %v", client.Requests(), pauses, err)
	}
}
