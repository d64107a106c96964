package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// sealed is written without the code under test: the digest of all bytes but
// the seal line.
func sealed(before, after string) string {
	sum := sha256.Sum256([]byte(before + after))
	return before + "# CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE: format=1; content-sha256=" + hex.EncodeToString(sum[:]) + "\n" + after
}

func TestSealIsTheDigestOfTheRest(t *testing.T) {
	got, err := seal([]byte("# top\n@SEAL@\nx = 1\n"), "#")
	if err != nil {
		t.Fatal(err)
	}
	if want := sealed("# top\n", "x = 1\n"); string(got) != want {
		t.Errorf("seal gave\n%s\nwant\n%s", got, want)
	}
	for _, text := range []string{"no place\n", "@SEAL@\n@SEAL@\n"} {
		if _, err := seal([]byte(text), "#"); err == nil {
			t.Errorf("seal(%q): no error", text)
		}
	}
}

func TestVerifySeal(t *testing.T) {
	good := sealed("# top\n", "x = 1\n")
	line := strings.SplitAfter(good, "\n")[1]
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"as written", good, nil},
		{"one letter more", good + "#", ErrSealDigest},
		{"seal removed", strings.Replace(good, line, "", 1), ErrNoSeal},
		{"seal twice", good + line, ErrTwoSeals},
		{"digest cut", strings.Replace(good, line, line[:len(line)-5]+"\n", 1), ErrSealForm},
		{"digest not hexadecimal", strings.Replace(good, line, line[:len(line)-2]+"z\n", 1), ErrSealForm},
		{"another format", strings.Replace(good, "format=1", "format=2", 1), ErrSealForm},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"), ErrLineEnds},
		{"CRLF and edited", strings.ReplaceAll(good+"#\n", "\n", "\r\n"), ErrSealDigest},
		{"empty", "", ErrNoSeal},
	} {
		if err := VerifySeal([]byte(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
