package ir

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// TestDiffOfRandomSnapshots compares random releases of random APIs. Whatever
// they hold, nothing differs that is not told of, and nothing is told of that
// does not differ.
func TestDiffOfRandomSnapshots(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+int64(*histories/5+1); seed++ {
		if !t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { checkRandomDiff(t, seed) }) {
			t.Fatalf("again with: go test ./ir -run TestDiffOfRandomSnapshots -seed %d -histories 1", seed)
		}
	}
}

func checkRandomDiff(t *testing.T, seed int64) {
	g := &generator{rand.New(rand.NewSource(seed))}
	snapshots, _ := g.snapshots()
	for i, a := range snapshots {
		if c := Diff(a, shuffledCopy(g, a)); len(c.List) != 0 {
			t.Fatalf("%s and a copy of it:\n%s", a.Release.Label, c.Text())
		}
		for _, b := range snapshots[i+1:] {
			there, back := Diff(a, b), Diff(b, a)
			for _, target := range there.Targets {
				checkComplete(t, target, a.For(target), b.For(target), there)
			}
			same(t, "added there, removed back", those(there, Added), those(back, Removed))
			same(t, "removed there, added back", those(there, Removed), those(back, Added))
			same(t, "superseded there, restored back", those(there, Superseded), those(back, Restored))
			checkAgree(t, there)
		}
	}
}

// shuffledCopy is the snapshot with its entities in another order and without
// memory in common.
func shuffledCopy(g *generator, s *Snapshot) *Snapshot {
	h := NewHistory(s.Library)
	if err := h.Add(s); err != nil {
		panic(err)
	}
	h, err := Decode("copy", h.Encode())
	if err != nil {
		panic(err)
	}
	c, err := h.At(s.Release.Label)
	if err != nil {
		panic(err)
	}
	g.Shuffle(len(c.Functions), func(i, j int) { c.Functions[i], c.Functions[j] = c.Functions[j], c.Functions[i] })
	g.Shuffle(len(c.Enums), func(i, j int) { c.Enums[i], c.Enums[j] = c.Enums[j], c.Enums[i] })
	g.Shuffle(len(c.Records), func(i, j int) { c.Records[i], c.Records[j] = c.Records[j], c.Records[i] })
	g.Shuffle(len(c.Typedefs), func(i, j int) { c.Typedefs[i], c.Typedefs[j] = c.Typedefs[j], c.Typedefs[i] })
	g.Shuffle(len(c.Constants), func(i, j int) { c.Constants[i], c.Constants[j] = c.Constants[j], c.Constants[i] })
	return c
}

// those lists what was changed in the way, on each target.
func those(c *Changes, what What) []string {
	var list []string
	for _, x := range c.List {
		for _, t := range c.Targets {
			if x.What == what && x.Concerns(t) {
				in := x.In[strings.LastIndexByte(x.In, ' ')+1:] // its tag may have come or gone
				list = append(list, fmt.Sprintf("%s %s in %q on %s", x.Subject, x.Name, in, t))
			}
		}
	}
	slices.Sort(list)
	return list
}

// checkComplete holds the changes on a target against what a plain comparison
// of each entity's JSON says.
func checkComplete(t *testing.T, target Target, a, b *API, c *Changes) {
	t.Helper()
	only := c.Only(func(x *Change) bool { return x.Concerns(target) })
	text := only.Text()
	differing := slices.Concat(
		differingKeys(a.Functions, b.Functions), differingKeys(a.Enums, b.Enums), differingKeys(a.Records, b.Records),
		differingKeys(a.Typedefs, b.Typedefs), differingKeys(a.Constants, b.Constants))
	if (len(differing) == 0) != (len(only.List) == 0) {
		t.Fatalf("on %s these differ: %v; told of:\n%s", target, differing, text)
	}
	for _, name := range differing {
		if !strings.Contains(text, name) {
			t.Fatalf("on %s %s differs; told of:\n%s", target, name, text)
		}
	}
}

// differingKeys names the entities that are not the same in both lists.
func differingKeys[T any, P entity[T]](a, b []T) []string {
	shapes := func(list []T) map[string]string {
		m := map[string]string{}
		var enc encoder
		for i := range list {
			m[P(&list[i]).Key()] = enc.shape(P(&list[i]))
		}
		return m
	}
	x, y := shapes(a), shapes(b)
	var out []string
	for key, shape := range x {
		name, symbol, renamed := strings.Cut(key, "=")
		other, kept := y[key]
		switch {
		case !kept && renamed:
			out = append(out, symbol)
		case other != shape:
			out = append(out, name)
		}
	}
	for key := range y {
		if _, kept := x[key]; !kept {
			out = append(out, key[strings.IndexByte(key, '=')+1:])
		}
	}
	return out
}
