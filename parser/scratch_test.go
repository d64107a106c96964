package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/ir"
)

func TestScratch(t *testing.T) {
	all, _ := filepath.Glob("/work/shared/cases/headers/*/*.h")
	for _, p := range all {
		raw, _ := os.ReadFile(p)
		for _, tg := range []ir.Target{ir.LinuxAMD64, ir.WindowsAMD64} {
			r, err := Parse(Config{FS: fstest.MapFS{"h.h": {Data: raw}}, Target: tg, Roots: []string{"h.h"}, Searched: []string{"the test"}})
			fmt.Printf("=== %s %s\n", p, tg)
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Print(dump(r))
		}
	}
}
