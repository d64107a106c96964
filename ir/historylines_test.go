package ir

import (
	"strings"
	"testing"
)

// Adding a release touches the lines of what changed, and no other: a release
// that says the same as the one before adds the line that describes it, and the
// newest release's lines, which are open-ended ("12.0.0.."), stay as they are.
func TestAReleaseTouchesWhatChanged(t *testing.T) {
	full := driver(t)
	for _, test := range []struct {
		release        string
		removed, added int // lines
	}{
		{"13.4.2", 0, 1},
		// 2 functions, 4 records, 2 enums, 9 typedefs and a constant are new, 8 enums changed.
		{"13.5.0", 8, 27},
	} {
		before := upTo(t, full, test.release)
		after := upTo(t, full, test.release)
		if err := before.Remove(test.release); err != nil {
			t.Fatal(err)
		}
		removed, added := lineDiff(string(before.Encode()), string(after.Encode()))
		if removed != test.removed || added != test.added {
			t.Errorf("%s: %d lines removed and %d added, want %d and %d", test.release, removed, added, test.removed, test.added)
		}
		changes, err := after.Diff(before.Labels()[len(before.Labels())-1], test.release)
		if err != nil {
			t.Fatal(err)
		}
		// A line is an entity, and an entity may have several changes; typedefs of
		// new records have lines and are changes, too.
		if limit := len(changes.List) + 1; added > limit {
			t.Errorf("%s: %d lines added for %d changes", test.release, added, len(changes.List))
		}
	}
}

// upTo is a copy of a history without what comes after a release.
func upTo(t *testing.T, h *History, last string) *History {
	t.Helper()
	out, err := Decode("driver.json", h.Encode())
	if err != nil {
		t.Fatal(err)
	}
	labels := out.Labels()
	for i := len(labels) - 1; labels[i] != last; i-- {
		if err := out.Remove(labels[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// lineDiff counts the lines that one text has more often than the other.
func lineDiff(a, b string) (removed, added int) {
	count := map[string]int{}
	for line := range strings.Lines(a) {
		count[strings.TrimRight(line, ",\n")]--
	}
	for line := range strings.Lines(b) {
		count[strings.TrimRight(line, ",\n")]++
	}
	for _, n := range count {
		if n < 0 {
			removed -= n
		} else {
			added += n
		}
	}
	return removed, added
}
