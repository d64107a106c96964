package textfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"some": "a\nb\r\n", "none": "", "largest": strings.Repeat("x", Max)} {
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(path(name)); string(got) != text || err != nil {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(text))
		}
	}
	if err := os.WriteFile(path("sparse"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path("sparse"), 1<<40); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		path("sparse"): "read " + path("sparse") + ": more than 67108864 bytes: expected a text file",
		dir:            "read " + dir + ": is a directory",
	} {
		if _, err := Read(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := Read(path("missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
