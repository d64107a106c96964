package audit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/finding"
)

// What is missing at the end of a text is missed at its end, not behind it: C
// text, say, whose string has an escaped line feed and no end.
func TestPlacesAreInside(t *testing.T) {
	text := `cdef extern from:"""\n(&cy`
	places := map[string]finding.Place{}
	for _, f := range Check([]File{{"x.pyx", []byte(text)}}) {
		places[f.Message] = f.Place
	}
	want := finding.Place{File: "x.pyx", Line: 1, Col: len(text) + 1}
	if d := cmp.Diff(want, places["expected a declarator"]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
