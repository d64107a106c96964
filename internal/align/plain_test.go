package align

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainLinux and plainWindows are a small loader as a generator without marks
// may write it: each platform opens libraries in its own way.
const plainLinux = `# Oven 1.0 to 2.0.
from libc.stdint cimport intptr_t
import threading
from helper import find_library

cdef extern from "<dlfcn.h>" nogil:
    void* own_dlsym "dlsym"(void*, const char*)
    void* dlopen(const char*, int)
    const char* dlerror()
    const void* RTLD_DEFAULT
    int RTLD_NOW

cdef bint ready = False
cdef void* __ovenBake = NULL
cdef void* __ovenOpen = NULL

cdef void* open_library() except NULL:
    cdef void* handle = dlopen(find_library("oven"), RTLD_NOW)
    if handle == NULL:
        raise RuntimeError(dlerror())
    return handle

cdef int init() except -1 nogil:
    global ready
    cdef void* handle = NULL
    with gil, lock:
        if ready:
            return 0
        global __ovenBake
        __ovenBake = own_dlsym(RTLD_DEFAULT, 'ovenBake_v2')
        if __ovenBake == NULL:
            if handle == NULL:
                handle = open_library()
            __ovenBake = own_dlsym(handle, 'ovenBake_v2')

        global __ovenOpen
        ask('ovenOpen', &__ovenOpen, 3020)
        prepare()
        ready = True
    return 0

cdef int _ovenBake(int x) except -1 nogil:
    init()
    if __ovenBake == NULL:
        with gil:
            raise RuntimeError("no ovenBake")
    return (<int (*)(int) nogil>__ovenBake)(x)
`

const plainWindows = `# Oven 1.0 to 2.0.
from libc.stdint cimport intptr_t, uintptr_t
from helper import find_library
import threading

cdef extern from "windows.h" nogil:
    ctypedef void* HMODULE
    HMODULE LoadLibraryExW(const wchar_t*, HMODULE, int)
    void* GetProcAddress(HMODULE, const char*)

cdef bint ready = False
cdef void* __ovenBake = NULL
cdef void* __ovenOpen = NULL

cdef wchar_t* wide(str name):
    cdef HMODULE none = NULL
    return PyUnicode_AsWideCharString(name, none)

cdef uintptr_t open_library() except 0:
    cdef uintptr_t handle = <uintptr_t>LoadLibraryExW(wide(find_library("oven")), NULL, 0)
    if handle == 0:
        raise RuntimeError("no oven")
    return handle

cdef int init() except -1 nogil:
    global ready
    cdef uintptr_t handle = 0
    with gil, lock:
        if ready:
            return 0
        handle = open_library()
        global __ovenBake
        __ovenBake = GetProcAddress(<HMODULE>handle, 'ovenBake_v2')

        global __ovenOpen
        ask('ovenOpen', &__ovenOpen, 3020)
        prepare()
        ready = True
    return 0

cdef int _ovenBake(int x) except -1 nogil:
    init()
    if __ovenBake == NULL:
        with gil:
            raise RuntimeError("no ovenBake")
    return (<int (*)(int) nogil>__ovenBake)(x)
`

func TestFilesWithoutMarks(t *testing.T) {
	notes := []string{
		"platform l:17:1 w:19:1 open_library, a function of platform code, differs",
		"platform w:2:1 l:3:1 `from libc.stdint cimport uintptr_t` is in this file only",
		"platform w:15:1 l:17:1 wide, a function of platform code, is in this file only",
	}
	with := func(i int, line string) []string {
		return append(append(append([]string{}, notes[:i]...), line), notes[i:]...)
	}
	for _, c := range []struct {
		name     string
		old, new []string // in the Windows file, replaced in turn
		want     []string
	}{
		{name: "as written", want: notes},
		{
			name: "the version of a look-up", old: []string{"ovenBake_v2"}, new: []string{"ovenBake_v3"},
			want: with(1, "version l:30:46 w:33:54 in init: ovenBake is asked for in version ovenBake_v2 here, in version ovenBake_v3 there"),
		},
		{
			name: "the version of a request", old: []string{"3020"}, new: []string{"3021"},
			want: with(1, "version l:37:38 w:36:38 in init: ovenOpen is asked for in version 3020 here, in version 3021 there"),
		},
		{
			name: "another symbol", old: []string{"'ovenBake_v2'"}, new: []string{"'ovenBoil'"},
			want: with(1, "symbol l:30:46 w:33:54 in init: `__ovenBake = look-up of ovenBake_v2` here, `__ovenBake = look-up of ovenBoil` there"),
		},
		{
			name: "a look-up less", old: []string{"        __ovenBake = GetProcAddress(<HMODULE>handle, 'ovenBake_v2')\n"}, new: []string{""},
			want: with(1, "symbol l:30:9 w:34:9 in init: ovenBake_v2 is looked up in this file only"),
		},
		{
			name: "a look-up for another variable", old: []string{"        __ovenBake = Get"}, new: []string{"        __ovenOpen = Get"},
			want: with(1, "symbol l:30:9 w:33:9 in init: `__ovenBake = look-up of ovenBake_v2` here, `__ovenOpen = look-up of ovenBake_v2` there"),
		},
		{
			name: "ready too early", old: []string{"        prepare()\n        ready = True\n"}, new: []string{"        ready = True\n        prepare()\n"},
			want: with(1, "statement l:39:9 w:37:9 in init: `ready = True` stands at another place in the other file"),
		},
		{
			name: "no lock", old: []string{"with gil, lock:"}, new: []string{"with gil:"},
			want: with(1, "statement l:26:13 w:28:12 in init: `with gil, lock` here, `with gil` there"),
		},
		{
			name: "a function less", old: []string{plainWindows[strings.Index(plainWindows, "cdef int _ovenBake"):]}, new: []string{""},
			want: append(append([]string{}, notes[:1]...), "function l:42:1 w:25:1 _ovenBake is in this file only", notes[1], notes[2]),
		},
		{
			name: "the initialiser less", old: []string{"cdef int init() except -1 nogil:"}, new: []string{"cdef int start() except -1 nogil:"},
			want: []string{
				notes[0],
				"function l:23:1 w:19:1 init is in this file only",
				notes[1], notes[2],
				"function w:25:1 l:17:1 start is in this file only",
			},
		},
		{
			name: "the result of a function", old: []string{"cdef int _ovenBake(int x)"}, new: []string{"cdef long _ovenBake(int x)"},
			want: append(append([]string{}, notes[:1]...), "signature l:42:6 w:41:6 the signature of _ovenBake is `cdef int _ovenBake(int x) except -1 nogil` here, `cdef long _ovenBake(int x) except -1 nogil` there", notes[1], notes[2]),
		},
		{
			name: "a variable less", old: []string{"cdef void* __ovenOpen = NULL\n"}, new: []string{""},
			want: append([]string{"declaration l:15:1 w:12:1 `cdef void* __ovenOpen = NULL` is in this file only"}, strings.NewReplacer("w:19", "w:18", "w:15", "w:14").Replace(strings.Join(notes, "\n"))),
		},
	} {
		w := plainWindows
		for i, old := range c.old {
			if strings.Count(w, old) != 1 {
				t.Fatalf("%s: %q stands %d times in the file", c.name, old, strings.Count(w, old))
			}
			w = strings.Replace(w, old, c.new[i], 1)
		}
		want := strings.Split(strings.Join(c.want, "\n"), "\n")
		if diff := cmp.Diff(want, found(t, plainLinux, w)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestFilesOfDifferentMake is a file that was left in an older format: that is
// said first.
func TestFilesOfDifferentMake(t *testing.T) {
	old := "cdef int a(): return 1\ncdef int b(): return 1\ncdef int c(): return 1\ncdef int d(): return 1\n"
	got := found(t, strings.ReplaceAll(old, "return 1", "return 2"), old)
	if len(got) != 5 || got[0] != "format l:1 w:1 4 of the 4 functions that both files have differ, and 0 are in one of them only" {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if got := found(t, sample, plainWindows); !strings.HasPrefix(got[0], "format l:1 w:1 1 of the 1 functions") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// published gives the pairs of published platform files, by library.
func published(t *testing.T) map[string][2]string {
	t.Helper()
	root := os.Getenv("CYBINDGO_PUBLISHED")
	if root == "" {
		t.Fatal("CYBINDGO_PUBLISHED is not set: `make setup` says how to get the published packages")
	}
	names, err := filepath.Glob(filepath.Join(root, "*", "cuda", "bindings", "_internal", "*_windows.pyx"))
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[string][2]string{}
	for _, name := range names {
		pairs[strings.TrimSuffix(filepath.Base(name), "_windows.pyx")] = [2]string{
			readFile(t, strings.TrimSuffix(name, "_windows.pyx")+"_linux.pyx"), readFile(t, name),
		}
	}
	return pairs
}

// TestPublishedPairs says what really differs between published platform files
// (those of 12.9.10; 13.5.0 has no sources in its wheel): a local variable that
// nothing uses.
func TestPublishedPairs(t *testing.T) {
	type result struct {
		Functions string
		Rules     map[string]int
	}
	want := map[string]result{
		"driver":    {"494 functions in both", map[string]int{"platform": 1}},
		"nvfatbin":  {"23 functions in both", map[string]int{"platform": 2, "statement": 1}},
		"nvjitlink": {"27 functions in both", map[string]int{"platform": 2, "statement": 1}},
		"nvml":      {"381 functions in both", map[string]int{"platform": 2, "statement": 1}},
		"nvrtc":     {"35 functions in both", map[string]int{"platform": 2, "statement": 1}},
		"nvvm":      {"25 functions in both", map[string]int{"platform": 2, "statement": 1}},
	}
	got := map[string]result{}
	for lib, pair := range published(t) {
		r, err := Files("l", []byte(pair[0]), "w", []byte(pair[1]))
		if err != nil {
			t.Fatal(err)
		}
		rules := map[string]int{}
		for _, f := range r.Findings {
			rules[f.Rule]++
			if f.Rule == ruleStatement && f.Message != "in _init_"+lib+": `cdef int err` is in this file only" {
				t.Errorf("%s: %s", lib, f.Message)
			}
		}
		functions, _, _ := strings.Cut(r.Summary, ",")
		got[lib] = result{functions, rules}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMutantsOfPublishedFiles edits the Windows file of each pair: each edit
// adds what it should to the findings, at its place.
func TestMutantsOfPublishedFiles(t *testing.T) {
	quoted := regexp.MustCompile(`^        .*[(, ]'\w+'[,)]`)
	version := regexp.MustCompile(`, [0-9]+,`)
	for lib, pair := range published(t) {
		linux, windows := pair[0], pair[1]
		before := found(t, linux, windows)
		check := func(name, edited, rule, place string) {
			t.Helper()
			if edited == windows {
				t.Errorf("%s, %s: nothing was edited", lib, name)
				return
			}
			known := map[string]bool{}
			for _, line := range before {
				known[afterPlaces(line)] = true
			}
			var fresh []string
			for _, line := range found(t, linux, edited) {
				if !known[afterPlaces(line)] {
					fresh = append(fresh, line)
				}
			}
			if len(fresh) != 1 || !strings.HasPrefix(fresh[0], rule+" ") || !strings.Contains(fresh[0], place) {
				t.Errorf("%s, %s: want %s at %q:\n%s", lib, name, rule, place, strings.Join(fresh, "\n"))
			}
		}
		lines := strings.SplitAfter(windows, "\n")
		// The last look-up or request of the initialiser, and the statement that
		// makes the last function known.
		request, global, last := -1, -1, -1
		for i, line := range lines {
			switch {
			case quoted.MatchString(line):
				request = i
			case strings.HasPrefix(line, "        global __"):
				global = i
			case strings.HasPrefix(line, "cdef ") && strings.HasSuffix(line, "nogil:\n"):
				last = i
			}
		}
		if request < 0 || global < 0 || last < 0 {
			t.Errorf("%s: lines %d, %d, %d", lib, request, global, last)
			continue
		}
		edit := func(i int, line string) string {
			changed := append([]string{}, lines...)
			changed[i] = line
			return strings.Join(changed, "")
		}
		cut := strings.Index(lines[request], "'") + 1
		check("a symbol renamed", edit(request, lines[request][:cut]+"x"+lines[request][cut:]), map[bool]string{true: ruleStatement, false: ruleSymbol}[lib == "driver"], "")
		check("a statement dropped", edit(global, ""), ruleStatement, "")
		check("an argument more", edit(last, strings.Replace(lines[last], "(", "(int extra_argument, ", 1)), ruleSignature, "")
		if lib == "driver" {
			digits := version.FindStringIndex(lines[request])[0] + 2
			check("a version", edit(request, lines[request][:digits]+"9"+lines[request][digits:]), ruleVersion, "asked for in version")
		}
	}
}

// afterPlaces is a finding without its places, which an edit above it moves.
func afterPlaces(line string) string {
	words := strings.Fields(line)
	for len(words) > 1 && (strings.HasPrefix(words[1], "l:") || strings.HasPrefix(words[1], "w:")) {
		words = append(words[:1], words[2:]...)
	}
	return strings.Join(words, " ")
}
