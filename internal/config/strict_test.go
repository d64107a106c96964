package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// whole has every key of a project.
const whole = `licence: ["SPDX-License-Identifier: Apache-2.0"]
packages:
  - name: demo-bindings
    version: 1.0.0
    module: demo.bindings
    output: out
    libraries:
      demo:
        releases: 1.0.0..2.0.0
        types: inline
        without: [egl]
        min-version: {demoFlush: 2.0.0}
        allow-removed: {demoOld: withdrawn}
`

// full has every key of a definition.
const full = `library: demo
title: Demo
headers:
  bind: [demo.h, demoEGL.h]
  consult: [demoTypedefs.h]
  families: {egl: [demoEGL.h]}
  defines: [A, B=1 + 2]
  internal-view: INTERNAL
  per-thread-view: PER_THREAD
  query-prefix: PFN_
  version: {macro: DEMO_VERSION, major: 1000, minor: 10}
public-names: base
types:
  default: extern
  headers: {demoEGL.h: inline}
  exceptions: {cython: [GLuint], inline: [demoPoint], extern: [demoBox]}
  ignore-conventions: true
results: {demoStatus: DEMO_ERROR, int: -1, float: 1.5}
constants: {DEMO_LOADING_ERROR: 500}
exclude: {demoLog: variadic}
min-version: {demoFlush: 2.0.0}
allow-removed: {demoOld: withdrawn}
snippet: demo.snippet.pyx
loader:
  resolve: proc-address
  proc-address: {symbol: demoGet, flags: 1, per-thread-flags: 2, not-found: A, failed: B, status-missing: C, status-too-old: D}
  pathfinder: demo
  open: {linux: [libdemo.so.1], windows: [demo64_1.dll]}
  per-thread-env: DEMO_PER_THREAD
`

// mistake is an edit that makes a file wrong, and what is said of it.
type mistake struct{ old, new, want string }

// shape are mistakes that the JSON schema finds too.
var projectShape = []mistake{
	{"version: 1.0.0", "version: 1.0", `4:14: version is the number 1.0: expected text; write "1.0"`},
	{"version: 1.0.0", "version: [1.0.0]", `4:14: version is a list: expected text`},
	{"version: 1.0.0", "version: {a: b}", `4:14: version is a mapping: expected text`},
	{"version: 1.0.0", "version: true", `4:14: version is the truth value true: expected text; write "true"`},
	{"version: 1.0.0", "version:", `4:13: version is empty: expected text`},
	{"version: 1.0.0", "version: ~", `4:14: version is empty: expected text`},
	{"version: 1.0.0", "version: ''", `4:14: version "": expected a version, such as 13.5.0`},
	{"version: 1.0.0", `version: "1\" x"`, `4:14: version "1\" x": expected a version, such as 13.5.0`},
	{"    version: 1.0.0\n", "", `3:5: expected version: a version, such as 13.5.0`},
	{"    version: 1.0.0\n", "    vresion: 1.0.0\n", `4:5: unknown key "vresion": expected one of name, version, module, output, libraries; did you mean version?`},
	{"    version: 1.0.0\n", "    version: 1.0.0\n    flavour: sweet\n", `5:5: unknown key "flavour": expected one of name, version, module, output, libraries`},
	{"module: demo.bindings", "module: demo..bindings", `5:13: module "demo..bindings": expected dotted Python names, such as cuda.bindings`},
	{"module: demo.bindings", "module: 1demo", `5:13: module "1demo": expected dotted Python names, such as cuda.bindings`},
	{"output: out", "output: /out", `6:13: output "/out": expected a folder below the configuration, such as generated/cuda_bindings_13`},
	{`["SPDX-License-Identifier: Apache-2.0"]`, "Apache-2.0", `1:10: licence is the text "Apache-2.0": expected a list`},
	{`["SPDX-License-Identifier: Apache-2.0"]`, `["a\nimport os"]`, `1:11: licence "a\nimport os": expected one line of text, such as SPDX-License-Identifier: Apache-2.0`},
	{`["SPDX-License-Identifier: Apache-2.0"]`, `[{a: b}]`, `1:11: licence is a mapping: expected text`},
	{whole[strings.Index(whole, "packages"):], "packages: []\n", `2:11: packages is empty: expected a list with at least one package`},
	{whole[strings.Index(whole, "packages"):], "packages: {}\n", `2:11: packages is a mapping: expected a list`},
	{whole[strings.Index(whole, "packages"):], "packages: [one]\n", `2:12: packages is the text "one": expected a mapping`},
	{"      demo:\n", "      Demo:\n", `8:7: libraries "Demo": expected small letters, digits and underscores, a letter first`},
	{"1.0.0..2.0.0", "1.0.0...2.0.0", `9:19: releases "1.0.0...2.0.0": expected a release or a range of them, such as 12.9.0..13.5.0`},
	{"1.0.0..2.0.0", "1.0.0..", `9:19: releases "1.0.0..": expected a release or a range of them, such as 12.9.0..13.5.0`},
	{"1.0.0..2.0.0", "12.9", `9:19: releases is the number 12.9: expected text; write "12.9"`},
	{"        releases: 1.0.0..2.0.0\n", "", `9:9: expected releases: a release or a range of them, such as 12.9.0..13.5.0`},
	{"types: inline", "types: inlined", `10:16: types "inlined": expected one of extern, inline, cython; did you mean inline?`},
	{"without: [egl]", "without: egl", `11:18: without is the text "egl": expected a list`},
	{"without: [egl]", "without: [egl, egl]", `11:24: without: "egl" stands twice`},
	{"{demoFlush: 2.0.0}", "[demoFlush]", `12:22: min-version is a list: expected a mapping`},
	{"{demoFlush: 2.0.0}", "{demoFlush: newest}", `12:34: demoFlush "newest": expected a release, such as 13.0.0`},
	{"{demoFlush: 2.0.0}", "{demo-flush: 2.0.0}", `12:23: min-version "demo-flush": expected a name in C`},
	{"{demoOld: withdrawn}", "{demoOld: ' '}", `13:34: demoOld " ": expected the reason`},
	// All of them, in order.
	{"    version: 1.0.0\n    module: demo.bindings\n", "    versoin: 1.0.0\n    module: demo bindings\n",
		`4:5: unknown key "versoin": expected one of name, version, module, output, libraries; did you mean version?` + "\n" +
			`x.yaml:5:13: module "demo bindings": expected dotted Python names, such as cuda.bindings`},
}

// meaning are mistakes that a schema cannot find.
var projectMeaning = []mistake{
	{"    version: 1.0.0\n", "    version: 1.0.0\n    version: 1.0.1\n", `5:5: the key "version" stands twice: first in line 4`},
	{"output: out", "output: a/../..", `6:13: output "a/../..": expected a folder below the configuration, such as generated/demo-bindings`},
	{"1.0.0..2.0.0", "2.0.0..1.0.0", `9:19: releases 2.0.0..1.0.0: the range ends before it begins; write 1.0.0..2.0.0`},
	{"1.0.0..2.0.0", "1.0.0..2.0.0.post", `9:19: release "2.0.0.post": expected it in its normal form, 2.0.0.post0`},
	{"1.0.0..2.0.0", "1banana", `9:19: release "1banana": expected a full version such as 13.5.0, 12.8.2.0 or 13.4.0rc1`},
	{whole[strings.Index(whole, "    libraries"):], "    libraries: {}\n", `7:16: package demo-bindings: expected at least one library`},
	{"packages:\n", "packages:\n  - {name: a, version: 1.0.0, module: a, output: out/a, libraries: {demo: {releases: 1.0.0}}}\n",
		`7:13: output "out" of demo-bindings overlaps "out/a" of a: expected a folder for each package`},
}

var libraryShape = []mistake{
	{"library: demo\n", "library: Demo\n", `1:10: library "Demo": expected small letters, digits and underscores, a letter first, such as driver`},
	{"title: Demo\n", "title: \"De\\nmo\"\n", `2:8: title "De\nmo": expected one line of text, such as CUDA driver API`},
	{"[demo.h, demoEGL.h]", "demo.h", `4:9: bind is the text "demo.h": expected a list`},
	{"[demo.h, demoEGL.h]", "[demo.h, ../demoEGL.h]", `4:18: bind "../demoEGL.h": expected a header as it is included, such as demo.h`},
	{"[demo.h, demoEGL.h]", "[demo.h, demoEGL.h, demo.h]", `4:29: bind: "demo.h" stands twice`},
	{"  families: {egl: [demoEGL.h]}\n", "  optional: [demoEGL.h]\n", `6:3: unknown key "optional": expected one of bind, consult, families, packages, defines, internal-view, per-thread-view, query-prefix, version`},
	{"{egl: [demoEGL.h]}", "[demoEGL.h]", `6:13: families is a list: expected a mapping`},
	{"{egl: [demoEGL.h]}", "{egl: []}", `6:19: egl is empty: expected a header as it is included`},
	{"{egl: [demoEGL.h]}", "{E G L: [demoEGL.h]}", `6:14: families "E G L": expected a family's name of small letters, digits and hyphens`},
	{"[A, B=1 + 2]", "[-DA]", `7:13: defines "-DA": expected NAME or NAME=VALUE, such as demoHandle_t=unsigned int`},
	{"major: 1000", "major: 0", `11:41: major 0: expected a factor above 0, such as 1000`},
	{"major: 1000", "major: many", `11:41: major is the text "many": expected a whole number`},
	{", minor: 10", "", `11:12: expected minor: a factor above 0, such as 10`},
	{"public-names: base", "public-names: bass", `12:15: public-names "bass": expected one of base, symbol; did you mean base?`},
	{"  default: extern\n", "", `14:3: expected default: one of extern, inline, cython`},
	{"demoEGL.h: inline", "demoEGL.h: inlien", `15:24: demoEGL.h "inlien": expected one of extern, inline, cython; did you mean inline?`},
	{"cython: [GLuint]", "cyton: [GLuint]", `16:16: unknown key "cyton": expected one of extern, inline, cython; did you mean cython?`},
	{"ignore-conventions: true", "ignore-conventions: 1", `17:23: ignore-conventions is the number 1: expected true or false`},
	{"int: -1", "int: null", `18:40: int is empty: expected text`},
	{"int: -1", `int: "-1\n"`, `18:40: int "-1\n": expected a C expression in one line`},
	{"DEMO_LOADING_ERROR: 500", "DEMO_LOADING_ERROR: 500.5", `19:33: DEMO_LOADING_ERROR is the number 500.5: expected a whole number`},
	{"DEMO_LOADING_ERROR: 500", "DEMO_LOADING_ERROR: 2147483648", `19:33: DEMO_LOADING_ERROR 2147483648: expected a number that fits into 32 bits`},
	{"{demoLog: variadic}", "[demoLog]", `20:10: exclude is a list: expected a mapping`},
	{"demo.snippet.pyx", "../demo.pyx", `23:10: snippet "../demo.pyx": expected a file below the definition's folder, such as demo.snippet.pyx`},
	{"resolve: proc-address", "resolve: static", `25:12: resolve "static": expected one of proc-address, dynamic`},
	{"symbol: demoGet, ", "", `26:17: expected symbol: a name in C, such as cuGetProcAddress_v2`},
	{", windows: [demo64_1.dll]", "", `28:9: expected windows: the file name of a library, such as demo64_1.dll`},
	{"windows: [demo64_1.dll]", "macos: [libdemo.dylib]", `28:9: expected windows: the file name of a library, such as demo64_1.dll` + "\n" + `x.yaml:28:33: unknown key "macos": expected one of linux, windows`},
	{"libdemo.so.1", `"lib\"demo.so.1"`, `28:18: linux "lib\"demo.so.1": expected the file name of a library, such as libdemo.so.1`},
}

var libraryMeaning = []mistake{
	{"{egl: [demoEGL.h]}", "{egl: [demoEGLs.h]}", `6:14: family egl: expected a header that stands under bind` + "\n" + `x.yaml:6:20: family egl: "demoEGLs.h" stands neither under bind nor under consult; did you mean demoEGL.h?`},
	{"{egl: [demoEGL.h]}", "{egl: [demoEGL.h], gl: [demoEGL.h]}", `6:37: family gl: "demoEGL.h" is of family egl already`},
	{"{egl: [demoEGL.h]}", "{egl: [demoTypedefs.h]}", `6:14: family egl: expected a header that stands under bind`},
	{"consult: [demoTypedefs.h]", "consult: [demo.h]", `5:13: consult: "demo.h" stands under bind already`},
	{"extern: [demoBox]", "extern: [GLuint]", `16:25: cython: "GLuint" is an exception of mode extern already`},
	{"resolve: proc-address", "resolve: dynamic", `26:3: proc-address goes with resolve: proc-address`},
	{"  proc-address: {symbol: demoGet, flags: 1, per-thread-flags: 2, not-found: A, failed: B, status-missing: C, status-too-old: D}\n", "", `24:1: resolve is proc-address: expected the function that resolves, under proc-address`},
	{"snippet: demo.snippet.pyx", "snippet: demo.yaml", `23:10: snippet "demo.yaml": expected a Cython file, such as demo.snippet.pyx`},
}

// syntax are files that are no YAML, or not one document of it.
var syntaxMistakes = []struct{ text, want string }{
	{"", "1:1: the file says nothing: expected keys and values"},
	{"# nothing\n", "1:1: the file says nothing: expected keys and values"},
	{"---\n", "1:1: the file says nothing: expected keys and values"},
	{"null\n", "1:1: the file says nothing: expected keys and values"},
	{"- a\n", "1:3: the file is a list: expected a mapping"},
	{"text\n", `1:1: the file is the text "text": expected a mapping`},
	{whole + "---\n" + whole, "15:1: a second document begins here: expected one"},
	{"licence: [a\npackages: b\n", "2:1: ',' or ']' must be specified"},
	{"licence:\n\t- a\n", "2:1: found character '\t' that cannot start any token"},
	{"licence: [\"caf\xe9\"]\n", "1:15: byte 0xe9: expected text in UTF-8"},
	{"licence: [a]\nx: \x00\n", "2:4: byte 0x00: expected text in UTF-8"},
	{"licence: *nowhere\n", `1:1: expected packages: a list with at least one package` + "\n" + `x.yaml:1:10: the alias *nowhere leads nowhere`},
	{"licence: &a [*a]\npackages: []\n", "1:14: licence is a list: expected text"},
}

func TestMistakesInAProject(t *testing.T) {
	testMistakes(t, whole, slicesOf(projectShape, projectMeaning), func(data []byte) error {
		_, err := LoadProject("x.yaml", data)
		return err
	})
}

func TestMistakesInALibrary(t *testing.T) {
	testMistakes(t, full, slicesOf(libraryShape, libraryMeaning), func(data []byte) error {
		_, err := ParseLibrary("x.yaml", data)
		return err
	})
}

func slicesOf(lists ...[]mistake) (all []mistake) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func testMistakes(t *testing.T, text string, mistakes []mistake, load func([]byte) error) {
	if err := load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, m := range mistakes {
		if !strings.Contains(text, m.old) {
			t.Fatalf("%q is not there to be replaced", m.old)
		}
		err := load([]byte(strings.Replace(text, m.old, m.new, 1)))
		if err == nil {
			t.Errorf("%q: no error", m.new)
		} else if d := cmp.Diff("x.yaml:"+m.want, err.Error()); d != "" {
			t.Errorf("%q (-want +got):\n%s", m.new, d)
		}
	}
}

func TestFilesThatAreNoYAML(t *testing.T) {
	for _, c := range syntaxMistakes {
		_, err := LoadProject("x.yaml", []byte(c.text))
		if err == nil {
			t.Errorf("%q: no error", c.text)
		} else if d := cmp.Diff("x.yaml:"+c.want, err.Error()); !strings.HasPrefix(err.Error(), "x.yaml:"+c.want) {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
}

// What YAML has for writing less is fine, and so are other line ends and a
// byte-order mark.
func TestYAMLInAllItsForms(t *testing.T) {
	plain, err := LoadProject("x.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	anchors := strings.Replace(whole, "      demo:\n", "      demo: &binding\n", 1)
	for name, text := range map[string]string{
		"byte-order mark": "\ufeff" + whole,
		"CRLF":            strings.ReplaceAll(whole, "\n", "\r\n"),
		"quotes":          strings.Replace(whole, "version: 1.0.0", `"version": '1.0.0'`, 1),
		"anchor":          anchors,
		"block text":      strings.Replace(whole, "version: 1.0.0", "version: >-\n      1.0.0", 1),
		"document mark":   "---\n" + whole,
		"comments":        "# a\n" + strings.ReplaceAll(whole, "\n", " # b\n"),
		"explicit key":    strings.Replace(whole, "    version: 1.0.0", "    ? version\n    : 1.0.0", 1),
	} {
		p, err := LoadProject("x.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := cmp.Diff(plain.Packages, p.Packages); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	two := anchors + `  - name: other
    version: 1.0.0
    module: other
    output: other
    libraries:
      demo: {<<: *binding, types: extern}
`
	p, err := LoadProject("x.yaml", []byte(two))
	if err != nil {
		t.Fatal(err)
	}
	want := plain.Packages[0].Libraries["demo"]
	want.Types = Extern
	if d := cmp.Diff(want, p.Packages[1].Libraries["demo"]); d != "" {
		t.Errorf("merged (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"demo"}, p.LibraryNames()); d != "" {
		t.Errorf("libraries (-want +got):\n%s", d)
	}
}

func TestEveryKeyOfADefinitionIsRead(t *testing.T) {
	l, err := ParseLibrary("x.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	got := *l
	got.doc, got.snippet = nil, nil
	want := Library{
		Name: "demo", Title: "Demo",
		Headers: Headers{
			Bind: []string{"demo.h", "demoEGL.h"}, Consult: []string{"demoTypedefs.h"},
			Families: map[string][]string{"egl": {"demoEGL.h"}}, Defines: []string{"A", "B=1 + 2"},
			InternalView: "INTERNAL", PerThreadView: "PER_THREAD", QueryPrefix: "PFN_",
			Version: VersionMacro{"DEMO_VERSION", 1000, 10},
		},
		Public: BaseNames,
		Types: TypeModes{
			Default: Extern, Headers: map[string]TypeMode{"demoEGL.h": Inline},
			Exceptions:        Exceptions{Cython: []string{"GLuint"}, Inline: []string{"demoPoint"}, Extern: []string{"demoBox"}},
			IgnoreConventions: true,
		},
		Results:      map[string]string{"demoStatus": "DEMO_ERROR", "int": "-1", "float": "1.5"},
		Constants:    map[string]int{"DEMO_LOADING_ERROR": 500},
		Exclude:      map[string]string{"demoLog": "variadic"},
		MinVersion:   map[string]string{"demoFlush": "2.0.0"},
		AllowRemoved: map[string]string{"demoOld": "withdrawn"},
		Snippet:      "demo.snippet.pyx",
		Loader: Loader{
			Resolve:     ByProcAddress,
			ProcAddress: ProcAddress{"demoGet", 1, 2, "A", "B", "C", "D"},
			Pathfinder:  "demo", Open: OpenNames{[]string{"libdemo.so.1"}, []string{"demo64_1.dll"}},
			PerThreadEnv: "DEMO_PER_THREAD",
		},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Library{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
