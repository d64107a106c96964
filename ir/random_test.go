package ir

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var (
	firstSeed = flag.Int64("seed", 1, "seed of the first random history")
	histories = flag.Int("histories", 200, "how many random histories are made")
)

// TestRandomHistories builds histories of random APIs over random releases and
// targets, added in random order, and compares what they answer with what a
// plain computation on the snapshots says.
func TestRandomHistories(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+int64(*histories); seed++ {
		if !t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { checkRandomHistory(t, seed) }) {
			t.Fatalf("again with: go test ./ir -run TestRandomHistories -seed %d -histories 1", seed)
		}
	}
}

func checkRandomHistory(t *testing.T, seed int64) {
	g := &generator{rand.New(rand.NewSource(seed))}
	snapshots, apis := g.snapshots()
	shuffled := slices.Clone(snapshots)
	g.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })

	h := historyOf(t, shuffled...)
	text := string(h.Encode())
	same(t, "added in order", string(historyOf(t, snapshots...).Encode()), text)

	for i, s := range snapshots {
		for j, target := range s.Targets {
			want, got := apis[i][j], s.For(target)
			want.Sort()
			got.Sort()
			same(t, fmt.Sprintf("%s for %s", s.Release.Label, target), want, got)
		}
	}

	decoded := mustDecode(t, text)
	same(t, "written again", text, string(decoded.Encode()))
	for _, s := range snapshots {
		want := s.Stripped()
		same(t, s.Release.Label, want, at(t, h, s.Release.Label))
		same(t, s.Release.Label+" decoded", want, at(t, decoded, s.Release.Label))
	}

	// A few releases leave and come back.
	for range 2 {
		s := snapshots[g.Intn(len(snapshots))]
		if err := decoded.Remove(s.Release.Label); err != nil {
			t.Fatal(err)
		}
		rest := slices.DeleteFunc(slices.Clone(snapshots), func(o *Snapshot) bool { return o == s })
		same(t, "without "+s.Release.Label, string(historyOf(t, rest...).Encode()), string(decoded.Encode()))
		if err := decoded.Add(s); err != nil {
			t.Fatal(err)
		}
		same(t, "with "+s.Release.Label+" again", text, string(decoded.Encode()))
	}

	var views []view
	for _, s := range snapshots {
		v := view{s, map[Target]*API{}}
		for _, target := range s.Targets {
			v.apis[target] = s.For(target)
		}
		views = append(views, v)
	}
	for range 3 {
		lo := g.Intn(len(views))
		hi := lo + g.Intn(len(views)-lo)
		checkRange(t, h, views[lo:hi+1])
	}
}

// view is a snapshot as each of its targets sees it.
type view struct {
	*Snapshot
	apis map[Target]*API
}

// checkRange compares the union of a range with what the snapshots in it say.
func checkRange(t *testing.T, h *History, in []view) {
	t.Helper()
	u, err := h.Range(in[0].Release.Label, in[len(in)-1].Release.Label)
	if err != nil {
		t.Fatal(err)
	}
	// A candidate is left out where a final release follows.
	var list []view
	final := false
	for _, s := range slices.Backward(in) {
		if s.Release.Prerelease && final {
			continue
		}
		final = final || !s.Release.Prerelease
		list = append([]view{s}, list...)
	}
	var releases []Release
	for _, s := range list {
		releases = append(releases, s.Release)
	}
	same(t, "releases", releases, u.Releases)
	what := fmt.Sprintf("%s..%s, ", in[0].Release.Label, in[len(in)-1].Release.Label)

	functions := func(a *API) []Function {
		return slices.DeleteFunc(slices.Clone(a.Functions), func(f Function) bool { return f.Superseded })
	}
	same(t, what+"functions", naive[Function](list, u.Targets, functions), flat(u.Functions, u.Targets))
	same(t, what+"records", naive[Record](list, u.Targets, func(a *API) []Record { return a.Records }), flat(u.Records, u.Targets))
	same(t, what+"typedefs", naive[Typedef](list, u.Targets, func(a *API) []Typedef { return a.Typedefs }), flat(u.Typedefs, u.Targets))
	same(t, what+"constants", naive[Constant](list, u.Targets, func(a *API) []Constant { return a.Constants }), flat(u.Constants, u.Targets))

	var enums []Entry[Enum]
	gone := map[string][]Enumerator{}
	for _, e := range u.Enums {
		enums = append(enums, e.Entry)
		gone[e.Shape().Key()] = e.Removed
	}
	wantEnums := naive[Enum](list, u.Targets, func(a *API) []Enum { return a.Enums })
	same(t, what+"enums", wantEnums, flat(enums, u.Targets))
	for _, e := range wantEnums {
		same(t, what+"removed from "+e.key, naiveRemoved(list, u.Targets, e), gone[e.key])
	}
}

// flatEntry is an entry with its shapes by target, so that entries whose
// targets are numbered differently can be compared.
type flatEntry[T any] struct {
	key         string
	first, last int
	changed     []int
	shapes      map[Target]T
	reference   T
}

func flat[T any, P entity[T]](entries []Entry[T], targets []Target) []flatEntry[T] {
	var out []flatEntry[T]
	for _, e := range entries {
		f := flatEntry[T]{P(e.Shape()).Key(), e.First, e.Last, e.Changed, map[Target]T{}, bare[T, P](*e.Shape())}
		for _, s := range e.Shapes {
			for _, target := range P(&s).meta().On.Names(targets) {
				f.shapes[target] = bare[T, P](s)
			}
		}
		out = append(out, f)
	}
	return out
}

// bare is a shape without its targets and its position.
func bare[T any, P entity[T]](value T) T {
	m := P(&value).meta()
	m.On, m.Pos = 0, Position{}
	return value
}

// naive computes the entries of a union from the snapshots that it covers, one
// target at a time.
func naive[T any, P entity[T]](covered []view, targets []Target, pick func(*API) []T) []flatEntry[T] {
	byKey := map[string]*flatEntry[T]{}
	before := map[string]map[Target]T{}
	for i, s := range covered {
		now := map[string]map[Target]T{}
		for _, target := range s.Targets {
			for _, value := range pick(s.apis[target]) {
				key := P(&value).Key()
				if now[key] == nil {
					now[key] = map[Target]T{}
				}
				now[key][target] = bare[T, P](value)
			}
		}
		for key, shapes := range now {
			e := byKey[key]
			if e == nil {
				e = &flatEntry[T]{key: key, first: i}
				byKey[key], before[key] = e, map[Target]T{}
			}
			changed := false
			for target, value := range shapes {
				old, had := before[key][target]
				changed = changed || had && !reflect.DeepEqual(old, value)
				before[key][target] = value
			}
			if changed {
				e.changed = append(e.changed, i)
			}
			e.last, e.shapes = i, shapes
			for _, target := range slices.Backward(targets) {
				if value, ok := shapes[target]; ok {
					e.reference = value
				}
			}
			// One shape for all targets of its release says nothing of those
			// that the release was not read for: it holds there as well.
			if len(shapes) == len(s.Targets) && uniform(shapes) {
				for _, target := range targets {
					shapes[target] = e.reference
				}
			}
		}
	}
	var out []flatEntry[T]
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		out = append(out, *byKey[key])
	}
	return out
}

func uniform[T any](shapes map[Target]T) bool {
	var first *T
	for _, s := range shapes {
		if first == nil {
			first = &s
		} else if !reflect.DeepEqual(*first, s) {
			return false
		}
	}
	return true
}

// naiveRemoved lists what an enum had in a covered release and has no more.
func naiveRemoved(covered []view, targets []Target, e flatEntry[Enum]) []Enumerator {
	values := map[string]Integer{}
	for _, s := range covered {
		for _, target := range slices.Backward(targets) {
			api := s.apis[target]
			if api == nil {
				continue
			}
			for i := range api.Enums {
				if o := &api.Enums[i]; o.Key() == e.key {
					for _, v := range o.Enumerators {
						values[v.Name] = v.Value
					}
				}
			}
		}
	}
	for _, shape := range e.shapes {
		for _, v := range shape.Enumerators {
			delete(values, v.Name)
		}
	}
	var out []Enumerator
	for name, value := range values {
		out = append(out, Enumerator{name, value})
	}
	slices.SortFunc(out, func(a, b Enumerator) int {
		return cmp.Or(a.Value.Compare(b.Value), strings.Compare(a.Name, b.Name))
	})
	return out
}
