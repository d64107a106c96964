//go:build linux

package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// usage is what a run of the program came to.
type usage struct {
	code   int
	out    string // stdout and stderr
	cpu    time.Duration
	memory int64 // bytes at most
}

// measure runs the program with at most 8 GB of address space, so that what
// goes wrong goes wrong for it alone.
func (p *processes) measure(t *testing.T, args ...string) usage {
	t.Helper()
	peak, file := peakProgram(t), filepath.Join(t.TempDir(), "peak")
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -v 8000000; exec "$0" "$@"`, peak, file, p.binary}, args...)...)
	cmd.Dir = p.dir
	out, _ := cmd.CombinedOutput()
	state := cmd.ProcessState
	return usage{
		code: state.ExitCode(), out: string(out), cpu: state.UserTime() + state.SystemTime(),
		memory: peakIn(t, file),
	}
}

// peakProgram builds the program that measures memory.
func peakProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "peak")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/peak").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// peakIn is what it wrote, in bytes.
func peakIn(t *testing.T, file string) int64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// within fails for a run that took more than it may.
func (u usage) within(t *testing.T, what string, cpu time.Duration, memory int64) {
	t.Helper()
	t.Logf("%s: %v, %d MB", what, u.cpu.Round(time.Millisecond), u.memory>>20)
	if u.cpu > cpu || u.memory > memory {
		t.Errorf("%s took %v and %d MB, expected at most %v and %d MB", what, u.cpu, u.memory>>20, cpu, memory>>20)
	}
}

// limitsProject is a project that binds the headers in h, of which cuda.h
// holds the text.
func limitsProject(t *testing.T, text string) *processes {
	t.Helper()
	p := newProcesses(t)
	p.config(t, "cybindgo.yaml", "13.5.0")
	p.header(t, text)
	return p
}

func (p *processes) header(t *testing.T, text string) {
	t.Helper()
	p.write(t, "releases/driver.json", emptyHistory)
	p.write(t, "h/cuda.h", strings.ReplaceAll(demoHeader, "NUMBER", "13050")+text)
	p.write(t, "h/cudaProfiler.h", "#include \"cuda.h\"\n")
	p.write(t, "h/cudaGL.h", "#include \"cuda.h\"\n")
}

var addHeaders = []string{"releases", "add", "13.5.0", "driver", "--headers", "h"}

// TestManyFunctions: what a function costs does not depend on how many there
// are, all the way from headers to files. `make soak` reads 100,000.
func TestManyFunctions(t *testing.T) {
	n := max(10_000, min(100*times(t, 1), 100_000))
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "CUresult cuFunction%d(unsigned int flags, int *size, const char *name);\n", i)
	}
	p := limitsProject(t, text.String())
	add := p.measure(t, addHeaders...)
	if want := fmt.Sprintf("%d functions declared, %d bound, 0 left out", n+1, n+1); add.code != 0 || !strings.Contains(add.out, want) {
		t.Fatalf("exit code %d, want %q\n%s", add.code, want, add.out)
	}
	// Measured: 0.3 ms and 40 to 80 kB a function, 20 us and 6 kB.
	count := time.Duration(n)
	add.within(t, "releases add", count*3*time.Millisecond, 100<<20+int64(n)*120_000)
	for _, command := range []string{"generate", "check"} {
		u := p.measure(t, command)
		if u.code != 0 {
			t.Fatalf("%s: exit code %d\n%s", command, u.code, u.out)
		}
		u.within(t, command, time.Second+count*200*time.Microsecond, 100<<20+int64(n)*12_000)
	}
	loader, _ := p.tree(t, "out/demo/bindings/_internal")
	if got := strings.Count(loader["driver_linux.pyx"], "cdef CUresult _cuFunction"); got != n {
		t.Errorf("the loader has %d functions, want %d", got, n)
	}
}

// TestDeepNesting nests everything that C nests. A thousand deep either works
// all the way or is an error with a place, a hundred thousand deep is an error
// or takes little: no stack overflows, and nothing is written that cannot be
// read back.
func TestDeepNesting(t *testing.T) {
	nest := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	enum := func(value string) string { return "enum E { E_VALUE = " + value + " };\nCUresult cuUse(enum E e);\n" }
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	// An error names a place, or the macro.
	place := regexp.MustCompile(`^cybindgo: (h/\w+\.h:\d+:\d+: |the macro |headers are included )`)
	p := limitsProject(t, "")
	for _, c := range []struct {
		name string
		text func(n int) string
		// Whether so many work.
		hundred, thousand, hundredThousand bool
	}{
		{"parentheses", func(n int) string { return enum(nest("(", "1", ")", n)) }, true, false, false},
		{"signs", func(n int) string { return enum(strings.Repeat("- ", n) + "1") }, true, true, false},
		{"casts", func(n int) string { return enum(strings.Repeat("(int)", n) + "1") }, true, true, false},
		{"sizeof", func(n int) string { return enum(strings.Repeat("sizeof ", n) + "1") }, true, true, false},
		{"sums", func(n int) string { return enum(strings.Repeat("1+", n) + "1") }, true, true, false},
		{"records", func(n int) string {
			return "struct S { " + nest("struct { ", "int x;", " } m;", n) + " };\nCUresult cuUse(struct S *s);\n"
		}, false, false, false},
		{"pointers", func(n int) string { return "CUresult cuUse(int " + strings.Repeat("*", n) + "p);\n" }, false, false, false},
		{"arrays", func(n int) string { return "CUresult cuUse(int p" + strings.Repeat("[1]", n) + ");\n" }, false, false, false},
		{"functions", func(n int) string { return "CUresult cuUse(" + nest("int (*p)(", "int", ")", n) + ");\n" }, false, false, false},
		{"function results", func(n int) string { return "typedef int " + nest("(*", "T", ")(int)", n) + ";\nCUresult cuUse(T t);\n" }, false, false, false},
		{"braces", func(n int) string {
			return "static inline int useless(void) {" + nest("{", "", "}", n) + " return 0; }\nCUresult cuUse(int a);\n"
		}, true, false, false},
		{"names in parentheses", func(n int) string { return "CUresult " + nest("(", "cuUse", ")", n) + "(int a);\n" }, true, true, false},
		{"conditions", func(n int) string { return nest("#if 1\n", "CUresult cuUse(int a);\n", "#endif\n", n) }, true, true, false},
		{"parentheses in a condition", func(n int) string { return "#if " + nest("(", "1", ")", n) + "\nCUresult cuUse(int a);\n#endif\n" }, true, true, false},
		{"calls of macros", func(n int) string {
			return "#define M(x) x\nCUresult cuUse(int a[" + nest("M(", "1", ")", n) + "]);\n"
		}, true, false, false},
		{"macros of macros", func(n int) string {
			return "#define M0 1\n" + numbered("#define M%[2]d (M%[1]d)\n", n) + fmt.Sprintf("CUresult cuUse(int a[M%d]);\n", n)
		}, true, false, false},
		{"a macro of itself", func(n int) string {
			return "#define A B\n#define B A\n#define C(x) C(x)\nCUresult cuUse(int a[" + nest("C(", "1", ")", n) + "]);\n"
		}, false, false, false},
		{"typedefs", func(n int) string {
			return "typedef int T0;\n" + numbered("typedef T%d *T%d;\n", n/10) + fmt.Sprintf("CUresult cuUse(T%d t);\n", n/10)
		}, true, true, true},
		{"a header in itself", func(n int) string { return "#include \"self.h\"\n" }, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.write(t, "h/self.h", "#include \"self.h\"\n")
			for n, works := range map[int]bool{100: c.hundred, 1000: c.thousand, 100_000: c.hundredThousand} {
				p.header(t, c.text(n))
				u := p.measure(t, addHeaders...)
				u.within(t, fmt.Sprint(n), 20*time.Second, 1<<30)
				switch {
				case strings.Contains(u.out, "goroutine "):
					t.Fatalf("%d: the program fell over:\n%.3000s", n, u.out)
				case u.code != 0 && (u.code != exitError || !place.MatchString(u.out)):
					t.Errorf("%d: exit code %d, want an error with a place: %.300s", n, u.code, u.out)
				case works != (u.code == 0):
					t.Errorf("%d: exit code %d: %.300s", n, u.code, u.out)
				case works:
					p.run(t, "generate")
					p.run(t, "check")
				}
			}
		})
	}
}

// TestBombIsRefused gives the program a wheel of 60 kB whose header would be
// 60 MB.
func TestBombIsRefused(t *testing.T) {
	var wheel bytes.Buffer
	archive := zip.NewWriter(&wheel)
	for name, text := range map[string]io.Reader{
		"nvidia_demo-13.5.37.dist-info/METADATA": strings.NewReader("Metadata-Version: 2.4\nName: nvidia-demo\nVersion: 13.5.37\n"),
		"nvidia/demo/include/cuda.h":             io.LimitReader(blanks{}, 60<<20),
	} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	p := limitsProject(t, "")
	p.write(t, "demo.whl", wheel.String())
	u := p.measure(t, "releases", "add", "13.5.0", "driver", "--headers", "demo.whl")
	u.within(t, "releases add", 5*time.Second, 150<<20)
	want := "cybindgo: demo.whl!nvidia/demo/include/cuda.h: unpacks to more than 100 times its size (62914560 bytes from "
	if u.code != exitError || !strings.HasPrefix(u.out, want) {
		t.Errorf("exit code %d, %.300s\nwant %s", u.code, u.out, want)
	}
}

// blanks reads as white space without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestHugeFilesAreRefused: a path that is named by mistake does not fill
// memory.
func TestHugeFilesAreRefused(t *testing.T) {
	p := limitsProject(t, "")
	p.write(t, "huge.pyx", "")
	if err := os.Truncate(filepath.Join(p.dir, "huge.pyx"), 1<<40); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"verify huge.pyx", "verify /dev/zero", "align huge.pyx huge.pyx", "check --config huge.pyx", "generate --config /dev/zero",
	} {
		u := p.measure(t, strings.Fields(args)...)
		u.within(t, args, 10*time.Second, 500<<20)
		if u.code != exitError || !strings.Contains(u.out, "more than 67108864 bytes: expected a text file") {
			t.Errorf("%s: exit code %d, %.300s", args, u.code, u.out)
		}
	}
}
