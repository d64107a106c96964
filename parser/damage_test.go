package parser

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/ir"
)

func parseText(text []byte) (*Result, error) {
	return Parse(Config{
		FS:     fstest.MapFS{"lamp.h": {Data: text}},
		Target: ir.LinuxAMD64,
		Roots:  []string{"lamp.h"},
	})
}

// TestDamage cuts headers off, and takes words and signs out of them, in every
// place. Whatever is left ends in a model or in errors with a place.
func TestDamage(t *testing.T) {
	for _, path := range cases(t, "model") {
		t.Run(caseName(path), func(t *testing.T) {
			t.Parallel()
			for _, f := range readCase(t, path).archive.Files {
				if f.Name != "lamp.h" {
					continue
				}
				for i := 0; i < len(f.Data); {
					n := max(wordLen(f.Data[i:]), 1)
					if f.Data[i] != ' ' && f.Data[i] != '\n' {
						damaged(t, f.Data[:i])
						damaged(t, bytes.Join([][]byte{f.Data[:i], f.Data[i+n:]}, nil))
					}
					i += n
				}
			}
		})
	}
}

func damaged(t *testing.T, text []byte) {
	_, err := parseText(text)
	if err == nil {
		return
	}
	list, ok := err.(Errors)
	if !ok || len(list) == 0 {
		t.Fatalf("%s\nends in %v", text, err)
	}
	for _, e := range list {
		if e.Pos.File == "" {
			t.Fatalf("%s\nhas an error without a place: %v", text, e)
		}
	}
}

// TestNesting: brackets, conditions and operators that are nested a thousand
// deep are no trouble, deeper ones are an error, however they come about.
func TestNesting(t *testing.T) {
	repeat := strings.Repeat
	doubling := func(first, next string) string {
		text := first
		for i := 1; i <= 40; i++ {
			text += fmt.Sprintf(next, i, i-1, i-1)
		}
		return text
	}
	for name, test := range map[string]struct {
		text string
		want string // part of the error
	}{
		"deep brackets":          {text: "int f(int a[" + repeat("(", 900) + "1" + repeat(")", 900) + "]);"},
		"deep conditions":        {text: repeat("#if 1\n", 900) + "int f(void);\n" + repeat("#endif\n", 900)},
		"too many brackets":      {"int f(int a[" + repeat("(", 5000) + "1" + repeat(")", 5000) + "]);", "lamp.h:1:1011: "},
		"too many conditions":    {repeat("#if 1\n", 5000) + repeat("#endif\n", 5000), "lamp.h:1001:1: "},
		"too many operators":     {"enum { A = " + repeat("-", 50000) + "1 };", "nested too deep"},
		"a long condition":       {"#if " + repeat("1+", 5000) + "1\n#endif\n", "nested too deep"},
		"an open macro":          {"#define L (\nint f(int a[" + repeat("L ", 3000) + "1]);", "nested too deep"},
		"an open macro, doubled": {doubling("#define L0 (\n", "#define L%d L%d L%d\n") + "int f(int a[L30 1]);", "nested too deep"},
		"a deep macro, doubled":  {doubling("#define L0(x) (x)\n", "#define L%d(x) L%d(L%d(x))\n") + "int f(int a[L30(1)]);", "nested too deep"},
		"an operator macro":      {"#define M -\nenum { A = " + repeat("M ", 30000) + "1 };", "nested too deep"},
		"a long macro":           {text: doubling("#define L0 1 +\n", "#define L%d L%d L%d\n") + "int f(void);", want: "nested too deep"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseText([]byte(test.text))
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}
