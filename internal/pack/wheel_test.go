package pack

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func demo() *Wheel {
	return &Wheel{
		Name: "demo", Version: "1.2.0rc1", Summary: "A demo", Description: "# Demo\n", Licence: "Apache-2.0",
		RequiresPython: ">=3.9", Author: "the demo authors", URLs: []Link{{"Source", "https://example.org/demo"}},
		Classifiers: []string{"Programming Language :: Python :: 3"},
		Platforms:   []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64"},
		Package:     []File{{Name: "demo/__main__.py", Data: []byte("run()\n")}, {Name: "demo/__init__.py"}},
		Scripts:     []File{{Name: "demo", Data: []byte("\x7fELF")}},
		Licences:    []File{{Name: "LICENSE", Data: []byte("Do as you like.\n")}},
	}
}

func TestWheel(t *testing.T) {
	w := demo()
	if got, want := w.FileName(), "demo-1.2.0rc1-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"; got != want {
		t.Errorf("it is called %s, want %s", got, want)
	}
	data, err := w.Pack(when)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	modes, names := map[string]fs.FileMode{}, []string(nil)
	for _, f := range r.File {
		names = append(names, f.Name)
		modes[f.Name] = f.Mode()
	}
	want := []string{
		"demo-1.2.0rc1.data/scripts/demo",
		"demo/__init__.py",
		"demo/__main__.py",
		"demo-1.2.0rc1.dist-info/METADATA",
		"demo-1.2.0rc1.dist-info/WHEEL",
		"demo-1.2.0rc1.dist-info/licenses/LICENSE",
		"demo-1.2.0rc1.dist-info/RECORD",
	}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("members (-want +got):\n%s", d)
	}
	for name, mode := range modes {
		if executable := strings.Contains(name, "/scripts/"); mode != 0o644 && !executable || executable && mode != 0o755 {
			t.Errorf("%s has mode %v", name, mode)
		}
	}
	for name, want := range map[string]string{
		"METADATA": "Metadata-Version: 2.4\nName: demo\nVersion: 1.2.0rc1\nSummary: A demo\nAuthor: the demo authors\n" +
			"License-Expression: Apache-2.0\nLicense-File: LICENSE\nClassifier: Programming Language :: Python :: 3\n" +
			"Project-URL: Source, https://example.org/demo\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n# Demo\n",
		"WHEEL": "Wheel-Version: 1.0\nGenerator: cybindgo mkdist 1.2.0rc1\nRoot-Is-Purelib: false\n" +
			"Tag: py3-none-manylinux_2_17_x86_64\nTag: py3-none-manylinux2014_x86_64\n",
	} {
		text, err := fs.ReadFile(r, "demo-1.2.0rc1.dist-info/"+name)
		if d := cmp.Diff(want, string(text)); err != nil || d != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
	// The digests are what sha256sum and base64 say.
	text, err := fs.ReadFile(r, "demo-1.2.0rc1.dist-info/RECORD")
	for _, want := range []string{
		"demo/__init__.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n",
		"demo-1.2.0rc1.dist-info/RECORD,,\n",
	} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v: RECORD lacks %q:\n%s", err, want, text)
		}
	}
	if lines := strings.Count(string(text), "\n"); lines != len(want) {
		t.Errorf("RECORD has %d lines for %d members", lines, len(want))
	}
}

func TestWheelsThatToolsWouldMisread(t *testing.T) {
	for _, c := range []struct {
		change func(*Wheel)
		want   string
	}{
		{func(w *Wheel) { w.Name = "De-mo" }, `the name "De-mo": expected small letters, digits and single underscores`},
		{func(w *Wheel) { w.Version = "1.2.0-rc.1" }, `the version "1.2.0-rc.1": expected its normal form, 1.2.0rc1`},
		{func(w *Wheel) { w.Version = "newest" }, `the version "newest": expected one of Python, such as 1.2.0 or 1.2.0rc1`},
		{func(w *Wheel) { w.Platforms = nil }, `demo: expected at least one platform tag, such as win_amd64`},
		{func(w *Wheel) { w.Platforms = []string{"win-amd64"} }, `the platform tag "win-amd64": expected one such as win_amd64`},
		{func(w *Wheel) { w.Summary = "A\ndemo" }, `the field "A\ndemo" of the metadata: expected one line of text`},
		{func(w *Wheel) { w.Author = "" }, `the field "" of the metadata: expected one line of text`},
		{func(w *Wheel) { w.Package = append(w.Package, w.Package[0]) }, `demo/__main__.py is in the archive twice`},
		{func(w *Wheel) { w.Scripts[0].Name = "../../../demo" }, `"../demo": expected a path below the archive's root, of printable ASCII without backslashes`},
	} {
		w := demo()
		c.change(w)
		if _, err := w.Pack(when); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}
