package fetch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/suggest"
)

// A Platform is what wheels are for: linux/amd64.
type Platform string

// Reference is the platform whose headers are the reference (linux/amd64):
// those of others say the same, but for what a platform lacks, and are older at
// times.
const Reference Platform = "linux/amd64"

// platform is what a platform is called elsewhere.
type platform struct {
	system, machine string // in markers: sys_platform, platform_machine
	tag, end        string // how its platform tags begin and end
}

var platforms = map[Platform]platform{
	"linux/amd64":   {"linux", "x86_64", "manylinux", "_x86_64"},
	"linux/arm64":   {"linux", "aarch64", "manylinux", "_aarch64"},
	"windows/amd64": {"win32", "AMD64", "win", "_amd64"},
	"windows/arm64": {"win32", "ARM64", "win", "_arm64"},
}

// Platforms lists the platforms that there are wheels for.
var Platforms = []Platform{"linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// ParsePlatform reads OS/ARCH. The names that Linux has for machines will do.
func ParsePlatform(text string) (Platform, error) {
	system, machine, _ := strings.Cut(strings.ToLower(text), "/")
	switch machine {
	case "x86_64":
		machine = "amd64"
	case "aarch64":
		machine = "arm64"
	}
	p := Platform(system + "/" + machine)
	if slices.Contains(Platforms, p) {
		return p, nil
	}
	var names []string
	for _, known := range Platforms {
		names = append(names, string(known))
	}
	return "", fmt.Errorf("platform %q: expected one of %s%s", text, strings.Join(names, ", "), suggest.Hint(text, names))
}

// key is the platform as part of a name in the cache.
func (p Platform) key() string { return strings.ReplaceAll(string(p), "/", "-") }

// environment is what markers are told.
func (p Platform) environment(extras []string) dist.Environment {
	of := platforms[p]
	e := dist.Environment{
		Variables: map[string]string{"sys_platform": of.system, "platform_machine": of.machine, "implementation_name": "cpython"},
		Extras:    map[string]bool{},
	}
	for _, x := range extras {
		e.Extras[x] = true
	}
	return e
}

// fits reports whether a wheel is for the platform.
func (p Platform) fits(w dist.WheelName) bool {
	of := platforms[p]
	for _, tag := range w.Platforms {
		tag = strings.ToLower(tag)
		if tag == "any" || strings.HasPrefix(tag, of.tag) && strings.HasSuffix(tag, of.end) || tag == of.system+of.end {
			return true
		}
	}
	return false
}
