package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/suggest"
)

// manifest is what a package's modules export to other Cython modules.
type manifest struct {
	Package  string         `json:"package"`
	Version  string         `json:"version"`
	Output   string         `json:"output"`
	Capsules []emit.Capsule `json:"exports"`
}

// capsules prints the manifest of each package that binds the library.
func (in *inspection) capsules(cmd *cobra.Command, p *project) error {
	input, _, err := p.load([]string{in.library})
	if err != nil {
		return err
	}
	var manifests []manifest
	var outputs []string
	for i := range input.Project.Packages {
		pkg := &input.Project.Packages[i]
		if _, binds := pkg.Libraries[in.library]; !binds {
			continue
		}
		outputs = append(outputs, pkg.Output)
		if in.output != "" && in.output != pkg.Output {
			continue
		}
		capsules, err := emit.Capsules(input, pkg, in.library)
		if err != nil {
			return err
		}
		m := manifest{pkg.Name, pkg.Version, pkg.Output, capsules}
		if err := m.only(in.names); err != nil {
			return err
		}
		manifests = append(manifests, m)
	}
	if len(outputs) == 0 {
		return fmt.Errorf("no package in the configuration binds library %s", in.library)
	}
	if len(manifests) == 0 {
		return oneOf("--package", in.output, outputs...)
	}
	return printManifests(cmd.OutOrStdout(), in.format, manifests)
}

// only leaves the capsules of the names, where there are any.
func (m *manifest) only(names []string) error {
	if len(names) == 0 {
		return nil
	}
	var all []string
	var kept []emit.Capsule
	for _, c := range m.Capsules {
		all = append(all, c.Name)
		if slices.Contains(names, c.Name) {
			kept = append(kept, c)
		}
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("%s exports no function %q%s", m.Output, name, suggest.Hint(name, all))
		}
	}
	m.Capsules = kept
	return nil
}

func printManifests(w io.Writer, format string, manifests []manifest) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		return enc.Encode(manifests)
	}
	for _, m := range manifests {
		fmt.Fprintf(w, "%s %s (%s): %d exports\n", m.Package, m.Version, m.Output, len(m.Capsules))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, c := range m.Capsules {
			since := "since " + c.Since
			if c.SignatureSince != c.Since {
				since += ", with this signature since " + c.SignatureSince
			}
			fmt.Fprintf(t, "%s.%s\t%s\t%s\n", c.Module, c.Name, c.Signature, since)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
