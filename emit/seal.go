package emit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// sealWord is what tells a seal line from others, after the comment sign.
const sealWord = "CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE"

// sealMark begins the seal line, after the comment sign. The format is that
// of published cuda.bindings files: the digest is SHA-256 over all bytes of the
// file except the seal line.
const sealMark = sealWord + ": format=1; content-sha256="

// sealPlace is what templates print where the seal goes.
const sealPlace = "@SEAL@\n"

// What may be wrong with a file's seal.
var (
	ErrNoSeal     = errors.New("no seal: the file is not a generated one, or its seal line was removed")
	ErrTwoSeals   = errors.New("more than one seal line")
	ErrSealForm   = errors.New("malformed seal: expected format=1; content-sha256= and 64 hexadecimal digits")
	ErrSealDigest = errors.New("the content does not match the seal: the file was edited")
	ErrLineEnds   = errors.New("the file has CRLF line ends; with LF the seal matches: set `eol=lf` in .gitattributes")
)

// SealError is what is wrong with the seal of a file, and where.
type SealError struct {
	Reason error // one of those above
	Line   int   // the seal line, the second of two, or the first with a CRLF; 0 where there is none
	First  int   // with two seals, the line of the first
}

func (e *SealError) Error() string { return e.Reason.Error() }

// Unwrap gives the reason, for errors.Is.
func (e *SealError) Unwrap() error { return e.Reason }

// seal puts the digest of the rest of the file where the template left place
// for it.
func seal(text []byte, comment string) ([]byte, error) {
	before, after, found := bytes.Cut(text, []byte(sealPlace))
	if !found || bytes.Contains(after, []byte(sealPlace)) {
		return nil, fmt.Errorf("a template must have one %q line", sealPlace[:len(sealPlace)-1])
	}
	if HasSeal(text) {
		return nil, fmt.Errorf("a line of the text would be taken for its seal: %s", sealWord)
	}
	h := sha256.New()
	h.Write(before)
	h.Write(after)
	line := comment + " " + sealMark + hex.EncodeToString(h.Sum(nil)) + "\n"
	return bytes.Join([][]byte{before, after}, []byte(line)), nil
}

// HasSeal reports whether a file has a seal line, right or wrong.
func HasSeal(data []byte) bool {
	_, _, found := nextSeal(data, 0)
	return found
}

// SealLine is the text of a file's first seal line, right or wrong, and its
// number; "" and 0 where there is none.
func SealLine(data []byte) (text string, line int) {
	start, end, found := nextSeal(data, 0)
	if !found {
		return "", 0
	}
	return string(bytes.TrimRight(data[start:end], "\r\n")), lineAt(data, start)
}

// VerifySeal checks the seal of a file. The error is a *SealError.
func VerifySeal(data []byte) error {
	err := verifySeal(data)
	if err == nil {
		return nil
	}
	if at := bytes.Index(data, []byte("\r\n")); at >= 0 {
		// Lines keep their numbers.
		if err = verifySeal(unixLines(data)); err == nil {
			return &SealError{Reason: ErrLineEnds, Line: lineAt(data, at)}
		}
	}
	return err
}

// verifySeal gives an untyped nil for a good seal.
func verifySeal(data []byte) error {
	start, end, found := nextSeal(data, 0)
	if !found {
		return &SealError{Reason: ErrNoSeal}
	}
	fail := func(reason error) error {
		return &SealError{Reason: reason, Line: lineAt(data, start)}
	}
	if second, _, found := nextSeal(data, end); found {
		return &SealError{Reason: ErrTwoSeals, Line: lineAt(data, second), First: lineAt(data, start)}
	}
	line := data[start:end]
	text, ok := bytes.CutPrefix(line[bytes.Index(line, []byte(sealWord)):], []byte(sealMark))
	digest, ended := bytes.CutSuffix(text, []byte("\n"))
	// One spelling only: what the digest does not cover must not vary either.
	if !ok || !ended || len(digest) != 2*sha256.Size || len(bytes.Trim(digest, "0123456789abcdef")) > 0 {
		return fail(ErrSealForm)
	}
	h := sha256.New()
	h.Write(data[:start])
	h.Write(data[end:])
	if string(digest) != hex.EncodeToString(h.Sum(nil)) {
		return fail(ErrSealDigest)
	}
	return nil
}

// nextSeal finds the next seal line at or after from, a place where a line
// begins, and gives its start and its end, the line end included.
func nextSeal(data []byte, from int) (start, end int, found bool) {
	for at := from; ; {
		i := bytes.Index(data[at:], []byte(sealWord))
		if i < 0 {
			return 0, 0, false
		}
		at += i
		start = bytes.LastIndexByte(data[:at], '\n') + 1
		end = len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if sign := data[start:at]; isCommentSign(bytes.TrimPrefix(sign, []byte("\ufeff"))) {
			return start, end, true
		}
		at = end
	}
}

// isCommentSign tells a seal line from a line that mentions one: code before
// the mark would escape the digest. A seal stands at the start of its line
// after one comment sign, whatever the language's is; the C that Cython makes
// quotes its source in a comment, with two.
func isCommentSign(prefix []byte) bool {
	sign := bytes.TrimRight(prefix, " \t")
	if len(sign) == 0 || len(sign) > 4 {
		return false
	}
	return len(bytes.Trim(sign, "#/*;%-.!<")) == 0
}

func lineAt(data []byte, at int) int {
	return 1 + bytes.Count(data[:at], []byte("\n"))
}

// unixLines is text with LF line ends.
func unixLines(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}
