package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/internal/index"
	"github.com/cybindgo/cybindgo/internal/indextest"
)

// bytesOf is a server of one file.
type bytesOf []byte

func (b bytesOf) Range(_ context.Context, _ *url.URL, from, to int64) ([]byte, int64, error) {
	size := int64(len(b))
	if from < 0 {
		from, to = max(0, size+from), size
	}
	to = min(to, size)
	if from >= to {
		return nil, 0, errors.New("an empty range was asked for")
	}
	return bytes.Clone(b[from:to]), size, nil
}

func wheelFile(data []byte) index.File {
	return index.File{Name: "demo.whl", URL: &url.URL{Scheme: "https", Host: "host", Path: "/demo.whl"}, Size: int64(len(data))}
}

// readRemote reads a wheel by ranges, and says what that took.
func readRemote(data []byte) (files map[string]string, r *remote, err error) {
	r, err = openWheel(context.Background(), bytesOf(data), wheelFile(data))
	if err != nil {
		return nil, r, err
	}
	_, texts, err := headers.ReadWheel("demo.whl", r, r.size)
	files = map[string]string{}
	for name, text := range texts {
		files[name] = string(text)
	}
	return files, r, err
}

func TestFewRequestsAWheel(t *testing.T) {
	const mb = 1 << 20
	stored := func(z *zip.Writer, name string, size int) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(bytes.Repeat([]byte("/"), size))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	wheel := func(build func(z *zip.Writer)) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		build(z)
		w, err := z.Create("demo-1.dist-info/METADATA")
		if err == nil {
			_, err = io.WriteString(w, "Name: demo\nVersion: 1\n")
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for _, c := range []struct {
		name     string
		data     []byte
		headers  int
		requests int
		trips    int
		most     int64
	}{
		{"headers first", wheel(func(z *zip.Writer) {
			stored(z, "nvidia/demo/include/a.h", 1000)
			stored(z, "nvidia/demo/include/b.h", 2000)
			stored(z, "lib.so", 4*mb)
		}), 2, 2, 2, 40_000},
		{"headers last", wheel(func(z *zip.Writer) {
			stored(z, "lib.so", 4*mb)
			stored(z, "nvidia/demo/include/a.h", 1000)
		}), 1, 1, 1, 33_000},
		{"in two places", wheel(func(z *zip.Writer) {
			stored(z, "nvidia/demo/include/a.h", 1000)
			stored(z, "lib.so", 4*mb)
			stored(z, "nvidia/demo/nvvm/include/b.h", 1000)
			stored(z, "more.so", 4*mb)
		}), 2, 3, 2, 40_000},
		{"in many places, some near", wheel(func(z *zip.Writer) {
			for i := range 9 {
				stored(z, fmt.Sprintf("nvidia/demo/include/%d.h", i), 1000)
				stored(z, fmt.Sprintf("%d.so", i), []int{30_000, mb, mb / 2}[i%3])
			}
			stored(z, "last.so", 4*mb)
		}), 9, 3, 2, 5 * mb},
		{"in many places, all far", wheel(func(z *zip.Writer) {
			for i := range 4 {
				stored(z, fmt.Sprintf("nvidia/demo/include/%d.h", i), 1000)
				stored(z, fmt.Sprintf("%d.so", i), 5*mb)
			}
		}), 4, 5, 2, 50_000},
		{"with a long directory", wheel(func(z *zip.Writer) {
			stored(z, "nvidia/demo/include/a.h", 1000)
			stored(z, "lib.so", 4*mb)
			for i := range 2000 {
				stored(z, fmt.Sprintf("doc/%d.txt", i), 1)
			}
		}), 1, 3, 3, 300_000},
	} {
		files, r, err := readRemote(c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(files) != c.headers || r.requests != c.requests || r.trips != c.trips || r.bytes > c.most {
			t.Errorf("%s: %d headers, %d requests, %d one after the other, %d bytes; want %d, %d, %d and at most %d",
				c.name, len(files), r.requests, r.trips, r.bytes, c.headers, c.requests, c.trips, c.most)
		}
	}
}

// directoryOf finds the place of the nth entry in a wheel's directory.
func directoryOf(data []byte, n int) int {
	at := 0
	for range n + 1 {
		at += bytes.Index(data[at:], []byte(entryMark)) + 1
	}
	return at - 1
}

func TestDirectoriesThatLie(t *testing.T) {
	good := indextest.Wheel(t, "nvidia-demo", "1.0", 100_000, map[string]string{include + "a.h": "int a;\n", include + "b.h": strings.Repeat("int b;\n", 100)})
	end := bytes.LastIndex(good, []byte(endMark))
	put := func(at int, size int, v uint64) func([]byte) {
		return func(data []byte) {
			for i := range size {
				data[at+i] = byte(v >> (8 * i))
			}
		}
	}
	first, second := directoryOf(good, 0), directoryOf(good, 1)
	for _, c := range []struct {
		name  string
		spoil func(data []byte)
		want  string
	}{
		{"another place of a member", put(first+42, 4, 1), `the wheel's directory says that "nvidia/cu13/include/a.h" is at 1, but it is not`},
		{"the place of another member", func(data []byte) { copy(data[first+42:first+46], data[second+42:second+46]) }, `the wheel's directory says that "nvidia/cu13/include/a.h" is at 82, but it is not`},
		{"a place behind the end", put(first+42, 4, 1<<30), "the wheel is damaged or cut off: its directory has a member that is not in it"},
		{"a size that goes beyond the end", put(first+20, 4, 1<<30), "the wheel is damaged or cut off: its directory has a member that is not in it"},
		{"another checksum", put(first+16, 4, 12345), "demo.whl!nvidia/cu13/include/a.h: is damaged: its CRC-32 is not 00003039, as the wheel records; fetch the wheel again"},
		{"another size unpacked", put(first+24, 4, 3), "demo.whl!nvidia/cu13/include/a.h: is damaged: it is not the 3 bytes that the wheel records; fetch the wheel again"},
		{"another name", func(data []byte) { copy(data[first+46:], "nvidia/cu13/include/c.h") }, `the wheel's directory says that "nvidia/cu13/include/c.h" is at 0, but it is not`},
		{"a name that leads out", func(data []byte) { copy(data[first+46:], "../../../../../../c.h") }, "demo.whl!../../../../../../c.hh: the name has \"..\": expected a path inside the wheel, with \"/\"; the wheel is refused"},
		{"more members than there are", put(end+10, 2, 99), "the wheel is damaged or cut off: its directory has not as many members as it says"},
		{"a directory elsewhere", put(end+16, 4, 10), "the wheel is damaged or cut off: its directory is not where its end says"},
		{"a directory of another size", put(end+12, 4, 10), "the wheel is damaged or cut off: its directory is not where its end says"},
		{"a directory of numbers with 64 bits that are not there", put(end+12, 4, 1<<32-1), "the wheel is damaged or cut off: its directory has too many bytes"},
		{"no end", put(end, 4, 0), "the wheel is damaged or cut off: there is no directory at its end, as a zip archive has it"},
	} {
		data := bytes.Clone(good)
		c.spoil(data)
		_, _, err := readRemote(data)
		if err == nil {
			t.Errorf("%s: no error, want %s", c.name, c.want)
			continue
		}
		if got := strings.TrimPrefix(err.Error(), "https://host/demo.whl: "); got != c.want && !strings.HasPrefix(c.want, "demo.whl!..") {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
	if files, _, err := readRemote(good); err != nil || len(files) != 2 {
		t.Errorf("the good one: %d headers, %v", len(files), err)
	}
}

// TestNumbersOf64Bits reads a wheel whose directory is written as that of a
// huge one is.
func TestNumbersOf64Bits(t *testing.T) {
	good := indextest.Wheel(t, "nvidia-demo", "1.0", 100_000, map[string]string{include + "a.h": "int a;\n"})
	end := bytes.LastIndex(good, []byte(endMark))
	count := uint64(binary.LittleEndian.Uint16(good[end+10:]))
	size, start := uint64(binary.LittleEndian.Uint32(good[end+12:])), uint64(binary.LittleEndian.Uint32(good[end+16:]))

	// The first member's numbers move to an extra field.
	first := directoryOf(good, 0)
	names := int(binary.LittleEndian.Uint16(good[first+28:]))
	extra := binary.LittleEndian.AppendUint16(nil, extra64)
	extra = binary.LittleEndian.AppendUint16(extra, 24)
	for _, at := range []int{24, 20, 42} {
		extra = binary.LittleEndian.AppendUint64(extra, uint64(binary.LittleEndian.Uint32(good[first+at:])))
	}
	data := bytes.Clone(good[:first+entrySize+names])
	for _, at := range []int{24, 20, 42} {
		binary.LittleEndian.PutUint32(data[first+at:], absent32)
	}
	binary.LittleEndian.PutUint16(data[first+30:], uint16(len(extra)))
	data = append(data, extra...)
	data = append(data, good[first+entrySize+names:end]...)
	size += uint64(len(extra))

	where := uint64(len(data))
	data = append(data, end64Mark...)
	data = binary.LittleEndian.AppendUint64(data, end64Size-12)
	data = append(data, 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for _, v := range []uint64{count, count, size, start} {
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	data = append(data, locatorMark...)
	data = append(data, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint64(data, where)
	data = append(data, 1, 0, 0, 0)
	data = append(data, endMark...)
	data = append(data, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0)

	files, r, err := readRemote(data)
	if diff := cmp.Diff(map[string]string{"a.h": "int a;\n"}, files); err != nil || diff != "" || r.requests != 2 {
		t.Errorf("%d requests, %v (-want +got):\n%s", r.requests, err, diff)
	}
}

// FuzzRemoteWheel reads any bytes as a wheel on a server. Either that is an
// error, or the headers are those that the whole file gives, and few requests
// were needed.
func FuzzRemoteWheel(f *testing.F) {
	good := indextest.Wheel(f, "nvidia-demo", "1.0", 40_000, map[string]string{include + "a.h": "int a;\n", "nvidia/demo/nvvm/include/b.h": "int b;\n"})
	f.Add(good)
	f.Add(good[:len(good)-5])
	f.Add(indextest.Wheel(f, "nvidia-demo", "1.0", -300, map[string]string{include + "a.h": "int a;\n"}))
	f.Add([]byte(endMark + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		files, r, err := readRemote(data)
		if err != nil {
			return
		}
		_, whole, err := headers.ReadWheel("demo.whl", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatalf("by ranges %d headers, and as a whole %v", len(files), err)
		}
		want := map[string]string{}
		for name, text := range whole {
			want[name] = string(text)
		}
		if diff := cmp.Diff(want, files); diff != "" {
			t.Fatalf("as a whole and by ranges (-want +got):\n%s", diff)
		}
		if r.bytes > 4*int64(len(data))+64<<10 {
			t.Fatalf("%d bytes were read of %d", r.bytes, len(data))
		}
	})
}
