package parser

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"os"
	"strconv"

	"github.com/cybindgo/cybindgo/ir"
)

func TestScratch3(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("N"))
	src := "#define A (\n#define B )\nint x = " + strings.Repeat("A ", n) + "1" + strings.Repeat("B ", n) + ";"
	if os.Getenv("D") != "" {
		src = "#define A0 (\n#define B0 )\n"
		for i := 1; i <= n; i++ {
			src += fmt.Sprintf("#define A%d A%d A%d\n#define B%d B%d B%d\n", i, i-1, i-1, i, i-1, i-1)
		}
		src += fmt.Sprintf("int x = A%d 1 B%d;\n", n, n)
	}
	t0 := time.Now()
	_, err := Parse(Config{FS: fstest.MapFS{"h.h": {Data: []byte(src)}}, Target: ir.LinuxAMD64, Roots: []string{"h.h"}})
	s := fmt.Sprint(err)
	fmt.Println(len(src), time.Since(t0), s[:min(len(s), 300)])
}
