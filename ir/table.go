package ir

import "slices"

// table holds all entities of one kind over all releases, sorted by key.
type table[T any, P entity[T]] struct {
	rows []row[T]
}

// row is one entity: each shape it had, and when.
type row[T any] struct {
	key    string
	shapes []shape[T]
}

// shape is what an entity looked like in some releases, on some targets.
type shape[T any] struct {
	in    span
	value T // Meta.On counts targets of the history; zero is all of a release's targets
}

func (t *table[T, P]) find(key string) (int, bool) {
	return slices.BinarySearchFunc(t.rows, key, func(r row[T], key string) int {
		switch {
		case r.key < key:
			return -1
		case r.key > key:
			return 1
		}
		return 0
	})
}

// insertRelease makes room for release i.
func (t *table[T, P]) insertRelease(i int) {
	for r := range t.rows {
		for s := range t.rows[r].shapes {
			sh := &t.rows[r].shapes[s]
			sh.in = sh.in.insert(i)
		}
	}
}

// removeRelease takes release i out, and what lived in no other.
func (t *table[T, P]) removeRelease(i int) {
	for r := range t.rows {
		shapes := t.rows[r].shapes[:0]
		for _, sh := range t.rows[r].shapes {
			if sh.in = sh.in.remove(i); !sh.in.empty() {
				shapes = append(shapes, sh)
			}
		}
		t.rows[r].shapes = shapes
	}
	t.rows = slices.DeleteFunc(t.rows, func(r row[T]) bool { return len(r.shapes) == 0 })
	t.order()
}

// retarget renumbers targets from one list to another.
func (t *table[T, P]) retarget(from, to []Target) {
	for r := range t.rows {
		for s := range t.rows[r].shapes {
			if m := P(&t.rows[r].shapes[s].value).meta(); m.On != 0 {
				m.On = m.On.move(from, to)
			}
		}
	}
}

// add enters the entities of release i, for which insertRelease made room.
func (t *table[T, P]) add(i, releases int, list []T, from, to []Target) {
	var enc encoder
	for _, value := range list {
		p := P(&value)
		m := p.meta()
		m.Pos = Position{}
		if m.On != 0 {
			m.On = m.On.move(from, to)
		}
		text := enc.shape(p)
		at, found := t.find(p.Key())
		if !found {
			t.rows = slices.Insert(t.rows, at, row[T]{key: p.Key()})
		}
		r := &t.rows[at]
		same := slices.IndexFunc(r.shapes, func(sh shape[T]) bool {
			return P(&sh.value).meta().On == m.On && enc.shape(P(&sh.value)) == text
		})
		if same < 0 {
			r.shapes = append(r.shapes, shape[T]{in: make(span, releases), value: value})
			same = len(r.shapes) - 1
		}
		r.shapes[same].in[i] = true
	}
}

// order sorts the shapes of every row by release, then by target.
func (t *table[T, P]) order() {
	for r := range t.rows {
		slices.SortStableFunc(t.rows[r].shapes, func(x, y shape[T]) int {
			if c := x.in.first() - y.in.first(); c != 0 {
				return c
			}
			return int(P(&x.value).meta().On) - int(P(&y.value).meta().On)
		})
	}
}

// at lists what lives in release i, on the targets that were read for it.
func (t *table[T, P]) at(i int, from, to []Target) []T {
	var out []T
	for r := range t.rows {
		for _, sh := range t.rows[r].shapes {
			if !sh.in[i] {
				continue
			}
			value := sh.value
			if m := P(&value).meta(); m.On != 0 {
				m.On = m.On.move(from, to)
			}
			out = append(out, value)
		}
	}
	return out
}
