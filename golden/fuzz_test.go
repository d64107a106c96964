package golden

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/cython"
)

// FuzzCases changes words of a case's header and takes it all the way. Either
// an error for a user comes out, or files that Cython can read and that agree with
// their seals.
func FuzzCases(f *testing.F) {
	cases := readCases(f)
	for i, c := range cases {
		for j := range c.headers {
			f.Add(uint(i), uint(j), []byte{})
			f.Add(uint(i), uint(j), []byte{replaceWord, 7, byte(i), insertWord, 20, byte(40 + i)})
		}
	}
	f.Fuzz(func(t *testing.T, i, j uint, edits []byte) {
		c := *cases[i%uint(len(cases))]
		c.headers = slices.Clone(c.headers)
		h := &c.headers[j%uint(len(c.headers))]
		h.text = edited(h.text, edits)
		o := c.run(t, nil)
		if o.err != nil {
			said := o.err.Error()
			for _, ours := range []string{"this is a bug", "template: ", "goroutine ", "%!", "releases.json:"} {
				if strings.Contains(said, ours) || said == "" {
					t.Errorf("no error for a user: %s", said)
				}
			}
			return
		}
		defer func() {
			if t.Failed() {
				t.Logf("the header is\n%s", h.text)
			}
		}()
		for name, data := range o.emitted.Files {
			if err := emit.VerifySeal(data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if ext := path.Ext(name); ext != ".pyx" && ext != ".pxd" {
				continue
			}
			if m := cython.ParseModule(name, data); len(m.Problems) > 0 {
				t.Errorf("%s cannot be read: %v\n%s", name, m.Problems, data)
			}
		}
	})
}

// What an edit does, to the word that the next byte says.
const (
	replaceWord = iota // by the word that the byte behind it says
	insertWord
	deleteWord
	swapWords // with the word that the byte behind it says
	edits
)

// words are names, numbers, text in quotes, white space and single signs.
var words = regexp.MustCompile(`[A-Za-z_]\w*|[0-9]\w*|"[^"\n]*"|\s+|.`)

// others are words that may come into a header.
var others = strings.Fields("* & ( ) [ ] { } ; , : = ... # const volatile struct union enum typedef static inline extern " +
	"void char short int long unsigned signed float double _Bool bool size_t uint8_t int64_t __int128 long_double wchar_t " +
	"def class None pass lambda nogil cdef import _cyb_fn cyb_table_t CYB_COUNT self print " +
	"0 1 -1 3 0x7fffffff 0xffffffffu 4294967296 18446744073709551615u 1.5 'a' sizeof << " +
	"#define #if #endif #ifdef #undef #pragma __declspec __attribute__ __stdcall _Alignas restrict")

// edited is the header with words changed as the script says, three bytes for
// each change.
func edited(header, script []byte) []byte {
	text := words.FindAllString(string(header), -1)
	vocabulary := append(slices.Clone(others), text...)
	for ; len(script) >= 3; script = script[3:] {
		if len(text) == 0 {
			break
		}
		// A prime number of words apart, so that one byte reaches all of a header.
		at, word := int(script[1])*7%len(text), vocabulary[int(script[2])%len(vocabulary)]
		switch script[0] % edits {
		case replaceWord:
			text[at] = word
		case insertWord:
			text = slices.Insert(text, at, " ", word, " ")
		case deleteWord:
			text = slices.Delete(text, at, at+1)
		case swapWords:
			other := int(script[2]) * 7 % len(text)
			text[at], text[other] = text[other], text[at]
		}
	}
	return []byte(strings.Join(text, ""))
}
