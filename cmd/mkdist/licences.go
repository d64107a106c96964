package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceFile is what modules call the texts that have to go with a copy.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([.-][a-z0-9.-]*)?$`)

// licences gathers the licences of all modules that are linked into the program
// for a platform, and of Go's own packages. One without a licence is an error:
// it must not be passed on.
func licences(ctx context.Context, p platform) ([]byte, error) {
	root, err := goCommand(ctx, p, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	list, err := goCommand(ctx, p, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", program)
	if err != nil {
		return nil, err
	}
	modules := strings.Split(strings.TrimSpace(list), "\n")
	slices.Sort(modules)
	modules = append([]string{"The Go standard library\t" + strings.TrimSpace(root)}, slices.Compact(modules)...)

	var b bytes.Buffer
	b.WriteString("cybindgo holds the work of others under the following licences.\n")
	for _, m := range modules {
		name, dir, _ := strings.Cut(m, "\t")
		texts, err := licencesIn(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s", strings.Repeat("=", 80), name, bytes.Join(texts, []byte("\n")))
	}
	return b.Bytes(), nil
}

// licencesIn reads the licences in a module's folder.
func licencesIn(dir string) (texts [][]byte, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
		texts = append(texts, append(text, '\n'))
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("no licence in %s", dir)
	}
	return texts, nil
}
