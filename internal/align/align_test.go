package align

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/finding"
)

// found compares two files and gives a line for each finding: rule, place,
// other places, message.
func found(t *testing.T, a, b string) []string {
	t.Helper()
	r, err := Files("l", []byte(a), "w", []byte(b))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range r.Findings {
		line := fmt.Sprintf("%s %s", f.Rule, f.Place)
		for _, o := range f.Related {
			line += fmt.Sprintf(" %s", o.Place)
		}
		lines = append(lines, line+" "+f.Message)
		if f.Severity != severities[f.Rule] || f.Severity == "" {
			t.Errorf("%s: severity %q", f.Rule, f.Severity)
		}
	}
	return lines
}

// sample is a small loader in our format.
const sample = `# Covers 1.0 to 2.0.
cdef extern from * nogil:
    """
    #include <string.h>
    /* platform: linux */
    #include <dlfcn.h>
    static void *sym(void *l, const char *n) { return dlsym(l, n); }
    /* platform: end */
    enum { CYB_a, CYB_b };
    static const row_t rows[] = {
        { "__a", 1000, {1, 2}, "" },
        { "__b_v2", 2000, {1, 2}, "" },
    };
    #if defined(_MSC_VER)
      static void *get(void) { return volatile_read(&p); }
    #else
      static void *get(void) { return __atomic_load_n(&p, __ATOMIC_ACQUIRE); }
    #endif
    static void fill(table_t *t) {
        int i;
        for (i = 0; i < 2; i++) {
            if (rows[i].version)
                t->fn[i] = sym(t->l, rows[i].key);
            count++;
        }
    }
    """
    int CYB_a
    void* get()

cdef int state = 0

cdef int init() except -1 nogil:
    # what happens first
    if state:
        prepare()
        publish()
    return 0

def inspect(str name not None):
    """Text of
    two lines."""
    return name

cdef int _a(int x, const char* y) except -1 nogil:
    return (<int (*)(int, const char*) nogil>get(CYB_a))(x, y)

cdef int _b(int x) except -1 nogil:
    return (<int (*)(int) nogil>get(CYB_b))(x)
`

// inspect is a function of the sample.
const inspect = `def inspect(str name not None):
    """Text of
    two lines."""
    return name

`

func windows(text string) string {
	return strings.NewReplacer("platform: linux", "platform: windows", "<dlfcn.h>", "<windows.h>",
		"{ return dlsym(l, n); }", "{\n        return GetProcAddress(l, n);\n    }").Replace(text)
}

func TestMarkedFiles(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []string // in the Windows file, replaced in turn
		want     []string
	}{
		{name: "as generated"},
		{
			name: "comments, white space and blank lines",
			old:  []string{"    # what happens first\n", "cdef int state = 0\n", "int i;"},
			new:  []string{"    # something else\n\n", "cdef   int state=0  # zero\n\n\n", "int /* a count */ i ;"},
		},
		{
			name: "a version in a row",
			old:  []string{"1000"}, new: []string{"1010"},
			want: []string{"version l:11:18 w:13:18 __a is asked for in version 1000 here, in version 1010 there"},
		},
		{
			name: "the version of a symbol",
			old:  []string{"__b_v2"}, new: []string{"__b_v3"},
			want: []string{"version l:12:11 w:14:11 __b is asked for in version __b_v2 here, in version __b_v3 there"},
		},
		{
			name: "a row less",
			old:  []string{"        { \"__a\", 1000, {1, 2}, \"\" },\n"}, new: []string{""},
			want: []string{"symbol l:11:9 w:13:9 __a is in this file's table only"},
		},
		{
			name: "an enumerator more",
			old:  []string{"CYB_a, CYB_b"}, new: []string{"CYB_a, CYB_x, CYB_b"},
			want: []string{"declaration w:11:19 l:9:19 `CYB_x` is in this file only"},
		},
		{
			name: "two rows swapped",
			old:  []string{"\"__a\", 1000", "\"__b_v2\", 2000", "?"}, new: []string{"?", "\"__a\", 1000", "\"__b_v2\", 2000"},
			want: []string{"declaration l:12:9 w:13:9 `{ \"__b_v2\", 2000, {1, 2}, \"\" }` stands at another place in the other file"},
		},
		{
			name: "a function less",
			old:  []string{"cdef int _a(int x, const char* y) except -1 nogil:\n    return (<int (*)(int, const char*) nogil>get(CYB_a))(x, y)\n"}, new: []string{""},
			want: []string{"function l:45:1 w:42:1 _a is in this file only"},
		},
		{
			name: "a function of C more",
			old:  []string{"    static void fill"}, new: []string{"    static int extra(void) { return 1; }\n    static void fill"},
			want: []string{"function w:21:5 l:17:7 extra (C) is in this file only"},
		},
		{
			name: "another type of an argument",
			old:  []string{"_a(int x"}, new: []string{"_a(long x"},
			want: []string{"signature l:45:13 w:47:13 the signature of _a is `cdef int _a(int x, const char* y) except -1 nogil` here, `cdef int _a(long x, const char* y) except -1 nogil` there"},
		},
		{
			name: "another exception value",
			old:  []string{"init() except -1"}, new: []string{"init() except? -1"},
			want: []string{"signature l:33:24 w:35:23 the signature of init is `cdef int init() except -1 nogil` here, `cdef int init() except? -1 nogil` there"},
		},
		{
			name: "two statements swapped",
			old:  []string{"prepare()", "publish()", "?"}, new: []string{"?", "prepare()", "publish()"},
			want: []string{"statement l:37:9 w:38:9 in init: `publish()` stands at another place in the other file"},
		},
		{
			name: "a statement deeper",
			old:  []string{"    return 0"}, new: []string{"        return 0"},
			want: []string{"statement l:38:5 w:40:9 in init: `return 0` is in another block in the other file"},
		},
		{
			name: "statements less",
			old:  []string{"        prepare()\n", "        publish()\n", "    if state:\n"}, new: []string{"", "", ""},
			want: []string{"statement l:35:5 w:37:5 in init: `if state` and 2 more statements are in this file only"},
		},
		{
			name: "a weaker order in C",
			old:  []string{"__ATOMIC_ACQUIRE"}, new: []string{"__ATOMIC_RELAXED"},
			want: []string{"statement l:17:59 w:19:59 in get (C): `return __atomic_load_n(&p, __ATOMIC_ACQUIRE)` here, `return __atomic_load_n(&p, __ATOMIC_RELAXED)` there"},
		},
		{
			name: "a condition of C",
			old:  []string{"#if defined(_MSC_VER)"}, new: []string{"#if defined(_MSC_VERY)"},
			want: []string{"declaration l:14:17 w:16:17 `#if defined ( _MSC_VER )` here, `#if defined ( _MSC_VERY )` there"},
		},
		{
			name: "a body of C without braces",
			old:  []string{"                t->fn[i] = sym"}, new: []string{"                t->fn[0] = sym"},
			want: []string{"statement l:23:23 w:25:23 in fill (C): `if (rows[i].version) t->fn[i] = sym(t->l, rows[i].key)` here, `if (rows[i].version) t->fn[0] = sym(t->l, rows[i].key)` there"},
		},
		{
			name: "a docstring",
			old:  []string{"two lines"}, new: []string{"three lines"},
			want: []string{"statement l:41:5 w:43:5 in inspect: `\"\"\"Text of two lines.\"\"\"` here, `\"\"\"Text of three lines.\"\"\"` there"},
		},
		{
			name: "a declaration",
			old:  []string{"cdef int state = 0"}, new: []string{"cdef int state = 1"},
			want: []string{"declaration l:31:18 w:33:18 `cdef int state = 0` here, `cdef int state = 1` there"},
		},
		{
			name: "functions in another order",
			old:  []string{inspect, "cdef int init()"},
			new:  []string{"", inspect + "cdef int init()"},
			want: []string{"order l:33:1 w:40:1 init stands at another place: after inspect in the other file"},
		},
		{
			name: "made from another release",
			old:  []string{"1.0 to 2.0"}, new: []string{"1.0 to 1.5"},
			want: []string{"header l:1 w:1 the comment at the top says `# Covers 1.0 to 2.0.` here, `# Covers 1.0 to 1.5.` there"},
		},
		{
			name: "a directive more",
			old:  []string{"# Covers"}, new: []string{"# cython: boundscheck=False\n# Covers"},
			want: []string{"header l:1 w:1 the comment at the top says `# Covers 1.0 to 2.0.` here, `# cython: boundscheck=False` there"},
		},
		{
			name: "a region made wider",
			old:  []string{"    /* platform: end */\n    enum { CYB_a, CYB_b };\n"}, new: []string{"    enum { CYB_a, CYB_b };\n    /* platform: end */\n"},
			want: []string{
				"declaration l:9:5 w:12:5 `enum {` is in this file only",
				"declaration l:9:12 w:12:5 `CYB_a` is in this file only",
				"declaration l:9:19 w:12:5 `CYB_b` is in this file only",
			},
		},
		{
			name: "a region more",
			old:  []string{"        publish()\n"}, new: []string{"        # platform: windows\n        publish()\n        # platform: end\n"},
			want: []string{
				"statement l:37:9 w:39 in init: `publish()` is in this file only",
				"region w:39 l:37:9 in init: a platform region begins here and not in the other file",
			},
		},
		{
			name: "a region of the same platform",
			old:  []string{"platform: windows"}, new: []string{"platform: linux"},
			want: []string{"region l:5 w:5 both files are for linux"},
		},
	} {
		w := windows(sample)
		for i, old := range c.old {
			if strings.Count(w, old) != 1 {
				t.Fatalf("%s: %q stands %d times in the file", c.name, old, strings.Count(w, old))
			}
			w = strings.Replace(w, old, c.new[i], 1)
		}
		if diff := cmp.Diff(c.want, found(t, sample, w)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestRegionMarks(t *testing.T) {
	body := "def f():\n    pass\n"
	for _, c := range []struct {
		name, a, b string
		want       []string
	}{
		{"not ended", "# platform: linux\n" + body, body, []string{"region l:1 this platform region does not end"}},
		{"ended only", "# platform: end\n" + body, body, []string{"region l:1 a platform region ends that did not begin"}},
		{"nested", "# platform: linux\n# platform: linux\nimport a\n# platform: end\n" + body, "# platform: windows\nimport b\n# platform: end\n" + body,
			[]string{"region l:2 a platform region begins inside that of line 1"}},
		{"two platforms", "# platform: linux\n# platform: end\n# platform: windows\n# platform: end\n" + body, "# platform: windows\n# platform: end\n# platform: windows\n# platform: end\n" + body,
			[]string{"region l:3 l:1 a region of windows in a file for linux"}},
		{"no mark but a text", "x = '/* platform: linux */'\n" + body, "x = '/* platform: linux */'\n" + body, nil},
	} {
		got := found(t, c.a, c.b)
		// The header takes part where the marks are comments at the top.
		var kept []string
		for _, line := range got {
			if !strings.HasPrefix(line, "header ") {
				kept = append(kept, line)
			}
		}
		if diff := cmp.Diff(c.want, kept); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestUnreadablePlaces(t *testing.T) {
	got := found(t, "def f():\n    pass\n      odd()\n", "def f():\n    pass\n    odd()\n")
	if len(got) == 0 || got[len(got)-1] != "unreadable l:3:7 cannot be read: unexpected indentation" {
		t.Errorf("%q", got)
	}
	if _, err := Files("l", []byte("x = 1\n"), "w", []byte("def f(): pass\n")); err == nil || err.Error() != "l: no function in it: expected a platform file of a loader, such as driver_linux.pyx" {
		t.Error(err)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestGeneratedFilesAgree(t *testing.T) {
	files, err := filepath.Glob("../../generated/*/cuda/bindings/_internal/*_linux.pyx")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if got := found(t, readFile(t, name), readFile(t, strings.Replace(name, "_linux", "_windows", 1))); got != nil {
			t.Errorf("%s: %s", name, strings.Join(got, "\n"))
		}
	}
}

// placeOf is where the n-th occurrence of a piece stands in a text, as a place is
// printed.
func placeOf(t *testing.T, text, piece string, n int) string {
	t.Helper()
	from := 0
	for {
		i := strings.Index(text[from:], piece)
		if i < 0 {
			t.Fatalf("%q does not stand there %d times", piece, n)
		}
		from += i
		if n--; n == 0 {
			line := 1 + strings.Count(text[:from], "\n")
			return fmt.Sprintf("%d:%d", line, from-strings.LastIndexByte(text[:from], '\n'))
		}
		from += len(piece)
	}
}

// TestMutantsOfGeneratedFiles edits one of the two real files at a time: each
// edit is found, at the right places, and nothing else is.
func TestMutantsOfGeneratedFiles(t *testing.T) {
	const base = "../../generated/cuda_bindings_13/cuda/bindings/_internal/driver_"
	linux, windows := readFile(t, base+"linux.pyx"), readFile(t, base+"windows.pyx")
	wrapper := func(text, name string) string {
		start := strings.Index(text, "cdef CUresult "+name+"(")
		return text[start : start+strings.Index(text[start:], "\n\n")+2]
	}
	for _, c := range []struct {
		name     string
		old, new string
		rule     string
		piece    string // where it is found in the file as it was
		nth      int
		changed  string // where it is found in the file that was edited; "" where there is no such place
		message  string
	}{
		{
			name: "a version in a row", old: `"__cuCtxCreate_v4", 12050, 12050`, new: `"__cuCtxCreate_v4", 12050, 12060`,
			rule: ruleVersion, piece: `12050, 11, "" }`, nth: 1, changed: `12060, 11, ""`, message: "__cuCtxCreate is asked for in version",
		},
		{
			name: "a row dropped", old: "        { \"__cuInit\", 2000, 2000, 6, \"\" },\n", new: "",
			rule: ruleSymbol, piece: `{ "__cuInit"`, nth: 1, message: "__cuInit is in this file's table only",
		},
		{
			name: "a function dropped", old: wrapper(linux, "_cuInit"), new: "",
			rule: ruleFunction, piece: "cdef CUresult _cuInit(", nth: 1, message: "_cuInit is in this file only",
		},
		{
			name: "the type of an argument", old: "cdef CUresult _cuInit(unsigned int Flags)", new: "cdef CUresult _cuInit(int Flags)",
			rule: ruleSignature, piece: "unsigned int Flags) except? CUDA_ERROR_NOT_FOUND nogil:\n    return (<CUresult (*)(unsigned int) noexcept nogil>_cyb_fn(CYB_cuInit))", nth: 1,
			changed: "int Flags) except? CUDA_ERROR_NOT_FOUND nogil:\n    return (<CUresult (*)(unsigned int) noexcept nogil>_cyb_fn(CYB_cuInit))", message: "the signature of _cuInit is",
		},
		{
			name: "the wrong function called", old: "_cyb_fn(CYB_cuInit)", new: "_cyb_fn(CYB_cuDeviceGet)",
			rule: ruleStatement, piece: "CYB_cuInit))", nth: 1, changed: "CYB_cuDeviceGet))(Flags)", message: "in _cuInit: ",
		},
		{
			name: "two statements swapped", old: "    cyb_fill(table, library, per_thread)\n    if not cyb_publish(table):\n        free(table)\n", new: "    if not cyb_publish(table):\n        free(table)\n    cyb_fill(table, library, per_thread)\n",
			rule: ruleStatement, piece: "cyb_fill(table, library, per_thread)\n    if", nth: 1, changed: "cyb_fill(table, library, per_thread)\n    return", message: "in _cyb_initialise: `cyb_fill(table, library, per_thread)` stands at another place",
		},
		{
			name: "a weaker order outside the region", old: "__ATOMIC_ACQUIRE", new: "__ATOMIC_RELAXED",
			rule: ruleStatement, piece: "__ATOMIC_ACQUIRE", nth: 1, changed: "__ATOMIC_RELAXED)", message: "in cyb_get (C): ",
		},
		{
			name: "a check taken out", old: "        if table == NULL:\n            raise MemoryError()\n", new: "",
			rule: ruleStatement, piece: "if table == NULL:", nth: 1, message: "in _cyb_initialise: `if table == NULL` and 1 more statements are in this file only",
		},
	} {
		for _, side := range []string{"windows", "linux"} {
			original := map[string]string{"windows": windows, "linux": linux}[side]
			if strings.Count(original, c.old) != 1 {
				t.Fatalf("%s: %q stands %d times in the file", c.name, c.old, strings.Count(original, c.old))
			}
			edited := strings.Replace(original, c.old, c.new, 1)
			a, b, whole, part := linux, edited, "l", "w"
			other := linux
			if side == "linux" {
				a, b, whole, part, other = edited, windows, "w", "l", windows
			}
			got := found(t, a, b)
			if len(got) != 1 {
				t.Errorf("%s in %s: %d findings:\n%s", c.name, side, len(got), strings.Join(got, "\n"))
				continue
			}
			place := whole + ":" + placeOf(t, other, c.piece, c.nth)
			if !strings.HasPrefix(got[0], c.rule+" ") || !strings.Contains(got[0], " "+place+" ") || !strings.Contains(got[0], c.message) {
				t.Errorf("%s in %s: want %s at %s, %q:\n%s", c.name, side, c.rule, place, c.message, got[0])
			}
			if c.changed != "" && !strings.Contains(got[0], " "+part+":"+placeOf(t, edited, c.changed, 1)+" ") {
				t.Errorf("%s in %s: want %s:%s in\n%s", c.name, side, part, placeOf(t, edited, c.changed, 1), got[0])
			}
		}
	}
}

// BenchmarkFiles compares the two largest files there are of ours.
func BenchmarkFiles(b *testing.B) {
	const base = "../../generated/cuda_bindings_13/cuda/bindings/_internal/driver_"
	var data [2][]byte
	for i, name := range []string{"linux", "windows"} {
		var err error
		if data[i], err = os.ReadFile(base + name + ".pyx"); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(data[0]) + len(data[1])))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := Files("l", data[0], "w", data[1]); err != nil || finding.Failed(r.Findings) {
			b.Fatal(r, err)
		}
	}
}

// TestLargeFilesWithNothingInCommon: the time grows with the size, not with its
// square.
func TestLargeFilesWithNothingInCommon(t *testing.T) {
	const n = 20000
	file := func(letter string) string {
		var b strings.Builder
		b.WriteString("cdef extern from *:\n    \"\"\"\n    static row_t rows[] = {\n")
		for i := range n {
			fmt.Fprintf(&b, "        { \"%s%d\", 1 },\n", letter, i*7)
		}
		b.WriteString("    };\n    \"\"\"\n\ndef shared():\n")
		for i := range n {
			fmt.Fprintf(&b, "    %s%d()\n", letter, i)
		}
		for i := range n {
			fmt.Fprintf(&b, "def %s%d(): pass\n", letter, i)
		}
		return b.String()
	}
	start := time.Now()
	r, err := Files("l", []byte(file("a")), "w", []byte(file("b")))
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
	rules := map[string]int{}
	for _, f := range r.Findings {
		rules[f.Rule]++
	}
	if diff := cmp.Diff(map[string]int{ruleFormat: 1, ruleFunction: 2 * n, ruleStatement: n, ruleSymbol: n}, rules); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
