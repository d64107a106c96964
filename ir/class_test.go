package ir

import "testing"

func TestClass(t *testing.T) {
	for _, c := range []struct {
		name   string
		change Change
		want   Class
		says   string
	}{
		{"a signature", Change{Subject: FunctionSubject, What: SignatureChanged, Breaks: everything}, CythonABI, "Cython ABI break, source break"},
		{"const that callers may have", Change{Subject: FunctionSubject, What: SignatureChanged, Breaks: BreaksABI}, CythonABI, "Cython ABI break"},
		{"a function that goes", Change{Subject: FunctionSubject, What: Removed, Breaks: everything}, CythonABI, "Cython ABI break, source break"},
		{"one that the header defines goes: nobody imports it", Change{Subject: FunctionSubject, What: Removed, Breaks: BreaksSource}, Source, "source break"},
		{"a size", Change{Subject: RecordSubject, What: SizeChanged, Breaks: BreaksABI}, Layout, "binary layout break"},
		{"a value that is compiled in", Change{Subject: EnumeratorSubject, What: ValueChanged, Breaks: BreaksABI}, Layout, "binary layout break"},
		{"a callback", Change{Subject: TypedefSubject, What: SignatureChanged, Breaks: everything}, Layout, "binary layout break, source break"},
		{"an enumerator that goes", Change{Subject: EnumeratorSubject, What: Removed, Breaks: BreaksSource}, Source, "source break"},
		{"a limit that goes is missed like any other", Change{Subject: EnumeratorSubject, What: Removed, Breaks: BreaksSource, Limit: true}, Source, "source break"},
		{"a limit that moves", Change{Subject: EnumeratorSubject, What: ValueChanged, Limit: true}, Noise, "noise"},
		{"a limit that comes", Change{Subject: EnumeratorSubject, What: Added, Limit: true}, Noise, "noise"},
		{"a version", Change{Subject: ConstantSubject, What: ValueChanged, Name: "CUDA_VERSION", Old: "12000", New: "12010"}, Noise, "noise"},
		{"parameters that change places", Change{Subject: FunctionSubject, What: ParametersSwapped}, Behaviour, "behaviour only"},
		{"a parameter with another name", Change{Subject: FunctionSubject, What: ParametersRenamed}, Other, ""},
		{"a name that leads elsewhere", Change{Subject: FunctionSubject, What: SymbolChanged}, Behaviour, "behaviour only"},
		{"the order of fields in a union", Change{Subject: RecordSubject, What: OrderChanged}, Behaviour, "behaviour only"},
		{"the order of enumerators", Change{Subject: EnumSubject, What: OrderChanged}, Other, ""},
		{"a function that comes", Change{Subject: FunctionSubject, What: Added}, Addition, ""},
		{"a symbol that no name leads to", Change{Subject: SymbolSubject, What: Added}, Other, ""},
		{"a record that is known at last", Change{Subject: RecordSubject, What: Completed}, Addition, ""},
		{"a parameter that callers read now", Change{Subject: FunctionSubject, What: RoleChanged, Old: "in", New: "out"}, Behaviour, "behaviour only"},
		{"NULL is allowed now", Change{Subject: FunctionSubject, What: RoleChanged, Old: "in", New: "in, NULL allowed"}, Other, ""},
		{"another header", Change{Subject: FunctionSubject, What: HeaderChanged}, Other, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, "class", c.want, c.change.Class())
			same(t, "words", c.says, c.change.Verdict())
		})
	}
}

func TestSummaryCountsEachClassOnce(t *testing.T) {
	c := Diff(
		snapshotOf(t, "1.0.0", "fn  f  int(int a, int b)\nfn  g  int()\nenum  E  int  A=0  E_COUNT=1\nstruct  S  4/4  a:int@0"),
		snapshotOf(t, "2.0.0", "fn  f  int(int b, int a)\nenum  E  int  A=0  B=1  E_COUNT=2\nstruct  S  8/4  a:int@0  b:int@4"),
	)
	same(t, "summary", "6 changes: 1 Cython ABI break, 1 binary layout break, 1 behaviour only, 2 additions, 1 noise", c.Summary())
	same(t, "none", "no changes", (&Changes{}).Summary())
	same(t, "one", "1 change: 1 noise", c.Only(func(x *Change) bool { return x.Class() == Noise }).Summary())
}
