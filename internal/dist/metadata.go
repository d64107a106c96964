package dist

import (
	"fmt"
	"strings"
)

// Metadata is the core metadata of a distribution, as far as it is used.
type Metadata struct {
	Name     string // normalised
	Version  string
	Extras   []string // normalised
	Requires []Requirement
}

// ParseMetadata reads a METADATA file: header lines as in mail, up to the
// first empty one.
func ParseMetadata(data []byte) (*Metadata, error) {
	m := &Metadata{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break // what follows is the description
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(key) {
		case "name":
			if m.Name != "" || !ValidName(value) {
				return nil, fmt.Errorf("the line %.80q: expected one distribution's name", line)
			}
			m.Name = Normalise(value)
		case "version":
			if m.Version != "" || value == "" {
				return nil, fmt.Errorf("the line %.80q: expected one version", line)
			}
			m.Version = value
		case "provides-extra":
			m.Extras = append(m.Extras, Normalise(value))
		case "requires-dist":
			r, err := ParseRequirement(value)
			if err != nil {
				return nil, err
			}
			m.Requires = append(m.Requires, r)
		}
	}
	if m.Name == "" || m.Version == "" {
		return nil, fmt.Errorf("no Name or no Version before the first empty line")
	}
	return m, nil
}
