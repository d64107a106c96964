package cgen

import (
	"os"
	"testing"

	"github.com/cybindgo/cybindgo/ir"
)

func TestZZ(t *testing.T) {
	s, _ := driver(t, "13.5.0")
	for _, v := range views {
		os.WriteFile("/tmp/w/msvc/"+v.name+".c", Assertions(s.For(ir.WindowsAMD64), ir.WindowsAMD64, AssertOptions{View: v.view, Defines: v.define, Includes: driverRoots}), 0o644)
	}
	for _, f := range s.Functions { if f.Symbol == "cuMemcpy2D" || f.Name == "cuGetProcAddress" || f.Symbol=="cuGetProcAddress" || f.Name == "cuMemcpy" {println(f.Key(), f.PerThread, f.Query.Base, f.Query.Version, f.Query.PerThread, f.Superseded, f.Inline)} }
}
