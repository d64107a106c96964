package parser

import "bytes"

// Casts, sizeof and if nest without a bracket that stays open, and the front
// end calls itself for each: `(int)(int)(int)x`. Text that comes to no comma,
// semicolon, brace or directive for long is refused before the front end sees
// it. What macros expand to is bounded by expansionLimit.
const maxStretch = 1 << 17 // bytes, without comments

// stretch is where, in a header as clean gives it, a stretch begins that is
// longer than the front end may be given, or -1.
func stretch(code []byte) int {
	for start := len(enterLine); start < len(code); {
		n := bytes.IndexAny(code[start:min(len(code), start+maxStretch+1)], ",;{}#")
		if n < 0 {
			if len(code)-start > maxStretch {
				return start
			}
			break
		}
		start += n + 1
	}
	return -1
}
