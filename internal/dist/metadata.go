package dist

import (
	"fmt"
	"strings"

	version "github.com/aquasecurity/go-pep440-version"
)

// Metadata is the core metadata of a distribution, as far as it is used.
type Metadata struct {
	Name     string // normalised
	Version  string
	Extras   []string // normalised
	Requires []Requirement
	// Unread says of each requirement that is not in Requires why it cannot be
	// read: it may name a URL. Whether that matters is for the caller to say.
	Unread []error
}

// maxVersion bounds the length of a version.
const maxVersion = 100

// ParseMetadata reads a METADATA file: header lines as in mail, up to the
// first empty one. Only lists may come twice.
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
				return nil, fmt.Errorf("the line %.80q: expected one distribution's name, such as nvidia-cuda-runtime", line)
			}
			m.Name = Normalise(value)
		case "version":
			if _, err := version.Parse(value); err != nil || m.Version != "" || len(value) > maxVersion {
				return nil, fmt.Errorf("the line %.80q: expected one version, such as 13.5.37 or 13.4.46rc1", line)
			}
			m.Version = value
		case "provides-extra":
			m.Extras = append(m.Extras, Normalise(value))
		case "requires-dist":
			r, err := ParseRequirement(value)
			if err != nil {
				m.Unread = append(m.Unread, err)
				continue
			}
			m.Requires = append(m.Requires, r)
		}
	}
	if m.Name == "" || m.Version == "" {
		return nil, fmt.Errorf("no Name or no Version before the first empty line")
	}
	return m, nil
}
