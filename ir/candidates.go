package ir

import "slices"

// Candidates lists the symbols that have stood behind a public name in the
// range, the newest first: what to look for, in this order, in a library whose
// release is not known. nvJitLink, whose symbols carry the release, has one for
// each.
func (u *Union) Candidates(name string) []string {
	var entries []*Entry[Function]
	for i := range u.Functions {
		if e := &u.Functions[i]; e.Shape().Name == name {
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b *Entry[Function]) int {
		if a.Last != b.Last {
			return b.Last - a.Last
		}
		return b.First - a.First
	})
	var symbols []string
	for _, e := range entries {
		symbols = append(symbols, e.Shape().Symbol)
	}
	return symbols
}
