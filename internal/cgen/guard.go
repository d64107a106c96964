package cgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// systems and architectures are the preprocessor's conditions for the parts of
// a target. Microsoft's compiler has names of its own for architectures.
var systems = map[string]string{
	"linux":   "defined(__linux__)",
	"windows": "defined(_WIN32)",
	"darwin":  "defined(__APPLE__)",
	"freebsd": "defined(__FreeBSD__)",
}

var architectures = map[string]string{
	"386":     "(defined(__i386__) || defined(_M_IX86))",
	"amd64":   "(defined(__x86_64__) || defined(_M_X64))",
	"arm":     "(defined(__arm__) || defined(_M_ARM))",
	"arm64":   "(defined(__aarch64__) || defined(_M_ARM64))",
	"ppc64le": "(defined(__powerpc64__) && defined(__LITTLE_ENDIAN__))",
	"riscv64": "(defined(__riscv) && __riscv_xlen == 64)",
}

// guard is the preprocessor's condition for a set of the listed targets; empty
// for all of them. A system all of whose targets are in the set is named
// without its architectures.
func guard(list []ir.Target, set ir.TargetSet) (string, error) {
	in := set.Names(list)
	if len(in) == len(list) {
		return "", nil
	}
	var parts []string
	done := map[string]bool{}
	for _, t := range in {
		system, ok := systems[t.OS()]
		if !ok {
			return "", fmt.Errorf("target %s: no preprocessor condition is known for %s", t, t.OS())
		}
		if whole := func(u ir.Target) bool { return u.OS() == t.OS() && !slices.Contains(in, u) }; !slices.ContainsFunc(list, whole) {
			if !done[t.OS()] {
				parts = append(parts, system)
				done[t.OS()] = true
			}
			continue
		}
		arch, ok := architectures[t.Arch()]
		if !ok {
			return "", fmt.Errorf("target %s: no preprocessor condition is known for %s", t, t.Arch())
		}
		part := system + " && " + arch
		if len(in) > 1 {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " || "), nil
}

// guarded puts text between an #if and an #endif where there is a condition.
func guarded(condition, text string) string {
	if condition == "" {
		return text
	}
	return "#if " + condition + "\n" + text + "#endif\n"
}
