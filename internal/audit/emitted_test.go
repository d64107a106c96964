package audit

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// emitted are all files that this repository generates.
func emitted(t testing.TB) []File {
	t.Helper()
	var files []File
	err := filepath.WalkDir(filepath.Join("..", "..", "generated"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		files = append(files, File{Path: filepath.ToSlash(p), Data: data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("nothing is generated")
	}
	return files
}

func TestEveryEmittedFileIsSafe(t *testing.T) {
	for _, f := range Check(emitted(t)) {
		t.Errorf("%s:%d:%d: %s [%s]", f.File, f.Line, f.Col, f.Message, f.Rule)
	}
}

// BenchmarkCheck reads every emitted file of both packages.
func BenchmarkCheck(b *testing.B) {
	files := emitted(b)
	size := 0
	for _, f := range files {
		size += len(f.Data)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as cmd/cybindgo does
	b.SetBytes(int64(size))
	for b.Loop() {
		if found := Check(files); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
