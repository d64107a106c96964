package ir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var spanLabels = []string{"12.0.0", "12.9.1", "13.0.0", "13.0.2", "13.4.2"}

// flags reads "x..x." as a span.
func flags(s string) span {
	var out span
	for _, c := range s {
		out = append(out, c == 'x')
	}
	return out
}

func TestSpansAreWrittenAndReadBack(t *testing.T) {
	for _, c := range []struct{ flags, text string }{
		{"xxxxx", "12.0.0.."},
		{"....x", "13.4.2.."},
		{"x....", "12.0.0"},
		{"xx...", "12.0.0..12.9.1"},
		{".xxx.", "12.9.1..13.0.2"},
		{"x.x.x", "12.0.0,13.0.0,13.4.2.."},
		{"xx.xx", "12.0.0..12.9.1,13.0.2.."},
		{".x.x.", "12.9.1,13.0.2"},
	} {
		t.Run(c.text, func(t *testing.T) {
			s := flags(c.flags)
			if got := s.text(spanLabels); got != c.text {
				t.Errorf("text = %q, want %q", got, c.text)
			}
			got, err := parseSpan(c.text, spanLabels)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(s, got); diff != "" {
				t.Error(diff)
			}
			if first := strings.Index(c.flags, "x"); s.first() != first {
				t.Errorf("first = %d, want %d", s.first(), first)
			}
		})
	}
}

func TestARunMayNameTheNewestRelease(t *testing.T) {
	got, err := parseSpan("12.0.0,13.0.0..13.4.2", spanLabels)
	if diff := cmp.Diff(flags("x.xxx"), got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestWrongSpansSayWhy(t *testing.T) {
	known := " (12.0.0, 12.9.1, 13.0.0, 13.0.2, 13.4.2)"
	for _, c := range []struct{ text, want string }{
		{"", `release "" is not among the releases of this history` + known},
		{"12.0.1", `release "12.0.1" is not among the releases of this history` + known + "; did you mean 12.0.0?"},
		{"12.0.0..13.9.9", `release "13.9.9" is not among the releases of this history` + known + "; did you mean 12.9.1?"},
		{"..13.0.0", `release "" is not among the releases of this history` + known},
		{"12.0.0,", `release "" is not among the releases of this history` + known},
		{"12.0.0, 13.0.0", `release " 13.0.0" is not among the releases of this history` + known + "; did you mean 13.0.0?"},
		{"13.0.0..12.9.1", `range "13.0.0..12.9.1" ends before it begins`},
		{"13.0.0,12.9.1", `range "12.9.1" does not come after the one before it in "13.0.0,12.9.1"`},
		{"12.0.0..,13.0.0", `range "13.0.0" does not come after the one before it in "12.0.0..,13.0.0"`},
		{"12.0.0,12.0.0", `range "12.0.0" does not come after the one before it in "12.0.0,12.0.0"`},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := parseSpan(c.text, spanLabels)
			if err == nil {
				t.Fatal("accepted")
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSpansMakeRoomForAReleaseAndTakeItOut(t *testing.T) {
	s := flags("xx.x")
	for i, want := range []string{".xx.x", "x.x.x", "xx..x", "xx..x", "xx.x."} {
		wider := s.insert(i)
		if diff := cmp.Diff(flags(want), wider); diff != "" {
			t.Errorf("insert(%d): %s", i, diff)
		}
		if diff := cmp.Diff(s, wider.remove(i)); diff != "" {
			t.Errorf("insert(%d) and remove: %s", i, diff)
		}
	}
	if diff := cmp.Diff(flags("xx.x"), s); diff != "" {
		t.Errorf("the span itself changed: %s", diff)
	}
}

func TestAnEmptySpanHasNoFirst(t *testing.T) {
	if s := flags("..."); !s.empty() || s.first() != -1 {
		t.Errorf("empty %v, first %d", s.empty(), s.first())
	}
	if flags(".x.").empty() {
		t.Error("a span with a release is not empty")
	}
}
