package ir

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode: whatever a history's file holds, it is read, or the mistake has a
// place. What was read can be written, read again and written the same, and
// answers what it answered before.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(demoJSON))
	f.Add(excerpt(f))
	f.Add(NewHistory("demo").Encode())
	for _, line := range strings.SplitAfter(demoJSON, "\n") {
		f.Add([]byte(strings.Replace(demoJSON, line, "", 1)))
	}
	f.Add([]byte(`{"format":1,"library":"x","targets":["a/b"],"releases":[{"release":"1"}],"functions":[{"name":"f","is":[{"in":"1..","type":"int()"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := Decode("fuzz.json", data)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Col < 1 {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		text := h.Encode()
		again, err := Decode("again.json", text)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, text)
		}
		if diff := cmp.Diff(string(text), string(again.Encode())); diff != "" {
			t.Fatal(diff)
		}
		for _, label := range h.Labels() {
			s, err := h.At(label)
			if err != nil {
				t.Fatal(err)
			}
			same(t, label, s, at(t, again, label))
			if err := s.check(); err != nil {
				t.Fatal(err)
			}
		}
		if len(h.Releases) > 0 {
			if _, err := h.Range("", ""); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// excerpt is a small part of the driver's history: its releases, and every
// hundredth line of the rest.
func excerpt(f *testing.F) []byte {
	data, err := os.ReadFile("../releases/driver.json")
	if err != nil {
		f.Fatal(err)
	}
	var out []byte
	last := []byte("\n") // the line before, which loses its comma before a bracket
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		if bytes.HasPrefix(line, []byte(`{"name":`)) && i%100 > 0 {
			continue
		}
		if bytes.HasPrefix(line, []byte("]")) {
			last = append(bytes.TrimRight(last, ",\n"), '\n')
		}
		out = append(out, last...)
		last = bytes.Clone(line)
	}
	out = append(out, last...)
	if _, err := Decode("excerpt.json", bytes.TrimSpace(out)); err != nil {
		f.Fatal(err)
	}
	return bytes.TrimSpace(out)
}

func FuzzParseType(f *testing.F) {
	for _, c := range typeCases {
		f.Add(c.text)
	}
	for _, s := range []string{"int[", "struct union u", "const const", "int((((", "int[1][2", "a(b(c(d)))", "...(...)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		typ, err := ParseType(s)
		if err != nil {
			return
		}
		again, err := ParseType(typ.String())
		if err != nil {
			t.Fatalf("%q was read as %q, which cannot be read: %v", s, typ, err)
		}
		if !typ.Equal(again) {
			t.Fatalf("%q was read as %q, and that as %q", s, typ, again)
		}
	})
}
