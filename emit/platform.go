package emit

import (
	"bytes"
	"fmt"

	"github.com/cybindgo/cybindgo/internal/config"
)

// The lines between which platform files may differ.
var (
	platformBegin = []byte("/* platform: ")
	platformEnd   = []byte("/* platform: end */")
)

// comparePlatforms refuses platform files that differ outside the regions
// that are theirs.
func comparePlatforms(out *Output, pkg *config.Package, lib string) error {
	var first []byte
	var name string
	for _, f := range libraryFiles {
		if f.platform == "" {
			continue
		}
		path := f.target(pkg, lib)
		common, err := commonPart(out.Files[path], f.platform)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if first == nil {
			first, name = common, path
			continue
		}
		if !bytes.Equal(first, common) {
			return fmt.Errorf("%s and %s differ outside their platform regions at line %d of what they share: the template is at fault",
				name, path, firstDifference(first, common))
		}
	}
	return nil
}

// commonPart is a platform file without its platform region and its seal. There
// is one region, inside of a verbatim block, between lines that hold nothing but
// its marks. It may open libraries and look up symbols; it may not define macros
// (but for the one that Windows' own header asks for), which would change what
// the rest of the file means.
func commonPart(data []byte, platform string) ([]byte, error) {
	common := make([]byte, 0, len(data))
	regions, inside, n := 0, false, 0
	for line := range bytes.Lines(data) {
		n++
		text := bytes.TrimSpace(line)
		marked := bytes.Contains(text, platformBegin)
		switch {
		case marked && bytes.Equal(text, platformEnd) && inside:
			inside = false
		case marked && string(text) == "/* platform: "+platform+" */" && !inside:
			regions, inside = regions+1, true
		case marked:
			return nil, fmt.Errorf("line %d: expected no mark of a platform region here", n)
		case inside && (bytes.Contains(text, []byte(`"""`)) || macro(text)):
			return nil, fmt.Errorf("line %d: a platform region may not end the block or define macros", n)
		case inside, bytes.Contains(line, []byte(sealMark)):
		default:
			common = append(common, line...)
		}
	}
	if regions != 1 || inside {
		return nil, fmt.Errorf("expected one platform region, with an end")
	}
	return common, nil
}

// macro reports whether a line defines or forgets a macro, or changes what is
// compiled.
func macro(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("#"))
	if !ok || string(line) == "#define WIN32_LEAN_AND_MEAN" {
		return false
	}
	return !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("include <"))
}

func firstDifference(a, b []byte) int {
	la, lb := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range la {
		if i >= len(lb) || !bytes.Equal(la[i], lb[i]) {
			return i + 1
		}
	}
	return len(la) + 1
}
