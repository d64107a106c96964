package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newMinVersion(p *project) *cobra.Command {
	var m minVersion
	cmd := &cobra.Command{
		Use:   "min-version LIB NAME...",
		Short: "Find the smallest release that has a set of names",
		Long:  "Min-version prints the smallest release that has all of the functions, types,\nenumerators and constants, and then, for each name, since when it has been there. Cython\nchecks an import by its signature, so a function counts from the release on in which it\nhas the signature that it has now; --any-signature counts from its first one. Candidates\ncount only with --candidates.\n\nThe exit code is 1 if no release has them all.",
		Example: "  cybindgo min-version driver cuInit cuCtxCreate\n" +
			"  cybindgo min-version driver cuCtxCreate --any-signature",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--format", m.format, "text", "json"); err != nil {
				return err
			}
			_, history, err := openLibrary(p, args[0])
			if err != nil {
				return err
			}
			return m.run(cmd, history, args[1:])
		},
	}
	f := cmd.Flags()
	f.StringVar(&m.format, "format", "text", "how to print: text or json")
	f.StringVarP(&m.release, "release", "r", "", "the release whose signatures count (default: the newest)")
	f.BoolVar(&m.anySignature, "any-signature", false, "count a function from its first release on, whatever its signature")
	f.BoolVar(&m.candidates, "candidates", false, "count release candidates too")
	return cmd
}

// minVersion is one run of `min-version`.
type minVersion struct {
	format, release          string
	anySignature, candidates bool
}

// requirement is a name and the releases that have it.
type requirement struct {
	Name string `json:"name"`
	// Since is the first release that has the name, as far as the history goes.
	Since string `json:"since"`
	// SignatureSince is the first release in which it is what it is now.
	SignatureSince string `json:"signatureSince,omitempty"`
	// Decides says that no smaller release is possible because of this name.
	Decides bool `json:"decides"`

	has []bool // by release
}

func (m *minVersion) run(cmd *cobra.Command, h *ir.History, names []string) error {
	now := len(h.Releases) - 1
	if m.release != "" {
		var err error
		if now, err = h.Find(m.release); err != nil {
			return err
		}
	}
	requirements := make([]requirement, len(names))
	lives := h.Lives()
	for i, name := range names {
		r, err := m.require(h, lives, name, now)
		if err != nil {
			return err
		}
		requirements[i] = r
	}
	smallest := -1
	for i := range h.Releases {
		all := !slices.ContainsFunc(requirements, func(r requirement) bool { return !r.has[i] })
		if all && (m.candidates || !h.Releases[i].Prerelease) {
			smallest = i
			break
		}
	}
	if smallest < 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "no release of %s has all of them\n", h.Library)
		for _, r := range requirements {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", r.Name, strings.Join(m.releases(h, r), ", "))
		}
		return errFound
	}
	// Those that the release before lacks.
	for i := range requirements {
		for before := smallest - 1; before >= 0; before-- {
			if m.candidates || !h.Releases[before].Prerelease {
				requirements[i].Decides = !requirements[i].has[before]
				break
			}
		}
	}
	return printMinVersion(cmd.OutOrStdout(), m.format, h.Releases[smallest].Label, requirements)
}

func (m *minVersion) releases(h *ir.History, r requirement) []string {
	var labels []string
	for i, has := range r.has {
		if has && (m.candidates || !h.Releases[i].Prerelease) {
			labels = append(labels, h.Releases[i].Label)
		}
	}
	return labels
}

// require finds the releases that have a name, as it is in release now.
func (m *minVersion) require(h *ir.History, lives []ir.Life, name string, now int) (requirement, error) {
	r := requirement{Name: name, has: make([]bool, len(h.Releases))}
	signature := "" // what it is in release now
	shapes := shapesOf(lives, name)
	for _, s := range shapes {
		if s.Has(now) {
			signature = signatureOf(s.Entity)
		}
	}
	if len(shapes) == 0 {
		var all []string
		for i := range lives {
			all = append(all, namesOf(&lives[i])...)
		}
		return r, fmt.Errorf("%s declares nothing that is called %q%s", h.Library, name, suggest.Hint(name, all))
	}
	if signature == "" && !m.anySignature {
		var runs []string
		for _, s := range shapes {
			runs = append(runs, s.In)
		}
		return r, fmt.Errorf("%s has no %s in %s: it is there in %s; name one of these with --release",
			h.Library, name, h.Releases[now].Label, strings.Join(slices.Compact(runs), ", "))
	}
	for i := range h.Releases {
		for _, s := range shapes {
			if !s.Has(i) {
				continue
			}
			if r.Since == "" {
				r.Since = h.Releases[i].Label
			}
			if signatureOf(s.Entity) == signature && r.SignatureSince == "" {
				r.SignatureSince = h.Releases[i].Label
			}
			r.has[i] = r.has[i] || m.anySignature || signatureOf(s.Entity) == signature
		}
	}
	return r, nil
}

// shapesOf lists the shapes of what callers can write the name for.
func shapesOf(lives []ir.Life, name string) []*ir.Shape {
	var out []*ir.Shape
	for i := range lives {
		for j := range lives[i].Shapes {
			s := &lives[i].Shapes[j]
			has := lives[i].Key == name
			switch e := s.Entity.(type) {
			case *ir.Function:
				// A symbol keeps its own name in bindings where its public one
				// was given to another.
				has = !e.Superseded && (e.Name == name || e.Symbol == name)
			case *ir.Enum:
				has = has || e.Name == name || slices.ContainsFunc(e.Enumerators, func(v ir.Enumerator) bool { return v.Name == name })
			case *ir.Record:
				has = has || e.Name == name
			}
			if has {
				out = append(out, s)
			}
		}
	}
	return out
}

// signatureOf is what must stay the same for a caller: of a function, its
// signature; of others, that they are there.
func signatureOf(entity any) string {
	if f, ok := entity.(*ir.Function); ok {
		return f.Type.Signature()
	}
	return "declared"
}

func printMinVersion(w io.Writer, format, release string, requirements []requirement) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(struct {
			Release string        `json:"release"`
			Names   []requirement `json:"names"`
		}{release, requirements})
	}
	fmt.Fprintln(w, release)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range requirements {
		since := "since " + r.Since
		if r.SignatureSince != "" && r.SignatureSince != r.Since {
			since += ", with this signature since " + r.SignatureSince
		}
		if r.Decides {
			since += "  <- decides"
		}
		fmt.Fprintf(t, "  %s\t%s\n", r.Name, since)
	}
	return t.Flush()
}
