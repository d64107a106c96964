package headers

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"
)

// packed is a member of a tar archive.
type packed struct {
	name, text string
	kind       byte   // tar.TypeReg if 0
	link       string // where a link leads
	size       int64  // what the archive says, and then ends
}

// tarred makes a tar archive, packed as the end of the name says.
func tarred(t testing.TB, name string, members ...packed) []byte {
	t.Helper()
	var out bytes.Buffer
	var pack io.WriteCloser = gzip.NewWriter(&out)
	if strings.HasSuffix(name, "xz") {
		w, err := xz.NewWriter(&out)
		check(t, err)
		pack = w
	}
	archive := tar.NewWriter(pack)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Typeflag: m.kind, Linkname: m.link, Size: int64(len(m.text)), Mode: 0o644}
		if m.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if m.size > 0 {
			h.Size = m.size
			check(t, archive.WriteHeader(h))
			check(t, pack.Close())
			return out.Bytes()
		}
		check(t, archive.WriteHeader(h))
		_, err := io.WriteString(archive, m.text)
		check(t, err)
	}
	check(t, archive.Close())
	check(t, pack.Close())
	return out.Bytes()
}

const redist = "cuda_cudart-linux-x86_64-13.5.37-archive/"

// filesOf reads all that a set has.
func filesOf(t testing.TB, set *Set) map[string]string {
	t.Helper()
	got := map[string]string{}
	check(t, fs.WalkDir(set.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(set.FS(), name)
		got[name] = string(text)
		return err
	}))
	return got
}

func TestArchives(t *testing.T) {
	cuda, host := packed{name: redist + "include/cuda.h", text: "int cuInit(void);\n"}, packed{name: redist + "include/crt/host_defines.h", text: "#define HOST\n"}
	members := []packed{
		{name: redist, kind: tar.TypeDir}, {name: redist + "LICENSE", text: "a licence"}, cuda, host,
		{name: redist + "include/nv/target", text: "#define NV\n"},
		{name: redist + "lib/libcudart.so", kind: tar.TypeSymlink, link: "libcudart.so.13"},
		{name: redist + "nvvm/include/nvvm.h", text: "int nvvm(void);\n"},
		{name: redist + "share/doc/other.h", text: "int other(void);\n"},
	}
	want := map[string]string{"cuda.h": cuda.text, "crt/host_defines.h": host.text, "nv/target": "#define NV\n", "nvvm.h": "int nvvm(void);\n"}
	var zipMembers []entry
	for _, m := range members {
		if m.kind == 0 {
			zipMembers = append(zipMembers, entry{name: m.name, text: m.text})
		}
	}
	for _, c := range []struct {
		name    string
		data    []byte
		version string // of the component; "" if the archive does not say
	}{
		{"a.tar.xz", tarred(t, "a.tar.xz", members...), "13.5.37"},
		{"a.TXZ", tarred(t, "a.txz", members...), "13.5.37"},
		{"a.tar.gz", tarred(t, "a.tar.gz", members...), "13.5.37"},
		{"a.tgz", tarred(t, "a.tgz", members...), "13.5.37"},
		{"a.zip", zipped(t, zipMembers...), "13.5.37"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name)
			write(t, path, string(c.data))
			set := open(t, path)
			if diff := cmp.Diff(want, filesOf(t, set)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]Component{{"cuda-cudart", c.version}}, set.Components()); diff != "" || !set.Exact() {
				t.Errorf("exact %v (-want +got):\n%s", set.Exact(), diff)
			}
			if got, want := set.Display("crt/host_defines.h"), path+"!cuda_cudart-linux-x86_64-13.5.37-archive/include/crt/host_defines.h"; got != want {
				t.Errorf("shown as %s, want %s", got, want)
			}
			if sum, err := set.Sum("crt/host_defines.h"); err != nil || sum != fmt.Sprintf("%x", sha256.Sum256([]byte(host.text))) {
				t.Errorf("sum %s, %v", sum, err)
			}
		})
	}
}

func TestArchivesOfFolders(t *testing.T) {
	for _, c := range []struct {
		name    string
		members []packed
		want    map[string]string
	}{
		{"headers at the top", []packed{{name: "cuda.h", text: "a"}, {name: "crt/b.h", text: "b"}}, map[string]string{"cuda.h": "a", "crt/b.h": "b"}},
		{"in one folder", []packed{{name: "./my/cuda.h", text: "a"}, {name: "./my/crt/b.h", text: "b"}}, map[string]string{"cuda.h": "a", "crt/b.h": "b"}},
		{"in a folder include", []packed{{name: "include/cuda.h", text: "a"}}, map[string]string{"cuda.h": "a"}},
		{"a toolkit", []packed{{name: "cuda/targets/x86_64-linux/include/cuda.h", text: "a"}, {name: "cuda/bin/x", text: "x"}}, map[string]string{"cuda.h": "a"}},
		{"as wheels install", []packed{{name: "nvidia/cuda_runtime/include/cuda.h", text: "a"}, {name: "nvidia/cuda_nvcc/nvvm/include/nvvm.h", text: "b"}},
			map[string]string{"cuda.h": "a", "nvvm.h": "b"}},
	} {
		path := filepath.Join(t.TempDir(), "a.tar.gz")
		write(t, path, string(tarred(t, path, c.members...)))
		set := open(t, path)
		if diff := cmp.Diff(c.want, filesOf(t, set)); diff != "" || set.Exact() || len(set.Components()) != 0 {
			t.Errorf("%s: exact %v, %v (-want +got):\n%s", c.name, set.Exact(), set.Components(), diff)
		}
	}
}

func TestBadArchives(t *testing.T) {
	header := packed{name: "include/demo.h", text: "int demo(void);\n"}
	good := tarred(t, "a.tar.xz", header)
	goodGz := tarred(t, "a.tar.gz", header)
	noise := strings.Repeat("/* 0123456789 */\n", 2000)
	for _, c := range []struct {
		name, file string
		data       []byte
		want       string // after the path
	}{
		{"nothing", "a.tar.xz", nil, ": the file is empty: expected an archive of headers"},
		{"a web page", "a.tar.xz", []byte("<html>"), ": the archive is cut off; fetch it again"},
		{"a longer web page", "a.tar.xz", []byte("<html>Please log in, and then try again.</html>"), ": the archive is damaged, or not what its name says (xz: invalid header magic bytes); fetch it again"},
		{"a web page as gzip", "a.tar.gz", []byte("<html>Please log in.</html>"), ": the archive is damaged, or not what its name says (gzip: invalid header); fetch it again"},
		{"a web page as zip", "a.zip", []byte("<html>Please log in.</html>"), ": the archive is damaged, or not what its name says (zip: not a valid zip file); fetch it again"},
		{"cut off", "a.tar.xz", good[:len(good)-30], ": the archive is cut off; fetch it again"},
		{"cut off, as gzip", "a.tar.gz", goodGz[:len(goodGz)-30], "!include/demo.h: the archive is cut off; fetch it again"},
		{"no headers", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "README", text: "x"}), ": no headers in this archive: expected " + layouts},
		{"headers elsewhere", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "a/share/demo.h"}, packed{name: "b/x"}), ": no headers in this archive: expected " + layouts},
		{"a name that leads out", "a.tar.gz", tarred(t, "a.tar.gz", header, packed{name: "include/../../demo.h"}), `!include/../../demo.h: the name has "..": expected a path inside the archive; the archive is refused`},
		{"an absolute name", "a.tar.gz", tarred(t, "a.tar.gz", header, packed{name: "/etc/demo.h"}), "!/etc/demo.h: the name is absolute: expected a path inside the archive; the archive is refused"},
		{"a name of Windows", "a.tar.gz", tarred(t, "a.tar.gz", header, packed{name: `include\demo.h`}), "!include\\demo.h: the name has a backslash: expected a path inside the archive, with \"/\"; the archive is refused"},
		{"a header twice", "a.tar.gz", tarred(t, "a.tar.gz", header, header), "!include/demo.h: the archive has two members of this name: expected one; the archive is refused"},
		{"a header that is a link", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "include/demo.h", kind: tar.TypeSymlink, link: "/etc/passwd"}), "!include/demo.h: is a link or a device (Lrw-r--r--): expected a plain file"},
		{"a header that is a hard link", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "include/demo.h", kind: tar.TypeLink, link: "../x.h"}), "!include/demo.h: is a link or a device (Lrw-r--r--): expected a plain file"},
		{"a header that is a device", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "include/demo.h", kind: tar.TypeChar}), "!include/demo.h: is a link or a device (Dcrw-r--r--): expected a plain file"},
		{"a name that leads out, in a zip", "a.zip", zipped(t, entry{name: "../demo.h"}), "!../demo.h: the name has \"..\": expected a path inside the archive; the archive is refused"},
		{"a header of many times its size, in a zip", "a.zip", zipped(t, entry{name: "include/demo.h", text: blank(2 << 20)}),
			"!include/demo.h: unpacks to more than 100 times its size (2097152 bytes from"},
		{"a header that is too large", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "include/demo.h", size: maxHeader + 1}), "!include/demo.h: has 67108865 bytes unpacked: expected at most 67108864"},
		{"something else of many times its size", "a.tar.gz", tarred(t, "a.tar.gz", packed{name: "lib/a", text: blank(2 * archiveFrom)}),
			": unpacks to more than 200 times its size: expected an archive of CUDA headers"},
		{"a window of a gigabyte", "a.tar.xz", bytes.Replace(tarred(t, "a.tar.xz", packed{name: "include/demo.h", text: noise}), []byte{0x21, 1, 22}, []byte{0x21, 1, 36}, 1),
			": the archive is damaged, or not what its name says (it asks for too much memory); fetch it again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			write(t, path, string(c.data))
			var err error
			took, allocated := cost(func() { _, err = Open([]string{path}) })
			if err == nil || !strings.HasPrefix(err.Error(), path+c.want) {
				t.Errorf("got  %v\nwant %s%s", err, path, c.want)
			}
			if e := new(Error); !errors.As(err, &e) {
				t.Errorf("not an Error: %#v", err)
			}
			if took > time.Minute || allocated > 1<<30 {
				t.Errorf("it took %v and %d MB", took, allocated>>20)
			}
		})
	}
}

// TestPackages makes a set of headers that are held elsewhere.
func TestPackages(t *testing.T) {
	read := 0
	held := func(text string, err error) func() ([]byte, error) {
		return func() ([]byte, error) { read++; return []byte(text), err }
	}
	broken := errors.New("the disk is on fire")
	packages := []Package{
		{Component{"nvidia-cuda-runtime", "13.5.37"}, "runtime", Files(map[string]func() ([]byte, error){"cuda.h": held("int cuInit(void);\n", nil), "crt/a.h": held("a", nil)})},
		{Component{"nvidia-nvml-dev", "13.5.36"}, "nvml", Files(map[string]func() ([]byte, error){"nvml.h": held("", broken)})},
	}
	set, err := Of("13.5.0", map[string]string{"nvidia-cuda-runtime": "13.5.37", "nvidia-nvml-dev": "13.5.37"}, packages)
	check(t, err)
	for range 2 {
		text, err := fs.ReadFile(set.FS(), "cuda.h")
		if err != nil || string(text) != "int cuInit(void);\n" {
			t.Errorf("got %q, %v", text, err)
		}
		text[0] = 'x' // what is read is the reader's own
	}
	if read != 1 {
		t.Errorf("it was read %d times", read)
	}
	entries, err := fs.ReadDir(set.FS(), "crt")
	if err != nil || len(entries) != 1 || entries[0].Name() != "a.h" {
		t.Errorf("got %v, %v", entries, err)
	}
	if _, err := fs.ReadFile(set.FS(), "none.h"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := fs.ReadFile(set.FS(), "nvml.h"); !errors.Is(err, broken) || !errors.Is(set.Err(), broken) {
		t.Errorf("got %v, and the set says %v", err, set.Err())
	}
	if got := set.Display("crt/a.h"); got != "runtime/crt/a.h" {
		t.Errorf("shown as %s", got)
	}
	if err := set.CheckPins(); err == nil || err.Error() != "CUDA 13.5.0: CUDA 13.5.0 has nvidia-nvml-dev 13.5.37, but nvidia-nvml-dev 13.5.36 was given" {
		t.Errorf("got %v", err)
	}
	if !set.Exact() || set.ToolkitRelease() != "13.5.0" {
		t.Errorf("exact %v, release %q", set.Exact(), set.ToolkitRelease())
	}
	if _, err := Of("13.5.0", nil, nil); err == nil || err.Error() != "CUDA 13.5.0: no headers were found for this release" {
		t.Errorf("got %v", err)
	}
}

// FuzzArchive reads any bytes as an archive of each kind. Either an Error comes
// back, or headers within bounds whose names stay inside.
func FuzzArchive(f *testing.F) {
	members := []packed{{name: redist + "include/cuda.h", text: "int cuInit(void);\n"}, {name: redist + "LICENSE", text: "x"}}
	for kind, name := range []string{"a.tar.xz", "a.tar.gz"} {
		f.Add(kind, tarred(f, name, members...))
		f.Add(kind, tarred(f, name, append(members, packed{name: "../x.h"})...))
	}
	f.Add(2, zipped(f, entry{name: "include/cuda.h", text: "int cuInit(void);\n"}))
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		name := []string{"x.tar.xz", "x.tar.gz", "x.zip"}[max(kind, -kind, 0)%3]
		a, err := readArchive(name, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if e := new(Error); !errors.As(err, &e) || e.Path != name || e.Msg == "" {
				t.Fatalf("not an Error of the archive: %#v", err)
			}
			return
		}
		total := 0
		for _, r := range a.roots() {
			check(t, fs.WalkDir(r.files, ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text, err := fs.ReadFile(r.files, name)
				total += len(text)
				return err
			}))
		}
		if total > archiveFrom+maxArchiveRatio*len(data) {
			t.Fatalf("%d bytes from %d", total, len(data))
		}
	})
}
