package ir

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// releasesOf makes a history of releases 1.0.0, 2.0.0, ... of the texts.
func releasesOf(t *testing.T, texts ...string) *History {
	t.Helper()
	var snapshots []*Snapshot
	for i, text := range texts {
		snapshots = append(snapshots, snapshotOf(t, string(rune('1'+i))+".0.0", text))
	}
	return historyOf(t, snapshots...)
}

// told is the text of the timelines of a name.
func told(h *History, name string) string {
	var out []string
	for _, line := range h.Chronicle().Of(name) {
		out = append(out, strings.TrimSuffix(line.Text(), "\n"))
	}
	return strings.Join(out, "\n")
}

func TestTimelines(t *testing.T) {
	for _, c := range []struct {
		name     string
		releases []string
		ask      string
		want     string
	}{
		{
			"a function that was always there says since when that is known",
			[]string{"fn  f  int()", "fn  f  int()"}, "f",
			"function f\n  1.0.0 or before  int f()",
		},
		{
			"it comes, changes, goes and is back",
			[]string{"", "fn  f  int()", "fn  f  int(int a)", "", "fn  f  int(int a)"}, "f",
			"function f\n  2.0.0  added: int f()\n  3.0.0  signature changed (a added) [Cython ABI break, source break]\n           - int f()\n           + int f(int a)\n" +
				"  4.0.0  removed [Cython ABI break, source break]\n           - int f(int a)\n  5.0.0  added: int f(int a)",
		},
		{
			"another name takes the symbol",
			[]string{"fn  f  int()\nfn  f_v2  int()", "fn  f=f_v2  int()\nfn  f  int()  superseded"}, "f",
			"function f\n  1.0.0 or before  int f()\n  2.0.0            symbol changed: f -> f_v2 (f is still declared) [behaviour only]",
		},
		{
			"and the name that lost it",
			[]string{"fn  f  int()\nfn  f_v2  int()", "fn  f=f_v2  int()\nfn  f  int()  superseded"}, "f_v2",
			"function f_v2\n  1.0.0 or before  int f_v2()\n  2.0.0            renamed: f_v2 -> f (the symbol is the same, f_v2) [Cython ABI break, source break]",
		},
		{
			"a symbol that never was a public name",
			[]string{"fn  f=f_v2  int()", "fn  f=f_v3  int()\nfn  f_v2  int()  superseded", "fn  f=f_v3  int()"}, "f_v2",
			"symbol f_v2\n  1.0.0 or before  the symbol of f\n  2.0.0            public name changed: the symbol of f -> no public name leads to it\n" +
				"  3.0.0            removed: no public name leads to it",
		},
		{
			"a per-thread symbol leads to its function",
			[]string{"fn  f  int()  per=f_ptsz"}, "f_ptsz", "function f\n  1.0.0 or before  int f()",
		},
		{
			"an enumerator",
			[]string{"enum  E  int  A=0  E_MAX=1", "enum  E  int  A=0  B=1  E_MAX=2", "enum  E  int  A=0  B=7  E_MAX=8", "enum  E  int  A=0  E_MAX=1"}, "B",
			"enumerator B in E\n  2.0.0  added: 1\n  3.0.0  value changed: 1 -> 7 [binary layout break]\n  4.0.0  removed: 7 [source break]",
		},
		{
			"an enumerator moves",
			[]string{"enum  E  int  A=0  B=1\nenum  F  int  C=0", "enum  E  int  A=0\nenum  F  int  C=0  B=1"}, "B",
			"enumerator B in F\n  1.0.0 or before  1\n  2.0.0            moved: E -> F",
		},
		{
			"an enum with its members, by way of a typedef",
			[]string{"", "enum  enum E_st  int  A=0\ntypedef  E  enum E_st", "enum  enum E_st  int  A=0  B=1  C=2  E_MAX=2\ntypedef  E  enum E_st"}, "E",
			"typedef E\n  2.0.0  added: enum E_st\nenum E_st\n  2.0.0  added: 1 enumerator, int\n  3.0.0  2 enumerators added: B = 1, C = 2\n  3.0.0  enumerator added: E_MAX = 2 [noise]",
		},
		{
			"a record with its fields",
			[]string{"struct  tag S  8/4  a:int@0  b:int@4", "struct  tag S  12/4  a:int@0  x:float@4  b:int@8"}, "S",
			"record struct S\n  1.0.0 or before  struct of 8 bytes\n  2.0.0            size changed: 8 -> 12 [binary layout break]\n" +
				"  2.0.0            field added: x: float (at 4)\n  2.0.0            field offset changed: b: 4 -> 8 [binary layout break]",
		},
		{
			"a field that moves with its neighbours",
			[]string{"struct  S  12/4  a:int@0  b:int@4  c:int@8", "struct  S  16/4  a:int@0  x:float@4  b:int@8  c:int@12"}, "S.c",
			"field S.c\n  1.0.0 or before  int at 8\n  2.0.0            offset changed: 8 -> 12 [binary layout break]",
		},
		{
			"a field of a record that comes whole, by the typedef's name",
			[]string{"", "struct  tag S_st  4/4  a:int@0\ntypedef  S  struct S_st", "struct  tag S_st  8/8  a:long long@0\ntypedef  S  struct S_st"}, "S.a",
			"field struct S_st.a\n  2.0.0  added: int at 0\n  3.0.0  type changed: int -> long long [binary layout break, source break]",
		},
		{
			"a constant", []string{"const  N  int=1", "const  N  int=2", ""}, "N",
			"constant N\n  1.0.0 or before  1\n  2.0.0            value changed: 1 -> 2 [binary layout break]\n  3.0.0            removed: 2 [source break]",
		},
		{"nothing", []string{"fn  f  int()"}, "g", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := releasesOf(t, c.releases...)
			same(t, "timelines", c.want, told(h, c.ask))
			same(t, "known", c.want != "", h.Knows(c.ask))
		})
	}
}

// A platform that has something else, or has it later.
func TestTimelinesByTarget(t *testing.T) {
	one := snapshotOf(t, "1.0.0", "struct  S  16/8  a:long[2]@0\nstruct  S  8/4  a:long[2]@0\nfn  f  int()")
	one.Records[0].On, one.Records[1].On, one.Functions[0].On = 0b011, 0b100, 0b011
	two := snapshotOf(t, "2.0.0", "struct  S  16/8  a:long[2]@0\nstruct  S  12/4  a:long[2]@4\nfn  f  int()")
	two.Records[0].On, two.Records[1].On = 0b011, 0b100
	h := historyOf(t, one, two)
	same(t, "a record", "record S\n  1.0.0 or before  struct of 16 bytes on linux/amd64, linux/arm64\n  1.0.0 or before  struct of 8 bytes on windows/amd64\n"+
		"  2.0.0            size changed: 8 -> 12 [binary layout break] on windows/amd64\n  2.0.0            field offset changed: a: 0 -> 4 [binary layout break] on windows/amd64", told(h, "S"))
	same(t, "a field", "field S.a\n  1.0.0 or before  long[2] at 0\n  2.0.0            offset changed: 0 -> 4 [binary layout break] on windows/amd64", told(h, "S.a"))
	same(t, "a function", "function f\n  1.0.0 or before  int f() on linux/amd64, linux/arm64\n  2.0.0            added: int f() on windows/amd64", told(h, "f"))
}

func TestTimelineJSON(t *testing.T) {
	h := releasesOf(t, "enum  E  int  A=0", "enum  E  int  A=1")
	line := h.Chronicle().Of("A")[0]
	text, err := json.Marshal(&line)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "JSON", `{"subject":"enumerator","name":"A","in":"E","releases":"1.0.0..","events":[`+
		`{"release":"1.0.0","orBefore":true,"subject":"enumerator","change":"added","name":"A","in":"E","new":"0","class":"addition","breaks":[]},`+
		`{"release":"2.0.0","subject":"enumerator","change":"value changed","name":"A","in":"E","old":"0","new":"1","header":"demo.h","class":"layout","breaks":["abi"]}]}`, string(text))
}

func TestNearNames(t *testing.T) {
	h := releasesOf(t, "struct  tag S  8/4  a:int@0  b:int@4\nfn  f  int()")
	same(t, "fields", []string{"S.a", "S.b"}, h.NearNames("S.c"))
	same(t, "names", []string{"f", "S"}, h.NearNames("g"))
	same(t, "fields of a record that is not there", []string(nil), h.NearNames("nothing.a"))
	full := driver(t)
	if near := full.NearNames("CUdevSmResorce.minSmPartition"); !slices.Contains(near, "CUdevSmResource.minSmPartitionSize") || len(near) > 20 {
		t.Errorf("the nearest record's fields: %v", near)
	}
}

// Of every change between releases of the driver, its timeline tells.
func TestTimelinesTellOfEveryChange(t *testing.T) {
	h := driver(t)
	c := h.Chronicle()
	told := 0
	for i := 1; i < len(h.Releases); i++ {
		for _, x := range c.changes[i].List {
			line := c.For(&x)
			found := false
			for _, e := range line.Events {
				found = found || e.Release == h.Releases[i].Label && (e.Change.What == x.What || e.Change.comes(x.Name) || e.Change.goes(x.Name))
			}
			if !found {
				t.Errorf("%s: %s: its timeline is\n%s", h.Releases[i].Label, x.String(), line.Text())
			}
			told++
		}
	}
	if told < 500 {
		t.Errorf("only %d changes were looked at", told)
	}
}

func BenchmarkSince(b *testing.B) {
	h := driver(b)
	b.ReportAllocs()
	for b.Loop() {
		if len(h.Chronicle().Of("CUdevice_attribute")) != 2 {
			b.Fatal("a typedef and its enum")
		}
	}
}
