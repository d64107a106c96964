package golden

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of the cases")

func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := c.run(t, nil)
			wanted, updated := 0, false
			for i := range c.archive.Files {
				f := &c.archive.Files[i]
				if !strings.HasPrefix(f.Name, "want/") {
					continue
				}
				wanted++
				got := c.got(t, o, f.Name)
				if *update && got != string(f.Data) {
					f.Data, updated = []byte(got), true
				}
				if diff := cmp.Diff(string(f.Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, diff)
				}
			}
			if wanted == 0 {
				t.Error("the case wants nothing")
			}
			if updated {
				if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if o.err != nil && !c.wantsErrors() {
				t.Error(o.err)
			}
		})
	}
}

func (c *goldenCase) wantsErrors() bool {
	for _, f := range c.archive.Files {
		if f.Name == "want/errors" {
			return true
		}
	}
	return false
}

// got is what came out under the name of a wanted part.
func (c *goldenCase) got(t *testing.T, o *outcome, name string) string {
	t.Helper()
	if name == "want/errors" {
		if o.err == nil {
			t.Fatal("nothing is wrong, expected an error")
		}
		return o.err.Error() + "\n"
	}
	if o.err != nil {
		t.Fatal(o.err)
	}
	text, err := o.part(strings.TrimPrefix(name, "want/"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
