package update

import (
	"slices"

	"github.com/cybindgo/cybindgo/ir"
)

// Missing lists the releases on offer that a history lacks, in order: final
// ones, and no older than what the history begins with.
func Missing(history *ir.History, offered []string) ([]string, error) {
	if len(history.Releases) == 0 {
		return nil, nil
	}
	oldest, err := ir.ParseVersion(history.Releases[0].Label)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, label := range history.Labels() {
		v, err := ir.ParseVersion(label)
		if err != nil {
			return nil, err
		}
		known[v.String()] = true
	}
	type release struct {
		label   string
		version ir.Version
	}
	var missing []release
	for _, label := range offered {
		v, err := ir.ParseVersion(label)
		if err != nil || v.Prerelease() || v.Compare(oldest) < 0 || known[v.String()] {
			continue
		}
		known[v.String()] = true
		missing = append(missing, release{label, v})
	}
	slices.SortFunc(missing, func(a, b release) int { return a.version.Compare(b.version) })
	labels := make([]string, len(missing))
	for i, m := range missing {
		labels[i] = m.label
	}
	return labels, nil
}

// newest is the newest final release of a history with the same first number
// as a version, or empty.
func newest(history *ir.History, like ir.Version) (label string) {
	for _, r := range history.Releases {
		if v, err := ir.ParseVersion(r.Label); err == nil && !v.Prerelease() && v.Major() == like.Major() {
			label = r.Label
		}
	}
	return label
}
