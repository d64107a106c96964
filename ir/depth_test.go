package ir

import "testing"

// nested is a snapshot whose deepest type and record are as deep as is asked
// for.
func nested(types, records int) *Snapshot {
	pointer := &Type{Kind: Basic, Name: "int"}
	for range types - 1 {
		pointer = &Type{Kind: Pointer, Elem: pointer}
	}
	callback := &Type{Kind: Basic, Name: "int"}
	for range (types - 1) / 2 {
		callback = &Type{Kind: Pointer, Elem: &Type{Kind: Func, Elem: Void, Params: []Param{{Type: callback}}}}
	}
	record := &Record{Name: "r", Size: 4, Align: 4, Fields: []Field{{Name: "x", Type: &Type{Kind: Basic, Name: "int"}}}}
	for range records - 1 {
		inner := *record
		inner.Name = ""
		record = &Record{Name: "r", Size: 4, Align: 4, Fields: []Field{{Name: "m", Record: &inner}}}
	}
	return Merge("demo", Release{Label: "1.0.0"}, []Target{LinuxAMD64}, []*API{{
		Typedefs: []Typedef{{Name: "callback", Type: callback}, {Name: "pointer", Type: pointer}},
		Records:  []Record{*record},
	}})
}

func TestDepth(t *testing.T) {
	s := nested(7, 3)
	for i, want := range []int{7, 7} {
		if got := s.Typedefs[i].Type.Depth(); got != want {
			t.Errorf("%s: depth %d, want %d", s.Typedefs[i].Type, got, want)
		}
	}
	if records, types := s.Records[0].Depth(); records != 3 || types != 1 {
		t.Errorf("record: depth %d, %d; want 3, 1", records, types)
	}
}

// TestWhatIsWithinTheBoundsIsReadBack: and what is far beyond is not, so
// whoever fills a history has to look.
func TestWhatIsWithinTheBoundsIsReadBack(t *testing.T) {
	h := historyOf(t, nested(MaxTypeDepth, MaxRecordDepth))
	same(t, "read back", string(h.Encode()), string(mustDecode(t, string(h.Encode())).Encode()))
	for _, s := range []*Snapshot{nested(2*MaxTypeDepth, 1), nested(1, 4*MaxRecordDepth)} {
		if _, err := Decode("demo.json", historyOf(t, s).Encode()); err == nil {
			t.Error("what is nested too deep was read back: the bounds are too narrow")
		}
	}
}
