package parser

import "testing"

// TestNamesAreOfASCII: a history holds no others, and a parameter without a value
// has no name.
func TestNamesAreOfASCII(t *testing.T) {
	for text, want := range map[string]string{
		"#define J(a) p_##a##_##*\n#define f J(f)\nint f(void);\n": `lamp.h:3:5: "p_f_*" is no name: `,
		"int fläche(void);\n":                            `lamp.h:1:5: "fläche" is no name: `,
		"enum E { Ä, B };\nint f(enum E e);\n":           `lamp.h:1:10: "Ä" is no name: `,
		"typedef int tät;\nint f(tät e);\n":              `lamp.h:1:13: "tät" is no name: `,
		"int f(int nµ);\n":                               "lamp.h:1:11: \"nµ\" is no name: ",
		"struct S { int ä; };\nint f(struct S *s);\n":    "lamp.h:1:16: \"ä\" is no name: ",
		"struct ä { int a; };\nint f(struct ä *s);\n":    "lamp.h:1:8: \"ä\" is no name: ",
		"#define ä 1\nint f(void);\n":                    "lamp.h:1:9: \"ä\" is no name: ",
		"enum ä { A };\nint f(enum ä e);\n":              "lamp.h:1:6: \"ä\" is no name: ",
		"typedef void (*fn)(void data);\nint f(fn g);\n": `lamp.h:1:25: parameter "data" is void`,
	} {
		_, err := parseText([]byte(text))
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}
