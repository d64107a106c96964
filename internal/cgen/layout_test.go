package cgen

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

// TestAnyLayoutIsReproduced lets the compiler lay out random records, packed
// and aligned as no header of ours is, and holds definitions that are written
// from the numbers alone against the same compiler and against clang.
func TestAnyLayoutIsReproduced(t *testing.T) {
	const records = 300
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	var source, printer strings.Builder
	list := make([]ir.Record, records)
	for i := range list {
		r := &list[i]
		r.Name, r.Union = fmt.Sprintf("random%d", i), random.IntN(8) == 0
		pack := pick("", "", "1", "2", "4", "8")
		if pack != "" {
			fmt.Fprintf(&source, "#pragma pack(push, %s)\n", pack)
		}
		fmt.Fprintf(&source, "typedef %s {\n", r.Keyword())
		fmt.Fprintf(&printer, `printf("%%s{\"size\": %%zu, \"align\": %%zu, \"offsets\": [", %q, sizeof(%s), _Alignof(%[2]s));`+"\n", []string{"", ","}[min(i, 1)], r.Name)
		for j := range 1 + random.IntN(6) {
			typ := pick("char", "short", "int", "long", "long long", "float", "double", "long double", "void*", "char[3]", "short[5]", "double[2]", "_Bool")
			f := field(t, fmt.Sprintf("f%d", j), typ, 0)
			align := ""
			if pack == "" && random.IntN(5) == 0 {
				align = "_Alignas(" + pick("16", "32", "64") + ") "
			}
			fmt.Fprintf(&source, "    %s%s;\n", align, Declare(f.Type, f.Name))
			fmt.Fprintf(&printer, `printf("%%s%%zu", %q, offsetof(%s, %s));`+"\n", []string{"", ","}[min(j, 1)], r.Name, f.Name)
			r.Fields = append(r.Fields, f)
		}
		attribute := pick("", "", "", " __attribute__((packed))", " __attribute__((aligned(32)))", " __attribute__((packed, aligned(4)))")
		fmt.Fprintf(&source, "}%s %s;\n", attribute, r.Name)
		if pack != "" {
			source.WriteString("#pragma pack(pop)\n")
		}
		printer.WriteString(`printf("]}");` + "\n")
	}
	main := program(t, []byte("#include <stdio.h>\n#include <stddef.h>\n"+source.String()), "int main(void) {\nprintf(\"[\");\n"+printer.String()+"printf(\"]\");\n}\n")
	printed, _ := call(t, main)
	var layouts []struct {
		Size, Align int64
		Offsets     []int64
	}
	if err := json.Unmarshal([]byte(printed), &layouts); err != nil {
		t.Fatal(err)
	}
	for i, l := range layouts {
		list[i].Size, list[i].Align = l.Size, l.Align
		for j, offset := range l.Offsets {
			list[i].Fields[j].Offset = offset
		}
	}
	definitions, err := Definitions(snapshot(ir.API{Records: list}, host), DefinitionOptions{Checks: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(records, strings.Count(string(definitions), "CYBINDGO_CHECK(sizeof(")); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	t.Logf("pack %d alignas %d aligned %d gaps %d", strings.Count(string(definitions), "pack(push"), strings.Count(string(definitions), "CYBINDGO_ALIGNAS("), strings.Count(string(definitions), "CYBINDGO_ALIGNED("), strings.Count(string(definitions), "cybindgo_gap"))
	for _, c := range []compiler{native(t), zig(t, host)} {
		c.accepts(t, "random.c", definitions, "-std=c11")
		c.accepts(t, "random.cpp", definitions, "-std=c++11")
	}
}
