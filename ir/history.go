package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
)

// History is a library over many releases: every entity once, with the
// releases it lives in and each shape that it had.
type History struct {
	Library  string
	Targets  []Target  // of all releases together, the reference target first
	Releases []Release // in order
	// read has the targets of each release, in the snapshot's order.
	read [][]Target

	functions table[Function, *Function]
	enums     table[Enum, *Enum]
	records   table[Record, *Record]
	typedefs  table[Typedef, *Typedef]
	constants table[Constant, *Constant]

	Roles []Role
}

// NewHistory is the history of a library of which no release is known yet.
func NewHistory(library string) *History { return &History{Library: library} }

// Labels lists the releases in order.
func (h *History) Labels() []string {
	labels := make([]string, len(h.Releases))
	for i, r := range h.Releases {
		labels[i] = r.Label
	}
	return labels
}

// Extent says which releases there are, for a message: all of them where they
// are few, else how many, the first and the last.
func (h *History) Extent() string {
	labels := h.Labels()
	if n := len(labels); n > 10 {
		return fmt.Sprintf("%d, from %s to %s", n, labels[0], labels[n-1])
	}
	return strings.Join(labels, ", ")
}

// Find is the place of a release among Releases.
func (h *History) Find(label string) (int, error) {
	labels := h.Labels()
	if len(labels) == 0 {
		return 0, fmt.Errorf("%s has no release %q: its history is empty", h.Library, label)
	}
	if i := slices.Index(labels, label); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s has no release %q; it has %s%s", h.Library, label, h.Extent(), suggest.Hint(label, labels))
}

// Has reports whether the release is in the history.
func (h *History) Has(label string) bool { return slices.Contains(h.Labels(), label) }

// Add enters a snapshot, in the order of releases. The release must be new:
// [History.Remove] takes an old one out.
func (h *History) Add(s *Snapshot) error {
	if s.Library != h.Library {
		return fmt.Errorf("a snapshot of %s does not belong in the history of %s", s.Library, h.Library)
	}
	v, err := ParseVersion(s.Release.Label)
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	at := len(h.Releases)
	for i := len(h.Releases) - 1; i >= 0; i-- {
		w, err := ParseVersion(h.Releases[i].Label)
		if err != nil {
			return err
		}
		c := v.Compare(w)
		if c == 0 {
			return fmt.Errorf("release %s is in the history of %s already", h.Releases[i].Label, h.Library)
		}
		if c < 0 {
			at = i
		}
	}
	h.Releases = slices.Insert(h.Releases, at, s.Release)
	h.read = slices.Insert(h.read, at, s.Targets)
	h.retarget()
	n := len(h.Releases)
	addTo(&h.functions, at, n, s.Functions, s.Targets, h.Targets)
	addTo(&h.enums, at, n, s.Enums, s.Targets, h.Targets)
	addTo(&h.records, at, n, s.Records, s.Targets, h.Targets)
	addTo(&h.typedefs, at, n, s.Typedefs, s.Targets, h.Targets)
	addTo(&h.constants, at, n, s.Constants, s.Targets, h.Targets)
	return nil
}

func addTo[T any, P entity[T]](t *table[T, P], at, n int, list []T, from, to []Target) {
	t.insertRelease(at)
	t.add(at, n, list, from, to)
	t.order()
}

// retarget lists and numbers the targets that the releases were read for, in
// an order that does not depend on which release came first: equal releases
// make equal histories.
func (h *History) retarget() {
	old := h.Targets
	var targets []Target
	for _, read := range h.read {
		for _, t := range read {
			if !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
	}
	slices.SortFunc(targets, Target.compare)
	if slices.Equal(old, targets) {
		return
	}
	h.Targets = targets
	h.functions.retarget(old, targets)
	h.enums.retarget(old, targets)
	h.records.retarget(old, targets)
	h.typedefs.retarget(old, targets)
	h.constants.retarget(old, targets)
}

// Remove takes a release out. Roles stay as they are, so that the release can
// be added again: a role that names it in its span must be changed by who does
// not, for [Decode] refuses a release that it does not know.
func (h *History) Remove(label string) error {
	i, err := h.Find(label)
	if err != nil {
		return err
	}
	h.Releases = slices.Delete(h.Releases, i, i+1)
	h.read = slices.Delete(h.read, i, i+1)
	h.functions.removeRelease(i)
	h.enums.removeRelease(i)
	h.records.removeRelease(i)
	h.typedefs.removeRelease(i)
	h.constants.removeRelease(i)
	h.retarget()
	return nil
}

// At gives back the snapshot of a release, as [Snapshot.Stripped] leaves it.
func (h *History) At(label string) (*Snapshot, error) {
	i, err := h.Find(label)
	if err != nil {
		return nil, err
	}
	from, to := h.Targets, h.read[i]
	s := &Snapshot{Library: h.Library, Targets: to, Release: h.Releases[i]}
	s.Functions = h.functions.at(i, from, to)
	s.Enums = h.enums.at(i, from, to)
	s.Records = h.records.at(i, from, to)
	s.Typedefs = h.typedefs.at(i, from, to)
	s.Constants = h.constants.at(i, from, to)
	s.Sort()
	return s, nil
}
