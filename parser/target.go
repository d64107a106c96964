package parser

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
	"modernc.org/cc/v4"
)

// dataModel says how wide the types of a platform are, as far as headers can
// ask: through predefined macros.
type dataModel struct {
	long  int    // bytes of a long
	word  string // the type behind size_t, without "unsigned"
	wchar string
}

var (
	lp64  = dataModel{long: 8, word: "long", wchar: "int"}
	llp64 = dataModel{long: 4, word: "long long", wchar: "unsigned short"}
)

// platformFacts is what the parser has to know of a target. The list is open:
// a new target is a row here, if the front end has its ABI.
type platformFacts struct {
	goos, goarch string // in the front end's names
	model        dataModel
	predefined   string
	// microsoft is a platform whose own compiler has calling conventions, holds
	// every enum in an int, and has no long double apart from double.
	microsoft bool
}

var platforms = map[ir.Target]platformFacts{
	ir.LinuxAMD64:   {"linux", "amd64", lp64, linuxMacros + amd64Macros, false},
	ir.LinuxARM64:   {"linux", "arm64", lp64, linuxMacros + arm64Macros + "#define __CHAR_UNSIGNED__ 1\n", false},
	ir.WindowsAMD64: {"windows", "amd64", llp64, windowsMacros + amd64Macros, true},
	"windows/arm64": {"windows", "arm64", llp64, windowsMacros + arm64Macros, true},
}

const (
	linuxMacros = `
#define __linux__ 1
#define __linux 1
#define __gnu_linux__ 1
#define __unix__ 1
#define __unix 1
#define __ELF__ 1
#define __LP64__ 1
#define _LP64 1
`
	// What Microsoft's compiler has as keywords. A convention becomes an
	// attribute, and a declspec too: erasing them would lose calling
	// conventions, alignment and packing.
	windowsMacros = `
#define _WIN32 1
#define _WIN64 1
#define __stdcall __attribute__((stdcall))
#define __cdecl
#define __fastcall __attribute__((fastcall))
#define __vectorcall __attribute__((vectorcall))
#define __declspec(x) __attribute__((x))
#define align(n) aligned(n)
#define __pragma(x) _Pragma(#x)
#define __forceinline inline
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long long
`
	amd64Macros = `
#define __x86_64__ 1
#define __x86_64 1
#define __amd64__ 1
#define __amd64 1
`
	arm64Macros = `
#define __aarch64__ 1
`
	// commonMacros are those of a C11 compiler with GNU extensions, and what
	// the front end itself wants to find declared. The model has no volatile,
	// and the front end refuses functions whose result has it.
	commonMacros = `
#define volatile
#define __volatile__
#define __volatile
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __STDC_VERSION__ 201112L
#define __GNUC__ 4
#define __GNUC_MINOR__ 8
#define __CHAR_BIT__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __SIZEOF_POINTER__ 8
#define __extension__
#define __builtin_offsetof(type, member) ((__SIZE_TYPE__)&(((type*)0)->member))
#define __builtin_va_arg(list, type) (*(type*)0)
typedef void *__builtin_va_list;
typedef __SIZE_TYPE__ __predefined_size_t;
typedef __WCHAR_TYPE__ __predefined_wchar_t;
typedef __PTRDIFF_TYPE__ __predefined_ptrdiff_t;
int __predefined_declarator;
`
)

// findPlatform looks a target up.
func findPlatform(t ir.Target) (platformFacts, error) {
	if p, ok := platforms[t]; ok {
		return p, nil
	}
	var known []string
	for _, k := range slices.Sorted(maps.Keys(platforms)) {
		known = append(known, string(k))
	}
	return platformFacts{}, fmt.Errorf("unknown target %q: expected one of %s%s", t, strings.Join(known, ", "), suggest.Hint(string(t), known))
}

// macros is the text that stands before all headers.
func (p *platformFacts) macros() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#define __SIZE_TYPE__ unsigned %s\n", p.model.word)
	fmt.Fprintf(&b, "#define __PTRDIFF_TYPE__ %s\n", p.model.word)
	fmt.Fprintf(&b, "#define __INT64_TYPE__ %s\n", p.model.word)
	fmt.Fprintf(&b, "#define __INTMAX_TYPE__ %s\n", p.model.word)
	fmt.Fprintf(&b, "#define __WCHAR_TYPE__ %s\n", p.model.wchar)
	fmt.Fprintf(&b, "#define __SIZEOF_LONG__ %d\n", p.model.long)
	b.WriteString(p.predefined)
	b.WriteString(commonMacros)
	return b.String()
}

// abi is the layout of types.
func (p *platformFacts) abi() (*cc.ABI, error) {
	abi, err := cc.NewABI(p.goos, p.goarch)
	if err != nil {
		return nil, err
	}
	if p.microsoft {
		abi.Types = maps.Clone(abi.Types)
		abi.Types[cc.LongDouble] = abi.Types[cc.Double]
	}
	return abi, nil
}
