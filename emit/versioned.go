package emit

import (
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// versioned lists what else the libraries of a union's releases may call a
// symbol, the newest first, as formats of printf.
func versioned(name string, u *ir.Union) (formats []string) {
	if name == "" {
		return nil
	}
	for _, release := range slices.Backward(u.Releases) {
		v, err := ir.ParseVersion(release.Label)
		if err != nil {
			continue // a history has no such label
		}
		format := strings.NewReplacer("{symbol}", "%s", "{major}", v.Major(), "{minor}", v.Minor()).Replace(name)
		if !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats
}
