package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// span says in which releases of a history something lives, one flag a
// release, in the order of releases.
type span []bool

func (s span) empty() bool { return !slices.Contains(s, true) }

// first is -1 for an empty span.
func (s span) first() int { return slices.Index(s, true) }

// text writes the span as runs of releases: "12.0.0..12.9.1,13.4.2..". A run
// that reaches the newest release has an open end, so that a release that
// changes nothing changes no line.
func (s span) text(labels []string) string {
	var runs []string
	for i := 0; i < len(s); i++ {
		if !s[i] {
			continue
		}
		j := i
		for j+1 < len(s) && s[j+1] {
			j++
		}
		run := labels[i]
		switch {
		case j == len(s)-1:
			run += ".."
		case j > i:
			run += ".." + labels[j]
		}
		runs = append(runs, run)
		i = j
	}
	return strings.Join(runs, ",")
}

// parseSpan reads what text writes. A run may also name the newest release as
// its end.
func parseSpan(text string, labels []string) (span, error) {
	s := make(span, len(labels))
	find := func(label string) (int, error) {
		i := slices.Index(labels, label)
		if i < 0 {
			return 0, fmt.Errorf("release %q is not among the releases of this history (%s)%s", label, strings.Join(labels, ", "), suggest.Hint(label, labels))
		}
		return i, nil
	}
	next := 0 // the first release that a run may begin with
	for _, run := range strings.Split(text, ",") {
		from, to, isRun := strings.Cut(run, "..")
		i, err := find(from)
		if err != nil {
			return nil, err
		}
		j := i
		if isRun {
			j = len(labels) - 1
			if to != "" {
				if j, err = find(to); err != nil {
					return nil, err
				}
			}
		}
		if j < i {
			return nil, fmt.Errorf("range %q ends before it begins", run)
		}
		if i < next {
			return nil, fmt.Errorf("range %q does not come after the one before it in %q", run, text)
		}
		next = j + 1
		for ; i <= j; i++ {
			s[i] = true
		}
	}
	return s, nil
}

// insert makes room for a release at place i, in which nothing lives yet.
func (s span) insert(i int) span { return slices.Insert(slices.Clone(s), i, false) }

// remove takes release i out.
func (s span) remove(i int) span { return slices.Delete(slices.Clone(s), i, i+1) }
