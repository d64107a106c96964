package parser

import (
	"io"
	"os"
	"sync"
	"testing"
)

// TestFrontEndIsQuiet parses, several times at once, what the front end writes
// a line about.
func TestFrontEndIsQuiet(t *testing.T) {
	old := os.Stderr
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr = w
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := parseText([]byte("struct S { enum { A, B }; int x; };\nint f(struct S *s);\n")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if os.Stderr != w {
		t.Error("os.Stderr is not what it was")
	}
	os.Stderr = old
	w.Close()
	if said, err := io.ReadAll(r); len(said) > 0 || err != nil {
		t.Errorf("%q was written to os.Stderr (%v)", said, err)
	}
}
