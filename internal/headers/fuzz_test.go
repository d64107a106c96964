package headers

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"
)

// FuzzWheel reads any bytes as a wheel. Either an Error comes back, or a file
// system whose names stay inside it and whose headers are within bounds, each
// with the recorded size or an Error.
func FuzzWheel(f *testing.F) {
	header := entry{name: "nvidia/demo/include/crt/demo.h", text: "int demo(void);\n"}
	good := zipped(f, entry{name: "nvidia/"}, header, demoMetadata)
	f.Add(good)
	f.Add(good[:len(good)-9])
	f.Add([]byte("PK\x03\x04"))
	f.Add(zipped(f, header, entry{name: "../demo.h"}, demoMetadata))
	f.Add(zipped(f, header, header, demoMetadata))
	f.Add(zipped(f, header, entry{name: header.name + "/x.h"}, demoMetadata))
	f.Add(zipped(f, entry{header.name, header.text, func(h *zip.FileHeader) { h.UncompressedSize64 = 3 }}, demoMetadata))
	f.Add(zipped(f, entry{header.name, header.text, func(h *zip.FileHeader) { h.Method = zip.Store }}, demoMetadata))
	f.Add(zipped(f, entry{name: "cuda_toolkit-1.dist-info/METADATA", text: "Name: cuda-toolkit\nVersion: 1\nRequires-Dist: a<2,>=1; b\n"}))

	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := readWheel("x.whl", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			mustBeError(t, err)
			return
		}
		if w.meta.name == "" || w.meta.version == "" {
			t.Fatalf("no name or version: %+v", w.meta)
		}
		for name := range w.members {
			if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") || path.IsAbs(name) {
				t.Fatalf("a member outside: %q", name)
			}
		}
		files := &overlay{roots: w.roots()}
		if len(files.roots) == 0 {
			return
		}
		read := 0
		err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			if read += int(info.Size()); read > 8<<20 {
				return fs.SkipAll // within bounds, but slow to go on
			}
			switch got, err := fs.ReadFile(files, name); {
			case err != nil:
				mustBeError(t, err)
			case int64(len(got)) != info.Size() || len(got) > maxHeader:
				t.Fatalf("%s: %d bytes, %d listed", name, len(got), info.Size())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func mustBeError(t *testing.T, err error) {
	t.Helper()
	if e := new(Error); !errors.As(err, &e) || e.Path != "x.whl" || e.Msg == "" {
		t.Fatalf("not an Error of the wheel: %#v", err)
	}
}
