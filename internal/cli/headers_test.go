package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/cache"
	"github.com/cybindgo/cybindgo/internal/indextest"
	"github.com/cybindgo/cybindgo/ir"
)

const linuxTag = "manylinux2014_x86_64"

// indexed is a project beside an index of invented releases.
type indexed struct {
	*processes
	index  *indextest.Server
	newest *indextest.File // the wheel of 13.5.0
	env    []string
	cache  string
}

// newIndexed lists 13.4.2, 13.5.0rc1 and 13.5.0. Each release has a function
// more.
func newIndexed(t *testing.T) *indexed {
	t.Helper()
	p := &indexed{processes: newProcesses(t), index: indextest.New(t)}
	home := t.TempDir()
	p.env = os.Environ()
	for name, value := range p.index.Environment(home) {
		p.env = append(p.env, name+"="+value)
	}
	p.cache = filepath.Join(home, "cache", "headers")
	p.write(t, "cybindgo.yaml", strings.ReplaceAll(demoConfig, "RELEASES", "13.5.0"))
	p.write(t, "releases/driver.json", emptyHistory)
	p.add(t, "13.4.2", "13.4.92", "13040", "2026-09-16", "")
	p.add(t, "13.5.0rc1", "13.5.30", "13050", "2026-10-01", "CUresult cuNew(int a);\n")
	p.newest = p.add(t, "13.5.0", "13.5.37", "13050", "2026-11-04", "CUresult cuNew(int a);\n")
	return p
}

func date(t *testing.T, day string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (p *indexed) add(t *testing.T, release, version, number, day, text string) *indextest.File {
	t.Helper()
	runtime := indextest.Component{Name: "nvidia-cuda-runtime", Version: version}
	profiler := indextest.Component{Name: "nvidia-cuda-profiler-api", Version: version}
	p.index.Release(t, release, date(t, day).AddDate(0, 0, 1), runtime, profiler)
	p.index.Component(t, profiler, linuxTag, 0, date(t, day), map[string]string{"nvidia/cu13/include/cudaProfiler.h": "#include \"cuda.h\"\n"})
	return p.index.Component(t, runtime, linuxTag, 2<<20, date(t, day), runtimeHeaders(number, text))
}

func runtimeHeaders(number, text string) map[string]string {
	return map[string]string{
		"nvidia/cu13/include/cuda.h":   strings.ReplaceAll(demoHeader, "NUMBER", number) + text,
		"nvidia/cu13/include/cudaGL.h": "#include \"cuda.h\"\n",
	}
}

// result is what a run printed, and how it ended.
type result struct {
	code     int
	out, err string
}

// command is the program beside the index.
func (p *indexed) command(args ...string) *exec.Cmd {
	cmd := p.processes.command(args...)
	cmd.Env = p.env
	return cmd
}

func (p *indexed) do(t *testing.T, args ...string) result {
	t.Helper()
	return p.wait(t, p.command(args...))
}

// wait runs a command to its end, and something else once it has begun.
func (p *indexed) wait(t *testing.T, cmd *exec.Cmd, meanwhile ...func()) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range meanwhile {
		go f()
	}
	cmd.Wait() // its state says how it ended
	text := func(b bytes.Buffer) string {
		return strings.NewReplacer(p.index.URL, "INDEX", p.cache, "CACHE").Replace(b.String())
	}
	return result{cmd.ProcessState.ExitCode(), text(out), text(errs)}
}

func (r result) is(t *testing.T, what string, want result) {
	t.Helper()
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestHeadersGet(t *testing.T) {
	p := newIndexed(t)
	const driver = "nvidia-cuda-runtime          13.5.37        2 headers\nnvidia-cuda-profiler-api     13.5.37        1 header\n" +
		"CUDA 13.5.0 for linux/amd64: 3 headers of 2 packages\n"
	p.do(t, "headers", "get", "13.5.0", "driver", "--offline").is(t, "without a network and a cache", result{code: 2,
		err: "cybindgo: CUDA 13.5.0 is not in the cache (CACHE), and --offline was given: run `cybindgo headers get 13.5.0` with a network\n"})
	first := p.do(t, "headers", "get", "13.5.0", "driver")
	for _, line := range []string{"nvidia-cuda-runtime 13.5.37: headers 2, requests 2, bytes ", "nvidia-cuda-profiler-api 13.5.37: headers 1, requests 1, bytes ", "in 7 requests, 5 of them one after the other\n"} {
		if !strings.Contains(first.err, line) {
			t.Errorf("no %q in what is said of progress:\n%s", line, first.err)
		}
	}
	first.err = ""
	first.is(t, "first", result{out: driver})
	p.index.Close()
	p.do(t, "headers", "get", "13.5.0", "driver").is(t, "again, when the index is gone", result{out: driver})

	got := p.do(t, "headers", "get", "13.5", "driver", "--format", "json", "--offline")
	var parsed struct {
		Release    string
		Platform   string
		Components []struct {
			Package, Version, Wheel, SHA256, Uploaded string
			Whole                                     bool
			Headers                                   map[string]string
			Requests                                  int
		}
	}
	if err := json.Unmarshal([]byte(got.out), &parsed); err != nil || got.code != 0 {
		t.Fatalf("%v, %+v", err, got)
	}
	if c := parsed.Components[1]; parsed.Release != "13.5.0" || parsed.Platform != "linux/amd64" || c.Package != "nvidia-cuda-profiler-api" || !c.Whole ||
		c.Wheel != "nvidia_cuda_profiler_api-13.5.37-py3-none-manylinux2014_x86_64.whl" || c.Uploaded != "2026-11-04T00:00:00Z" || c.Requests != 0 ||
		c.Headers["cudaProfiler.h"] != cache.Sum([]byte("#include \"cuda.h\"\n")) {
		t.Errorf("got %+v", parsed)
	}

	path := p.do(t, "headers", "path", "13.5.0", "driver", "--offline")
	dir := strings.TrimSuffix(strings.Replace(path.out, "CACHE", p.cache, 1), "\n")
	text, err := os.ReadFile(filepath.Join(dir, "cuda.h"))
	if want := runtimeHeaders("13050", "CUresult cuNew(int a);\n")["nvidia/cu13/include/cuda.h"]; err != nil || path.code != 0 || string(text) != want {
		t.Errorf("path: %+v, %v, %d bytes", path, err, len(text))
	}
}

func TestHeadersGetSaysWhatIsWrong(t *testing.T) {
	p := newIndexed(t)
	for _, c := range []struct {
		args string
		want string
	}{
		{"headers get", "requires at least 1 arg(s), only received 0"},
		{"headers get 13.5.1 driver", "there is no CUDA 13.5.1; the nearest releases are 13.5.0rc1, 13.5.0 (3 in all, 13.4.2 to 13.5.0)"},
		{"headers get 13.5.0 drivr", `library "drivr": expected one of cccl, cublas, cudla, cufft, cufile, cupti, curand, cusolver, cusparse, driver, nvfatbin, nvjitlink, nvjpeg, nvml, nvptxcompiler, nvrtc, nvtx, nvvm, runtime; did you mean driver?`},
		{"headers get 13.5.0 driver --platform linux/x64", `platform "linux/x64": expected one of linux/amd64, linux/arm64, windows/amd64, windows/arm64; did you mean linux/amd64?`},
		{"headers get 13.5.0 driver --platform windows/amd64", "nothing to fetch for windows/amd64: CUDA 13.5.0: nvidia-cuda-runtime 13.5.37 has no wheel for windows/amd64; CUDA 13.5.0: nvidia-cuda-profiler-api 13.5.37 has no wheel for windows/amd64"},
		{"headers get 13.5.0 nvml", "nothing to fetch for linux/amd64: CUDA 13.5.0 has no nvidia-nvml-dev"},
		{"headers get 13.5.0 --format yaml", `--format "yaml": expected text or json`},
		{"headers get 13.5.0 --offline --refresh", "--offline and --refresh exclude each other"},
		{"headers get 13.5.0 --index-url nowhere", "--index-url is no URL of an index: expected https://HOST/PATH"},
		{"headers get 13.5.0 --index-url http://me:SECRET@index.example/simple", "the index at http://index.example/simple (from --index-url) is not secure: expected https, or its host in PIP_TRUSTED_HOST"},
		{"releases add", "expected a release, such as 13.5.0, or --all"},
		{"releases add --all --date 2026-01-01", "--all takes headers and dates from the index: it does not go with --headers, --date and --replace"},
		{"releases add 13.9.0 driver", "there is no CUDA 13.9.0; the nearest releases are 13.5.0 (3 in all, 13.4.2 to 13.5.0)"},
	} {
		got := p.do(t, strings.Fields(c.args)...)
		lines := strings.Split(strings.TrimSuffix(got.err, "\n"), "\n")
		if last := lines[len(lines)-1]; got.code != 2 || got.out != "" || last != "cybindgo: "+c.want {
			t.Errorf("%s: exit code %d, %q\ngot  %s\nwant cybindgo: %s", c.args, got.code, got.out, last, c.want)
		}
	}
}

// TestReleasesFromTheIndex enters releases one by one and all at once, and once
// more when their bytes have changed.
func TestReleasesFromTheIndex(t *testing.T) {
	p := newIndexed(t)
	const add = "driver %s: %d functions declared, %d bound, 0 left out; 0 records, 1 enums, 1 typedefs, 1 constants\n" +
		"driver %s: family egl: skipped (cudaEGL.h not found)\ndriver %s: family vdpau: skipped (cudaVDPAU.h not found)\n"
	says := func(release string, n int) string { return fmt.Sprintf(add, release, n, n, release, release) }
	got := p.do(t, "releases", "add", "13.5", "driver", "--no-progress")
	got.is(t, "add", result{out: says("13.5.0", 2)})
	got = p.do(t, "releases", "add", "--all", "--no-progress")
	got.is(t, "add --all", result{out: says("13.4.2", 1)})
	p.do(t, "releases", "add", "--all").is(t, "add --all, again", result{out: "driver: the history lacks none of 3 releases\n"})

	history, err := os.ReadFile(filepath.Join(p.dir, "releases", "driver.json"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := ir.Decode("driver.json", history)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, label := range h.Labels() {
		s, err := h.At(label)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Release
		kept = append(kept, fmt.Sprint(r.Label, " ", r.Date, " ", r.Components, " ", len(r.Headers), " ", r.Asserted))
	}
	want := []string{
		"13.4.2 2026-09-16 map[nvidia-cuda-profiler-api:13.4.92 nvidia-cuda-runtime:13.4.92] 3 false",
		"13.5.0 2026-11-04 map[nvidia-cuda-profiler-api:13.5.37 nvidia-cuda-runtime:13.5.37] 3 false",
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}

	p.do(t, "releases", "verify", "driver", "--offline").is(t, "verify", result{
		out: "driver 13.4.2: matches\ndriver 13.5.0: matches\n2 releases: 2 as the history says, 0 not\n"})

	// The bytes of a wheel are others than when history recorded them.
	p.do(t, "releases", "add", "13.5.0", "--offline").is(t, "the same", result{out: "driver 13.5.0: the history says the same already\n"})
	p.index.Replace(p.newest, indextest.Wheel(t, "nvidia-cuda-runtime", "13.5.37", 2<<20, runtimeHeaders("13050", "CUresult cuNew(long a);\n")))
	p.do(t, "releases", "add", "13.5.0").is(t, "from the cache", result{out: "driver 13.5.0: the history says the same already\n"})
	got = p.do(t, "releases", "add", "13.5.0", "--refresh", "--no-progress")
	if got.code != 1 || !strings.Contains(got.out, "CUresult(int a)") || !strings.Contains(got.out, "CUresult(long a)") ||
		got.err != "cybindgo: driver has 13.5.0 already, and these headers say something else; --replace lets them win\n" {
		t.Errorf("changed bytes: %+v", got)
	}
	sums := func(text string) string {
		return cache.Sum([]byte(runtimeHeaders("13050", text)["nvidia/cu13/include/cuda.h"]))
	}
	p.do(t, "releases", "verify", "driver", "--release", "13.5.0", "--refresh", "--no-progress").is(t, "verify", result{code: 1,
		out: "driver 13.5.0: cuda.h has changed: its sha256 is " + sums("CUresult cuNew(long a);\n") + " now, and was " + sums("CUresult cuNew(int a);\n") +
			"\n  what the headers declare differs in 1 place; `cybindgo releases add 13.5.0 driver` shows how\n1 release: 0 as the history says, 1 not\n"})
	p.do(t, "releases", "verify", "driver", "--release", "13.5.1").is(t, "verify what is not there", result{code: 2,
		err: "cybindgo: driver has no release \"13.5.1\"; did you mean 13.5.0?\n"})
	if after, err := os.ReadFile(filepath.Join(p.dir, "releases", "driver.json")); err != nil || string(after) != string(history) {
		t.Errorf("the history was changed, %v", err)
	}
}

// TestOwnLibraryFromTheIndex reads a library of the project's own, whose package
// has a version line of its own.
func TestOwnLibraryFromTheIndex(t *testing.T) {
	p := newIndexed(t)
	definition := "library: demo\ntitle: Demo\nheaders:\n  bind: [demo.h]\nPACKAGES" +
		"public-names: base\ntypes: {default: inline}\nloader:\n  resolve: dynamic\n  open: {linux: [libdemo.so.1], windows: [demo.dll]}\n"
	p.write(t, "libraries/demo.yaml", strings.Replace(definition, "PACKAGES", "", 1))
	p.do(t, "releases", "add", "13.7.0", "demo").is(t, "without packages", result{code: 2,
		err: "cybindgo: library demo: its definition names no packages to fetch headers from, under headers: packages; name some, or give --headers PATH\n"})
	p.write(t, "libraries/demo.yaml", strings.Replace(definition, "PACKAGES", "  packages: [nvidia-none|nvidia-demo]\n", 1))
	demo := indextest.Component{Name: "nvidia-demo", Version: "1.20.0.107"}
	p.index.Release(t, "13.7.0", date(t, "2027-03-03"), demo)
	p.index.Component(t, demo, linuxTag, 0, date(t, "2027-03-02"), map[string]string{"nvidia/cu13/include/demo.h": "int demoInit(int a);\n"})
	p.do(t, "releases", "add", "13.7.0", "demo", "--no-progress").is(t, "add", result{
		out: "demo 13.7.0: 1 functions declared, 1 bound, 0 left out; 0 records, 0 enums, 0 typedefs, 0 constants\n"})
	p.do(t, "releases", "add", "13.5.0", "demo", "--no-progress").is(t, "a release without it", result{code: 2,
		err: "CUDA 13.5.0 has no nvidia-none and no nvidia-demo\ncybindgo: nothing to fetch for linux/amd64: CUDA 13.5.0 has no nvidia-none and no nvidia-demo\n"})
	p.do(t, "headers", "get", "13.7.0", "demo", "--offline").is(t, "get", result{
		out: "nvidia-demo                  1.20.0.107     1 header\nCUDA 13.7.0 for linux/amd64: 1 header of 1 package\n"})
}

// TestTwoProcessesFetch has processes fill one cache at the same time.
func TestTwoProcessesFetch(t *testing.T) {
	p := newIndexed(t)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if got := p.do(t, "headers", "get", "13.5.0", "driver", "--no-progress"); got.code != 0 || !strings.HasSuffix(got.out, "3 headers of 2 packages\n") {
				t.Errorf("got %+v", got)
			}
		})
	}
	wg.Wait()
	wheels := 0
	for _, line := range p.index.Log() {
		if strings.HasPrefix(line, "nvidia_") {
			wheels++
		}
	}
	if wheels != 3 {
		t.Errorf("%d requests for wheels, want 3: %q", wheels, p.index.Log())
	}
}

// TestInterruptedFetch interrupts the program in mid-download, and kills it.
func TestInterruptedFetch(t *testing.T) {
	p := newIndexed(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		asked := make(chan bool, 9)
		p.index.Fail("nvidia_cuda_runtime", -1, func(w http.ResponseWriter, r *http.Request) {
			asked <- true
			p.index.HangInside(w, r)
		})
		cmd := p.command("headers", "get", "13.5.0", "driver", "--no-progress")
		got := p.wait(t, cmd, func() {
			<-asked
			time.Sleep(50 * time.Millisecond)
			cmd.Process.Signal(signal)
		})
		want := result{code: 2, err: "cybindgo: interrupted; what was fetched is kept, and the next run goes on from there\n"}
		if signal == syscall.SIGKILL {
			want = result{code: -1}
		}
		got.is(t, signal.String(), want)
		p.index.Mend()
	}
	// The small wheel was fetched before.
	if got := p.do(t, "headers", "get", "13.5.0", "driver", "--no-progress"); got.code != 0 || !strings.HasSuffix(got.out, "3 headers of 2 packages\n") {
		t.Errorf("got %+v", got)
	}
	for _, line := range p.index.Log() {
		if strings.HasPrefix(line, "nvidia_cuda_profiler") {
			t.Errorf("fetched again: %s", line)
		}
	}
}

// TestNoSpaceInTheCache puts the cache on a disk of its own that is nearly full.
func TestNoSpaceInTheCache(t *testing.T) {
	p := newIndexed(t)
	p.add(t, "13.6.0", "13.6.1", "13060", "2027-01-04", "/* "+strings.Repeat("0123456789 ", 40_000)+" */\n")
	script := `mkdir -p "$CYBINDGO_CACHE"; mount -t tmpfs -o size=300k none "$CYBINDGO_CACHE" || exit 99
"$0" headers get 13.6.0 driver --no-progress; echo exit $?
echo left $(ls "$CYBINDGO_CACHE/headers/tmp" | wc -l)
mount -o remount,size=9m "$CYBINDGO_CACHE"
"$0" headers get 13.6.0 driver --no-progress; echo exit $?`
	cmd := exec.Command("unshare", "-rm", "sh", "-c", script, p.binary)
	cmd.Env, cmd.Dir = p.env, p.dir
	got := p.wait(t, cmd)
	want := "exit 2\nleft 0\nnvidia-cuda-runtime          13.6.1         2 headers\nnvidia-cuda-profiler-api     13.6.1         1 header\n" +
		"CUDA 13.6.0 for linux/amd64: 3 headers of 2 packages\nexit 0\n"
	if got.out != want || !strings.HasPrefix(got.err, "cybindgo: the cache in CACHE cannot be written: no space left on device; make room, or name another folder in CYBINDGO_CACHE\n") {
		t.Errorf("%s\n%s", cmp.Diff(want, got.out), got.err)
	}
}
