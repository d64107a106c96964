package ir

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Target is a platform that headers are read for, in Go's notation.
type Target string

// The targets that are read unless somebody asks for others.
const (
	LinuxAMD64   Target = "linux/amd64"
	LinuxARM64   Target = "linux/arm64"
	WindowsAMD64 Target = "windows/amd64"
)

// DefaultTargets lists the targets of a snapshot; the first is the reference,
// whose headers stand in for the others' where those are not given.
var DefaultTargets = []Target{LinuxAMD64, LinuxARM64, WindowsAMD64}

// OS is the operating system's part of the target.
func (t Target) OS() string { os, _, _ := strings.Cut(string(t), "/"); return os }

// Arch is the processor's part of the target.
func (t Target) Arch() string { _, arch, _ := strings.Cut(string(t), "/"); return arch }

// TargetSet is a set of targets, as bits numbered by a list that goes with it
// ([Snapshot.Targets], [History.Targets]). Zero means all of them.
type TargetSet uint32

// Has reports whether the set holds target i.
func (s TargetSet) Has(i int) bool { return s == 0 || s&(1<<i) != 0 }

// full is the set of the first n targets, spelt out.
func full(n int) TargetSet { return 1<<n - 1 }

// spell turns the shorthand for "all" into bits.
func (s TargetSet) spell(n int) TargetSet {
	if s == 0 {
		return full(n)
	}
	return s
}

// short turns all bits set into the shorthand.
func (s TargetSet) short(n int) TargetSet {
	if s == full(n) {
		return 0
	}
	return s
}

// move renumbers the set from one list of targets to another that holds all of
// the set.
func (s TargetSet) move(from, to []Target) TargetSet {
	var out TargetSet
	for i, t := range from {
		if s.Has(i) {
			out |= 1 << slices.Index(to, t)
		}
	}
	return out
}

// Names lists the targets of the set.
func (s TargetSet) Names(list []Target) []Target {
	var out []Target
	for i, t := range list {
		if s.Has(i) {
			out = append(out, t)
		}
	}
	return out
}

// ParseTarget checks the form of a target. The list of targets is open, so any
// os/arch pair passes here; the parser says whether it has its data model.
func ParseTarget(s string) (Target, error) {
	t := Target(s)
	if t.OS() == "" || t.Arch() == "" || strings.Count(s, "/") != 1 {
		return "", fmt.Errorf("target %q: expected os/arch, such as linux/amd64", s)
	}
	return t, nil
}

// compare orders the targets that are read unless somebody asks for others
// before those others.
func (t Target) compare(u Target) int {
	rank := func(t Target) int {
		if i := slices.Index(DefaultTargets, t); i >= 0 {
			return i
		}
		return len(DefaultTargets)
	}
	return cmp.Or(rank(t)-rank(u), strings.Compare(string(t), string(u)))
}

// firstBit is the number of the first target in the set.
func (s TargetSet) firstBit() int {
	if s == 0 {
		return 0
	}
	return bits.TrailingZeros32(uint32(s))
}
