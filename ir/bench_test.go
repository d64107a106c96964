package ir

import (
	"fmt"
	"strings"
	"testing"
)

// realistic is a history of the size of a large library's: 700 functions, 130
// enums with 1000 enumerators, 150 records with 900 fields, 250 typedefs and
// 300 constants in its newest release. About one function in eight comes after
// the first release, one in twenty changes its shape, and every enum grows.
func realistic(tb testing.TB, releases int) *History {
	tb.Helper()
	h := NewHistory("driver")
	for r := range releases {
		s := &Snapshot{Library: "driver", Targets: DefaultTargets, Release: Release{
			Label:      fmt.Sprintf("%d.%d.0", 12+r/10, r%10),
			Date:       "2025-01-01",
			Components: map[string]string{"nvidia-cuda-runtime": fmt.Sprintf("%d.%d.77", 12+r/10, r%10)},
			Headers: map[string]string{
				"cuda.h":         strings.Repeat(fmt.Sprintf("%02x", r), 32),
				"cudaTypedefs.h": strings.Repeat(fmt.Sprintf("%02x", r+100), 32),
			},
		}}
		// lives reports whether entity i of a kind is in release r.
		lives := func(i int) bool { return i%8 != 7 || i/8%releases <= r }
		// changed reports whether release r has the second shape of entity i.
		changed := func(i int) bool { return i%20 == 0 && i/20%releases < r }
		for i := range 700 {
			if !lives(i) {
				continue
			}
			name := fmt.Sprintf("cuDomainAction%03d", i)
			f := Function{
				Meta: Meta{Header: "cuda.h"}, Name: name, Symbol: name,
				Type:  benchFunc(i, changed(i)),
				Query: Query{Base: name, Version: 12000 + 10*(i%10)},
			}
			if i%4 == 0 {
				f.Symbol = name + "_v2"
				f.PerThread = name + "_v2_ptsz"
				f.Query.PerThread = f.Query.Version
			}
			s.Functions = append(s.Functions, f)
		}
		for i := range 130 {
			e := Enum{Meta: Meta{Header: "cuda.h"}, Name: fmt.Sprintf("CUdomainKind%03d_enum", i), Tagged: true, Underlying: "unsigned int"}
			for j := range 6 + 3*(r+1)/releases {
				e.Enumerators = append(e.Enumerators, Enumerator{fmt.Sprintf("CU_DOMAIN_KIND_%03d_VALUE_%d", i, j), Integer(fmt.Sprint(j))})
			}
			s.Enums = append(s.Enums, e)
		}
		for i := range 150 {
			x := Record{Meta: Meta{Header: "cuda.h"}, Name: fmt.Sprintf("CUDA_DOMAIN_PARAMS_%03d_st", i), Tagged: true, Align: 8}
			for j := range 6 {
				x.Fields = append(x.Fields, Field{Name: fmt.Sprintf("fieldNumber%d", j), Type: Void.pointer(), Offset: x.Size})
				x.Size += 8
			}
			if changed(i) {
				x.Fields = append(x.Fields, Field{Name: "reserved", Type: &Type{Kind: Array, Elem: basic("int"), Len: 16}, Offset: x.Size})
				x.Size += 64
			}
			s.Records = append(s.Records, x)
		}
		for i := range 250 {
			s.Typedefs = append(s.Typedefs, Typedef{Meta: Meta{Header: "cudaTypedefs.h"}, Name: fmt.Sprintf("PFN_cuDomainAction%03d_v12000", i), Type: benchFunc(i, false).pointer()})
		}
		for i := range 300 {
			s.Constants = append(s.Constants, Constant{Meta: Meta{Header: "cuda.h"}, Name: fmt.Sprintf("CU_DOMAIN_FLAG_%03d", i), Type: basic("int"), Value: fmt.Sprint(i + r*(i%300/299))})
		}
		if err := h.Add(s); err != nil {
			tb.Fatal(err)
		}
	}
	return h
}

func benchFunc(i int, changed bool) *Type {
	f := &Type{Kind: Func, Elem: named("CUresult"), Stdcall: true, Params: []Param{
		{"handle", named(fmt.Sprintf("CUhandle%d", i%30)).pointer()},
		{"count", named("size_t")},
		{"source", (&Type{Kind: Basic, Name: "void", Const: true}).pointer()},
		{"flags", basic("unsigned int")},
	}}
	f.Params = f.Params[:1+i%4]
	if changed {
		f.Params = append(f.Params, Param{"hStream", named("CUstream")})
	}
	return f
}

func BenchmarkDecode(b *testing.B) {
	for _, releases := range []int{9, 40} {
		b.Run(fmt.Sprintf("releases=%d", releases), func(b *testing.B) {
			data := realistic(b, releases).Encode()
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode("driver.json", data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, releases := range []int{9, 40} {
		b.Run(fmt.Sprintf("releases=%d", releases), func(b *testing.B) {
			h := realistic(b, releases)
			b.SetBytes(int64(len(h.Encode())))
			b.ReportAllocs()
			for b.Loop() {
				h.Encode()
			}
		})
	}
}

func BenchmarkRange(b *testing.B) {
	for _, releases := range []int{9, 40} {
		b.Run(fmt.Sprintf("releases=%d", releases), func(b *testing.B) {
			h := realistic(b, releases)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Range("", ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	h := realistic(b, 9)
	last := h.Releases[8].Label
	s, err := h.At(last)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := h.Remove(last); err != nil {
			b.Fatal(err)
		}
		if err := h.Add(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseVersion(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseVersion("13.4.0rc1"); err != nil {
			b.Fatal(err)
		}
	}
}
