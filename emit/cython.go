package emit

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// keywords cannot name a parameter, a member or a type in Cython. Measured
// with Cython 3.1 to 3.3: the reserved words of Python and of Cython's own
// declarations, and the two names that a `def` may not use.
var keywords = wordSet(`from in lambda class def del global is not or and pass raise with yield nonlocal import
	cdef cpdef ctypedef include DEF IF ELSE ELIF assert break continue elif else except finally for if return try
	while cimport sizeof NULL None True False async await`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// identifier is the Cython name for a C name: the same, but for keywords and
// for names in taken, which get trailing underscores.
func identifier(name string, taken map[string]bool) string {
	for keywords[name] || taken[name] {
		name += "_"
	}
	return name
}

// escaped is the Cython name for a C name that may be in taken itself: another
// only where it is a keyword. What it gives is taken then.
func escaped(name string, taken map[string]bool) string {
	if keywords[name] {
		name = identifier(name, taken)
		taken[name] = true
	}
	return name
}

// standard are the types that Cython knows or finds in its own libc package.
// The value is the module to cimport from, empty for a builtin.
var standard = func() map[string]string {
	m := map[string]string{
		"size_t": "", "ssize_t": "", "ptrdiff_t": "", "wchar_t": "libc.stddef", "FILE": "libc.stdio", "time_t": "libc.time",
		"intptr_t": "libc.stdint", "uintptr_t": "libc.stdint", "intmax_t": "libc.stdint", "uintmax_t": "libc.stdint",
	}
	for _, bits := range []string{"8", "16", "32", "64"} {
		for _, form := range []string{"int%s_t", "int_least%s_t", "int_fast%s_t"} {
			name := fmt.Sprintf(form, bits)
			m[name], m["u"+name] = "libc.stdint", "libc.stdint"
		}
	}
	return m
}()

// typeNames maps C types to their names in Cython, and notes which standard
// types were used.
type typeNames struct {
	byC  map[string]string // "struct X" or "X" to the declared Cython name
	used map[string]bool
	// conventions writes calling conventions down. Cython knows the word on
	// every platform and defines it away outside Windows.
	conventions bool
}

// name is the Cython name of a basic or named type. An empty string means
// that nothing declares it.
func (n *typeNames) name(t *ir.Type) string {
	if t.Kind == ir.Basic {
		if t.Name == "_Bool" {
			n.used["_Bool"] = true
			return "cyb_bool"
		}
		return t.Name
	}
	c := t.Name
	if t.Tag != "" {
		c = t.Tag + " " + t.Name
	}
	if name, ok := n.byC[c]; ok {
		return name
	}
	if _, ok := standard[c]; ok {
		n.used[c] = true
		return c
	}
	return ""
}

// declare writes `TYPE name` as Cython does, with the stars at the type:
// `const void* const* srcs`, `CUresult (*fn)(void*) noexcept nogil`. What C
// calls neither raises nor needs the interpreter. Without a name it is the type
// of a cast.
func (n *typeNames) declare(t *ir.Type, name string) string {
	stars := ""
	for ; t.Kind == ir.Pointer; t = t.Elem {
		if t.Const {
			stars = "* const" + stars
		} else {
			stars = "*" + stars
		}
	}
	switch {
	case t.Kind == ir.Array && stars == "":
		bounds := ""
		for ; t.Kind == ir.Array; t = t.Elem {
			// A flexible member has no bound; Cython wants one, and lays out
			// nothing itself in an extern declaration.
			bounds += fmt.Sprintf("[%d]", max(t.Len, 1))
		}
		return n.declare(t, name+bounds)
	case t.Kind == ir.Func && stars == "":
		if name != "" && name[0] != '(' {
			name = n.convention(t) + name
		}
		return n.declare(t.Elem, name+"("+n.params(t, nil)+") noexcept nogil")
	case t.Kind == ir.Array, t.Kind == ir.Func:
		return n.declare(t, "("+n.convention(t)+apart(stars, name)+")")
	}
	base := n.name(t) + stars
	if t.Const {
		base = "const " + base
	}
	if name == "" || name[0] == '[' {
		return base + name
	}
	return base + " " + name
}

// left is a type as it stands before a name.
func (n *typeNames) left(t *ir.Type) string { return n.declare(t, "") }

// apart joins stars and a name, which a const between them must not touch.
func apart(stars, name string) string {
	if name != "" && strings.HasSuffix(stars, "const") {
		return stars + " " + name
	}
	return stars + name
}

// convention is the calling convention of a function type, ready to stand
// before a declarator.
func (n *typeNames) convention(t *ir.Type) string {
	if n.conventions && t.Kind == ir.Func && t.Stdcall {
		return "__stdcall "
	}
	return ""
}

// params writes a parameter list. With names nil the parameters keep their
// own, which are only for the reader. What is declared as an array without a
// bound is a pointer.
func (n *typeNames) params(f *ir.Type, names []string) string {
	var list []string
	used := map[string]bool{}
	for i, p := range f.Params {
		var name string
		if names != nil {
			name = names[i]
		} else if p.Name != "" {
			name = identifier(p.Name, used)
			used[name] = true
		}
		t := p.Type
		if t.Kind == ir.Array && t.Len < 0 {
			t = &ir.Type{Kind: ir.Pointer, Elem: t.Elem}
		}
		list = append(list, n.declare(unqualified(t), name))
	}
	if f.Variadic {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}

// unqualified drops const at the top, which means nothing to a caller and is
// refused by Cython for parameters.
func unqualified(t *ir.Type) *ir.Type {
	if !t.Const {
		return t
	}
	c := *t
	c.Const = false
	return &c
}

// cSpelling is the C name of a record or an enum.
func cSpelling(keyword string, tagged bool, name string) string {
	if tagged {
		return keyword + " " + name
	}
	return name
}
