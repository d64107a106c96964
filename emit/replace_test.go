package emit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree reads all files below a folder.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(folder, p)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestReplaceIsAllOrNothing(t *testing.T) {
	write := func(dir string) []Replacement {
		os.WriteFile(filepath.Join(dir, "a"), []byte("old a"), 0o666)
		return []Replacement{
			{filepath.Join(dir, "a"), []byte("new a")},
			{filepath.Join(dir, "new", "b"), []byte("new b")},
			{filepath.Join(dir, "c"), []byte("new c")},
		}
	}
	t.Run("all", func(t *testing.T) {
		dir := t.TempDir()
		if err := Replace(write(dir)); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(map[string]string{"a": "new a", "new/b": "new b", "c": "new c"}, tree(t, dir)); d != "" {
			t.Error(d)
		}
	})
	t.Run("a rename fails", func(t *testing.T) {
		dir := t.TempDir()
		files := write(dir)
		// A folder that is not empty cannot be replaced by a file.
		os.MkdirAll(filepath.Join(dir, "c", "full"), 0o777)
		err := Replace(files)
		if err == nil || !strings.HasPrefix(err.Error(), "cannot write "+files[2].Name) {
			t.Errorf("got %v", err)
		}
		if d := cmp.Diff(map[string]string{"a": "old a"}, tree(t, dir)); d != "" {
			t.Error(d)
		}
	})
	t.Run("a folder cannot be made", func(t *testing.T) {
		dir := t.TempDir()
		files := write(dir)
		os.WriteFile(filepath.Join(dir, "new"), []byte("a file"), 0o666)
		if err := Replace(files); err == nil || !strings.HasPrefix(err.Error(), "cannot make the folder "+filepath.Join(dir, "new")) {
			t.Errorf("got %v", err)
		}
		if d := cmp.Diff(map[string]string{"a": "old a", "new": "a file"}, tree(t, dir)); d != "" {
			t.Error(d)
		}
	})
}
