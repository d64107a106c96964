package ir

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustDecode(t *testing.T, text string) *History {
	t.Helper()
	h, err := Decode("demo.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestAHistoryIsWrittenForReview(t *testing.T) {
	same(t, "JSON", demoJSON, string(demo(t).Encode()))
}

func TestAHistoryIsReadBack(t *testing.T) {
	want, got := demo(t), mustDecode(t, demoJSON)
	for _, label := range want.Labels() {
		same(t, label, at(t, want, label), at(t, got, label))
	}
	same(t, "roles", want.Roles, got.Roles)
	same(t, "targets", want.Targets, got.Targets)
	same(t, "written again", demoJSON, string(got.Encode()))
}

func TestAHistoryThatWasReadGoesOn(t *testing.T) {
	h := mustDecode(t, demoJSON)
	s := demoSnapshots()[0]
	if err := h.Remove(s.Release.Label); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(s); err != nil {
		t.Fatal(err)
	}
	same(t, "JSON", demoJSON, string(h.Encode()))
}

func TestAnEmptyHistoryIsReadBack(t *testing.T) {
	text := string(NewHistory("demo").Encode())
	h := mustDecode(t, text)
	same(t, "JSON", text, string(h.Encode()))
	if err := h.Add(demoSnapshots()[0]); err != nil {
		t.Fatal(err)
	}
	same(t, "filled", string(historyOf(t, demoSnapshots()[0]).Encode()), string(h.Encode()))
}

func TestSpacingMakesNoDifference(t *testing.T) {
	wide := strings.NewReplacer("\n", "\r\n\r\n", ",\"", " ,\t\"", "\":", "\" : ", "{", "{ ", "}", " }", ":[", ":[\n", "\"]", "\" ]").Replace(demoJSON)
	same(t, "JSON", demoJSON, string(mustDecode(t, wide).Encode()))
}

func TestEscapesAreRead(t *testing.T) {
	escaped := strings.NewReplacer(`"demoMin"`, `"demo\u004din"`, "ü", `\u00fc`, `\n`, `\u000a`, `\t`, `\u0009`).Replace(demoJSON)
	same(t, "JSON", demoJSON, string(mustDecode(t, escaped).Encode()))
}

func TestBytesThatAreNotUTF8AreReplaced(t *testing.T) {
	e := &encoder{}
	e.string("a\xff\xfe\"\x01ü")
	same(t, "string", "\"a\uFFFD\uFFFD\\\"\\u0001ü\"", string(e.buf))
}

// wrong reads text, which must fail, and gives back the error.
func wrong(t *testing.T, text string) *SyntaxError {
	t.Helper()
	h, err := Decode("demo.json", []byte(text))
	if err == nil {
		t.Fatal("accepted")
	}
	if h != nil {
		t.Error("gave back a history as well")
	}
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("got %T: %v", err, err)
	}
	lines := strings.Split(text, "\n")
	if syntax.File != "demo.json" || syntax.Line < 1 || syntax.Line > len(lines) || syntax.Col < 1 || syntax.Col > len(lines[syntax.Line-1])+1 {
		t.Errorf("position outside of the file: %v", err)
	}
	return syntax
}

func TestNonsenseIsRefusedWithItsPosition(t *testing.T) {
	const known = "(linux/amd64, linux/arm64, windows/amd64)"
	for _, c := range []struct {
		name     string
		old, new string // what of demoJSON is replaced, once; § marks where the error is
		want     string // with the position where new has no mark
	}{
		{"a newer format", `"format":1`, `"format":§2`, `format 2 is newer than 1, the newest that this version reads: update cybindgo`},
		{"a format of zero", `"format":1`, `"format":§0`, `expected a format from 1 to 1, found 0`},
		{"a format that is no number", `"format":1`, `"format":§"1"`, "expected a number, found `\"1\"`"},
		{"no format", `"format":1,`, ``, `3:1: expected "format" first, found "library": this is not a history of cybindgo`},
		{"no library", `"library":"demo",`, ``, `40:1: expected the properties "format" and "library"`},
		{"a library that is no string", `"library":"demo"`, `"library":§null`, "expected a string, found `null`"},
		{"an unknown property", `"functions":[`, `§"function":[`, `unknown property "function", expected one of format, library, targets, releases, functions, enums, records, typedefs, constants, roles; did you mean functions?`},
		{"a target without arch", `["linux/amd64",`, `[§"linux",`, `target "linux": expected os/arch, such as linux/amd64`},
		{"a target twice", `["linux/amd64",`, `["windows/amd64",`, `4:42: target "windows/amd64" stands twice`},
		{"releases before targets", `"targets":["linux/amd64","linux/arm64","windows/amd64"],`, ``, `6:165: release 1.0.0: expected the property "targets" of the history before its releases`},

		{"no label", `"release":"1.0.0",`, ``, `6:147: expected a property "release"`},
		{"a label that is no version", `"release":"1.0.0"`, `"release":§"one"`, `release "one": expected a full version such as 13.5.0, 12.8.2.0 or 13.4.0rc1`},
		{"a label that is not normal", `"release":"1.0.0"`, `"release":§"v1.0.0"`, `release "v1.0.0": expected it in its normal form, 1.0.0`},
		{"releases out of order", `"release":"1.0.0"`, `"release":"1.0.9rc1"`, `11:33: release "1.0.0" is not among the releases of this history (1.0.9rc1, 1.1.0rc1, 1.1.0); did you mean 1.1.0?`},
		{"a release twice", `"release":"1.1.0"`, `"release":§"1.1.0rc1"`, `release 1.1.0rc1 stands after 1.1.0rc1: expected releases in order, each once`},
		{"a release too late", `"release":"1.1.0"`, `"release":§"1.0.5"`, `release 1.0.5 stands after 1.1.0rc1: expected releases in order, each once`},
		{"an unknown property of a release", `"date":`, `§"dated":`, `unknown property "dated", expected one of release, date, prerelease, asserted, targets, components, omitted, headers, otherHeaders; did you mean date?`},
		{"a flag that is no flag", `"asserted":true`, `"asserted":§1`, "expected true or false, found `1`"},
		{"a release for an unknown target", `"targets":["windows/amd64","linux/amd64"]`, `"targets":["windows/amd64",§"aix/ppc64"]`, `target "aix/ppc64" is not among the targets of the history ` + known},
		{"a release for no target", `"targets":["windows/amd64","linux/amd64"]`, `"targets":[§]`, `expected 1 to 32 targets, found 0`},
		{"headers of a target that was not read", `"otherHeaders":{"windows/amd64"`, `"otherHeaders":{"linux/arm64"`, `7:267: release 1.1.0rc1: other headers for target "linux/arm64", which is not among those read (windows/amd64, linux/amd64)`},
		{"a component twice", `"demo-profiler":"1.0.0","demo-runtime"`, `"demo-profiler":"1.0.0",§"demo-profiler"`, `property "demo-profiler" stands twice`},

		{"an unknown release in a span", `"in":"1.1.0rc1..","header":"demo.h","type":"demoStatus(stdcall:void** out, size_t n)"`, `"in":§"1.1.0rc2..","header":"demo.h","type":"int()"`, `release "1.1.0rc2" is not among the releases of this history (1.0.0, 1.1.0rc1, 1.1.0); did you mean 1.1.0rc1?`},
		{"a span that ends before it begins", `"in":"1.1.0rc1..","header":"demo.h","type":"demoStatus(stdcall:void** out, size_t n)"`, `"in":§"1.1.0..1.0.0","header":"demo.h","type":"int()"`, `range "1.1.0..1.0.0" ends before it begins`},
		{"no span", `"in":"1.0.0..","header":"demo.h","type":"int(int, int)"`, `"type":"int()"`, `13:54: "demoMin": expected a property "in"`},
		{"two shapes in one release", `"in":"1.1.0rc1..","header":"demo.h","type":"demoStatus(stdcall:void** out, unsigned int n)"`, `"in":"1.0.0..","header":"demo.h","type":"int()"`, `11:1: "demoAlloc" is declared twice in release 1.0.0 for linux/amd64, linux/arm64, windows/amd64`},
		{"two shapes for one target", `"in":"1.0.0..","on":["windows/amd64"]`, `"in":"1.0.0..","on":["linux/arm64"]`, `21:1: "demoInfo" is declared twice in release 1.0.0 for linux/arm64`},
		{"a shape for a target that was not read", `"in":"1.1.0rc1","on":["linux/amd64"]`, `"in":"1.1.0rc1","on":["linux/arm64"]`, `21:1: "demoInfo": release 1.1.0rc1 was not read for linux/arm64`},
		{"a shape for an unknown target", `"on":["windows/amd64"]`, `"on":[§"linux/amd46"]`, `target "linux/amd46" is not among the targets of the history ` + known},
		{"a shape for no target", `"on":["windows/amd64"]`, `"on":[§]`, `expected 1 to 32 targets, found 0`},
		{"names out of order", `"name":"demoMin"`, `"name":§"aMin"`, `"aMin" stands after "demoAlloc=demoAlloc_v2": expected names in order, each once`},
		{"a name twice", `"name":"demoMin"`, `"name":§"demoAlloc=demoAlloc_v2"`, `"demoAlloc=demoAlloc_v2" stands after "demoAlloc=demoAlloc_v2": expected names in order, each once`},
		{"a name that is none", `"name":"demoMin"`, `"name":"demoMin()"`, `13:1: "demoMin()" is not the name of a C declaration of this kind`},
		{"a symbol that is the name", `"name":"demoMin"`, `"name":"demoMin=demoMin"`, `13:1: function "demoMin=demoMin": expected NAME, or NAME=SYMBOL where the symbol differs`},
		{"an empty symbol", `"name":"demoMin"`, `"name":"demoMin="`, `13:1: function "demoMin=": expected NAME, or NAME=SYMBOL where the symbol differs`},
		{"no name", `"name":"demoMin",`, ``, `13:1: expected the properties "name" and "is"`},
		{"no shapes", `{"name":"demoMin","is":[{"in":"1.0.0..","header":"demo.h","type":"int(int, int)","inline":true}]}`, `§{"name":"demoMin","is":[]}`, `expected the properties "name" and "is"`},
		{"an unknown property of a row", `"name":"demoMin","is":`, `"name":"demoMin",§"was":`, `unknown property "was", expected one of name, is; did you mean is?`},

		{"a nonsense type", `"type":"int(int, int)"`, `"type":§"int(int, int"`, "type \"int(int, int\": expected `, ` or `)` at character 13, found the end"},
		{"a function that is none", `"type":"int(int, int)"`, `"type":§"int"`, `expected the type of a function, found "int"`},
		{"a function without type", `"type":"int(int, int)",`, ``, `13:1: function "demoMin": expected a property "type"`},
		{"an unknown property of a function", `"inline":true`, `§"inlined":true`, `unknown property "inlined", expected one of header, type, perThread, base, version, perThreadVersion, superseded, inline, deprecated; did you mean inline?`},
		{"a negative version", `"version":1010`, `"version":§-1010`, `expected a number that is not negative, found -1010`},
		{"a property twice", `"inline":true`, `§"type":"int()"`, `property "type" stands twice`},

		{"an enumerator that is too large", `18446744073709551615`, `§18446744073709551616`, `expected a whole number of at most 64 bits, found 18446744073709551616`},
		{"an enumerator that is too small", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":§-9223372036854775809,"DEMO_OLD"`, `expected a whole number of at most 64 bits, found -9223372036854775809`},
		{"an enumerator that is not whole", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":§1.5,"DEMO_OLD"`, `expected a whole number of at most 64 bits, found 1.5`},
		{"an enumerator with an exponent", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":§1e3,"DEMO_OLD"`, `expected a whole number of at most 64 bits, found 1e3`},
		{"an enumerator of minus zero", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":§-0,"DEMO_OLD"`, `expected a whole number of at most 64 bits, found -0`},
		{"an enumerator in octal", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":0§10,"DEMO_OLD"`, `this is not JSON: invalid character '1' after object value (expecting ',' or '}')`},
		{"an enumerator of a minus sign", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":-§,"DEMO_OLD"`, `this is not JSON: invalid character ',' in number (expecting digit)`},
		{"an enumerator in quotes", `"DEMO_BAD":-1,"DEMO_OLD"`, `"DEMO_BAD":§"-1","DEMO_OLD"`, "expected a number, found `\"-1\"`"},
		{"an enumerator twice", `"DEMO_BAD":-1,"DEMO_OLD"`, `§"DEMO_OK":-1,"DEMO_OLD"`, `property "DEMO_OK" stands twice`},
		{"an enumerator that is no name", `"DEMO_BAD":-1,"DEMO_OLD"`, `§"DEMO-BAD":-1,"DEMO_OLD"`, `enumerator "DEMO-BAD": expected a C name`},
		{"an enum without a name", `"name":"enum demoStatus_enum"`, `"name":"enum "`, `18:1: "enum " is not the name of a C declaration of this kind`},
		{"an unknown property of an enum", `"underlying":"int"`, `§"underlies":"int"`, `unknown property "underlies", expected one of header, anonymous, underlying, enumerators; did you mean underlying?`},

		{"a negative size", `"size":24`, `"size":§-24`, `expected a number that is not negative, found -24`},
		{"a huge size", `"size":24`, `"size":§9223372036854775808`, `expected a whole number of at most 64 bits, found 9223372036854775808`},
		{"a negative offset", `"at":16`, `"at":§-16`, `expected a number that is not negative, found -16`},
		{"a negative width", `"bits":3`, `"bits":§-3`, `expected a number that is not negative, found -3`},
		{"a field without type", `{"name":"whole","type":"int"}`, `{"name":"whole"§}`, `field "whole": expected a type or a record`},
		{"an unknown property of a field", `"flex":true`, `§"flexible":true`, `unknown property "flexible", expected one of name, type, record, dims, at, bits, bit, flex`},
		{"an unknown property of a record", `"align":8`, `§"alignment":8`, `unknown property "alignment", expected one of union, incomplete, size, align, fields; did you mean align?`},
		{"a struct that is a union", `"incomplete":true`, `"union":true`, `22:1: "struct demoCtx_st" is not the name of a C declaration of this kind`},
		{"fields that are no list", `"fields":[{"name":"words","type":"unsigned long[2]"},{"record"`, `"fields":§{"record"`, "expected an array, found `{`"},

		{"a typedef without type", `"type":"demoCtx","macro"`, `"macro"`, `26:1: typedef "demoContext": expected a property "type"`},
		{"an unknown property of a typedef", `"macro":true`, `§"macros":true`, `unknown property "macros", expected one of header, type, macro; did you mean macro?`},
		{"a constant without value or reason", `,"reason":"expands to nothing"`, ``, `31:1: constant "DEMO_API": expected a type and a value, or a reason`},
		{"a value without type", `"reason":"expands`, `"value":"7","reason":"expands`, `31:1: constant "DEMO_API": expected a type for its value`},
		{"a value that is a number", `"value":"1000"`, `"value":§1000`, "expected a string, found `1000`"},
		{"an unknown property of a constant", `"reason":"expands`, `§"because":"expands`, `unknown property "because", expected one of header, type, value, reason`},

		{"an unknown role", `"is":"out"`, `"is":§"outt"`, `role "outt": expected one of in, out, inout, array, buffer, string, callback, userdata; did you mean out?`},
		{"a role of nothing", `,"is":"out"`, `§`, `expected the properties "function", "param" and "is"`},
		{"a role in an unknown release", `"param":"n","in":"1.1.0rc1.."`, `"param":"n","in":§"1.1.0rc9.."`, `release "1.1.0rc9" is not among the releases of this history (1.0.0, 1.1.0rc1, 1.1.0); did you mean 1.1.0rc1?`},
		{"an unknown property of a role", `"optional":true`, `§"maybe":true`, `unknown property "maybe", expected one of function, param, in, is, length, optional`},

		{"a colon that is missing", `"format":1`, `"format" §1`, `this is not JSON: invalid character '1' after object name (expecting ':')`},
		{"a comma that is missing", `"format":1,`, `"format":1`, `3:1: this is not JSON: invalid character '"' after object value (expecting ',' or '}')`},
		{"a comma too many in an object", `"asserted":true,`, `"asserted":true,§,`, `this is not JSON: invalid character ',' at start of value`},
		{"a comma too many in a list", `"linux/arm64","windows/amd64"],`, `"linux/arm64","windows/amd64"§,],`, `this is not JSON: invalid character ',' at start of value`},
		{"a quote that is missing", `"date":"2025-03-01"`, `"date":"2025-03-01`, `6:40: this is not JSON: invalid character 'a' after object value (expecting ',' or '}')`},
		{"a string that does not end", `"underlying":"unsigned long"`, `"underlying":"unsigned long`, `17:106: this is not JSON: invalid character 'e' after object value (expecting ',' or '}')`},
		{"a string over the end of its line", `"linux/amd64","linux/arm64","windows/amd64"],`, `"linux/amd64],§`, `this is not JSON: invalid character '\n' in string (expecting non-control character)`},
		{"an escape that JSON has not", `"header":"demo.h","type":"int(int, int)"`, `"header":"§\demo.h","type":"int()"`, "this is not JSON: invalid escape sequence `\\d` in string"},
		{"an array that does not match", `"windows/amd64"],`, `"windows/amd64"§},`, `this is not JSON: invalid character '}' after array element (expecting ',' or ']')`},
		{"a word that JSON has not", `"asserted":true`, `"asserted":§yes`, `this is not JSON: invalid character 'y' at start of value`},
		{"a byte that is not UTF-8", "ü", "\xfc", `32:113: this is not JSON: invalid UTF-8`},
		{"half of a surrogate pair", "ü", `§\ud800`, `this is not JSON: invalid surrogate pair "\\ud800\"}]},\n" in string`},
		{"a name that is no string", `"inline":true`, `§7:true`, `this is not JSON: object member name must be a string`},
		{"a name twice, once escaped", `"inline":true`, `§"t\u0079pe":"int()"`, `property "type" stands twice`},
		{"a comma after the end", "]\n}\n", "]\n}\n,\n", `40:1: this is not JSON: invalid character ',' at start of value`},
		{"a byte after the end", "]\n}\n", "]\n}\n\x00", `40:1: this is not JSON: invalid character '\x00' at start of value`},
		{"a long string after the end", "]\n}\n", "]\n}\n\"" + strings.Repeat("x", 100) + "\"\n", "40:1: expected the end of the file, found `" + strings.Repeat("x", 20) + "`"},
		{"more after the end", "]\n}\n", "]\n}\n{}\n", "40:1: expected the end of the file, found `{`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(demoJSON, c.old) == 0 {
				t.Fatalf("the history has no %s", c.old)
			}
			text, want := strings.Replace(demoJSON, c.old, c.new, 1), c.want
			if before, after, marked := strings.Cut(text, "§"); marked {
				text = before + after
				line := strings.Count(before, "\n")
				col := len(before) - strings.LastIndex(before, "\n")
				want = fmt.Sprintf("%d:%d: %s", line+1, col, want)
			}
			if diff := cmp.Diff("demo.json:"+want, wrong(t, text).Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsNoHistoryIsRefused(t *testing.T) {
	deep := `{"format":1,"library":"demo","targets":["linux/amd64"],"releases":[{"release":"1.0.0"}],"records":[{"name":"r","is":[{"in":"1.0.0..",`
	for _, c := range []struct{ name, text, want string }{
		{"an empty file", "", "1:1: expected an object, found an empty file"},
		{"blank lines", "\n \n", "3:1: expected an object, found an empty file"},
		{"a list", "[1]", "1:1: expected an object, found `[`"},
		{"a word", "null", "1:1: expected an object, found `null`"},
		{"another object", `{"name": "x"}`, `1:2: expected "format" first, found "name": this is not a history of cybindgo`},
		{"an empty object", `{}`, `1:3: expected the properties "format" and "library"`},
		{"YAML", "format: 1\n", `1:2: this is not JSON: invalid character 'o' in literal false (expecting 'a')`},
		{"C", "#include <demo.h>\n", `1:1: this is not JSON: invalid character '#' at start of value`},
		{"a merge conflict", strings.Replace(demoJSON, `"enums":[`, "<<<<<<< HEAD\n\"enums\":[", 1), `16:1: this is not JSON: invalid character '<' at start of value`},
		{"a byte-order mark", "\ufeff" + demoJSON, `1:1: this is not JSON: invalid character '\ufeff' at start of value`},
		{"binary", "\x00\x01\x02{", `1:1: this is not JSON: invalid character '\x00' at start of value`},
		{"UTF-16", "{\x00\"\x00f\x00", `1:2: this is not JSON: invalid character '\x00' at start of value`},
		{"records without end", deep + strings.Repeat(`"fields":[{"record":{`, 100_000), "1:1508: objects and arrays are nested deeper than 200"},
		{"arrays without end", strings.Repeat(`[`, 1000), "1:1: expected an object, found `[`"},
		{"a type without end", deep[:len(deep)-1] + `,"fields":[{"type":"` + strings.Repeat("int(", 10_000) + `"`, "1:152: type of 40000 characters is nested deeper than 64"},
		{"a long word", "{" + strings.Repeat("x", 1000), `1:2: this is not JSON: invalid character 'x' at start of value`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := wrong(t, c.text)
			if diff := cmp.Diff("demo.json:"+c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFileThatIsCutOffSaysSoAtItsEnd(t *testing.T) {
	whole := strings.TrimSuffix(demoJSON, "\n")
	for n := 1; n < len(whole); n++ {
		text := whole[:n]
		err := wrong(t, text)
		if !strings.HasPrefix(err.Msg, "the file ends in the middle, expected ") {
			t.Errorf("cut off at byte %d, after %q: %v", n, text[max(0, n-20):], err)
			continue
		}
		if want := strings.Count(text, "\n") + 1; err.Line != want {
			t.Errorf("cut off at byte %d, in line %d: %v", n, want, err)
		}
	}
}

func TestANameThatStandsTwiceIsFoundHoweverFarApart(t *testing.T) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf(`"DEMO_%d":%d`, i, i))
	}
	old := `"DEMO_OK":0,"DEMO_BAD":-1,"DEMO_OLD":7,"DEMO_ALIAS":0`
	mustDecode(t, strings.Replace(demoJSON, old, strings.Join(names, ","), 1))
	for i := range names {
		for _, again := range []int{i + 1, len(names)} {
			twice := slices.Insert(slices.Clone(names), again, names[i])
			err := wrong(t, strings.Replace(demoJSON, old, strings.Join(twice, ","), 1))
			if want := fmt.Sprintf(`property "DEMO_%d" stands twice`, i); err.Msg != want || err.Line != 18 {
				t.Errorf("%d and %d: %v", i, again, err)
			}
		}
	}
}
