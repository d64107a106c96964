package indextest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// noise is what does not pack.
var noise = sync.OnceValue(func() []byte {
	text := make([]byte, 4<<20)
	rand.New(rand.NewSource(1)).Read(text)
	return text
})

// Wheel makes a wheel with these members and its metadata. padding bytes of a
// library that does not pack come behind the members, or, below zero, before
// them: wheels of either kind are about.
func Wheel(t testing.TB, name, version string, padding int, members map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(member string, data []byte, method uint16) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: member, Method: method})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	library := func(size int) {
		if size > 0 {
			add("nvidia/lib/libdemo.so", noise()[:size], zip.Store)
		}
	}
	library(-padding)
	for _, member := range slices.Sorted(maps.Keys(members)) {
		add(member, []byte(members[member]), zip.Deflate)
	}
	library(padding)
	info := strings.ReplaceAll(name, "-", "_") + "-" + version + ".dist-info/"
	add(info+"METADATA", []byte("Metadata-Version: 2.4\nName: "+name+"\nVersion: "+version+"\n\nA component.\n"), zip.Deflate)
	add(info+"RECORD", []byte{}, zip.Store)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A Component is a package of a release.
type Component struct {
	Name, Version string // as published
	Pin           string // ==VERSION.* if empty
	Marker        string // besides the extra
	Extra         string
}

// Release lists the meta-package's wheel for a release.
func (s *Server) Release(t testing.TB, label string, uploaded time.Time, components ...Component) *File {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "Metadata-Version: 2.4\nName: cuda-toolkit\nVersion: %s\nProvides-Extra: all\n", label)
	for _, c := range components {
		if c.Pin == "" {
			c.Pin = "==" + c.Version + ".*"
		}
		marker := ""
		if c.Marker != "" {
			marker = "(" + c.Marker + ") and "
		}
		fmt.Fprintf(&text, "Requires-Dist: %s%s; %sextra == 'all'\n", c.Name, c.Pin, marker)
	}
	text.WriteString("\nA description.\nRequires-Dist: not-this==1\n")
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create("cuda_toolkit-" + label + ".dist-info/METADATA")
	if err == nil {
		_, err = w.Write([]byte(text.String()))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Add("cuda-toolkit", &File{Name: "cuda_toolkit-" + label + "-py2.py3-none-any.whl", Data: out.Bytes(), Uploaded: uploaded})
}

// Component lists a component's wheel for a platform tag.
func (s *Server) Component(t testing.TB, c Component, tag string, padding int, uploaded time.Time, members map[string]string) *File {
	t.Helper()
	return s.Add(c.Name, &File{
		Name: strings.ReplaceAll(c.Name, "-", "_") + "-" + c.Version + "-py3-none-" + tag + ".whl",
		Data: Wheel(t, c.Name, c.Version, padding, members), Uploaded: uploaded,
	})
}
