package cgen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

// smallHeader and smallAPI say the same.
const smallHeader = `
#include <stddef.h>
#include <stdint.h>
#ifdef SMALL_PER_THREAD
#define SMALL(api) api ## _ptsz
#else
#define SMALL(api) api
#endif
#define smallAlloc smallAlloc_v2
#define smallCopy SMALL(smallCopy)
#define SMALL_VERSION 13050
#define SMALL_LOWEST (-2147483647 - 1)
#define SMALL_ALL 0xffffffffffffffffull
#define SMALL_HALF 0.5f
#define SMALL_TENTH 0.1
#define SMALL_NAME "a\"b?\\"
#define SMALL_DEFAULT ((smallHandle)0x2)
#define SMALL_KIND SMALL_B
#define SMALL_NONE
#define small_old_t smallUnion
typedef struct small_st *smallHandle;
typedef enum small_kind { SMALL_A = -1, SMALL_B = 1, SMALL_B2 = 1 } smallKind;
typedef enum { SMALL_BIG = 0xffffffff } smallFlags;
enum { SMALL_LONE = 4 };
typedef union { int i; void *p; } smallUnion;
typedef int (*smallCallback)(const char *const *names, void *data);
typedef struct small_record {
    smallKind kind;
    struct {
        int a;
        union { short x; double d; };
    } in[2];
    union { int first; char second; };
    enum { SMALL_MODE_A, SMALL_MODE_B } mode;
    unsigned int low : 3, high : 12;
    unsigned long long wide : 40;
    const char *name;
    smallCallback call;
    char rest[];
} smallRecord;
int smallInit(unsigned int flags);
const char *smallName(smallKind kind, const smallRecord *record, int list[4]);
int smallAlloc(void **p, size_t n);
void smallCopy(void *to, const void *from);
static inline int smallInline(void) { return 0; }
#ifdef SMALL_INTERNAL
#undef smallAlloc
int smallAlloc(void **p, unsigned int n);
void smallCopy_ptsz(void *to, const void *from);
#endif
`

func smallAPI(t *testing.T) *ir.API {
	f := func(name, typ string, offset int64) ir.Field { return field(t, name, typ, offset) }
	fn := func(name, symbol, typ string) ir.Function {
		return ir.Function{Name: name, Symbol: symbol, Type: parseType(t, typ)}
	}
	constant := func(name, typ, value string) ir.Constant {
		return ir.Constant{Name: name, Type: parseType(t, typ), Value: value}
	}
	old := fn("smallAlloc", "smallAlloc", "int(void** p, unsigned int n)")
	old.Superseded = true
	copying := fn("smallCopy", "smallCopy", "void(void* to, const void* from)")
	copying.PerThread = "smallCopy_ptsz"
	inline := fn("smallInline", "smallInline", "int()")
	inline.Inline = true
	return &ir.API{
		Functions: []ir.Function{
			fn("smallInit", "smallInit", "int(unsigned int flags)"),
			fn("smallName", "smallName", "const char*(smallKind kind, const smallRecord* record, int[4] list)"),
			fn("smallAlloc", "smallAlloc_v2", "int(void** p, size_t n)"),
			old, copying, inline,
		},
		Enums: []ir.Enum{
			{Name: "small_kind", Tagged: true, Underlying: "int", Enumerators: []ir.Enumerator{{Name: "SMALL_A", Value: "-1"}, {Name: "SMALL_B", Value: "1"}, {Name: "SMALL_B2", Value: "1"}}},
			{Name: "smallFlags", Underlying: "unsigned int", Enumerators: []ir.Enumerator{{Name: "SMALL_BIG", Value: "4294967295"}}},
			{Name: "SMALL_LONE", Anonymous: true, Underlying: "unsigned int", Enumerators: []ir.Enumerator{{Name: "SMALL_LONE", Value: "4"}}},
			{Name: "small_record.mode", Underlying: "unsigned int", Enumerators: []ir.Enumerator{{Name: "SMALL_MODE_A", Value: "0"}, {Name: "SMALL_MODE_B", Value: "1"}}},
		},
		Records: []ir.Record{
			{Name: "small_st", Tagged: true, Incomplete: true},
			{Name: "smallUnion", Union: true, Size: 8, Align: 8, Fields: []ir.Field{f("i", "int", 0), f("p", "void*", 0)}},
			{Name: "small_record", Tagged: true, Size: 72, Align: 8, Fields: []ir.Field{
				f("kind", "smallKind", 0),
				{Name: "in", Offset: 8, Dims: []int64{2}, Record: &ir.Record{Size: 16, Align: 8, Fields: []ir.Field{
					f("a", "int", 0),
					{Offset: 8, Record: &ir.Record{Union: true, Size: 8, Align: 8, Fields: []ir.Field{f("x", "short", 0), f("d", "double", 0)}}},
				}}},
				{Offset: 40, Record: &ir.Record{Union: true, Size: 4, Align: 4, Fields: []ir.Field{f("first", "int", 0), f("second", "char", 0)}}},
				f("mode", "small_record.mode", 44),
				{Name: "low", Type: parseType(t, "unsigned int"), Offset: 48, Bit: 0, Bits: 3},
				{Name: "high", Type: parseType(t, "unsigned int"), Offset: 48, Bit: 3, Bits: 12},
				{Name: "wide", Type: parseType(t, "unsigned long long"), Offset: 48, Bit: 15, Bits: 40},
				f("name", "const char*", 56), f("call", "smallCallback", 64),
				{Name: "rest", Type: parseType(t, "char[]"), Offset: 72, Flex: true},
			}},
		},
		Typedefs: []ir.Typedef{
			{Name: "smallHandle", Type: parseType(t, "struct small_st*")},
			{Name: "smallKind", Type: parseType(t, "enum small_kind")},
			{Name: "smallRecord", Type: parseType(t, "struct small_record")},
			{Name: "smallCallback", Type: parseType(t, "int(const char*const* names, void* data)*")},
			{Name: "small_old_t", Type: parseType(t, "smallUnion"), Macro: true},
		},
		Constants: []ir.Constant{
			constant("SMALL_VERSION", "int", "13050"), constant("SMALL_LOWEST", "int", "-2147483648"),
			constant("SMALL_ALL", "unsigned long long", "18446744073709551615"),
			constant("SMALL_HALF", "float", "0.5"), constant("SMALL_TENTH", "double", "0.1"),
			constant("SMALL_NAME", "char[6]", `a"b?\`), constant("SMALL_DEFAULT", "smallHandle", "2"),
			constant("SMALL_KIND", "enum small_kind", "1"),
			{Name: "SMALL_NONE", Reason: "expands to nothing"},
		},
	}
}

var smallViews = []struct {
	view    View
	defines []string
}{{Public, nil}, {Internal, []string{"SMALL_INTERNAL"}}, {PerThread, []string{"SMALL_PER_THREAD=1"}}}

// smallFolder holds the header under the name that the assertions include.
func smallFolder(t *testing.T) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "small.h"), []byte(smallHeader), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAssertionsHoldOfEveryKindOfDeclaration(t *testing.T) {
	api, dir := smallAPI(t), smallFolder(t)
	// Microsoft's rule gives each type of bit-field a unit of its own.
	windows := smallAPI(t)
	r := &windows.Records[2]
	r.Size = 80
	for i, offset := range []int64{0, 8, 40, 44, 48, 48, 56, 64, 72, 80} {
		r.Fields[i].Offset = offset
	}
	r.Fields[6].Bit = 0
	for _, c := range []compiler{native(t), zig(t, ir.LinuxAMD64), zig(t, ir.LinuxARM64)} {
		for _, v := range smallViews {
			c.accepts(t, "small.c", Assertions(api, c.target, AssertOptions{View: v.view, Defines: v.defines, Includes: []string{"small.h"}}),
				"-std=c11", "-O1", "-I", dir, "-Wno-type-limits", "-Wno-unused-function")
		}
	}
	c := zig(t, ir.WindowsAMD64)
	c.accepts(t, "small.c", Assertions(windows, c.target, AssertOptions{Includes: []string{"small.h"}}), "-std=c11", "-O1", "-I", dir, "-Wno-unused-function")
	if out, failed := c.compile(t, "small.c", Assertions(api, c.target, AssertOptions{Includes: []string{"small.h"}}), "-std=c11", "-O1", "-I", dir); !failed {
		t.Error("the layout of Linux is accepted for Windows")
	} else if !strings.Contains(out, "size of struct small_record is 72") {
		t.Errorf("the size is not named:\n%s", limit(out))
	}
}

func TestEveryMistakeIsRefusedAlone(t *testing.T) {
	api, dir := smallAPI(t), smallFolder(t)
	compilers := []compiler{native(t), zig(t, ir.LinuxARM64)}
	planted := map[Mistake]int{}
	for _, v := range smallViews {
		for _, mistake := range Mistakes {
			if !appliesTo(mistake, v.view) {
				continue
			}
			wrong, fact, ok := Plant(api, v.view, mistake, len(planted))
			if !ok {
				continue
			}
			planted[mistake]++
			source := Assertions(wrong, ir.LinuxAMD64, AssertOptions{View: v.view, Defines: v.defines, Includes: []string{"small.h"}})
			for _, c := range compilers {
				out, failed := c.compile(t, "small.c", source, "-std=c11", "-O1", "-I", dir)
				if !failed || !strings.Contains(out, strings.Trim(text(fact), `"`)) {
					t.Errorf("%s: mistake %q, %q, is not named:\n%s", c.c[0], mistake, fact, limit(out))
				}
			}
		}
	}
	for _, m := range Mistakes {
		if planted[m] == 0 {
			t.Errorf("mistake %q was never planted", m)
		}
	}
	if diff := cmp.Diff(smallAPI(t), api); diff != "" {
		t.Errorf("planting changed the original (-want +got):\n%s", diff)
	}
}
