// Package suggest finds the name that somebody probably meant. It knows
// nothing about what the names are.
package suggest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the candidate that is closest to name, or "" where none is close:
// more than a third of the letters would have to change.
func Nearest(name string, candidates []string) string {
	best, distance := "", len(name)/3+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(c)); d < distance || d == distance && best == "" {
			best, distance = c, d
		}
	}
	return best
}

// Hint is a clause for the end of a message: "; did you mean X?", or nothing.
func Hint(name string, candidates []string) string {
	if n := Nearest(name, candidates); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}
