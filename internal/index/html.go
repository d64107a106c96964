package index

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML reads a page as PEP 503 has it: a link for each file, its sum in the
// fragment.
func (p *Page) readHTML(base *url.URL, data []byte) error {
	z := html.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(1 << 20)
	links := base
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break // the end, or something that no browser would read on behind
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		t := z.Token()
		attributes := map[string]string{}
		for _, a := range t.Attr {
			attributes[a.Key] = a.Val
		}
		switch t.DataAtom {
		case atom.Base:
			if u, err := base.Parse(attributes["href"]); err == nil {
				links = u
			}
		case atom.A:
			if f, ok := linked(links, attributes); ok {
				p.Files = append(p.Files, f)
			}
		}
	}
	if len(p.Files) == 0 && !bytes.Contains(bytes.ToLower(data), []byte("links for")) {
		return errorf(base, nil, "lists no files: expected a page of a package index, but it starts with %s", start(data))
	}
	return nil
}

// linked is the file that a link leads to. Other links are passed over.
func linked(base *url.URL, attributes map[string]string) (File, bool) {
	href, there := attributes["href"]
	u, err := base.Parse(strings.TrimSpace(href))
	if !there || err != nil {
		return File{}, false
	}
	name := path.Base(u.Path)
	if !strings.HasSuffix(name, ".whl") && !strings.HasSuffix(name, ".tar.gz") && !strings.HasSuffix(name, ".zip") {
		return File{}, false
	}
	f := File{Name: name, Size: -1}
	if sum, ok := strings.CutPrefix(u.Fragment, "sha256="); ok {
		f.SHA256 = strings.ToLower(sum)
	}
	u.Fragment, u.RawFragment = "", ""
	f.URL = u
	_, f.Yanked = attributes["data-yanked"]
	for _, key := range []string{"data-core-metadata", "data-dist-info-metadata"} {
		if value, ok := attributes[key]; ok && value != "false" {
			f.Metadata = true
		}
	}
	return f, true
}
