package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// A platform is one that cybindgo is published for.
type platform struct {
	os, arch string
	level    string   // of the processor, the lowest that Go knows
	tags     []string // of wheels
}

// platforms are all of them. The program is linked statically and asks nothing
// of a Linux but its kernel, so that one wheel is for every C library; the tags
// name the oldest of each that pip knows. Go 1.26 needs macOS 12.
var platforms = []platform{
	{"linux", "amd64", "GOAMD64=v1", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", "GOARM64=v8.0", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin", "arm64", "GOARM64=v8.0", []string{"macosx_12_0_arm64"}},
	{"windows", "amd64", "GOAMD64=v1", []string{"win_amd64"}},
}

func (p platform) String() string { return p.os + "/" + p.arch }

// executable is what the program is called there.
func (p platform) executable() string {
	if p.os == "windows" {
		return "cybindgo.exe"
	}
	return "cybindgo"
}

func platformNames() string {
	var names []string
	for _, p := range platforms {
		names = append(names, p.String())
	}
	return strings.Join(names, ", ")
}

// choose reads a list of platforms. An empty one is all.
func choose(list string) ([]platform, error) {
	if list == "" {
		return platforms, nil
	}
	var chosen []platform
	for name := range strings.SplitSeq(list, ",") {
		if name == "host" {
			name = runtime.GOOS + "/" + runtime.GOARCH
		}
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("platform %q: expected some of %s", name, platformNames())
		}
		chosen = append(chosen, platforms[i])
	}
	return chosen, nil
}
