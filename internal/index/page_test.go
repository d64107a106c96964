package index

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var base = &url.URL{Scheme: "https", Host: "host.example", Path: "/simple/demo/"}

const sum = "93016c3f9b22cf44cddf919b9161bf41f0db6753b829da778442c52d343a75d6"

// lines shows a page's files.
func lines(p *Page) (list []string) {
	for _, f := range p.Files {
		line := f.Name + " " + f.URL.String() + " " + f.SHA256[:min(4, len(f.SHA256))]
		if f.Size >= 0 {
			line += " sized"
		}
		if !f.Uploaded.IsZero() {
			line += " " + f.Uploaded.Format(time.RFC3339)
		}
		if f.Yanked {
			line += " yanked"
		}
		if f.Metadata {
			line += " metadata"
		}
		list = append(list, line)
	}
	return list
}

func TestPages(t *testing.T) {
	for _, c := range []struct {
		name, kind, text string
		want             []string
		err              string
	}{
		{name: "JSON", kind: "application/vnd.pypi.simple.v1+json; charset=utf-8", text: `{"meta":{"api-version":"1.4"},"name":"demo","versions":["1"],"files":[
			{"filename":"a.whl","url":"https://files.example/a.whl","hashes":{"sha256":"` + sum + `"},"size":7,"upload-time":"2025-08-13T02:02:39.851940Z","yanked":false,"core-metadata":{"sha256":"x"}},
			{"filename":"b.whl","url":"../../b.whl","hashes":{},"yanked":"withdrawn","dist-info-metadata":true,"new-key":[1,2]},
			{"filename":"c.whl","url":"c.whl","hashes":{"sha256":"ABCD"},"size":-7,"upload-time":"yesterday","core-metadata":false,"dist-info-metadata":null},
			{"filename":"d.whl","url":"d.whl","hashes":{},"yanked":true,"size":null}]}`,
			want: []string{
				"a.whl https://files.example/a.whl 9301 sized 2025-08-13T02:02:39Z metadata",
				"b.whl https://host.example/b.whl  yanked metadata",
				"c.whl https://host.example/simple/demo/c.whl abcd",
				"d.whl https://host.example/simple/demo/d.whl  yanked",
			}},
		{name: "HTML", kind: "text/html", text: `<!DOCTYPE html><html><head><base href="/other/"><title>Links for demo</title></head><body>
			<a href="https://files.example/a.whl#sha256=` + sum + `" data-requires-python="&gt;=3.9">a.whl</a><br>
			<A HREF=' b.whl ' data-yanked>b.whl</A><a href="c.whl" data-yanked="why" data-core-metadata="sha256=x">c.whl</a>
			<a href="d.whl" data-dist-info-metadata="false">d.whl</a><a href="../">up</a><a name="x">no link</a>
			<a href="e%20f-1.tar.gz#md5=1">e</a><!-- <a href="g.whl">g.whl</a> --><script>"<a href='h.whl'>"</script></body></html>`,
			want: []string{
				"a.whl https://files.example/a.whl 9301", "b.whl https://host.example/other/b.whl  yanked",
				"c.whl https://host.example/other/c.whl  yanked metadata", "d.whl https://host.example/other/d.whl ",
				"e f-1.tar.gz https://host.example/other/e%20f-1.tar.gz ",
			}},
		{name: "HTML of PEP 691", kind: "application/vnd.pypi.simple.v1+html", text: `<a href="a.whl">a.whl</a>`, want: []string{"a.whl https://host.example/simple/demo/a.whl "}},
		{name: "a project without files", kind: "text/html", text: "<html><h1>Links for demo</h1></html>"},
		{name: "HTML without links", kind: "text/html", text: "<h1>Gateway</h1>", err: `https://host.example/simple/demo/: lists no files: expected a page of a package index, but it starts with "<h1>Gateway</h1>"`},
		{name: "JSON cut off", kind: "application/json", text: `{"files":[{"filename":`, err: `https://host.example/simple/demo/: says it is JSON, but cannot be read as a page of a package index: it starts with "{\"files\":[{\"filename\":"`},
		{name: "JSON of something else", kind: "application/json", text: `[1]`, err: `https://host.example/simple/demo/: says it is JSON, but cannot be read as a page of a package index: it starts with "[1]"`},
		{name: "a link that is none", kind: "application/json", text: `{"files":[{"filename":"a.whl","url":"https://a:b:c/%zz"}]}`, err: `https://host.example/simple/demo/: lists "a.whl" with a link that is no URL`},
		{name: "no type", kind: "", text: `{}`, err: `https://host.example/simple/demo/: is of type "": expected a page of a package index, as JSON or HTML`},
	} {
		page, err := ParsePage(base, c.kind, []byte(c.text))
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, lines(page)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// FuzzPage reads any bytes as a page. Either that is an error, which is short,
// or each file has a URL and a name.
func FuzzPage(f *testing.F) {
	f.Add("application/vnd.pypi.simple.v1+json", `{"meta":{"api-version":"1.4"},"files":[{"filename":"a.whl","url":"https://files.example/a.whl","hashes":{"sha256":"x"},"size":7,"yanked":"x","core-metadata":{}}]}`)
	f.Add("text/html", `<base href="/x/"><a href="a.whl#sha256=x" data-yanked>a.whl</a>`)
	f.Add("text/html; charset=utf-8", `Links for demo`)
	f.Fuzz(func(t *testing.T, kind, text string) {
		page, err := ParsePage(base, kind, []byte(text))
		if err != nil {
			if n := len(err.Error()); n > 1000 {
				t.Fatalf("an error of %d bytes", n)
			}
			return
		}
		for _, file := range page.Files {
			if file.URL == nil || strings.HasPrefix(kind, "text/html") && file.Name == "" {
				t.Fatalf("a file %+v", file)
			}
		}
	})
}
