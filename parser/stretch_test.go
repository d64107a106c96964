package parser

import (
	"strings"
	"testing"
)

// TestStretches: what nests without open brackets is no trouble up to a bound,
// and an error with a place beyond it.
func TestStretches(t *testing.T) {
	for _, c := range []struct {
		name, before, part, after string
		line                      string // where the error is, when there are many parts
	}{
		{"casts", "enum E { A = ", "(int)", "1 };", "lamp.h:1:9: "},
		{"sizeof", "enum E { A = ", "sizeof ", "1 };", "lamp.h:1:9: "},
		{"statements", "int a;\nstatic inline int f(int x) { ", "if (x) ", "return 1; }", "lamp.h:2:29: "},
		{"words", "int a;\n", "const ", "int x;", "lamp.h:1:7: "},
		{"comparisons", "int a[", "1<", "2];", "lamp.h:1:1: "},
		{"bounds", "int a", "[1]", ";", "lamp.h:1:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseText([]byte(c.before + strings.Repeat(c.part, 1000) + c.after)); err != nil {
				t.Errorf("a thousand: %v", err)
			}
			_, err := parseText([]byte(c.before + strings.Repeat(c.part, 500_000) + c.after))
			if err == nil || !strings.HasPrefix(err.Error(), c.line+"nothing ends for 131072 bytes") {
				t.Errorf("half a million: %.200v\nwant %s", err, c.line)
			}
		})
	}
}
