package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestContents(t *testing.T) {
	c := Open(t.TempDir())
	sum, err := c.Put([]byte("text"))
	if err != nil || sum != "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1" {
		t.Fatalf("got %s, %v", sum, err)
	}
	if again, err := c.Put([]byte("text")); err != nil || again != sum {
		t.Errorf("again: %s, %v", again, err)
	}
	if data, err := c.Get(sum); err != nil || string(data) != "text" {
		t.Errorf("got %q, %v", data, err)
	}
	name := filepath.Join(c.Dir(), "contents", sum[:2], sum)
	for _, spoiled := range []string{"", "tex", "text ", "Text"} {
		os.Chmod(name, 0o666)
		if err := os.WriteFile(name, []byte(spoiled), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get(sum); !errors.Is(err, ErrMissing) || !strings.HasSuffix(err.Error(), name+" was damaged") {
			t.Errorf("%q: got %v", spoiled, err)
		}
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%q: it is still there", spoiled)
		}
		if _, err := c.Put([]byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"", "..", "../../etc", strings.Repeat("0", 63), strings.ToUpper(sum), strings.Repeat("g", 64)} {
		if _, err := c.Get(name); !errors.Is(err, ErrMissing) {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

func TestRecords(t *testing.T) {
	c := Open(t.TempDir())
	type value struct{ Name string }
	if err := c.PutRecord(value{"a"}, "kind", "13.5.0"); err != nil {
		t.Fatal(err)
	}
	if err := c.PutRecord(value{"b"}, "kind", "13.5.0"); err != nil {
		t.Fatal(err)
	}
	var got value
	if err := c.Record(&got, "kind", "13.5.0"); err != nil || got.Name != "b" {
		t.Errorf("got %v, %v", got, err)
	}
	if keys := c.Keys("kind"); len(keys) != 1 || keys[0] != "13.5.0" || c.Keys("none") != nil {
		t.Errorf("keys %q, and %q of none", keys, c.Keys("none"))
	}
	for _, key := range []string{"", ".", "..", "a/b", `a\b`, "a:b", ".hidden", "end.", "NUL\x00", strings.Repeat("a", 300)} {
		if err := c.PutRecord(value{}, "kind", key); err == nil || !strings.HasSuffix(err.Error(), "cannot be a name in the cache") {
			t.Errorf("%q: got %v", key, err)
		}
	}
	// A record of another kind is as good as none.
	if err := c.PutRecord([]int{1}, "kind", "list"); err != nil {
		t.Fatal(err)
	}
	if err := c.Record(&got, "kind", "list"); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v", err)
	}
}

func TestNamesInATree(t *testing.T) {
	c := Open(t.TempDir())
	sum, err := c.Put([]byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../a.h", "/a.h", "a/../../b.h", "", ".", `a\b.h`, "c:a.h"} {
		if _, err := c.Tree("demo", map[string]string{name: sum}); err == nil || !strings.HasSuffix(err.Error(), "cannot be a file in the cache") {
			t.Errorf("%q: got %v", name, err)
		}
	}
	if _, err := c.Tree("demo", map[string]string{"a.h": strings.Repeat("0", 64)}); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v", err)
	}
	entries, err := os.ReadDir(filepath.Join(c.Dir(), "tmp"))
	if err != nil || len(entries) != 0 {
		t.Errorf("%d temporary files are left, %v", len(entries), err)
	}
}

func TestLocks(t *testing.T) {
	c := Open(t.TempDir())
	unlock, err := c.Lock(t.Context(), "wheel", func() { t.Error("there was nothing to wait for") })
	if err != nil {
		t.Fatal(err)
	}
	// Another name is another lock.
	other, err := c.Lock(t.Context(), "other", nil)
	if err != nil {
		t.Fatal(err)
	}
	other()
	// Who waits can be interrupted, and is told after a while.
	ctx, stop := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer stop()
	var told atomic.Bool
	if _, err := c.Lock(ctx, "wheel", func() { told.Store(true) }); !errors.Is(err, context.DeadlineExceeded) || !told.Load() {
		t.Errorf("got %v, told %v", err, told.Load())
	}
	time.AfterFunc(50*time.Millisecond, unlock)
	again, err := c.Lock(t.Context(), "wheel", func() {})
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestACacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c := Open(filepath.Join(file, "cache"))
	want := "the cache in " + c.Dir() + " cannot be written: not a directory; make room, or name another folder in CYBINDGO_CACHE"
	if _, err := c.Put([]byte("text")); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	unlock, err := c.Lock(t.Context(), "wheel", nil)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

func TestWhatKilledRunsLeave(t *testing.T) {
	dir := t.TempDir()
	c := Open(dir)
	f, err := c.Temp()
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	Open(dir)
	if _, err := os.Stat(f.Name()); err != nil {
		t.Errorf("a file that another run may be writing is gone: %v", err)
	}
	old := time.Now().Add(-2 * leftFor)
	if err := os.Chtimes(f.Name(), old, old); err != nil {
		t.Fatal(err)
	}
	Open(dir)
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("a file of long ago is still there")
	}
}

func TestWhereTheCacheIs(t *testing.T) {
	t.Setenv("CYBINDGO_CACHE", "/somewhere")
	if dir, err := DefaultDir(); err != nil || dir != filepath.FromSlash("/somewhere/headers") {
		t.Errorf("got %s, %v", dir, err)
	}
	t.Setenv("CYBINDGO_CACHE", "")
	t.Setenv("XDG_CACHE_HOME", "/xdg")
	t.Setenv("HOME", "/home/me")
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if dir, err := DefaultDir(); err != nil || dir != filepath.Join(user, "cybindgo", "headers") {
		t.Errorf("got %s, %v", dir, err)
	}
	t.Setenv("XDG_CACHE_HOME", "relative")
	if _, err := DefaultDir(); err == nil || !strings.HasSuffix(err.Error(), ": name one in CYBINDGO_CACHE") {
		t.Errorf("got %v", err)
	}
}
