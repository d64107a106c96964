package emit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzSeal: what is sealed verifies and holds every byte of the text, and one
// byte that changes, is lost or is added anywhere is noticed, in the seal's own
// line as well; before the seal's word, at least while no comment sign is made.
func FuzzSeal(f *testing.F) {
	for _, pattern := range []string{"*/cuda/bindings/_internal/driver_linux.pyx", "*/pyproject.toml", "*/cuda/bindings/_internal/utils.py"} {
		paths, err := filepath.Glob(filepath.Join("../generated", pattern))
		if err != nil || len(paths) == 0 {
			f.Fatalf("generated/%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			lines := bytes.SplitAfter(data[:min(len(data), 3000)], []byte("\n"))
			f.Add(bytes.Join(lines[:4], nil), bytes.Join(lines[5:], nil), uint32(40), byte(1))
		}
	}
	f.Add([]byte(""), []byte(""), uint32(0), byte(0x20))
	f.Add([]byte("# top\n"), []byte("x = 1\r\ny = 2\r\n"), uint32(100), byte('\r'^'\n'))
	f.Add([]byte("# top\n"), []byte("# @SEAL@\n"), uint32(7), byte(0xff))
	f.Add([]byte("# CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE\n"), []byte("x\n"), uint32(7), byte(0xff))
	f.Add([]byte("x = 1 # CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE\n"), []byte("x\n"), uint32(7), byte(0xff))
	f.Add([]byte(""), []byte(""), uint32(90), byte(0x20)) // a digit in upper case
	f.Fuzz(func(t *testing.T, before, after []byte, at uint32, flip byte) {
		if len(before) > 0 && before[len(before)-1] != '\n' {
			before = append(bytes.Clone(before), '\n') // the place is a line of its own
		}
		sealed, err := seal(bytes.Join([][]byte{before, after}, []byte(sealPlace)), "#")
		if err != nil {
			text := bytes.Join([][]byte{before, after}, []byte("\n"))
			if !bytes.Contains(text, []byte(sealPlace)) && !HasSeal(text) {
				t.Fatal(err)
			}
			return
		}
		if !bytes.HasPrefix(sealed, before) || !bytes.HasSuffix(sealed, after) {
			t.Fatalf("the text was changed: %q", sealed)
		}
		if err := VerifySeal(sealed); err != nil {
			t.Fatalf("%v: %q", err, sealed)
		}
		start, _, _ := nextSeal(sealed, 0)
		noticed := func(what string, changed []byte, i int) {
			if VerifySeal(changed) == nil && (i < start || i > start+len("# ")) {
				t.Fatalf("byte %d was %s, and nobody noticed: %q", i, what, changed)
			}
		}
		i := int(at) % len(sealed)
		if flip != 0 {
			changed := bytes.Clone(sealed)
			changed[i] ^= flip
			noticed("changed", changed, i)
		}
		if lost := append(bytes.Clone(sealed[:i]), sealed[i+1:]...); len(lost) > 0 {
			noticed("lost", lost, i)
		}
		noticed("added", append(append(bytes.Clone(sealed[:i]), flip), sealed[i:]...), i)
	})
}
