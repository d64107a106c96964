package index

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/go-json-experiment/json"

	"github.com/cybindgo/cybindgo/internal/dist"
)

// A Page is what an index says of a project.
type Page struct {
	URL   string // for messages
	Files []File
}

// A File is one that an index lists.
type File struct {
	Name     string
	URL      *url.URL
	SHA256   string    // "" where the index does not say
	Size     int64     // -1 where the index does not say
	Uploaded time.Time // zero where the index does not say
	Yanked   bool
	Metadata bool // its metadata is beside it, at URL.metadata (PEP 658)
}

// maxPage bounds a page, in bytes. The longest of CUDA's has 60 kB.
const maxPage = 32 << 20

// pageTypes says which kinds of page can be read, the best first.
const pageTypes = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"

// Page asks for a project's page. A project that the index does not have is
// [ErrNotFound].
func (c *Client) Page(ctx context.Context, project string) (*Page, error) {
	if !dist.ValidName(project) {
		return nil, fmt.Errorf("%q: expected a project's name", project)
	}
	u := c.Location.URL.JoinPath(dist.Normalise(project), "/")
	var page *Page
	err := c.do(ctx, request{url: u, header: map[string]string{"Accept": pageTypes}, read: func(resp *http.Response) error {
		data, err := readAll(u, resp, maxPage)
		if err != nil {
			return err
		}
		from := u
		if resp.Request != nil {
			from = resp.Request.URL // links start from where redirects led
		}
		page, err = ParsePage(from, resp.Header.Get("Content-Type"), data)
		if err != nil {
			return backoff.Permanent(err)
		}
		return nil
	}})
	return page, err
}

// ParsePage reads a page of the given content type, whose links start from
// base.
func ParsePage(base *url.URL, contentType string, data []byte) (*Page, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = contentType
	}
	page := &Page{URL: Show(base)}
	switch {
	case kind == "application/json", strings.HasSuffix(kind, "+json"):
		err = page.readJSON(base, data)
	case kind == "text/html", strings.HasSuffix(kind, "+html"):
		err = page.readHTML(base, data)
	default:
		return nil, errorf(base, nil, "is of type %.80q: expected a page of a package index, as JSON or HTML", kind)
	}
	return page, err
}

// readJSON reads a page as PEP 691 has it.
func (p *Page) readJSON(base *url.URL, data []byte) error {
	var text struct {
		Meta struct {
			Version string `json:"api-version"`
		} `json:"meta"`
		Files []struct {
			Name     string            `json:"filename"`
			URL      string            `json:"url"`
			Hashes   map[string]string `json:"hashes"`
			Size     *int64            `json:"size"`
			Uploaded string            `json:"upload-time"`
			Yanked   any               `json:"yanked"`
			Core     *metadata         `json:"core-metadata"`
			Old      *metadata         `json:"dist-info-metadata"`
		} `json:"files"`
	}
	err := json.Unmarshal(data, &text)
	if err != nil {
		return errorf(base, err, "says it is JSON, but cannot be read as a page of a package index: it starts with %s", start(data))
	}
	if v := text.Meta.Version; v != "" && v != "1" && !strings.HasPrefix(v, "1.") {
		return errorf(base, nil, "is a page of version %.20q: expected 1.x", v)
	}
	for _, f := range text.Files {
		link, err := base.Parse(f.URL)
		if err != nil {
			return errorf(base, nil, "lists %.80q with a link that is no URL", f.Name)
		}
		file := File{Name: f.Name, URL: link, SHA256: strings.ToLower(f.Hashes["sha256"]), Size: -1, Metadata: f.Core.there() || f.Old.there()}
		if f.Size != nil && *f.Size >= 0 {
			file.Size = *f.Size
		}
		if t, err := time.Parse(time.RFC3339Nano, f.Uploaded); err == nil {
			file.Uploaded = t.UTC()
		}
		switch y := f.Yanked.(type) {
		case bool:
			file.Yanked = y
		case string: // the reason
			file.Yanked = true
		}
		p.Files = append(p.Files, file)
	}
	return nil
}

// metadata is true, false, or the sums of what is there.
type metadata struct{ is bool }

func (m *metadata) there() bool { return m != nil && m.is }

// UnmarshalJSON implements [json.Unmarshaler].
func (m *metadata) UnmarshalJSON(data []byte) error {
	m.is = string(data) != "false" && string(data) != "null"
	return nil
}

// start shows how a text begins, which tells a web page or an error message.
func start(data []byte) string {
	text := string(data[:min(len(data), 40)])
	return strconv.Quote(strings.ToValidUTF8(text, "?"))
}
