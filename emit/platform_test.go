package emit

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// region is what stands between the platform marks of a file.
func region(t *testing.T, data []byte, platform string) string {
	t.Helper()
	_, after, found := strings.Cut(string(data), "    /* platform: "+platform+" */\n")
	text, _, ended := strings.Cut(after, "    /* platform: end */\n")
	if !found || !ended {
		t.Fatalf("no region of %s", platform)
	}
	return text
}

// TestPlatformRegions: what the platforms do differently is little enough to
// stand here whole. Nothing rewrites it: whoever changes a region changes this.
func TestPlatformRegions(t *testing.T) {
	byName := map[string]string{
		"linux": `    #include <dlfcn.h>
    static const char *const cyb_names[] = { "libdemo.so.1", "libdemo.so.0" };
    static void *cyb_open(const char *name) {
        return dlopen(name, RTLD_NOW);
    }
    static void *cyb_symbol(void *library, const char *name) {
        return dlsym(library, name);
    }
`,
		"windows": `    #define WIN32_LEAN_AND_MEAN
    #include <windows.h>
    static const char *const cyb_names[] = { "demo64_1.dll" };
    static void *cyb_open(const char *name) {
        return (void *)LoadLibraryA(name);
    }
    static void *cyb_symbol(void *library, const char *name) {
        return (void *)GetProcAddress((HMODULE)library, name);
    }
`,
	}
	byFinder := map[string]string{
		"linux": `    #include <dlfcn.h>
    static void *cyb_symbol(void *library, const char *name) {
        return dlsym(library, name);
    }
`,
		"windows": `    #define WIN32_LEAN_AND_MEAN
    #include <windows.h>
    static void *cyb_symbol(void *library, const char *name) {
        return (void *)GetProcAddress((HMODULE)library, name);
    }
`,
	}
	driver := generate(t, committed(t)).Files
	for platform, want := range byName {
		if d := cmp.Diff(want, region(t, demo(t).Files["out/demo/bindings/_internal/demo_"+platform+".pyx"], platform)); d != "" {
			t.Errorf("%s, by name (-want +got):\n%s", platform, d)
		}
		for _, major := range []string{"12", "13"} {
			got := region(t, driver["generated/cuda_bindings_"+major+"/cuda/bindings/_internal/driver_"+platform+".pyx"], platform)
			if d := cmp.Diff(byFinder[platform], got); d != "" {
				t.Errorf("%s, driver %s (-want +got):\n%s", platform, major, d)
			}
		}
	}
}

func TestRegionsThatAreRefused(t *testing.T) {
	good := "a\n    /* platform: linux */\n    #include <dlfcn.h>\n    b();\n    /* platform: end */\nc\n"
	common, err := commonPart([]byte(good), "linux")
	if err != nil || string(common) != "a\nc\n" {
		t.Errorf("%q, %v", common, err)
	}
	for name, text := range map[string]string{
		"none":                      "a\nc\n",
		"two":                       good + good,
		"without an end":            strings.Replace(good, "    /* platform: end */\n", "", 1),
		"of another platform":       strings.Replace(good, "linux", "windows", 1),
		"a mark in other text":      strings.Replace(good, "c\n", "x = \"/* platform: end */\"\n", 1),
		"a mark in a comment":       strings.Replace(good, "c\n", "# /* platform: linux */\n", 1),
		"an end twice":              strings.Replace(good, "c\n", "    /* platform: end */\n", 1),
		"a macro":                   strings.Replace(good, "b();", "#define continue break", 1),
		"a macro that is forgotten": strings.Replace(good, "b();", "# undef _M_ARM64", 1),
		"a condition":               strings.Replace(good, "b();", "#if 0", 1),
		"a header beside the file":  strings.Replace(good, "<dlfcn.h>", `"mine.h"`, 1),
		"the end of the block":      strings.Replace(good, "b();", `"""`, 1),
	} {
		if _, err := commonPart([]byte(text), "linux"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestNamesFitTheirBuffer: the buffer that symbols are put together in holds the
// longest, with what the per-thread default stream adds and the final zero.
var nameBuffer = regexp.MustCompile(`^char name\[(\d+)\];`)

func TestNamesFitTheirBuffer(t *testing.T) {
	for path, data := range generate(t, committed(t)).Files {
		if !strings.HasSuffix(path, "_linux.pyx") {
			continue
		}
		size := 0
		longest := 0
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if m := nameBuffer.FindStringSubmatch(line); m != nil {
				size, _ = strconv.Atoi(m[1])
			}
			if rest, ok := strings.CutPrefix(line, `{ "__`); ok {
				symbol, rest, _ := strings.Cut(rest, `"`)
				_, suffix, _ := strings.Cut(rest, `"`)
				suffix, _, _ = strings.Cut(suffix, `"`)
				longest = max(longest, len(symbol)+7, len(symbol)+len(suffix)+1) // the whole field is copied
			}
		}
		if longest < 20 || size < longest {
			t.Errorf("%s: a buffer of %d bytes for %d", path, size, longest)
		}
	}
}

// TestSetupAddsNoFlags: a macro or a flag given there would change what the
// loader's C means, where no other check looks.
func TestSetupAddsNoFlags(t *testing.T) {
	checked := 0
	for path, data := range generate(t, committed(t)).Files {
		if !strings.HasSuffix(path, "setup.py") {
			continue
		}
		checked++
		for _, flag := range []string{"define_macros", "undef_macros", "extra_compile_args", "extra_link_args", "CFLAGS", "\"-", "__ATOMIC"} {
			if strings.Contains(string(data), flag) {
				t.Errorf("%s gives the compiler %s", path, flag)
			}
		}
	}
	if checked != 2 {
		t.Errorf("%d files", checked)
	}
}
