package headers

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// blank is a text that packs to a thousandth.
func blank(size int) string { return strings.Repeat(" ", size) }

// TestBombsCostLittle opens small wheels that would unpack to much and reads
// every header in them. What is read or refused, time and memory stay bounded.
func TestBombsCostLittle(t *testing.T) {
	const dir = "nvidia/demo/include/"
	inner := string(zipped(t, entry{name: dir + "demo.h", text: blank(60 << 20)}, demoMetadata))
	// One packed text under a thousand names: each member says that its bytes
	// are those of the first.
	overlapping := zipped(t, entry{name: dir + "demo.h", text: blank(ratioFrom - 1)}, demoMetadata)
	overlapping = repeatFirst(t, overlapping, 1000)
	many := repeatFirst(t, zipped(t, entry{name: dir + "demo.h"}, demoMetadata), 60_000)

	for _, c := range []struct {
		name string
		data []byte
		want string // how it is refused: after WHEEL
		read string // or what is said when its headers are read, "" for nothing
	}{
		{name: "a header that unpacks to a thousand times its size",
			data: zipped(t, entry{name: dir + "demo.h", text: blank(60 << 20)}, demoMetadata),
			want: "!nvidia/demo/include/demo.h: unpacks to more than 100 times its size (62914560 bytes from"},
		{name: "one that says it is small",
			data: zipped(t, entry{dir + "demo.h", blank(128 << 20), func(h *zip.FileHeader) { h.UncompressedSize64 = 1000 }}, demoMetadata),
			read: "!nvidia/demo/include/demo.h: is damaged: it is not the 1000 bytes that the wheel records; fetch the wheel again"},
		{name: "one that says it is packed less",
			data: zipped(t, entry{dir + "demo.h", blank(60 << 20), func(h *zip.FileHeader) { h.CompressedSize64 = 8 << 20 }}, demoMetadata),
			want: ": its headers have 8388608 bytes packed, but the file has"},
		{name: "one text under many names", data: overlapping,
			want: ": its headers have"},
		{name: "a wheel in a wheel",
			data: zipped(t, entry{name: dir + "demo.whl", text: inner}, entry{name: dir + "demo.h", text: "int demo(void);\n"}, demoMetadata)},
		{name: "metadata",
			data: zipped(t, entry{name: dir + "demo.h"}, entry{name: demoMetadata.name, text: demoInfo + blank(60<<20)}),
			want: "!nvidia_demo-1.2.3.dist-info/METADATA: unpacks to more than 100 times its size"},
		{name: "many members", data: many},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "nvidia_demo-1.2.3-py3-none-any.whl")
			check(t, os.WriteFile(path, c.data, 0o666))
			took, allocated := cost(func() {
				set, err := Open([]string{path})
				if c.want != "" {
					if err == nil || !strings.HasPrefix(err.Error(), path+c.want) {
						t.Errorf("got %v\nwant %s", err, path+c.want)
					}
					return
				}
				check(t, err)
				defer set.Close()
				said := ""
				check(t, fs.WalkDir(set.FS(), ".", func(name string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						if _, err := fs.ReadFile(set.FS(), name); err != nil {
							said = strings.TrimPrefix(err.Error(), path)
						}
					}
					return err
				}))
				if diff := cmp.Diff(c.read, said); diff != "" {
					t.Errorf("what is said when it is read (-want +got):\n%s", diff)
				}
			})
			t.Logf("%d bytes: %v, %d MB allocated", len(c.data), took, allocated>>20)
			if took > time.Minute || allocated > 1<<30 { // the race detector and a busy machine included
				t.Errorf("%d bytes took %v and %d MB", len(c.data), took, allocated>>20)
			}
		})
	}
}

// cost is the time that f takes and the bytes that it allocates.
func cost(f func()) (took time.Duration, allocated uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return took, after.TotalAlloc - before.TotalAlloc
}

// repeatFirst gives the directory of an archive n more entries for its first
// member, each under a name of its own.
func repeatFirst(t *testing.T, archive []byte, n int) []byte {
	t.Helper()
	const (
		mark    = "PK\x01\x02" // of a directory entry, which has its name at nameAt
		nameLen = 28
		nameAt  = 46
		endMark = "PK\x05\x06" // with the number of entries and the directory's size and place
	)
	text := string(archive)
	start, end := strings.Index(text, mark), strings.LastIndex(text, endMark)
	first := text[start : start+nameAt+int(text[start+nameLen])]
	var directory strings.Builder
	directory.WriteString(text[start:end])
	for i := range n {
		fmt.Fprintf(&directory, "%s%06d", first[:len(first)-6], i)
	}
	tail := []byte(text[end:])
	put := func(at, size int, v uint32) {
		for i := range size {
			tail[at+i] = byte(v >> (8 * i))
		}
	}
	count := uint32(tail[10]) + uint32(n)
	put(8, 2, count)
	put(10, 2, count)
	put(12, 4, uint32(directory.Len()))
	put(16, 4, uint32(start))
	return []byte(text[:start] + directory.String() + string(tail))
}
