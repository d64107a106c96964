package emit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// sealMark begins the seal line, after the comment sign. The format is that
// of published cuda.bindings files: the digest is SHA-256 over all bytes of the
// file except the seal line.
const sealMark = "CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE: format=1; content-sha256="

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

// seal puts the digest of the rest of the file where the template left place
// for it.
func seal(text []byte, comment string) ([]byte, error) {
	before, after, found := bytes.Cut(text, []byte(sealPlace))
	if !found || bytes.Contains(after, []byte(sealPlace)) {
		return nil, fmt.Errorf("a template must have one %q line", sealPlace[:len(sealPlace)-1])
	}
	h := sha256.New()
	h.Write(before)
	h.Write(after)
	line := comment + " " + sealMark + hex.EncodeToString(h.Sum(nil)) + "\n"
	return bytes.Join([][]byte{before, after}, []byte(line)), nil
}

// VerifySeal checks the seal of a file. The error is one of those above.
func VerifySeal(data []byte) error {
	err := verifySeal(data)
	if err != nil && bytes.Contains(data, []byte("\r\n")) && verifySeal(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))) == nil {
		return ErrLineEnds
	}
	return err
}

func verifySeal(data []byte) error {
	h := sha256.New()
	var digest []byte
	seals := 0
	for line := range bytes.Lines(data) {
		_, rest, found := bytes.Cut(line, []byte("CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE"))
		if !found {
			h.Write(line)
			continue
		}
		if seals++; seals > 1 {
			return ErrTwoSeals
		}
		text, ok := bytes.CutPrefix(rest, []byte(sealMark[len("CYTHON-BINDINGS-GENERATED-DO-NOT-MODIFY-THIS-FILE"):]))
		text = bytes.TrimRight(text, "\r\n")
		if d, err := hex.DecodeString(string(text)); ok && err == nil && len(d) == sha256.Size {
			digest = d
		}
	}
	switch {
	case seals == 0:
		return ErrNoSeal
	case digest == nil:
		return ErrSealForm
	case !bytes.Equal(digest, h.Sum(nil)):
		return ErrSealDigest
	}
	return nil
}
