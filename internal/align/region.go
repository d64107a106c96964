package align

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/internal/finding"
)

// region is a run of lines that belongs to a platform.
type region struct {
	platform    string
	first, last int32 // lines, those of the marks included
}

// regions finds the marked regions of a file, and says which marks are wrong.
func regions(name, text string) (list []region, problems []finding.Finding) {
	wrong := func(line int32, format string, args ...any) {
		problems = append(problems, newFinding(ruleRegion, finding.Place{File: name, Line: int(line)}, fmt.Sprintf(format, args...)))
	}
	var open *region
	n := int32(0)
	for line := range strings.Lines(text) {
		n++
		platform, ok := mark(line)
		switch {
		case !ok:
		case platform == "end" && open == nil:
			wrong(n, "a platform region ends that did not begin")
		case platform == "end":
			open.last = n
			list = append(list, *open)
			open = nil
		case open != nil:
			wrong(n, "a platform region begins inside that of line %d", open.first)
		default:
			open = &region{platform: platform, first: n}
		}
	}
	if open != nil {
		// What follows is compared: a mark must not hide the rest of a file.
		wrong(open.first, "this platform region does not end")
	}
	return list, problems
}

// mark reads the mark that a line consists of.
func mark(line string) (platform string, ok bool) {
	line = strings.TrimSpace(line)
	if inner, ok := strings.CutPrefix(line, "/*"); ok {
		if line, ok = strings.CutSuffix(inner, "*/"); !ok {
			return "", false
		}
	} else if line, ok = strings.CutPrefix(line, "#"); !ok {
		return "", false
	}
	platform, ok = strings.CutPrefix(strings.TrimSpace(line), "platform:")
	platform = strings.TrimSpace(platform)
	return platform, ok && platform != "" && !strings.ContainsAny(platform, " \t*")
}
