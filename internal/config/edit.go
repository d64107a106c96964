package config

import (
	"bytes"
	"unicode/utf8"
)

// WithReleases is the project and the text of its configuration, data, with
// other releases for one library of one package. All else stays as it is,
// comments included. The error says why the text has to be edited by hand.
func (p *Project) WithReleases(data []byte, pkg int, library, releases string) (*Project, []byte, error) {
	at := p.doc.at("packages", pkg, "libraries", library, "releases")
	old := p.Packages[pkg].Libraries[library].Releases
	begin := offset(data, at)
	for _, quote := range []string{"", `"`, "'"} {
		if rest := data[begin:]; bytes.HasPrefix(rest, []byte(quote+old+quote)) {
			begin += len(quote)
			edited := bytes.Join([][]byte{data[:begin], []byte(releases), data[begin+len(old):]}, nil)
			now, err := p.onlyDiffers(edited, pkg, library, releases)
			return now, edited, err
		}
	}
	return nil, nil, p.doc.error(at, "the releases of %s stand here in a way that is not edited automatically; write %s", library, releases)
}

// offset is where a place is in the text, in bytes.
func offset(data []byte, at place) int {
	begin := 0
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		begin = len("\ufeff")
	}
	for range at.line - 1 {
		begin += bytes.IndexByte(data[begin:], '\n') + 1
	}
	for range at.col - 1 {
		_, n := utf8.DecodeRune(data[begin:])
		begin += n
	}
	return begin
}

// onlyDiffers reads an edited text and makes sure that it says what it is meant
// to: through an anchor, one value may stand for many.
func (p *Project) onlyDiffers(edited []byte, pkg int, library, releases string) (*Project, error) {
	now, err := LoadProject(p.doc.file, edited)
	if err != nil {
		return nil, err
	}
	for i := range p.Packages {
		for _, name := range p.Packages[i].LibraryNames() {
			want := p.Packages[i].Libraries[name].Releases
			if i == pkg && name == library {
				want = releases
			}
			if now.Packages[i].Libraries[name].Releases != want {
				at := p.doc.at("packages", pkg, "libraries", library, "releases")
				return nil, p.doc.error(at, "these releases are those of %s in %s too; write %s for %s alone", name, p.Packages[i].Output, releases, library)
			}
		}
	}
	return now, nil
}
