package fetch

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/indextest"
)

// TestIllServers has an index do what indexes do. What can be got over is; what
// cannot is an error that says what is wrong. Either way the cache is whole: the
// next run brings what is missing, and nothing twice.
func TestIllServers(t *testing.T) {
	const (
		toolkit  = "/simple/cuda-toolkit/"
		wheel    = "nvidia_cuda_runtime-13.5.37"
		small    = "nvidia_cuda_profiler_api-13.5.25"
		ranges   = wheel + "-py3-none-" + linux + ".whl"
		wholeOne = small + "-py3-none-" + linux + ".whl"
	)
	for _, c := range []struct {
		name string
		path string
		// How often it fails; below zero: always.
		times int
		fault func(s *indextest.Server) http.HandlerFunc
		// The error, from INDEX on, or "" where the run ends well.
		want string
	}{
		{"no meta-package", toolkit, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(404, "") },
			"the index has no cuda-toolkit, which says what belongs to a release of CUDA: INDEX/simple/cuda-toolkit/: answers 404 (not found)"},
		{"too many requests, once", toolkit, 1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(429, "0") }, ""},
		{"too many requests, with a wait of an hour", wheel, 2, func(*indextest.Server) http.HandlerFunc { return indextest.Status(429, "3600") }, ""},
		{"too many requests, until a day in the past", wheel, 2, func(*indextest.Server) http.HandlerFunc {
			return indextest.Status(503, "Wed, 21 Oct 2015 07:28:00 GMT")
		}, ""},
		{"too many requests for ever", wheel, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(429, "1") },
			"INDEX/files/nvidia-cuda-runtime/" + ranges + ": answers 429 (too many requests)"},
		{"an error inside, twice", wheel, 2, func(*indextest.Server) http.HandlerFunc { return indextest.Status(500, "") }, ""},
		{"an error inside, always", toolkit, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(500, "") },
			"INDEX/simple/cuda-toolkit/: answers 500 (internal server error)"},
		{"no permission", toolkit, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(401, "") },
			"INDEX/simple/cuda-toolkit/: answers 401 (unauthorized): expected credentials in the index's URL or in .netrc"},
		{"a status that means nothing here", toolkit, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(204, "") },
			"INDEX/simple/cuda-toolkit/: answers 204 (no content): expected 200 or 206"},
		{"a web page", toolkit, -1, func(*indextest.Server) http.HandlerFunc {
			return indextest.Text("text/html", "<html><body>Please log in</body></html>")
		}, `INDEX/simple/cuda-toolkit/: lists no files: expected a page of a package index, but it starts with "<html><body>Please log in</body></html>"`},
		{"a web page that says it is JSON", toolkit, -1, func(*indextest.Server) http.HandlerFunc {
			return indextest.Text("application/vnd.pypi.simple.v1+json", "<html>")
		}, `INDEX/simple/cuda-toolkit/: says it is JSON, but cannot be read as a page of a package index: it starts with "<html>"`},
		{"a page of a later kind", toolkit, -1, func(*indextest.Server) http.HandlerFunc {
			return indextest.Text("application/vnd.pypi.simple.v2+json", `{"meta":{"api-version":"2.0"},"files":[]}`)
		}, `INDEX/simple/cuda-toolkit/: is a page of version "2.0": expected 1.x`},
		{"a picture", toolkit, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Text("image/png", "PNG") },
			`INDEX/simple/cuda-toolkit/: is of type "image/png": expected a page of a package index, as JSON or HTML`},
		{"no releases", toolkit, -1, func(*indextest.Server) http.HandlerFunc {
			return indextest.Text("application/json", `{"files":[]}`)
		}, "there is no CUDA 13.5.0: INDEX/simple/cuda-toolkit/ lists no release"},
		{"no ranges", ranges, -1, func(s *indextest.Server) http.HandlerFunc { return s.WholeFile }, ""},
		{"another range", ranges, -1, func(s *indextest.Server) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Range") == "" {
					s.Answer(w, r)
					return
				}
				s.OtherRange(w, r)
			}
		}, ""},
		{"a page cut off, once", toolkit, 1, func(s *indextest.Server) http.HandlerFunc { return s.CutOff }, ""},
		{"a range cut off, once", ranges, 1, func(s *indextest.Server) http.HandlerFunc { return s.CutOff }, ""},
		{"a range cut off, always", ranges, -1, func(s *indextest.Server) http.HandlerFunc { return s.CutOff },
			"INDEX/files/nvidia-cuda-runtime/" + ranges + ": the answer is cut off: 16384 of 32768 bytes"},
		{"a wheel cut off, once", wholeOne, 1, func(s *indextest.Server) http.HandlerFunc { return s.CutOff }, ""},
		{"a wheel that is too long", wholeOne, -1, func(s *indextest.Server) http.HandlerFunc { return s.TooLong },
			"INDEX/files/nvidia-cuda-profiler-api/" + wholeOne + ": has SIZE bytes: expected at most SIZE"},
		{"a wheel of other bytes", wholeOne, -1, func(s *indextest.Server) http.HandlerFunc { return s.Changed },
			"INDEX/files/nvidia-cuda-profiler-api/" + wholeOne + ": its sha256 is SUM, but the index says SUM; nothing of it is used"},
		{"ranges of other bytes", ranges, -1, func(s *indextest.Server) http.HandlerFunc { return s.Changed },
			"INDEX/files/nvidia-cuda-runtime/" + ranges + ": the wheel is damaged or cut off: there is no directory at its end, as a zip archive has it"},
		{"a redirect that leads nowhere", ranges, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Loop },
			"INDEX/files/nvidia-cuda-runtime/" + ranges + ": redirects more than 5 times"},
		{"no answer, once", ranges, 1, func(*indextest.Server) http.HandlerFunc { return indextest.Hang }, ""},
		{"no answer, always", toolkit, -1, func(*indextest.Server) http.HandlerFunc { return indextest.Hang },
			"INDEX/simple/cuda-toolkit/: does not answer"},
		{"no answer in the middle", wholeOne, 1, func(s *indextest.Server) http.HandlerFunc { return s.HangInside }, ""},
		{"a component that is not there", "/simple/nvidia-cuda-profiler-api/", -1, func(*indextest.Server) http.HandlerFunc { return indextest.Status(404, "") }, "lacking"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, dir := demo(t), t.TempDir()
			s.Fail(c.path, c.times, c.fault(s))
			f := fetcher(t, s, dir)
			start := time.Now()
			r, err := f.Fetch(t.Context(), all)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			switch {
			case c.want == "lacking":
				if err != nil || len(r.Lacking) != 1 || r.Lacking[0].Reason != "CUDA 13.5.0 has nvidia-cuda-profiler-api, but the index does not" {
					t.Errorf("got %v, %v", r, err)
				}
				return
			case c.want == "" && err != nil:
				t.Fatalf("got %v", err)
			case c.want != "":
				if err == nil {
					t.Fatal("no error")
				}
				if got := plain(err.Error(), s.URL); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			default:
				if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			noLeftovers(t, dir)

			// The next run goes on where this one stopped.
			had := map[string]bool{}
			for _, key := range f.Cache.Keys("wheels") {
				had[key] = true
			}
			s.Mend()
			r, err = fetcher(t, s, dir).Fetch(t.Context(), all)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
				t.Errorf("the next run (-want +got):\n%s", diff)
			}
			for _, component := range r.Components {
				if had[component.SHA256] && component.Requests > 0 {
					t.Errorf("%s was fetched again", component.Package)
				}
			}
		})
	}
}

// plain takes out of an error what differs from run to run.
func plain(text, url string) string {
	text = strings.ReplaceAll(text, url, "INDEX")
	words := strings.Split(text, " ")
	for i, w := range words {
		bare := strings.Trim(w, ",;")
		if len(bare) == 64 && strings.Trim(bare, "0123456789abcdef") == "" {
			words[i] = strings.Replace(w, bare, "SUM", 1)
		}
		if i > 0 && (words[i-1] == "has" && strings.Contains(text, "most") || words[i-1] == "most") {
			words[i] = "SIZE"
		}
	}
	return strings.Join(words, " ")
}

// noLeftovers looks for files that were being written.
func noLeftovers(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "tmp"))
	if err != nil || len(entries) != 0 {
		t.Errorf("%d temporary files are left, %v", len(entries), err)
	}
}

func TestWrongSizeInTheIndex(t *testing.T) {
	s := demo(t)
	runtime := indextest.Component{Name: "nvidia-cuda-runtime", Version: "13.5.37.1"}
	f := s.Component(t, runtime, linux, 2<<20, day("2026-11-06"), map[string]string{include + "cuda.h": "int later;\n"})
	f.Size = 3 << 20
	_, err := fetcher(t, s, t.TempDir()).Fetch(t.Context(), all)
	want := "has 2097152 bytes, but the index says 3145728"
	if err == nil || !strings.Contains(err.Error(), "but the index says 3145728") {
		t.Errorf("got %v, want ...%s", err, want)
	}
}

func TestWheelOfAnotherPackage(t *testing.T) {
	s := demo(t)
	c := indextest.Component{Name: "nvidia-cuda-runtime", Version: "13.5.37.post1"}
	f := s.Component(t, c, linux, 0, day("2026-11-06"), nil)
	f.Data = indextest.Wheel(t, "nvidia-other", "13.5.37.post1", 0, map[string]string{include + "cuda.h": "int other;\n"})
	_, err := fetcher(t, s, t.TempDir()).Fetch(t.Context(), all)
	if err == nil || !strings.HasSuffix(err.Error(), ": says that it is nvidia-other 13.5.37.post1: expected nvidia-cuda-runtime 13.5.37.post1") {
		t.Errorf("got %v", err)
	}
}

func TestWhichWheelIsTaken(t *testing.T) {
	s := demo(t)
	add := func(version string, yanked bool, text string) {
		c := indextest.Component{Name: "nvidia-cuda-runtime", Version: version}
		s.Component(t, c, linux, 0, day("2026-11-06"), map[string]string{include + "cuda.h": text}).Yanked = yanked
	}
	only := Request{Release: "13.5.0", Platform: Reference, Packages: []string{"nvidia-cuda-runtime"}}
	for _, step := range []struct {
		version string
		yanked  bool
		want    string
	}{
		{"13.5.37.post1", false, "13.5.37.post1"}, // a later build of what is pinned
		{"13.5.37.post2", true, "13.5.37.post1"},  // withdrawn
		{"13.5.38", false, "13.5.37.post1"},       // not what is pinned
		{"13.5.37.post3.dev1", false, "13.5.37.post1"},
	} {
		add(step.version, step.yanked, "int v; // "+step.version+"\n")
		r, err := fetcher(t, s, t.TempDir()).Fetch(t.Context(), only)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Components[0].Version; got != step.want {
			t.Errorf("with %s: %s, want %s", step.version, got, step.want)
		}
	}
}

// TestWithdrawnRelease is not on offer any more, and is there for whoever asks
// for it.
func TestWithdrawnRelease(t *testing.T) {
	s := demo(t)
	s.Release(t, "13.4.9", day("2026-10-05"), indextest.Component{Name: "nvidia-cuda-runtime", Version: "13.0.96"}).Yanked = true
	f := fetcher(t, s, t.TempDir())
	if got, err := f.Releases(t.Context()); err != nil || strings.Join(got, " ") != "13.0.2 13.4.0rc1 13.5.0" {
		t.Errorf("on offer: %q, %v", got, err)
	}
	r, err := f.Fetch(t.Context(), Request{"13.4.9", Reference, []string{"nvidia-cuda-runtime"}})
	if err != nil || r.Components[0].Version != "13.0.96" {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestWheelsThatComeLater has a platform's wheel come after the others.
func TestWheelsThatComeLater(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	request := Request{"13.5.0", "linux/arm64", []string{"nvidia-cuda-runtime"}}
	want := "nothing to fetch for linux/arm64: CUDA 13.5.0: nvidia-cuda-runtime 13.5.37 has no wheel for linux/arm64"
	if _, err := fetcher(t, s, dir).Fetch(t.Context(), request); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	// When the index is out of reach, that is what is known.
	s.Fail("/simple/", -1, indextest.Status(500, ""))
	if _, err := fetcher(t, s, dir).Fetch(t.Context(), request); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	s.Mend()
	s.Component(t, indextest.Component{Name: "nvidia-cuda-runtime", Version: "13.5.37"}, "manylinux2014_aarch64", 0, day("2026-11-07"), map[string]string{include + "cuda.h": "int arm;\n"})
	r, err := fetcher(t, s, dir).Fetch(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"cuda.h": "int arm;\n"}, texts(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInterruption ends the context in the middle, as Ctrl-C does.
func TestInterruption(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	s.Fail("nvidia_cuda_runtime", 1, func(w http.ResponseWriter, r *http.Request) {
		stop()
		indextest.Hang(w, r)
	})
	_, err := fetcher(t, s, dir).Fetch(ctx, all)
	// It may be noticed by who waits for an answer, or by who was about to ask.
	if err == nil || !strings.HasSuffix(err.Error(), ": was interrupted") && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	noLeftovers(t, dir)
	s.Mend()
	r, err := fetcher(t, s, dir).Fetch(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDamagedCache spoils files of a cache. What was in them is fetched again.
func TestDamagedCache(t *testing.T) {
	s, dir := demo(t), t.TempDir()
	if _, err := fetcher(t, s, dir).Fetch(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	spoiled := 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, "locks") {
			return err
		}
		spoiled++
		before, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for what, text := range map[string]string{"cut off": string(before[:len(before)/2]), "changed": strings.Replace(string(before), "1", "2", 1) + " ", "empty": ""} {
			os.Chmod(name, 0o666)
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				return err
			}
			r, err := fetcher(t, s, dir).Fetch(t.Context(), all)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, what, err)
			}
			if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, what, diff)
			}
			if after, err := os.ReadFile(name); err != nil || string(after) != string(before) {
				t.Errorf("%s, %s: it is %q now, %v", name, what, after, err)
			}
		}
		return nil
	})
	if err != nil || spoiled != 6+4+4+1 {
		t.Errorf("%d files were spoiled, %v", spoiled, err)
	}
}

// TestHTMLIndex goes by pages of HTML, which say no sizes and no dates.
func TestHTMLIndex(t *testing.T) {
	s := demo(t)
	s.HTML = true
	f := fetcher(t, s, t.TempDir())
	r, err := f.Fetch(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(allTexts, texts(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if date, err := f.Date(t.Context(), "13.5.0"); err != nil || date != "" {
		t.Errorf("published %q, %v", date, err)
	}
	// A small wheel is read by a range then, which gives the whole of it.
	for _, c := range r.Components {
		if c.Whole || c.Bytes > 70_000 {
			t.Errorf("%s: whole %v, %d bytes", c.Package, c.Whole, c.Bytes)
		}
	}
}

// TestMetadataBesideTheWheel reads what the index has beside the meta-package's
// wheel, and the wheel itself where that is announced and missing.
func TestMetadataBesideTheWheel(t *testing.T) {
	for _, missing := range []bool{false, true} {
		s := demo(t)
		f := s.Release(t, "13.6.0", day("2027-01-05"), indextest.Component{Name: "nvidia-cuda-runtime", Version: "13.0.96"})
		f.Metadata = "Metadata-Version: 2.4\nName: cuda-toolkit\nVersion: 13.6.0\nRequires-Dist: nvidia-cuda-runtime==13.5.37\n"
		want := "13.5.37"
		if missing {
			s.Fail(".metadata", -1, indextest.Status(404, ""))
			want = "13.0.96"
		}
		r, err := fetcher(t, s, t.TempDir()).Fetch(t.Context(), Request{"13.6.0", Reference, []string{"nvidia-cuda-runtime"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Components[0].Version; got != want {
			t.Errorf("missing %v: %s, want %s", missing, got, want)
		}
	}
}
