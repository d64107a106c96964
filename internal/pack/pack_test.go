package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	when  = time.Date(2026, 11, 4, 12, 30, 41, 0, time.UTC)
	files = []File{
		{Name: "b/run", Data: bytes.Repeat([]byte("go "), 1000), Executable: true},
		{Name: "a.txt", Data: []byte("text")},
	}
)

// member is what an archive says of one.
type member struct {
	Name string
	Size int
	Mode fs.FileMode
	Time time.Time
}

func TestZip(t *testing.T) {
	data, err := Zip(files, when)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var got []member
	for _, f := range r.File {
		text, err := fs.ReadFile(r, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, member{f.Name, len(text), f.Mode(), f.Modified.UTC()})
		if f.Flags != 0 || len(f.Extra) != 0 {
			t.Errorf("%s: flags %x and %d bytes more: sizes belong before the member", f.Name, f.Flags, len(f.Extra))
		}
	}
	even := when.Truncate(2 * time.Second)
	if d := cmp.Diff([]member{{"a.txt", 4, 0o644, even}, {"b/run", 3000, 0o755, even}}, got); d != "" {
		t.Error(d)
	}
	// A local header tells the same as the directory: version, flags, method,
	// time, checksum, sizes.
	if crc, packed, size := binary.LittleEndian.Uint32(data[14:]), binary.LittleEndian.Uint32(data[18:]), binary.LittleEndian.Uint32(data[22:]); crc != r.File[0].CRC32 || packed != 4 || size != 4 {
		t.Errorf("the first local header: checksum %x, %d bytes of %d", crc, packed, size)
	}
}

func TestTarGz(t *testing.T) {
	data, err := TarGz(files, when)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !z.ModTime.IsZero() || z.Name != "" || data[9] != 255 {
		t.Errorf("gzip tells the time %v, the name %q, the system %d", z.ModTime, z.Name, data[9])
	}
	var got []member
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
			t.Errorf("%s belongs to somebody: %+v", h.Name, h)
		}
		got = append(got, member{h.Name, int(h.Size), fs.FileMode(h.Mode), h.ModTime.UTC()})
	}
	if d := cmp.Diff([]member{{"a.txt", 4, 0o644, when}, {"b/run", 3000, 0o755, when}}, got); d != "" {
		t.Error(d)
	}
}

func TestTheOrderOfFilesMakesNoDifference(t *testing.T) {
	turned := []File{files[1], files[0]}
	for name, f := range map[string]func([]File, time.Time) ([]byte, error){"zip": Zip, "tar.gz": TarGz} {
		a, err := f(files, when)
		b, err2 := f(turned, when.In(time.FixedZone("", 3600)))
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %v, %v, the same: %v", name, err, err2, bytes.Equal(a, b))
		}
	}
}

func TestNamesThatMustNotBePacked(t *testing.T) {
	for _, name := range []string{"", ".", "/a", "../a", "a/../b", "a//b", `a\b`, "c:a", "a\nb", "ä"} {
		if _, err := Zip([]File{{Name: name}}, when); err == nil || !strings.Contains(err.Error(), "expected a path below the archive's root") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := TarGz([]File{{Name: "a"}, {Name: "b"}, {Name: "a"}}, when); err == nil || err.Error() != "a is in the archive twice" {
		t.Errorf("a name twice: %v", err)
	}
}

func TestTimesOfZips(t *testing.T) {
	for _, c := range []struct {
		at          time.Time
		date, clock uint16
	}{
		{time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), 0x0021, 0},
		{time.Unix(0, 0), 0x0021, 0},
		{time.Date(2026, 11, 4, 12, 30, 41, 0, time.UTC), 46<<9 | 11<<5 | 4, 12<<11 | 30<<5 | 20},
	} {
		if date, clock := dosTime(c.at); date != c.date || clock != c.clock {
			t.Errorf("%v: %x %x, want %x %x", c.at, date, clock, c.date, c.clock)
		}
	}
}
