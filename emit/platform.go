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
		common, err := commonPart(out.Files[path])
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

// commonPart is a platform file without its platform regions and its seal.
func commonPart(data []byte) ([]byte, error) {
	common := make([]byte, 0, len(data))
	regions, inside := 0, false
	for line := range bytes.Lines(data) {
		switch {
		case bytes.Contains(line, platformEnd):
			inside = false
		case bytes.Contains(line, platformBegin):
			regions, inside = regions+1, true
		case inside, bytes.Contains(line, []byte(sealMark)):
		default:
			common = append(common, line...)
		}
	}
	if regions == 0 || inside {
		return nil, fmt.Errorf("expected platform regions, each with an end")
	}
	return common, nil
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
