package audit

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzCheck: whatever a source holds, the check ends, soon, says the same each
// time, and every finding is in the file.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.txtar", "../../golden/*.txtar"} {
		archives, err := filepath.Glob(pattern)
		if err != nil || len(archives) == 0 {
			f.Fatalf("%s: no archives: %v", pattern, err)
		}
		for _, name := range archives {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, file := range archive.Files {
				if len(file.Data) < 20_000 {
					f.Add(file.Data, filepath.Ext(file.Name) == ".py")
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, python bool) {
		name := "x.pyx"
		if python {
			name = "x.py"
		}
		start := time.Now()
		found := Check([]File{{name, data}})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("it took %v", took)
		}
		if diff := cmp.Diff(found, Check([]File{{name, data}})); diff != "" {
			t.Errorf("another time it finds something else (-first +second):\n%s", diff)
		}
		lines := bytes.Split(data, []byte("\n"))
		for _, e := range found {
			if e.Rule == "" || e.Message == "" || e.File != name {
				t.Errorf("it says too little: %#v", e)
			}
			if e.Line == 0 { // it is about the file
				continue
			}
			if e.Line < 0 || e.Line > len(lines) || e.Col < 0 || e.Col > len(lines[e.Line-1])+1 ||
				e.EndLine != 0 && (e.EndLine < e.Line || e.EndLine > len(lines)) {
				t.Errorf("it is outside of the file, which has %d lines: %#v", len(lines), e)
			}
		}
	})
}
