package finding

import (
	"bytes"
	"unicode/utf8"
)

// letters is a column in UTF-16 code units, as editors and code scanners count
// them, for one in bytes.
func (r *Report) letters(p Place, line, col int) int {
	if col <= 1 || line <= 0 || r.Source == nil {
		return col
	}
	text := r.Source(p.File)
	for ; line > 1; line-- {
		_, rest, found := bytes.Cut(text, []byte("\n"))
		if !found {
			return col
		}
		text = rest
	}
	if len(text) < col-1 || bytes.IndexByte(text[:col-1], '\n') >= 0 {
		return col
	}
	units := 1
	for before := text[:col-1]; len(before) > 0; units++ {
		letter, size := utf8.DecodeRune(before)
		if letter > 0xffff {
			units++
		}
		before = before[size:]
	}
	return units
}
