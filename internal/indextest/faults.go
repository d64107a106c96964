package indextest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Status answers a status, and for 429 and the like when to come again (empty:
// does not say).
func Status(code int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(code)
	}
}

// Text answers 200 and a text of some type.
func Text(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
	}
}

// WholeFile leaves the range of a request out of account, as servers may.
func (s *Server) WholeFile(w http.ResponseWriter, r *http.Request) {
	r.Header.Del("Range")
	s.Answer(w, r)
}

// OtherRange answers 206 with another range than the one asked for.
func (s *Server) OtherRange(w http.ResponseWriter, r *http.Request) {
	r.Header.Set("Range", "bytes=0-9")
	s.Answer(w, r)
}

// CutOff sends half of what it says that it sends.
func (s *Server) CutOff(w http.ResponseWriter, r *http.Request) {
	answer := s.record(r)
	w.Header().Set("Content-Length", strconv.Itoa(len(answer.body)))
	answer.send(w, answer.body[:len(answer.body)/2])
	panic(http.ErrAbortHandler)
}

// TooLong sends more than the index says.
func (s *Server) TooLong(w http.ResponseWriter, r *http.Request) {
	answer := s.record(r)
	answer.header.Del("Content-Length")
	answer.send(w, append(answer.body, strings.Repeat("x", 1000)...))
}

// Changed sends other bytes of the same length.
func (s *Server) Changed(w http.ResponseWriter, r *http.Request) {
	answer := s.record(r)
	for i := range answer.body {
		answer.body[i] ^= 0x55
	}
	answer.send(w, answer.body)
}

// Loop redirects to itself.
func Loop(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Path, http.StatusFound)
}

// Hang answers nothing until the client goes.
func Hang(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// HangInside sends half of what it should, and then nothing.
func (s *Server) HangInside(w http.ResponseWriter, r *http.Request) {
	answer := s.record(r)
	w.Header().Set("Content-Length", strconv.Itoa(len(answer.body)))
	answer.send(w, answer.body[:len(answer.body)/2])
	w.(http.Flusher).Flush()
	Hang(w, r)
}

// recorded is an answer that was not sent yet.
type recorded struct {
	code   int
	header http.Header
	body   []byte
}

func (s *Server) record(r *http.Request) *recorded {
	answer := &recorded{code: http.StatusOK, header: http.Header{}}
	s.Answer(answer, r)
	return answer
}

func (a *recorded) Header() http.Header  { return a.header }
func (a *recorded) WriteHeader(code int) { a.code = code }
func (a *recorded) Write(p []byte) (int, error) {
	a.body = append(a.body, p...)
	return len(p), nil
}

func (a *recorded) send(w http.ResponseWriter, body []byte) {
	for key, values := range a.header {
		if w.Header().Get(key) == "" {
			w.Header()[key] = values
		}
	}
	w.WriteHeader(a.code)
	w.Write(body)
}
