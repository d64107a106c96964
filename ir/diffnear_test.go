package ir

import (
	"fmt"
	"math/rand"
	"testing"
)

// What is left out of a comparison because it is the same in both releases must
// not be missed.
func TestBetweenIsDiff(t *testing.T) {
	h := driver(t)
	for i := 1; i < len(h.Releases); i++ {
		sameChanges(t, h, i-1, i)
	}
	sameChanges(t, h, 0, len(h.Releases)-1)
	sameChanges(t, h, len(h.Releases)-1, 0)
}

func TestBetweenIsDiffOfRandomSnapshots(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+int64(*histories/5+1); seed++ {
		g := &generator{rand.New(rand.NewSource(seed))}
		snapshots, _ := g.snapshots()
		h := NewHistory(snapshots[0].Library)
		for _, s := range snapshots {
			if err := h.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		for i := range h.Releases {
			for j := range h.Releases {
				sameChanges(t, h, i, j)
				if t.Failed() {
					t.Fatalf("again with: go test ./ir -run %s -seed %d -histories 1", t.Name(), seed)
				}
			}
		}
	}
}

func sameChanges(t *testing.T, h *History, i, j int) {
	t.Helper()
	same(t, fmt.Sprintf("%s..%s", h.Releases[i].Label, h.Releases[j].Label), Diff(h.whole(i), h.whole(j)), h.between(i, j))
}

func BenchmarkBetween(b *testing.B) {
	h := driver(b)
	b.ReportAllocs()
	for b.Loop() {
		for i := 1; i < len(h.Releases); i++ {
			h.between(i-1, i)
		}
	}
}
