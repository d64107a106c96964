package parser

import (
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/ir"
)

// FuzzParse: whatever a header holds, Parse ends with a model or with errors,
// and every type of a model can be written down and read back.
func FuzzParse(f *testing.F) {
	for _, dir := range []string{"model", "errors"} {
		for _, path := range cases(f, dir) {
			for _, file := range readCase(f, path).archive.Files {
				f.Add(file.Data, len(file.Data)%2 == 0)
			}
		}
	}
	f.Fuzz(func(t *testing.T, header []byte, windows bool) {
		cfg := Config{
			FS:            fstest.MapFS{"lamp.h": {Data: header}},
			Target:        ir.LinuxAMD64,
			Roots:         []string{"lamp.h"},
			InternalView:  "LAMP_INTERNAL",
			PerThreadView: "LAMP_PER_THREAD",
			QueryPrefix:   "PFN_",
		}
		if windows {
			cfg.Target = ir.WindowsAMD64
		}
		r, err := Parse(cfg)
		if err != nil {
			if len(err.(Errors)) == 0 {
				t.Error("an error that says nothing")
			}
			return
		}
		check := func(typ *ir.Type) {
			back, err := ir.ParseType(typ.String())
			if err != nil || !back.Equal(typ) {
				t.Errorf("type %q is read back as %v: %v", typ, back, err)
			}
		}
		bound := 0
		for _, fn := range r.API.Functions {
			check(fn.Type)
			if !fn.Superseded {
				bound++
			}
		}
		for _, o := range r.Omitted {
			if o.Function {
				bound++
			}
		}
		if bound != r.Declared {
			t.Errorf("%d functions are declared, %d accounted for", r.Declared, bound)
		}
		for _, typ := range r.API.Typedefs {
			check(typ.Type)
		}
		for _, c := range r.API.Constants {
			if c.Type != nil {
				check(c.Type)
			} else if c.Reason == "" {
				t.Errorf("constant %s has neither value nor reason", c.Name)
			}
		}
	})
}
