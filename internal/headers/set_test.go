package headers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree writes files into a new folder and gives its path. The text of each
// file is its own path in the folder.
func tree(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), name)
	}
	return dir
}

// open opens paths and closes them when the test ends.
func open(t testing.TB, paths ...string) *Set {
	t.Helper()
	set, err := Open(paths)
	check(t, err)
	t.Cleanup(func() { check(t, set.Close()) })
	return set
}

// within gives the paths that the set searches, relative to dir.
func within(t testing.TB, dir string, set *Set) []string {
	t.Helper()
	var names []string
	for _, label := range set.Searched() {
		rel, err := filepath.Rel(dir, label)
		check(t, err)
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

func TestFoldersAreSearchedInTheOrderOfTheirLayout(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    []string
		searched []string
		opens    map[string]string // header to the file that must answer
	}{
		{"headers", []string{"cuda.h", "crt/host_defines.h"}, []string{"."},
			map[string]string{"cuda.h": "cuda.h", "crt/host_defines.h": "crt/host_defines.h"}},
		{"headers one level down alone", []string{"crt/host_defines.h"}, []string{"."},
			map[string]string{"crt/host_defines.h": "crt/host_defines.h"}},
		{"toolkit", []string{"include/cuda.h", "bin/nvcc", "nvvm/include/nvvm.h"}, []string{"include", "nvvm/include"},
			map[string]string{"cuda.h": "include/cuda.h", "nvvm.h": "nvvm/include/nvvm.h"}},
		{"toolkit with targets",
			[]string{"targets/aarch64-linux/include/cuda.h", "targets/x86_64-linux/include/cuda.h", "targets/x86_64-linux/include/nvml.h", "include/cuda.h"},
			[]string{"include", "targets/x86_64-linux/include", "targets/aarch64-linux/include"},
			map[string]string{"cuda.h": "include/cuda.h", "nvml.h": "targets/x86_64-linux/include/nvml.h"}},
		{"toolkit with targets alone", []string{"targets/sbsa-linux/include/cuda.h"}, []string{"targets/sbsa-linux/include"},
			map[string]string{"cuda.h": "targets/sbsa-linux/include/cuda.h"}},
		{"toolkit whose include is empty of headers", []string{"include/README", "targets/sbsa-linux/include/cuda.h"}, []string{"targets/sbsa-linux/include"},
			map[string]string{"cuda.h": "targets/sbsa-linux/include/cuda.h"}},
		{"installed wheels of 12", []string{"nvidia/cuda_runtime/include/cuda.h", "nvidia/cuda_nvcc/include/crt/host_defines.h", "nvidia/cuda_nvcc/nvvm/include/nvvm.h", "numpy/include/numpy.h"},
			[]string{"nvidia/cuda_nvcc/include", "nvidia/cuda_runtime/include", "nvidia/cuda_nvcc/nvvm/include"},
			map[string]string{"cuda.h": "nvidia/cuda_runtime/include/cuda.h", "crt/host_defines.h": "nvidia/cuda_nvcc/include/crt/host_defines.h"}},
		{"installed wheels of 13", []string{"nvidia/cu13/include/cuda.h", "nvidia/cudnn/include/cudnn.h"},
			[]string{"nvidia/cu13/include", "nvidia/cudnn/include"},
			map[string]string{"cuda.h": "nvidia/cu13/include/cuda.h", "cudnn.h": "nvidia/cudnn/include/cudnn.h"}},
		{"a name with the signs of a pattern", []string{"[x]*/cuda.h"}, []string{"."},
			map[string]string{"[x]*/cuda.h": "[x]*/cuda.h"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, c.files...)
			set := open(t, dir)
			if diff := cmp.Diff(c.searched, within(t, dir, set)); diff != "" {
				t.Errorf("searched (-want +got):\n%s", diff)
			}
			for name, want := range c.opens {
				got, err := fs.ReadFile(set.FS(), name)
				if string(got) != want || err != nil {
					t.Errorf("%s: %q, %v; want %q", name, got, err, want)
				}
				if shown := filepath.Join(dir, filepath.FromSlash(want)); set.Display(name) != shown {
					t.Errorf("%s is shown as %s, want %s", name, set.Display(name), shown)
				}
			}
			if set.Exact() {
				t.Error("a folder cannot tell its version")
			}
		})
	}
}

// In an installed toolkit, include is a link to a target's.
func TestLinkedFoldersAreSearchedOnce(t *testing.T) {
	dir := tree(t, "targets/x86_64-linux/include/cuda.h", "nvidia/cu13/include/nvml.h")
	check(t, os.Symlink(filepath.Join("targets", "x86_64-linux", "include"), filepath.Join(dir, "include")))
	check(t, os.Symlink("cu13", filepath.Join(dir, "nvidia", "nvml")))
	set := open(t, dir)
	if diff := cmp.Diff([]string{"include", "nvidia/cu13/include"}, within(t, dir, set)); diff != "" {
		t.Errorf("searched (-want +got):\n%s", diff)
	}
}

func TestEarlierPathsWin(t *testing.T) {
	first, second := tree(t, "cuda.h", "nv/one.h", "crt"), tree(t, "cuda.h", "nvml.h", "nv/two.h", "crt/host_defines.h")
	third := demoWheel(t, entry{"nvidia/demo/include/nvml.h", "of the wheel", nil}, entry{"nvidia/demo/include/nv/three.h", "3", nil})
	set := open(t, first, second, third)

	for name, want := range map[string]string{
		"cuda.h":     filepath.Join(first, "cuda.h"),
		"nvml.h":     filepath.Join(second, "nvml.h"),
		"nv/two.h":   filepath.Join(second, "nv", "two.h"),
		"nv/three.h": third + "!nvidia/demo/include/nv/three.h",
		"crt":        filepath.Join(first, "crt"),
		// The first folder has a file where this path has a folder.
		"crt/host_defines.h": filepath.Join(second, "crt", "host_defines.h"),
		"absent.h":           "absent.h",
		"../cuda.h":          "../cuda.h",
	} {
		if got := set.Display(name); got != want {
			t.Errorf("%s is shown as %s, want %s", name, got, want)
		}
	}
	if diff := cmp.Diff([]string{first, second, third + "!nvidia/demo/include"}, set.Searched()); diff != "" {
		t.Errorf("searched (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Component{{"nvidia-demo", "1.2.3"}}, set.Components()); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if set.Exact() {
		t.Error("two of the three are folders")
	}
	if err := set.Err(); err != nil {
		t.Errorf("absence is no failure: %v", err)
	}
}

// The contract of package fs, over a folder and a wheel that share a folder.
func TestFileSystemIsOne(t *testing.T) {
	dir := tree(t, "cuda.h", "crt/host_config.h", "crt/both.h")
	whl := demoWheel(t,
		entry{"nvidia/demo/include/nvml.h", "1", nil},
		entry{"nvidia/demo/include/crt/host_defines.h", "2", nil},
		entry{"nvidia/demo/include/crt/both.h", "3", nil})
	for name, paths := range map[string][]string{"both": {dir, whl}, "turned round": {whl, dir}, "wheel": {whl}} {
		t.Run(name, func(t *testing.T) {
			expected := []string{"nvml.h", "crt/host_defines.h", "crt/both.h"}
			if len(paths) > 1 {
				expected = append(expected, "cuda.h", "crt/host_config.h")
			}
			check(t, fstest.TestFS(open(t, paths...).FS(), expected...))
		})
	}
}

func TestSumIsOfTheRawBytes(t *testing.T) {
	crlf := "\xef\xbb\xbfint caf\xe9;\r\n"
	dir := t.TempDir()
	write(t, filepath.Join(dir, "demo.h"), crlf)
	whl := demoWheel(t, entry{"nvidia/demo/include/demo.h", crlf, nil})
	for _, path := range []string{dir, whl} {
		sum, err := open(t, path).Sum("demo.h")
		if want := "310b27c81b7a482ae244e71795bb99c4c94820f9373e853a8da13d552ff4dbe0"; sum != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", path, sum, err, want)
		}
	}
	_, err := open(t, dir).Sum("absent.h")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a header that is in no place: %v", err)
	}
}

// A caller may change what ReadFile gave it; the next reader must not see it.
func TestReadersDoNotShareBytes(t *testing.T) {
	set := open(t, demoWheel(t, entry{"nvidia/demo/include/demo.h", "int demo;\n", nil}))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			data, err := fs.ReadFile(set.FS(), "demo.h")
			if string(data) != "int demo;\n" || err != nil {
				t.Errorf("%q, %v", data, err)
			}
			clear(data)
		})
	}
	all.Wait()
}

func TestBadPathsAreRefusedWithTheReason(t *testing.T) {
	dir := tree(t, "empty/x", "text/README", "a.rar", "set/nvidia_runtime-13.5.37.whl",
		"mixed/nvidia/cu13/include/cuda.h", "mixed/nvidia/cuda_runtime/include/cuda.h",
		"toolkit/include/README", "unpacked.whl/nvidia/demo/include/demo.h", "broken/one.whl", "broken/two.whl")
	check(t, os.Remove(filepath.Join(dir, "empty", "x")))
	whl := demoWheel(t, entry{"nvidia/demo/include/demo.h", "", nil})
	other := filepath.Join(dir, "other.whl")
	write(t, other, string(zipped(t,
		entry{"nvidia/demo/include/demo.h", "", nil},
		entry{"d-1.dist-info/METADATA", "Name: NVIDIA_Demo.CU12\nVersion: 1.2.4\n", nil})))
	meta := filepath.Join(dir, "meta.whl")
	write(t, meta, string(zipped(t, entry{"cuda_toolkit-13.0.2.dist-info/METADATA", "Name: cuda-toolkit\nVersion: 13.0.2\n", nil})))

	for _, c := range []struct {
		name  string
		paths []string // relative to dir unless absolute
		want  string   // DIR, WHEEL and OTHER stand for paths
	}{
		{"no paths", nil, "no headers were given: expected a folder of headers, a toolkit root, a wheel or an archive"},
		{"an empty path", []string{"-"}, "an empty path was given for headers: expected a folder of headers, a toolkit root, a wheel or an archive"},
		{"nothing there", []string{"absent"}, "DIR/absent: no such file or folder"},
		{"a misspelt wheel", []string{"set/nvidia_runtime-13.5.73.whl"}, "DIR/set/nvidia_runtime-13.5.73.whl: no such file or folder; did you mean DIR/set/nvidia_runtime-13.5.37.whl?"},
		{"a folder missing above", []string{"sets/x.whl"}, "DIR/sets/x.whl: no such file or folder, nor is there a folder DIR/sets"},
		{"an archive of another kind", []string{"a.rar"}, "DIR/a.rar: expected a folder of headers, a toolkit root or a file whose name ends in .whl, .tar.xz, .txz, .tar.gz, .tgz, .zip"},
		{"a device", []string{os.DevNull}, os.DevNull + ": is not a plain file: expected a folder of headers, a toolkit root, a wheel or an archive"},
		{"a folder named as a wheel", []string{"unpacked.whl"}, "DIR/unpacked.whl: is a folder, though its name ends in .whl: expected the wheel itself, a file; rename a folder that a wheel was unpacked into"},
		{"an empty folder", []string{"empty"}, "DIR/empty: the folder is empty: expected files such as cuda.h, a toolkit's include/ or targets/*/include/, or nvidia/*/include/ as wheels install it"},
		{"a folder without headers", []string{"text"}, "DIR/text: no headers in this folder: expected files such as cuda.h, a toolkit's include/ or targets/*/include/, or nvidia/*/include/ as wheels install it"},
		{"a toolkit without headers", []string{"toolkit"}, "DIR/toolkit/include: no headers in this folder: expected files such as cuda.h"},
		{"two releases installed side by side", []string{"mixed"}, "DIR/mixed: holds two releases: cuda.h is in nvidia/cu13/include and in nvidia/cuda_runtime/include; expected one of these folders instead of DIR/mixed"},
		{"two versions of a component", []string{whl, other}, "OTHER: holds nvidia-demo-cu12 1.2.4, but WHEEL holds nvidia-demo 1.2.3: expected one wheel of each component, all of one release and for one target"},
		{"one wheel twice", []string{whl, whl}, "WHEEL: holds nvidia-demo 1.2.3, but WHEEL holds nvidia-demo 1.2.3: expected one wheel of each component, all of one release and for one target"},
		{"the list of components alone", []string{meta}, "DIR/meta.whl: this wheel only lists the components of CUDA 13.0.2: expected the components' own wheels, or other headers, beside it"},
		{"several at once", []string{"absent", whl, "a.rar"}, "DIR/absent: no such file or folder\nDIR/a.rar: expected a folder of headers, a toolkit root or a file whose name ends in .whl, .tar.xz, .txz, .tar.gz, .tgz, .zip"},
		{"a folder of broken wheels", []string{"broken"}, "DIR/broken/one.whl: not a wheel: expected a zip archive, but the file starts with \"broken/one.whl\"\nDIR/broken/two.whl: not a wheel: expected a zip archive, but the file starts with \"broken/two.whl\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			for _, path := range c.paths {
				switch {
				case path == "-":
					path = ""
				case !filepath.IsAbs(path):
					path = filepath.Join(dir, filepath.FromSlash(path))
				}
				paths = append(paths, path)
			}
			set, err := Open(paths)
			if err == nil {
				set.Close()
				t.Fatal("was not refused")
			}
			got := strings.NewReplacer(whl, "WHEEL", other, "OTHER", dir, "DIR", `\`, "/").Replace(err.Error())
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

// A header that is there but out of reach is never passed over for a later
// place's.
func TestUnreadableHeadersAreReported(t *testing.T) {
	dir, later := tree(t, "good.h", "folder.h/x"), tree(t, "loop.h", "device.h", "huge.h", "folder.h")
	loop, device, huge := filepath.Join(dir, "loop.h"), filepath.Join(dir, "device.h"), filepath.Join(dir, "huge.h")
	check(t, os.Symlink("loop.h", loop))
	check(t, os.Symlink(os.DevNull, device))
	write(t, huge, "")
	check(t, os.Truncate(huge, maxHeader+1))
	for name, want := range map[string]string{
		"loop.h":   loop + ": cannot be read: too many levels of symbolic links",
		"device.h": device + ": is not a plain file: expected a header",
		"huge.h":   huge + ": has 67108865 bytes: expected a header of at most 67108864",
	} {
		set := open(t, dir, later)
		_, err := set.FS().Open(name)
		if err == nil || err.Error() != want {
			t.Errorf("Open: %v, want %s", err, want)
		}
		if set.Err() != err {
			t.Errorf("Err: %v, want %v", set.Err(), err)
		}
		_, err = set.Sum(name)
		if err == nil || err.Error() != want {
			t.Errorf("Sum: %v, want %s", err, want)
		}
	}
	f, err := open(t, dir, later).FS().Open("folder.h")
	check(t, err)
	_, err = f.Read(make([]byte, 1))
	if want := "read folder.h: is a folder"; err == nil || err.Error() != want {
		t.Errorf("reading a folder: %v, want %s", err, want)
	}
}

func TestFolderOfWheelsStandsForThem(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.whl"), string(zipped(t, entry{"nvidia/b/include/b.h", "b", nil}, entry{"b-2.dist-info/METADATA", "Name: b\nVersion: 2\n", nil})))
	write(t, filepath.Join(dir, "a.whl"), string(zipped(t, entry{"nvidia/a/include/a.h", "a", nil}, entry{"a-1.dist-info/METADATA", "Name: a\nVersion: 1\n", nil})))
	write(t, filepath.Join(dir, "notes.txt"), "")
	set := open(t, dir)
	if diff := cmp.Diff([]Component{{"a", "1"}, {"b", "2"}}, set.Components()); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.whl!nvidia/a/include", "b.whl!nvidia/b/include"}, within(t, dir, set)); diff != "" {
		t.Errorf("searched (-want +got):\n%s", diff)
	}
	if !set.Exact() {
		t.Error("wheels know their version")
	}
}
