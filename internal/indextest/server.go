package indextest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Server is an index at URL/simple/, with its files below URL/files/.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	projects map[string][]*File
	faults   []*fault
	log      []string
	// HTML makes the index speak HTML alone.
	HTML bool
}

// A File is one that the index lists.
type File struct {
	Name     string
	Data     []byte
	Uploaded time.Time
	Yanked   bool
	SHA256   string // what the index says; the right one if empty
	Size     int64  // what the index says; the right one if 0
	Metadata string // what is at the file's URL.metadata, if anything
}

// fault is a handler that answers some requests in place of the index.
type fault struct {
	path  string
	times int // below zero: always
	serve http.HandlerFunc
}

// New starts an index without projects, which stops with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{projects: map[string][]*File{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// Index is the URL to give as --index-url.
func (s *Server) Index() string { return s.URL + "/simple" }

// Add lists a file under a project.
func (s *Server) Add(project string, f *File) *File {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.projects[project] = append(s.projects[project], f)
	return f
}

// Replace gives a file other bytes.
func (s *Server) Replace(f *File, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Data = data
}

// Fail has a handler answer the next requests whose path contains path; times
// below zero means all of them.
func (s *Server) Fail(path string, times int, serve http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &fault{path, times, serve})
}

// Mend takes all faults away, and forgets the requests so far.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.log = nil, nil
}

// Log lists the requests so far: the last part of the path, and the range.
func (s *Server) Log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.log...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	s.log = append(s.log, strings.TrimSpace(parts[len(parts)-1]+" "+r.Header.Get("Range")))
	for _, f := range s.faults {
		if f.times != 0 && strings.Contains(r.URL.Path, f.path) {
			f.times--
			s.mu.Unlock()
			f.serve(w, r)
			return
		}
	}
	defer s.mu.Unlock()
	s.answer(w, r)
}

// Answer serves a request as it should be, for handlers that only sometimes do
// something else.
func (s *Server) Answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer(w, r)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	if project, ok := strings.CutPrefix(r.URL.Path, "/simple/"); ok {
		project = strings.TrimSuffix(project, "/")
		if files, ok := s.projects[project]; ok {
			s.page(w, project, files)
			return
		}
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/files/"); ok {
		project, name, _ := strings.Cut(name, "/")
		for _, f := range s.projects[project] {
			switch name {
			case f.Name:
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.Data))
				return
			case f.Name + ".metadata":
				if f.Metadata != "" {
					fmt.Fprint(w, f.Metadata)
					return
				}
			}
		}
	}
	http.NotFound(w, r)
}

func (s *Server) page(w http.ResponseWriter, project string, files []*File) {
	if s.HTML {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><html><body><h1>Links for %s</h1>\n", project)
		for _, f := range files {
			yanked := ""
			if f.Yanked {
				yanked = ` data-yanked="broken"`
			}
			fmt.Fprintf(w, "<a href=\"../../files/%s/%s#sha256=%s\"%s>%s</a><br/>\n", project, f.Name, f.sum(), yanked, f.Name)
		}
		fmt.Fprint(w, "</body></html>")
		return
	}
	type entry struct {
		Name     string            `json:"filename"`
		URL      string            `json:"url"`
		Hashes   map[string]string `json:"hashes"`
		Size     int64             `json:"size"`
		Uploaded string            `json:"upload-time,omitempty"`
		Yanked   any               `json:"yanked"`
		Metadata bool              `json:"core-metadata"`
	}
	list := []entry{}
	for _, f := range files {
		e := entry{Name: f.Name, URL: "/files/" + project + "/" + f.Name, Hashes: map[string]string{"sha256": f.sum()}, Size: f.Size, Yanked: f.Yanked, Metadata: f.Metadata != ""}
		if e.Size == 0 {
			e.Size = int64(len(f.Data))
		}
		if !f.Uploaded.IsZero() {
			e.Uploaded = f.Uploaded.Format("2006-01-02T15:04:05.000000Z")
		}
		list = append(list, e)
	}
	w.Header().Set("Content-Type", "application/vnd.pypi.simple.v1+json")
	json.NewEncoder(w).Encode(map[string]any{"meta": map[string]string{"api-version": "1.1"}, "name": project, "files": list})
}

func (f *File) sum() string {
	if f.SHA256 != "" {
		return f.SHA256
	}
	sum := sha256.Sum256(f.Data)
	return hex.EncodeToString(sum[:])
}

// Settings sets an environment in which this index is found, and nothing of the
// user's: no configuration files, no cache.
func (s *Server) Settings(t *testing.T) (cache string) {
	t.Helper()
	for name, value := range s.Environment(t.TempDir()) {
		t.Setenv(name, value)
	}
	return os.Getenv("CYBINDGO_CACHE")
}

// Environment is that environment, with a folder for what it names.
func (s *Server) Environment(dir string) map[string]string {
	return map[string]string{
		"PIP_INDEX_URL": s.Index(), "CYBINDGO_CACHE": dir + "/cache", "HOME": dir, "XDG_CONFIG_HOME": dir, "XDG_CACHE_HOME": dir + "/xdg",
		"PIP_CONFIG_FILE": os.DevNull, "PIP_PROXY": "", "HTTP_PROXY": "", "HTTPS_PROXY": "", "http_proxy": "", "https_proxy": "",
		"PIP_CERT": "", "REQUESTS_CA_BUNDLE": "", "CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": "", "UV_INDEX_URL": "", "UV_DEFAULT_INDEX": "", "UV_CONFIG_FILE": "",
	}
}
