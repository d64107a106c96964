package parser

import "testing"

func TestNamesAreOfASCII(t *testing.T) {
	for text, want := range map[string]string{
		"#define J(a) p_##a##_##*\n#define f J(f)\nint f(void);\n": `lamp.h:3:5: "p_f_*" is no name: `,
		"int fläche(void);\n":                  `lamp.h:1:5: "fläche" is no name: `,
		"enum E { Ä, B };\nint f(enum E e);\n": `lamp.h:1:10: "Ä" is no name: `,
		"typedef int tät;\nint f(tät e);\n":    `lamp.h:1:13: "tät" is no name: `,
	} {
		_, err := parseText([]byte(text))
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}
