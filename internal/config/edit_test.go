package config

import (
	"strings"
	"testing"
)

const editable = `# a comment
packages:
  - {name: a, version: 1.0.0, module: a, output: out/a, libraries: {demo: {releases: 1.0.0..2.0.0}}}  # kept
  - name: b
    version: 1.0.0
    module: b
    output: out/b
    libraries:
      demo:   # über
        releases: "1.0.0"   # quoted
        types: inline
      other: {releases: &r 1.0.0}
  - name: c
    version: 1.0.0
    module: c
    output: out/c
    libraries: {demo: {releases: *r}}
`

func TestWithReleases(t *testing.T) {
	p, err := LoadProject("cybindgo.yaml", []byte(editable))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		pkg          int
		library      string
		before, with string // what is replaced in the text
		err          string
	}{
		"flow":     {0, "demo", "{releases: 1.0.0..2.0.0}}}  # kept", "{releases: 1.0.0..3.0.0}}}  # kept", ""},
		"quoted":   {1, "demo", `"1.0.0"`, `"1.0.0..3.0.0"`, ""},
		"anchor":   {1, "other", "", "", "cybindgo.yaml:12:25: the releases of other stand here in a way that is not edited automatically; write 1.0.0..3.0.0"},
		"an alias": {2, "demo", "", "", "cybindgo.yaml:17:34: the releases of demo stand here in a way that is not edited automatically; write 1.0.0..3.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, got, err := p.WithReleases([]byte(editable), tt.pkg, tt.library, "1.0.0..3.0.0")
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("got %v\nwant %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(editable, tt.before, tt.with, 1); string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A merged mapping gives its releases to several packages.
func TestWithReleasesOfAMergedMapping(t *testing.T) {
	text := `packages:
  - {name: a, version: 1.0.0, module: a, output: out/a, libraries: {demo: &d {releases: 1.0.0}}}
  - {name: b, version: 1.0.0, module: b, output: out/b, libraries: {demo: {<<: *d, types: inline}}}
`
	p, err := LoadProject("cybindgo.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = p.WithReleases([]byte(text), 0, "demo", "1.0.0..3.0.0")
	want := "cybindgo.yaml:2:89: these releases are those of demo in out/b too; write 1.0.0..3.0.0 for demo alone"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
