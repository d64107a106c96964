package fetch

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	version "github.com/aquasecurity/go-pep440-version"

	"github.com/cybindgo/cybindgo/internal/dist"
	"github.com/cybindgo/cybindgo/internal/index"
)

// metaPackage names every release of the toolkit. Its wheels hold metadata
// alone.
const metaPackage = "cuda-toolkit"

// A Toolkit is a release of CUDA, as the meta-package has it.
type Toolkit struct {
	Release  string    // as published: 12.8.2.0
	Uploaded time.Time // when the meta-package was; zero if not known
	Date     string    // of publication, YYYY-MM-DD; "" if not known, see [Fetcher.Date]
	Metadata string    // the meta-package's, up to its description

	parsed *dist.Metadata
}

// placeholder is the version that reserves a name.
const placeholder = "0.0.0a0"

// Releases lists the releases that there are, in order, candidates among them.
// Offline it lists those in the cache.
func (f *Fetcher) Releases(ctx context.Context) ([]string, error) {
	if f.Offline {
		labels := f.Cache.Keys("toolkits")
		sortVersions(labels)
		return labels, nil
	}
	page, err := f.page(ctx, metaPackage)
	if err != nil {
		return nil, err
	}
	var labels []string
	for release, file := range toolkitWheels(page) {
		if !file.Yanked {
			labels = append(labels, release)
		}
	}
	sortVersions(labels)
	return labels, nil
}

func sortVersions(labels []string) {
	slices.SortFunc(labels, func(a, b string) int {
		v, err := version.Parse(a)
		w, err2 := version.Parse(b)
		if err != nil || err2 != nil {
			return cmp.Compare(a, b)
		}
		return v.Compare(w)
	})
}

// toolkitWheels are the meta-package's wheels by release. One that was withdrawn
// is still there for whoever asks for that very release.
func toolkitWheels(page *index.Page) map[string]index.File {
	wheels := map[string]index.File{}
	for _, file := range page.Files {
		w, err := dist.ParseWheelName(file.Name)
		if err != nil || w.Name != metaPackage || w.Version == placeholder {
			continue
		}
		if other, twice := wheels[w.Version]; !twice || other.Yanked {
			wheels[w.Version] = file
		}
	}
	return wheels
}

// toolkit finds a release: by its label, or by another way to write the same
// version. trips counts the requests that waited for each other.
func (f *Fetcher) toolkit(ctx context.Context, release string) (t *Toolkit, trips int, err error) {
	want, err := version.Parse(release)
	if err != nil {
		return nil, 0, fmt.Errorf("release %.80q: expected a full version such as 13.5.0", release)
	}
	if !f.Refresh {
		for _, label := range f.Cache.Keys("toolkits") {
			if v, err := version.Parse(label); err == nil && v.Compare(want) == 0 {
				t := &Toolkit{}
				if f.Cache.Record(t, "toolkits", label) == nil && t.parse() == nil {
					return t, 0, nil
				}
			}
		}
	}
	if f.Offline {
		return nil, 0, f.notCached("CUDA "+release, release)
	}
	page, err := f.page(ctx, metaPackage)
	if errors.Is(err, index.ErrNotFound) {
		return nil, 1, fmt.Errorf("the index has no %s, which says what belongs to a release of CUDA: %w", metaPackage, err)
	}
	if err != nil {
		return nil, 1, err
	}
	wheels := toolkitWheels(page)
	var labels []string
	for label, file := range wheels {
		if v, err := version.Parse(label); err == nil && v.Compare(want) == 0 {
			t, err := f.readToolkit(ctx, label, file)
			return t, 2, err
		}
		labels = append(labels, label)
	}
	sortVersions(labels)
	return nil, 1, noRelease(release, labels, page.URL)
}

// noRelease says that there is no such release, and which are nearest.
func noRelease(release string, labels []string, where string) error {
	if len(labels) == 0 {
		return fmt.Errorf("there is no CUDA %s: %s lists no release", release, where)
	}
	near := nearest(release, labels)
	return fmt.Errorf("there is no CUDA %s; the nearest releases are %s (%d in all, %s to %s)",
		release, strings.Join(near, ", "), len(labels), labels[0], labels[len(labels)-1])
}

// nearest gives the releases around one that there is not: those with the same
// first two numbers, or the one before and the one after.
func nearest(release string, labels []string) (near []string) {
	parts := strings.SplitN(release, ".", 3)
	minor := strings.Join(parts[:min(2, len(parts))], ".")
	for _, label := range labels {
		if label == minor || strings.HasPrefix(label, minor+".") {
			near = append(near, label)
		}
	}
	if len(near) > 0 {
		return near
	}
	want, err := version.Parse(release)
	if err != nil {
		return labels[len(labels)-1:]
	}
	after := slices.IndexFunc(labels, func(label string) bool {
		v, err := version.Parse(label)
		return err == nil && v.Compare(want) > 0
	})
	switch {
	case after < 0:
		return labels[len(labels)-1:]
	case after == 0:
		return labels[:1]
	}
	return labels[after-1 : after+1]
}

// maxMetadata bounds the metadata of the meta-package, in bytes. They have 25
// kB.
const maxMetadata = 4 << 20

// readToolkit reads what a release pins.
func (f *Fetcher) readToolkit(ctx context.Context, label string, file index.File) (*Toolkit, error) {
	client, err := f.client(ctx)
	if err != nil {
		return nil, err
	}
	var text []byte
	if file.Metadata {
		beside := *file.URL
		beside.Path += ".metadata"
		text, err = client.Get(ctx, &beside, maxMetadata)
		if err != nil && !errors.Is(err, index.ErrNotFound) {
			return nil, err
		}
	}
	if text == nil {
		wheel, err := client.Get(ctx, file.URL, smallWheel)
		if err != nil {
			return nil, err
		}
		if text, err = metadataOf(file.URL, wheel, file.SHA256); err != nil {
			return nil, err
		}
	}
	// What follows on the first empty line is a description.
	head, _, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n\n")
	t := &Toolkit{Release: label, Uploaded: file.Uploaded, Metadata: head + "\n"}
	if err := t.parse(); err != nil {
		return nil, fmt.Errorf("%s: its metadata: %w", index.Show(file.URL), err)
	}
	return t, f.Cache.PutRecord(t, "toolkits", label)
}

// metadataOf gives the metadata of a wheel that was downloaded.
func metadataOf(u *url.URL, wheel []byte, sum string) ([]byte, error) {
	bad := func(format string, args ...any) error {
		return &index.Error{URL: index.Show(u), Msg: fmt.Sprintf(format, args...)}
	}
	if got := sumOf(wheel); sum != "" && got != sum {
		return nil, bad("its sha256 is %s, but the index says %s; nothing of it is used", got, sum)
	}
	archive, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		return nil, bad("is no wheel: %v", err)
	}
	for _, m := range archive.File {
		if ok, _ := path.Match("*.dist-info/METADATA", m.Name); !ok {
			continue
		}
		r, err := m.Open()
		if err != nil {
			return nil, bad("%s: %v", m.Name, err)
		}
		defer r.Close()
		text, err := io.ReadAll(io.LimitReader(r, maxMetadata+1))
		if err != nil || len(text) > maxMetadata {
			return nil, bad("%s is damaged, or has more than %d bytes", m.Name, maxMetadata)
		}
		return text, nil
	}
	return nil, bad("is no wheel: it has no METADATA")
}

func (t *Toolkit) parse() (err error) {
	t.parsed, err = dist.ParseMetadata([]byte(t.Metadata))
	if err == nil && len(t.parsed.Unread) > 0 {
		return t.parsed.Unread[0] // a component might be missing without anybody's knowing
	}
	if err == nil && t.parsed.Name != metaPackage {
		err = fmt.Errorf("they are of %s, expected %s", t.parsed.Name, metaPackage)
	}
	return err
}

var majorSuffix = regexp.MustCompile(`-cu[0-9]+$`)

// component is what a release has of a package, named without -cu11 or -cu12.
// pinned says whether it has it for any platform.
func (t *Toolkit) component(name string, p Platform) (r dist.Requirement, pinned, here bool, err error) {
	e := p.environment(t.parsed.Extras)
	for _, r := range t.parsed.Requires {
		if majorSuffix.ReplaceAllString(r.Name, "") != name || len(r.Clauses) == 0 {
			continue
		}
		if r.Marker == nil {
			return r, true, true, nil
		}
		ok, err := r.Marker.Holds(e)
		if err != nil {
			return r, true, false, fmt.Errorf("CUDA %s, %s: %w", t.Release, r.Name, err)
		}
		if ok {
			return r, true, true, nil
		}
		pinned = true
	}
	return r, pinned, false, nil
}

// Pins gives the version of each component, by its package's full name, as
// [headers.Set.Pins] has them.
func (t *Toolkit) Pins() map[string]string {
	pins := map[string]string{}
	for _, r := range t.parsed.Requires {
		if pin := r.Pin(); pin != "" {
			pins[r.Name] = pin
		}
	}
	return pins
}

// unknown says that a release has none of some packages.
func (t *Toolkit) unknown(names string) string {
	return fmt.Sprintf("CUDA %s has no %s", t.Release, strings.ReplaceAll(names, "|", " and no "))
}
