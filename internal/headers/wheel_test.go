package headers

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry is a member of a wheel made for a test. A change set by edit makes the
// wheel's directory say something else of it than is true.
type entry struct {
	name, text string
	edit       func(*zip.FileHeader)
}

const demoInfo = "Metadata-Version: 2.4\nName: nvidia-demo\nVersion: 1.2.3\n\nName: not this one\n"

// demoMetadata is what makes a zip archive a wheel.
var demoMetadata = entry{name: "nvidia_demo-1.2.3.dist-info/METADATA", text: demoInfo}

// zipped makes an archive of the members, in that order.
func zipped(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, e := range entries {
		var packed bytes.Buffer
		deflate, err := flate.NewWriter(&packed, flate.BestSpeed)
		check(t, err)
		_, err = io.WriteString(deflate, e.text)
		check(t, err)
		check(t, deflate.Close())
		h := &zip.FileHeader{
			Name: e.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE([]byte(e.text)),
			UncompressedSize64: uint64(len(e.text)), CompressedSize64: uint64(packed.Len()),
		}
		if e.edit != nil {
			e.edit(h)
		}
		body, err := archive.CreateRaw(h)
		check(t, err)
		if strings.HasSuffix(e.name, "/") {
			continue // a folder has no bytes
		}
		_, err = body.Write(packed.Bytes())
		check(t, err)
	}
	check(t, archive.Close())
	return out.Bytes()
}

// demoWheel writes a wheel of nvidia-demo 1.2.3 and gives its path.
func demoWheel(t testing.TB, entries ...entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nvidia_demo-1.2.3-py3-none-any.whl")
	write(t, path, string(zipped(t, append(entries, demoMetadata)...)))
	return path
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestBadWheelsAreRefusedWithTheReason(t *testing.T) {
	header := entry{name: "nvidia/demo/include/demo.h", text: "int demo(void);\n"}
	sized := func(size, packed uint64) func(*zip.FileHeader) {
		return func(h *zip.FileHeader) { h.UncompressedSize64, h.CompressedSize64 = size, packed }
	}
	good := zipped(t, header, demoMetadata)
	var big []entry
	for _, name := range strings.Split("abcdefghijklmnopq", "") {
		big = append(big, entry{name: "nvidia/demo/include/" + name + ".h", edit: sized(63<<20, 8<<20)})
	}
	withMetadata := func(text string) []byte {
		return zipped(t, header, entry{name: demoMetadata.name, text: text})
	}

	for _, c := range []struct {
		name string
		data []byte
		want string // after WHEEL
	}{
		{"an empty file", nil,
			`: the file is empty: expected a wheel, which is a zip archive`},
		{"cut off before its directory", good[:len(good)/2],
			`: the wheel is cut off or damaged: its directory, which a zip archive has at its end, is missing or wrong; fetch the wheel again`},
		{"cut off by one byte", good[:len(good)-1],
			`: the wheel is cut off or damaged: its directory, which a zip archive has at its end, is missing or wrong; fetch the wheel again`},
		{"a web page", []byte("<!DOCTYPE html>\n<p>404"),
			`: not a wheel: expected a zip archive, but the file starts with "<!DOCTYPE html>\n"`},
		{"another archive", []byte("\xfd7zXZ\x00\x00"),
			`: not a wheel: expected a zip archive, but the file starts with the bytes fd 37 7a 58 5a 00 00`},
		{"no metadata", zipped(t, header),
			`: not a wheel: expected a member NAME-VERSION.dist-info/METADATA`},
		{"metadata of two packages", zipped(t, header, demoMetadata, entry{name: "other-1.dist-info/METADATA"}),
			`!other-1.dist-info/METADATA: a second METADATA file beside nvidia_demo-1.2.3.dist-info/METADATA: expected a wheel of one package`},
		{"no version", withMetadata("Name: nvidia-demo\n\nVersion: 1\n"),
			`!nvidia_demo-1.2.3.dist-info/METADATA: no Name or no Version before the first empty line`},
		{"a version that is none", withMetadata("Name: nvidia-demo\nVersion: latest\n"),
			`!nvidia_demo-1.2.3.dist-info/METADATA: the line "Version: latest": expected one version, such as 13.5.37 or 13.4.46rc1`},
		{"a name that is none", withMetadata("Name: ../x\nVersion: 1\n"),
			`!nvidia_demo-1.2.3.dist-info/METADATA: the line "Name: ../x": expected one distribution's name, such as nvidia-cuda-runtime`},
		{"no headers", zipped(t, entry{name: "nvidia/demo/lib/demo.h"}, entry{name: "nvidia/demo/include/__init__.py"}, demoMetadata),
			`: no headers in this wheel (nvidia-demo 1.2.3): expected nvidia/<component>/include/ or nvidia/cu13/include/`},

		{"a member above the wheel", zipped(t, header, entry{name: "nvidia/../../demo.h"}, demoMetadata),
			`!nvidia/../../demo.h: the name has "..": expected a path inside the wheel; the wheel is refused`},
		{"a member above the wheel that is no header", zipped(t, header, entry{name: ".."}, demoMetadata),
			`!..: the name has "..": expected a path inside the wheel; the wheel is refused`},
		{"an absolute member", zipped(t, header, entry{name: "/etc/demo.h"}, demoMetadata),
			`!/etc/demo.h: the name is absolute: expected a path inside the wheel; the wheel is refused`},
		{"a member on a drive", zipped(t, header, entry{name: "C:demo.h"}, demoMetadata),
			`!C:demo.h: the name has a drive letter: expected a path inside the wheel; the wheel is refused`},
		{"a member with a backslash", zipped(t, header, entry{name: `..\demo.h`}, demoMetadata),
			`!..\demo.h: the name has a backslash: expected a path inside the wheel, with "/"; the wheel is refused`},
		{"a member with an empty part", zipped(t, header, entry{name: "nvidia//demo.h"}, demoMetadata),
			`!nvidia//demo.h: the name has an empty part or ".", or is not UTF-8: expected a plain path; the wheel is refused`},
		{"a member with a dot", zipped(t, header, entry{name: "./demo.h"}, demoMetadata),
			`!./demo.h: the name has an empty part or ".", or is not UTF-8: expected a plain path; the wheel is refused`},
		{"a member that would write to the terminal", zipped(t, header, entry{name: "\x1b[2J.h"}, demoMetadata),
			`!"\x1b[2J.h": the name has a control character: expected a plain path; the wheel is refused`},
		{"a member with an endless name", zipped(t, header, entry{name: strings.Repeat("a/", 30000) + "b.h"}, demoMetadata),
			`!a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/...: the name has 60003 bytes: expected at most 1024; the wheel is refused`},
		{"a member without a name", zipped(t, header, entry{name: "/"}, demoMetadata),
			`!/: the name is empty or absolute: expected a path inside the wheel; the wheel is refused`},
		{"a member twice", zipped(t, header, header, demoMetadata),
			`!nvidia/demo/include/demo.h: the wheel has two members of this name: expected one; the wheel is refused`},
		{"a member that is a file and a folder", zipped(t, header, entry{name: header.name + "/x.h"}, demoMetadata),
			`!nvidia/demo/include/demo.h/x.h: the wheel has nvidia/demo/include/demo.h both as a file and as a folder: expected one of them; the wheel is refused`},
		{"a member that is a file and an empty folder", zipped(t, header, entry{name: header.name + "/"}, demoMetadata),
			`!nvidia/demo/include/demo.h/: the wheel has two members of this name: expected one; the wheel is refused`},
		{"a header that is a link", zipped(t, entry{name: header.name, text: "/etc/passwd", edit: func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }}, demoMetadata),
			`!nvidia/demo/include/demo.h: is a link or a device (Lrwxrwxrwx): expected a plain file`},
		{"an encrypted header", zipped(t, entry{name: header.name, edit: func(h *zip.FileHeader) { h.Flags |= 1 }}, demoMetadata),
			`!nvidia/demo/include/demo.h: is encrypted: expected a plain file`},
		{"a header beyond bounds", zipped(t, entry{name: header.name, edit: sized(maxHeader+1, maxHeader)}, demoMetadata),
			`!nvidia/demo/include/demo.h: has 67108865 bytes unpacked: expected at most 67108864`},
		{"a header that is a bomb", zipped(t, entry{name: header.name, edit: sized(2<<20, 10256)}, demoMetadata),
			`!nvidia/demo/include/demo.h: unpacks to more than 100 times its size (2097152 bytes from 10256): expected the text of a header`},
		{"headers beyond bounds together", zipped(t, append(big, demoMetadata)...),
			`: its headers have more than 1073741824 bytes unpacked: expected a wheel of CUDA headers`},
		{"metadata beyond bounds", zipped(t, header, entry{name: demoMetadata.name, edit: sized(1<<40, 1<<39)}),
			`!nvidia_demo-1.2.3.dist-info/METADATA: has 1099511627776 bytes unpacked: expected at most 67108864`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "demo.whl")
			write(t, path, string(c.data))
			set, err := Open([]string{path})
			if err == nil {
				set.Close()
				t.Fatal("was not refused")
			}
			if diff := cmp.Diff(path+c.want, err.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			if e := new(Error); !errors.As(err, &e) || e.Path != path {
				t.Errorf("not an Error of that path: %#v", err)
			}
		})
	}
}

// What is wrong with a header's bytes shows when the header is read. The other
// headers stay readable.
func TestDamagedHeadersAreReportedWhenRead(t *testing.T) {
	const text = "int demo(void); int other(void); int demo(void);\n"
	for _, c := range []struct {
		name string
		edit func(*zip.FileHeader)
		want string // after the member's name
	}{
		{"another checksum", func(h *zip.FileHeader) { h.CRC32 = 0xbadc0de },
			"is damaged: its CRC-32 is not 0badc0de, as the wheel records; fetch the wheel again"},
		{"a checksum of nought", func(h *zip.FileHeader) { h.CRC32 = 0 },
			"is damaged: its CRC-32 is not 00000000, as the wheel records; fetch the wheel again"},
		{"more bytes than recorded", func(h *zip.FileHeader) { h.UncompressedSize64 = 5 },
			"is damaged: it is not the 5 bytes that the wheel records; fetch the wheel again"},
		{"fewer bytes than recorded", func(h *zip.FileHeader) { h.UncompressedSize64 = 500 },
			"is damaged: it is not the 500 bytes that the wheel records; fetch the wheel again"},
		{"packed bytes missing", func(h *zip.FileHeader) { h.CompressedSize64 = 3 },
			"is damaged: it is not the 49 bytes that the wheel records; fetch the wheel again"},
		{"an unknown packing", func(h *zip.FileHeader) { h.Method = 93 },
			"is packed by method 93: expected 8 (deflate) or 0 (stored)"},
		{"stored, says the directory", func(h *zip.FileHeader) { h.Method = zip.Store; h.UncompressedSize64 = h.CompressedSize64 },
			"is damaged: its CRC-32 is not 716f84f0, as the wheel records; fetch the wheel again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := demoWheel(t,
				entry{"nvidia/demo/include/good.h", "int good;\n", nil},
				entry{"nvidia/demo/include/demo.h", text, c.edit})
			set, err := Open([]string{path})
			check(t, err)
			defer set.Close()

			for range 2 { // it stays damaged
				_, err = set.Sum("demo.h")
				if err == nil {
					t.Fatal("was read")
				}
				if diff := cmp.Diff(path+"!nvidia/demo/include/demo.h: "+c.want, err.Error()); diff != "" {
					t.Errorf("message (-want +got):\n%s", diff)
				}
			}
			if _, opened := set.FS().Open("demo.h"); opened == nil || opened.Error() != err.Error() {
				t.Errorf("Open says %v, Sum %v", opened, err)
			}
			good, err := fs.ReadFile(set.FS(), "good.h")
			if string(good) != "int good;\n" || err != nil {
				t.Errorf("the other header: %q, %v", good, err)
			}
			if set.Err() == nil || !strings.HasSuffix(set.Err().Error(), c.want) {
				t.Errorf("Err: %v", set.Err())
			}
		})
	}
}

func TestCorruptDeflateStreamIsReported(t *testing.T) {
	data := zipped(t, entry{name: "nvidia/demo/include/demo.h", text: "int demo(void);\n"}, demoMetadata)
	at := bytes.Index(data, []byte("demo.h")) + len("demo.h")
	data[at] |= 7 // a block of the type that deflate does not have
	path := filepath.Join(t.TempDir(), "demo.whl")
	write(t, path, string(data))
	set, err := Open([]string{path})
	check(t, err)
	defer set.Close()
	_, err = set.Sum("demo.h")
	want := path + "!nvidia/demo/include/demo.h: is damaged (flate: corrupt input before offset 1); fetch the wheel again"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// Names that only look dangerous are fine, and so are odd members that are no
// headers: a library may be a link, and any size.
func TestHarmlessOddities(t *testing.T) {
	path := demoWheel(t,
		entry{name: "nvidia/"},
		entry{name: "nvidia/demo/include/"},
		entry{name: "nvidia/demo/include/..demo...h", text: "1"},
		entry{name: "nvidia/demo/include/dé mo.h", text: "2"},
		entry{name: "nvidia/demo/include/empty.h"},
		entry{name: "nvidia/demo/lib/libdemo.so", text: "libdemo.so.1", edit: func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }},
		entry{name: "nvidia/demo/lib/libdemo.so.1", edit: func(h *zip.FileHeader) { h.UncompressedSize64, h.CompressedSize64 = 1<<40, 1<<33 }},
	)
	set, err := Open([]string{path})
	check(t, err)
	defer set.Close()
	for name, want := range map[string]string{"..demo...h": "1", "dé mo.h": "2", "empty.h": ""} {
		got, err := fs.ReadFile(set.FS(), name)
		if string(got) != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

// Each wheel keeps headers in its own folder; the name of a header does not
// say which.
func TestHeaderFoldersOfAWheel(t *testing.T) {
	path := demoWheel(t,
		entry{name: "demo/include/own.h"},
		entry{name: "nvidia/demo/nvvm/include/nvvm.h"},
		entry{name: "nvidia/demo/include/crt/host_defines.h"},
		entry{name: "nvidia/cu13/include/cccl/include/deep.h"},
		entry{name: "nvidia/demo/samples/common/include/sample.h"},
		entry{name: "include/top.h"},
	)
	set, err := Open([]string{path})
	check(t, err)
	defer set.Close()
	want := []string{path + "!nvidia/cu13/include", path + "!nvidia/demo/include", path + "!nvidia/demo/nvvm/include", path + "!demo/include"}
	if diff := cmp.Diff(want, set.Searched()); diff != "" {
		t.Errorf("searched (-want +got):\n%s", diff)
	}
	for name, member := range map[string]string{
		"own.h":                "demo/include/own.h",
		"nvvm.h":               "nvidia/demo/nvvm/include/nvvm.h",
		"crt/host_defines.h":   "nvidia/demo/include/crt/host_defines.h",
		"cccl/include/deep.h":  "nvidia/cu13/include/cccl/include/deep.h",
		"sample.h":             "",
		"top.h":                "",
		"nvidia/demo/lib/x.so": "",
	} {
		_, err := fs.Stat(set.FS(), name)
		if found := member != ""; found != (err == nil) {
			t.Errorf("%s: %v", name, err)
		} else if found && set.Display(name) != path+"!"+member {
			t.Errorf("%s is shown as %s", name, set.Display(name))
		}
	}
}

func TestReadAfterCloseSaysSo(t *testing.T) {
	path := demoWheel(t, entry{"nvidia/demo/include/demo.h", "int demo;\n", nil}, entry{"nvidia/demo/include/late.h", "int late;\n", nil})
	set, err := Open([]string{path})
	check(t, err)
	files := set.FS()
	_, err = fs.ReadFile(files, "demo.h")
	check(t, err)
	check(t, set.Close())
	check(t, set.Close()) // again changes nothing

	if got, err := fs.ReadFile(files, "demo.h"); string(got) != "int demo;\n" || err != nil {
		t.Errorf("a header read before: %q, %v", got, err)
	}
	_, err = fs.ReadFile(files, "late.h")
	if want := path + "!nvidia/demo/include/late.h: cannot be read: the wheel was closed before"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
