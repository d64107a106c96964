package dist

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	version "github.com/aquasecurity/go-pep440-version"
)

var (
	nameForm   = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	separators = regexp.MustCompile(`[-_.]+`)
)

// Normalise gives a distribution's name as PEP 503 compares it:
// nvidia-cuda-runtime for NVIDIA_Cuda.Runtime.
func Normalise(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// ValidName reports whether a name is one of a distribution. Such a name is
// safe as a part of a path or URL.
func ValidName(name string) bool { return len(name) <= 200 && nameForm.MatchString(name) }

// A WheelName is what a wheel's file name says.
type WheelName struct {
	Name      string // normalised
	Version   string // as published
	Build     int    // the number that the build tag begins with; 0 without one
	Platforms []string
}

// ParseWheelName reads NAME-VERSION(-BUILD)-PYTHON-ABI-PLATFORM.whl.
func ParseWheelName(file string) (WheelName, error) {
	bad := func() (WheelName, error) {
		return WheelName{}, fmt.Errorf("%q: expected a wheel's name, NAME-VERSION-PYTHON-ABI-PLATFORM.whl", file)
	}
	stem, ok := strings.CutSuffix(file, ".whl")
	parts := strings.Split(stem, "-")
	if !ok || len(parts) != 5 && len(parts) != 6 || !ValidName(parts[0]) {
		return bad()
	}
	w := WheelName{Name: Normalise(parts[0]), Version: parts[1], Platforms: strings.Split(parts[len(parts)-1], ".")}
	if _, err := version.Parse(w.Version); err != nil {
		return bad()
	}
	if len(parts) == 6 {
		digits := strings.TrimRight(parts[2], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return bad()
		}
		w.Build = n
	}
	return w, nil
}
