package align

import (
	"testing"

	"github.com/cybindgo/cybindgo/internal/finding"
)

// FuzzFiles: nothing panics, a file agrees with itself, and it does not matter
// which file comes first.
func FuzzFiles(f *testing.F) {
	f.Add(sample, windows(sample))
	f.Add(plainLinux, plainWindows)
	f.Add("cdef extern from *:\n    '''\n    enum { A = (1, 2), {B}; }\n    } f(void) {\n    #\n    '''\ndef f(): pass\n", "async\ndef f(x: int = (1)): pass; pass\n")
	f.Add("@d\nclass C:\n  def f(): pass\n  /* platform: x */\n  def f(): pass\n", "def f():\n # platform: end\n # platform: y\n pass\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		r, err := Files("l", []byte(a), "l", []byte(a))
		if err == nil {
			for _, d := range r.Findings {
				switch d.Rule {
				case ruleRegion, ruleUnreadable:
				default:
					t.Fatalf("a file differs from itself: %s %s: %s", d.Rule, d.Place, d.Message)
				}
			}
		}
		ab, err1 := Files("l", []byte(a), "w", []byte(b))
		ba, err2 := Files("w", []byte(b), "l", []byte(a))
		if (err1 == nil) != (err2 == nil) {
			t.Fatal(err1, err2)
		}
		if err1 == nil && finding.Failed(ab.Findings) != finding.Failed(ba.Findings) {
			t.Fatalf("%v in one order, %v in the other", ab.Findings, ba.Findings)
		}
		if err1 != nil {
			return
		}
		for _, d := range ab.Findings {
			places := []finding.Place{d.Place}
			for _, o := range d.Related {
				places = append(places, o.Place)
			}
			for _, p := range places {
				if p.Line < 0 || p.Col < 0 || p.EndLine > 0 && p.EndLine < p.Line || p.File == "" {
					t.Fatalf("%s: place %+v", d.Rule, p)
				}
			}
		}
	})
}
