package emit

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/config"
)

const driver13 = "generated/cuda_bindings_13/cuda/bindings/"

// with is the committed input with another binding of the driver in its second
// package, 13.5.0.
func with(t *testing.T, change func(*config.Binding)) Input {
	t.Helper()
	in := committed(t)
	binding := in.Project.Packages[1].Libraries["driver"]
	change(&binding)
	in.Project.Packages[1].Libraries["driver"] = binding
	return in
}

// prototypes lists the public functions of the second package.
func prototypes(out *Output) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^cdef .*?(\w+)\(`).FindAllSubmatch(out.Files[driver13+"cydriver.pxd"], -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// The package without EGL and VDPAU is the package without what their headers
// declare, and without the types of EGL's and VDPAU's own headers.
func TestPackageWithoutFamilies(t *testing.T) {
	for _, mode := range []config.TypeMode{config.Extern, config.Inline} {
		all := prototypes(generate(t, with(t, func(b *config.Binding) { b.Types = mode })))
		out := generate(t, with(t, func(b *config.Binding) { b.Types, b.Without = mode, []string{"egl", "vdpau"} }))
		var want []string
		for _, name := range all {
			if !strings.Contains(name, "EGL") && !strings.Contains(name, "Egl") && !strings.Contains(name, "VDPAU") {
				want = append(want, name)
			}
		}
		got := prototypes(out)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: functions (-want +got):\n%s", mode, d)
		}
		if len(all) != 526 || len(got) != 526-12-4 {
			t.Errorf("%s: %d functions, without EGL and VDPAU %d", mode, len(all), len(got))
		}
		for _, file := range []string{"cydriver.pxd", "cydriver.pyx", "_internal/driver.pxd", "_internal/driver_linux.pyx", "_internal/driver_windows.pyx"} {
			if m := regexp.MustCompile(`(?m)^.*(EGL|egl|Egl|VDPAU|vdpau|Vdp).*$`).Find(out.Files[driver13+file]); m != nil {
				t.Errorf("%s: %s: %s", mode, file, m)
			}
		}
		if pxd := string(out.Files[driver13+"cydriver.pxd"]); !strings.Contains(pxd, "GLuint") {
			t.Errorf("%s: GLuint is gone, which the functions of OpenGL need", mode)
		}
	}
}

func TestFunctionsFromARelease(t *testing.T) {
	in := with(t, func(b *config.Binding) {
		b.Releases, b.MinVersion = "12.9.0..13.4.2", map[string]string{"cuInit": "13.4.2", "cuMemAlloc": "13.5.0"}
	})
	out := generate(t, in)
	got := strings.Join(prototypes(out), " ") + " "
	if !strings.Contains(got, "cuInit ") || strings.Contains(got, "cuMemAlloc ") {
		t.Errorf("want cuInit and not cuMemAlloc among\n%s", got)
	}
	note := "generated/cuda_bindings_13: driver: cuMemAlloc is left out: it is bound from release 13.5.0 on"
	if notes := strings.Join(out.Notes, "\n"); !strings.Contains(notes, note) {
		t.Errorf("want the note %q among\n%s", note, notes)
	}
}
