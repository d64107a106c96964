package ir

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// driver is the committed history of the CUDA driver.
func driver(tb testing.TB) *History {
	tb.Helper()
	data, err := os.ReadFile("../releases/driver.json")
	if err != nil {
		tb.Fatal(err)
	}
	h, err := Decode("driver.json", data)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func diffOfDriver(t *testing.T, h *History, old, new string) *Changes {
	t.Helper()
	c, err := h.Diff(old, new)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// headerText is what the driver's headers of a release show to everybody, one
// after the other: without comments, and without what only the library itself
// sees.
func headerText(t *testing.T, release string) string {
	t.Helper()
	dir := os.Getenv("CYBINDGO_INCLUDE_TREES")
	if dir == "" {
		t.Fatal("CYBINDGO_INCLUDE_TREES is not set: `make setup` unpacks CUDA's headers and says where they are")
	}
	var text strings.Builder
	for _, name := range []string{"cuda.h", "cudaProfiler.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"} {
		data, err := os.ReadFile(filepath.Join(dir, release, name))
		if err != nil {
			t.Fatalf("%v: run `make setup`", err)
		}
		text.Write(data)
	}
	var out strings.Builder
	hidden := 0 // how many conditions deep, since one that hides
	for line := range strings.Lines(comments.ReplaceAllString(text.String(), "")) {
		word := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
		directive := strings.HasPrefix(strings.TrimSpace(line), "#")
		switch {
		case directive && strings.HasPrefix(word, "if"):
			if hidden > 0 || internalOnly.MatchString(word) {
				hidden++
			}
		case directive && strings.HasPrefix(word, "endif"):
			hidden = max(0, hidden-1)
		case hidden == 1 && directive && strings.HasPrefix(word, "else"):
			hidden = 0
		case hidden == 0:
			out.WriteString(line)
		}
	}
	return out.String()
}

var (
	comments     = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	internalOnly = regexp.MustCompile(`^if\s*defined\(__CUDA_API_VERSION_INTERNAL\)(\s*&& *!defined\(__CUDA_API_VERSION_INTERNAL_ODR\))?\s*$|^ifdef __CUDA_API_VERSION_INTERNAL\s*$`)
	prototype    = regexp.MustCompile(`\bCUDAAPI\s+(cu\w+)\s*\(`)
	enumBody     = regexp.MustCompile(`(?s)\benum\b\s*\w*\s*\{(.*?)\}`)
	enumName     = regexp.MustCompile(`(?:^|,)\s*(\w+)`)
	renameMacro  = regexp.MustCompile(`(?m)^\s*#\s*define\s+(cu\w+)\s+(?:__CUDA_API_PT[SD][ZS]\()?(cu\w+?)\)?\s*$`)
)

func words(re *regexp.Regexp, text string) map[string]bool {
	set := map[string]bool{}
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		set[m[1]] = true
	}
	return set
}

func enumerators(text string) map[string]bool {
	set := map[string]bool{}
	for _, body := range enumBody.FindAllStringSubmatch(text, -1) {
		for _, m := range enumName.FindAllStringSubmatch(body[1], -1) {
			set[m[1]] = true
		}
	}
	return set
}

// without lists what is in a and not in b.
func without(a, b map[string]bool) []string {
	var out []string
	for name := range a {
		if !b[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// namesOf lists the names of the changes of a subject that keep holds for.
func namesOf(c *Changes, subject Subject, keep func(*Change) bool) []string {
	var out []string
	for i := range c.List {
		if x := &c.List[i]; x.Subject == subject && x.Concerns(LinuxAMD64) && keep(x) {
			out = append(out, x.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestDiffAgainstHeaders compares every two neighbours of the committed
// releases with what regular expressions find in the headers' text.
func TestDiffAgainstHeaders(t *testing.T) {
	h := driver(t)
	labels := h.Labels()
	texts := make([]string, len(labels))
	for i, label := range labels {
		texts[i] = headerText(t, label)
	}
	for i := 1; i < len(labels); i++ {
		t.Run(labels[i-1]+".."+labels[i], func(t *testing.T) {
			c := diffOfDriver(t, h, labels[i-1], labels[i])
			checkAgree(t, c)
			old, new := words(prototype, texts[i-1]), words(prototype, texts[i])
			if len(old) < 400 || len(new) < 400 {
				t.Fatalf("%d and %d functions found in the text", len(old), len(new))
			}
			same(t, "functions that come", without(new, old), namesOf(c, FunctionSubject, func(x *Change) bool {
				return x.What == Added || x.What == Restored || x.What == Renamed && x.Name == x.New
			}))
			same(t, "functions that go", without(old, new), namesOf(c, FunctionSubject, func(x *Change) bool {
				return x.What == Removed || x.What == Superseded || x.What == Renamed && x.Name == x.Old
			}))
			same(t, "macros that lead elsewhere", macrosChanged(texts[i-1], texts[i]), namesOf(c, FunctionSubject, func(x *Change) bool {
				return x.What == SymbolChanged
			}))

			a, b := enumerators(texts[i-1]), enumerators(texts[i])
			if len(a) < 700 || len(b) < 700 {
				t.Fatalf("%d and %d enumerators found in the text", len(a), len(b))
			}
			same(t, "enumerators that come", without(b, a), namesOf(c, EnumeratorSubject, func(x *Change) bool { return x.What == Added }))
			same(t, "enumerators that go", without(a, b), namesOf(c, EnumeratorSubject, func(x *Change) bool { return x.What == Removed }))
		})
	}
}

// macrosChanged lists the functions in both texts whose rename macro leads to
// another symbol, or is there in one of them alone.
func macrosChanged(old, new string) []string {
	target := func(text string) map[string]string {
		m := map[string]string{}
		for name := range words(prototype, text) {
			m[name] = name
		}
		for _, macro := range renameMacro.FindAllStringSubmatch(text, -1) {
			if m[macro[1]] == macro[1] { // the first one: others are of the per-thread view
				m[macro[1]] = macro[2]
			}
		}
		return m
	}
	a, b := target(old), target(new)
	var out []string
	for name, symbol := range a {
		if to, ok := b[name]; ok && to != symbol {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// TestDiffOfDriver holds the reports of the committed history: the numbers are
// what Diff gave when they were entered. What the headers say by themselves is
// held by the test above and by the lines below them.
func TestDiffOfDriver(t *testing.T) {
	h := driver(t)
	for _, c := range []struct {
		old, new string
		want     Counts
	}{
		{"12.0.0", "12.9.0", Counts{391, 2, 1, 0, 9, 379}},
		{"12.9.0", "12.9.1", Counts{}},
		{"12.9.1", "13.0.0", Counts{110, 30, 29, 27, 3, 75}},
		{"13.0.0", "13.0.2", Counts{}},
		{"13.0.2", "13.3.0", Counts{177, 4, 3, 0, 3, 167}},
		{"13.3.0", "13.4.0rc1", Counts{78, 0, 5, 0, 3, 70}},
		{"13.4.0rc1", "13.4.2", Counts{}},
		{"13.4.2", "13.5.0", Counts{38, 0, 1, 0, 1, 36}},
	} {
		same(t, c.old+".."+c.new, c.want, diffOfDriver(t, h, c.old, c.new).Counts())
	}

	text := diffOfDriver(t, h, "12.9.1", "13.0.0").Text() + diffOfDriver(t, h, "12.0.0", "12.9.0").Text()
	for _, line := range []string{
		"function symbol changed: cuCtxCreate: cuCtxCreate_v2 -> cuCtxCreate_v4 (cuCtxCreate_v2 is still declared) [behaviour only]",
		"function signature changed: cuMemcpyBatchAsync (failIdx removed) [Cython ABI break, source break]",
		"function symbol changed: cuMemcpyBatchAsync: cuMemcpyBatchAsync -> cuMemcpyBatchAsync_v2 (cuMemcpyBatchAsync is still declared) [behaviour only]",
		"function superseded: cuCtxCreate_v3 (no public name leads to it; the library still has cuCtxCreate_v3) [Cython ABI break, source break]",
		"enumerator removed: CU_TARGET_COMPUTE_101 in enum CUjit_target_enum = 101 [source break]",
		"enumerator value changed: CU_CTX_FLAGS_MASK in enum CUctx_flags_enum: 31 -> 255 [binary layout break]",
		"enumerator value changed: CU_DEVICE_ATTRIBUTE_MAX in enum CUdevice_attribute_enum: 130 -> 144 [noise]",
		"record alignment changed: struct CUtensorMap_st: 64 -> 128 [binary layout break]",
		"record size changed: struct CUdevSmResource_st: 4 -> 12 [binary layout break]",
		"typedef type changed: CUDA_MEM_ALLOC_NODE_PARAMS: struct CUDA_MEM_ALLOC_NODE_PARAMS_st -> CUDA_MEM_ALLOC_NODE_PARAMS_v1 (the same type under another name)",
		"constant value changed: CUDA_VERSION: 12000 -> 12090 [noise]",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("not told: %s", line)
		}
	}
	if strings.Contains(text, "function removed") {
		t.Error("a function is told to be removed: each of them is still in the library")
	}
}

// mutation changes one thing of a copy of the driver's snapshot and says what
// must be told of it. It reports false where the entity that it picked cannot
// be changed so.
type mutation func(*generator, *Snapshot) (want Change, ok bool)

const everything = BreaksSource | BreaksABI

var mutations = map[string]mutation{
	"a function goes": func(g *generator, s *Snapshot) (Change, bool) {
		i, picked := pickPublic(g, s)
		f := *picked
		s.Functions = slices.Delete(s.Functions, i, i+1)
		for j := range s.Functions {
			if s.Functions[j].Symbol == f.Name {
				return Change{}, false // another one gets the name
			}
		}
		return Change{Subject: FunctionSubject, What: Removed, Name: f.Name, Breaks: everything}, true
	},
	"a parameter gets another name": func(g *generator, s *Snapshot) (Change, bool) {
		_, f := pickPublic(g, s)
		if len(f.Type.Params) == 0 {
			return Change{}, false
		}
		f.Type = cloneType(f.Type)
		f.Type.Params[g.Intn(len(f.Type.Params))].Name = "renamed"
		return Change{Subject: FunctionSubject, What: ParametersRenamed, Name: f.Name}, true
	},
	"a parameter comes": func(g *generator, s *Snapshot) (Change, bool) {
		_, f := pickPublic(g, s)
		f.Type = cloneType(f.Type)
		f.Type.Params = slices.Insert(f.Type.Params, g.Intn(len(f.Type.Params)+1), Param{"added", pick(g, basic("int"), named("CUstream"), Void.pointer())})
		return Change{Subject: FunctionSubject, What: SignatureChanged, Name: f.Name, Breaks: everything}, true
	},
	"a pointer loses or gets const": func(g *generator, s *Snapshot) (Change, bool) {
		_, f := pickPublic(g, s)
		f.Type = cloneType(f.Type)
		for i := range f.Type.Params {
			p := f.Type.Params[i].Type
			if p.Kind != Pointer {
				continue
			}
			p.Elem.Const = !p.Elem.Const
			want := Change{Subject: FunctionSubject, What: SignatureChanged, Name: f.Name, Breaks: BreaksABI, Detail: "const"}
			if !p.Elem.Const {
				want.Breaks |= BreaksSource
			}
			return want, true
		}
		return Change{}, false
	},
	"a macro leads to a new symbol": func(g *generator, s *Snapshot) (Change, bool) {
		_, f := pickPublic(g, s)
		f.Symbol = f.Name + "_v99"
		return Change{Subject: FunctionSubject, What: SymbolChanged, Name: f.Name}, true
	},
	"a function is superseded": func(g *generator, s *Snapshot) (Change, bool) {
		_, f := pickPublic(g, s)
		name := f.Name
		f.Name, f.Superseded = f.Symbol, true
		return Change{Subject: FunctionSubject, What: Superseded, Name: name, Breaks: everything}, true
	},
	"another version to ask for": func(g *generator, s *Snapshot) (Change, bool) {
		_, f := pickPublic(g, s)
		f.Query.Version++
		return Change{Subject: FunctionSubject, What: LookupChanged, Name: f.Name}, true
	},
	"an enumerator goes": func(g *generator, s *Snapshot) (Change, bool) {
		e := &s.Enums[g.Intn(len(s.Enums))]
		i := g.Intn(len(e.Enumerators))
		v := e.Enumerators[i]
		e.Enumerators = slices.Delete(slices.Clone(e.Enumerators), i, i+1)
		return Change{Subject: EnumeratorSubject, What: Removed, Name: v.Name, In: e.Key(), Breaks: BreaksSource}, true
	},
	"an enumerator gets another value": func(g *generator, s *Snapshot) (Change, bool) {
		e := &s.Enums[g.Intn(len(s.Enums))]
		e.Enumerators = slices.Clone(e.Enumerators)
		v := &e.Enumerators[g.Intn(len(e.Enumerators))]
		if strings.Contains(v.Name, "MAX") || strings.Contains(v.Name, "NUM") || strings.Contains(v.Name, "COUNT") {
			return Change{}, false
		}
		v.Value = "-77"
		return Change{Subject: EnumeratorSubject, What: ValueChanged, Name: v.Name, In: e.Key(), Breaks: BreaksABI}, true
	},
	"an enumerator moves": func(g *generator, s *Snapshot) (Change, bool) {
		e, to := &s.Enums[g.Intn(len(s.Enums))], &s.Enums[g.Intn(len(s.Enums))]
		if e == to {
			return Change{}, false
		}
		v := e.Enumerators[len(e.Enumerators)-1]
		e.Enumerators = slices.Clone(e.Enumerators[:len(e.Enumerators)-1])
		to.Enumerators = append(slices.Clone(to.Enumerators), v)
		return Change{Subject: EnumeratorSubject, What: Moved, Name: v.Name, In: to.Key()}, true
	},
	"a record grows": func(g *generator, s *Snapshot) (Change, bool) {
		r := pickComplete(g, s)
		r.Size += 8
		return Change{Subject: RecordSubject, What: SizeChanged, Name: r.Key(), Breaks: BreaksABI}, true
	},
	"a record goes": func(g *generator, s *Snapshot) (Change, bool) {
		i := g.Intn(len(s.Records))
		r := s.Records[i]
		s.Records = slices.Delete(s.Records, i, i+1)
		return Change{Subject: RecordSubject, What: Removed, Name: r.Key(), Breaks: BreaksSource}, true
	},
	"a field is elsewhere": func(g *generator, s *Snapshot) (Change, bool) {
		r := pickComplete(g, s)
		r.Fields = slices.Clone(r.Fields)
		f := &r.Fields[len(r.Fields)-1]
		if f.Name == "" || strings.Contains(f.Name, "reserved") || strings.Contains(f.Name, "pad") {
			return Change{}, false
		}
		f.Offset += 128
		return Change{Subject: FieldSubject, What: OffsetChanged, Name: f.Name, In: r.Key(), Breaks: BreaksABI}, true
	},
	"a field gets another type": func(g *generator, s *Snapshot) (Change, bool) {
		r := pickComplete(g, s)
		r.Fields = slices.Clone(r.Fields)
		f := &r.Fields[0]
		if f.Record != nil || strings.Contains(f.Name, "reserved") || strings.Contains(f.Name, "pad") {
			return Change{}, false
		}
		f.Type = basic("long double")
		return Change{Subject: FieldSubject, What: TypeChanged, Name: f.Name, In: r.Key(), Breaks: everything}, true
	},
	"a field goes": func(g *generator, s *Snapshot) (Change, bool) {
		r := pickComplete(g, s)
		i := g.Intn(len(r.Fields))
		f := r.Fields[i]
		if f.Name == "" {
			return Change{}, false
		}
		r.Fields = slices.Delete(slices.Clone(r.Fields), i, i+1)
		return Change{Subject: FieldSubject, What: Removed, Name: f.Name, In: r.Key(), Breaks: BreaksSource}, true
	},
	"a typedef is another number": func(g *generator, s *Snapshot) (Change, bool) {
		td := &s.Typedefs[g.Intn(len(s.Typedefs))]
		td.Type = basic("long double")
		return Change{Subject: TypedefSubject, What: TypeChanged, Name: td.Name, Breaks: everything}, true
	},
	"a constant gets another value": func(g *generator, s *Snapshot) (Change, bool) {
		c := &s.Constants[g.Intn(len(s.Constants))]
		if c.Type == nil || strings.HasSuffix(c.Name, "VERSION") {
			return Change{}, false
		}
		c.Value += "7"
		return Change{Subject: ConstantSubject, What: ValueChanged, Name: c.Name, Breaks: BreaksABI}, true
	},
	"a type comes from another header": func(g *generator, s *Snapshot) (Change, bool) {
		r := &s.Records[g.Intn(len(s.Records))]
		r.Header = "elsewhere.h"
		return Change{Subject: RecordSubject, What: HeaderChanged, Name: r.Key()}, true
	},
}

func pickPublic(g *generator, s *Snapshot) (int, *Function) {
	for {
		i := g.Intn(len(s.Functions))
		if !s.Functions[i].Superseded {
			return i, &s.Functions[i]
		}
	}
}

func pickComplete(g *generator, s *Snapshot) *Record {
	for {
		if r := &s.Records[g.Intn(len(s.Records))]; len(r.Fields) > 0 {
			return r
		}
	}
}

func cloneType(t *Type) *Type {
	if t == nil {
		return nil
	}
	c := *t
	c.Elem = cloneType(t.Elem)
	c.Params = nil
	for _, p := range t.Params {
		c.Params = append(c.Params, Param{p.Name, cloneType(p.Type)})
	}
	return &c
}

// TestEveryMutationIsToldOf changes the driver's API in one place after the
// other. The change is told of with its class, and nothing else is: but for
// what the same change makes of other things.
func TestEveryMutationIsToldOf(t *testing.T) {
	h := driver(t)
	old := at(t, h, "13.5.0")
	g := &generator{rand.New(rand.NewSource(*firstSeed))}
	for name, mutate := range mutations {
		t.Run(name, func(t *testing.T) {
			told := 0
			for tries := 0; told < 10 && tries < 1000; tries++ {
				new := *old
				new.Functions, new.Enums, new.Records = slices.Clone(old.Functions), slices.Clone(old.Enums), slices.Clone(old.Records)
				new.Typedefs, new.Constants = slices.Clone(old.Typedefs), slices.Clone(old.Constants)
				want, ok := mutate(g, &new)
				if !ok {
					continue
				}
				told++
				c := Diff(old, &new)
				i := slices.IndexFunc(c.List, func(x Change) bool {
					return x.Subject == want.Subject && x.What == want.What && x.Name == want.Name && x.In == want.In &&
						x.Breaks == want.Breaks && (want.Detail == "" || x.Detail == want.Detail)
				})
				if i < 0 {
					t.Fatalf("want %s; told of:\n%s", want.String(), c.Text())
				}
				// A record that goes takes a name from its typedef, an order
				// changes with a move; nothing of a third thing.
				for _, x := range c.List {
					if x.Name != want.Name && x.In != want.In && x.In != want.Name && !strings.Contains(x.Name, want.Name) {
						t.Fatalf("%s also tells of %s", want.String(), x.String())
					}
				}
				checkAgree(t, c)
			}
			if told < 10 {
				t.Fatalf("only %d mutations were possible", told)
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	h := driver(b)
	for _, pair := range [][2]string{{"12.9.1", "13.0.0"}, {"12.0.0", "13.5.0"}} {
		b.Run(fmt.Sprintf("%s..%s", pair[0], pair[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Diff(pair[0], pair[1]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
