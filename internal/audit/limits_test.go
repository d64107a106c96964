package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestHostileInputEnds: input made to take for ever is given up with a finding.
func TestHostileInputEnds(t *testing.T) {
	block := func(c, cython string) string {
		return "# cython: freethreading_compatible=True\ncdef extern from * nogil:\n    \"\"\"\n" + c + "\n    \"\"\"\n" + cython
	}
	var calls, macros, conditions, pyCalls strings.Builder
	for i := 30; i > 0; i-- {
		fmt.Fprintf(&calls, "static void f%d(int *p) { f%d(p); f%d(p); }\n", i-1, i, i)
		fmt.Fprintf(&macros, "#define M%d M%d M%d\n", i, i+1, i+1)
		fmt.Fprintf(&pyCalls, "def f%d(d):\n    f%d([d])\n    f%d([d])\n\n", i, i+1, i+1)
	}
	for i := range 12 {
		fmt.Fprintf(&conditions, "#ifdef C%d\nint a%d;\n#else\nlong a%d;\n#endif\n", i, i, i)
	}
	for name, text := range map[string]string{
		"calls that double":         block("static void f30(int *p) { *p = 1; }\n"+calls.String()+"static void start(void) { int i; f0(&i); }", "    void start()\n"),
		"calls of Python":           "# cython: freethreading_compatible=True\n" + pyCalls.String() + "def f31(d):\n    return d\n",
		"macros that double":        block("#define M31 x\n"+macros.String()+"int y = M1;", "    int y\n"),
		"macros in each variant":    block(conditions.String()+"#define M31 x\n"+macros.String()+"int y = M1;", "    int y\n"),
		"a condition deep inside":   block("#if "+strings.Repeat("!", 20000)+"X\n#endif", "    int y\n"),
		"too many conditions":       block(conditions.String(), "    int y\n"),
		"an expression deep inside": "x = " + strings.Repeat("(", 50000) + "1" + strings.Repeat(")", 50000) + "\n",
		"blocks deep inside":        deepBlocks(400),
		"increments that double":    block("static int x; static void start(void) { "+strings.Repeat("++", 60)+"x; }", "    void start()\n"),
		"assignments that double":   block("static int x; static void start(void) { "+strings.Repeat("(", 60)+"x"+strings.Repeat(" += 1)", 60)+" += 1; }", "    void start()\n"),
	} {
		start := time.Now()
		rules := rulesOf(check(text))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if !slices.Contains(rules, Unreadable) {
			t.Errorf("%s: rules %v, want %s among them", name, rules, Unreadable)
		}
	}
}

func deepBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	b.WriteString(strings.Repeat(" ", n) + "pass\n")
	return b.String()
}
