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

func TestSealRefusesASecondSeal(t *testing.T) {
	text := "@SEAL@\n# CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE: format=1\n"
	if _, err := seal([]byte(text), "#"); err == nil {
		t.Error("text with a seal line of its own was sealed")
	}
}

func TestVerifySeal(t *testing.T) {
	good := sealed("# top\n", "x = 1\n")
	line := strings.SplitAfter(good, "\n")[1]
	crlf := strings.ReplaceAll(good, "\n", "\r\n")
	for _, c := range []struct {
		name, text string
		want       *SealError
	}{
		{"as written", good, nil},
		{"one letter more", good + "#", &SealError{ErrSealDigest, 2, 0}},
		{"one letter less at the top", good[1:], &SealError{ErrSealDigest, 2, 0}},
		{"a line end more", good + "\n", &SealError{ErrSealDigest, 2, 0}},
		{"line above", "\n" + good, &SealError{ErrSealDigest, 3, 0}},
		{"seal removed", strings.Replace(good, line, "", 1), &SealError{ErrNoSeal, 0, 0}},
		{"seal twice", good + line, &SealError{ErrTwoSeals, 4, 2}},
		{"seal three times", line + good + line, &SealError{ErrTwoSeals, 3, 1}},
		{"digest cut", strings.Replace(good, line, line[:len(line)-5]+"\n", 1), &SealError{ErrSealForm, 2, 0}},
		{"digest longer", strings.Replace(good, line, line[:len(line)-1]+"00\n", 1), &SealError{ErrSealForm, 2, 0}},
		{"text behind the digest", strings.Replace(good, line, line[:len(line)-1]+" x\n", 1), &SealError{ErrSealForm, 2, 0}},
		{"digest not hexadecimal", strings.Replace(good, line, line[:len(line)-2]+"z\n", 1), &SealError{ErrSealForm, 2, 0}},
		{"another format", strings.Replace(good, "format=1", "format=2", 1), &SealError{ErrSealForm, 2, 0}},
		{"code before the mark", strings.Replace(good, "# CYTHON", "run() # CYTHON", 1), &SealError{ErrNoSeal, 0, 0}},
		{"mark inside a line", sealed("# top\n", "x = '# CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE: no seal'\n"), nil},
		{"quoted by Cython in C", " * " + line, &SealError{ErrNoSeal, 0, 0}},
		{"indented, as in a document", "    " + line, &SealError{ErrNoSeal, 0, 0}},
		{"C's comment sign", strings.Replace(good, "# CYTHON", "// CYTHON", 1), nil},
		{"byte order mark", "\ufeff" + sealed("", "x = 1\n"), nil},
		{"last line without its end", strings.TrimSuffix(sealed("x = 1\n", ""), "\n"), &SealError{ErrSealForm, 2, 0}},
		{"digits in upper case", strings.Replace(good, line, line[:len(line)-65]+strings.ToUpper(line[len(line)-65:]), 1), &SealError{ErrSealForm, 2, 0}},
		{"CRLF", crlf, &SealError{ErrLineEnds, 1, 0}},
		{"one CRLF", strings.Replace(good, "x = 1\n", "x = 1\r\n", 1), &SealError{ErrLineEnds, 3, 0}},
		{"CRLF and edited", crlf + "#\r\n", &SealError{ErrSealDigest, 2, 0}},
		{"empty", "", &SealError{ErrNoSeal, 0, 0}},
	} {
		err := VerifySeal([]byte(c.text))
		if c.want == nil {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var got *SealError
		if !errors.As(err, &got) || *got != *c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if !errors.Is(err, c.want.Reason) {
			t.Errorf("%s: errors.Is does not see %v", c.name, c.want.Reason)
		}
	}
}
