package fetch

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/internal/indextest"
)

// wheelsOf lists the wheels of a release in the folder that a variable names.
func wheelsOf(t *testing.T, variable, release string) []string {
	t.Helper()
	wheels, err := filepath.Glob(filepath.Join(os.Getenv(variable), release, "*.whl"))
	if err != nil || len(wheels) == 0 || os.Getenv(variable) == "" {
		t.Fatalf("%s has no wheels of %s: expected a folder with the wheels of each release (RELEASE/*.whl); `make setup` fetches them", variable, release)
	}
	return wheels
}

// TestPublishedWheelsByRanges serves the published wheels. What is read of them
// is what the wheels on disk have, byte for byte, by few requests, and a
// fraction of their size.
func TestPublishedWheelsByRanges(t *testing.T) {
	for _, release := range []string{"12.0.0", "12.9.1", "13.0.2", "13.5.0"} {
		t.Run(release, func(t *testing.T) {
			s := indextest.New(t)
			paths := wheelsOf(t, "CYBINDGO_HEADERS", release)
			for _, path := range append(wheelsOf(t, "CYBINDGO_TOOLKIT", release), paths...) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				name, err := dist.ParseWheelName(filepath.Base(path))
				if err != nil {
					t.Fatal(err)
				}
				s.Add(name.Name, &indextest.File{Name: filepath.Base(path), Data: data})
			}
			f := fetcher(t, s, t.TempDir())
			r, err := f.Fetch(t.Context(), Request{release, Reference, []string{"nvidia-cuda-runtime", "nvidia-cuda-profiler-api"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Components {
				if c.Requests > 3 || c.Bytes > 1_200_000 {
					t.Errorf("%s: %d bytes in %d requests", c.Package, c.Bytes, c.Requests)
				}
			}
			set, err := headers.Open(paths)
			if err != nil {
				t.Fatal(err)
			}
			defer set.Close()
			want := map[string]string{}
			err = fs.WalkDir(set.FS(), ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || filepath.Ext(name) == ".py" {
					return err
				}
				text, err := fs.ReadFile(set.FS(), name)
				want[name] = string(text)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, texts(t, r)); diff != "" || len(want) < 90 {
				t.Errorf("%d headers (-want +got):\n%.2000s", len(want), diff)
			}
			got, err := r.Set()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(set.Components(), got.Components()); diff != "" {
				t.Errorf("components (-want +got):\n%s", diff)
			}
		})
	}
}
