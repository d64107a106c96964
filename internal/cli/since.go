package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newSince(p *project) *cobra.Command {
	var s sinceWhen
	cmd := &cobra.Command{
		Use:   "since NAME [LIB...]",
		Short: "Tell since when a name exists, and what became of it",
		Long: "Since goes through the histories of all libraries, or of those that are named, and tells\nin which releases a function, enumerator, type, constant or field came, changed and went.\nA field is RECORD.PATH. Types are told of with their enumerators and fields. A symbol that\nis nobody's public name is told of too.\n\n" +
			"Of a name that the oldest release of a history has already, it is not known since when it\nexists: `or before`.",
		Example: "  cybindgo since cuCtxCreate\n" +
			"  cybindgo since CU_CTX_FLAGS_MASK driver\n" +
			"  cybindgo since CUdevSmResource.minSmPartitionSize --format json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.run(cmd.OutOrStdout(), p, args[0], args[1:])
		},
	}
	cmd.Flags().StringVar(&s.format, "format", "text", "how to print: text or json")
	return cmd
}

// sinceWhen is one run of `since`.
type sinceWhen struct{ format string }

// told is what a library's history tells of a name.
type told struct {
	Library   string         `json:"library"`
	First     string         `json:"first"` // the releases of the history
	Last      string         `json:"last"`
	Releases  int            `json:"releases"`
	Timelines []*ir.Timeline `json:"timelines"`
}

func (s *sinceWhen) run(w io.Writer, p *project, name string, libraries []string) error {
	if err := oneOf("--format", s.format, "text", "json"); err != nil {
		return err
	}
	_, root, names, err := p.libraryNames(libraries)
	if err != nil {
		return err
	}
	var all []told
	var known []string
	searched := 0
	for _, library := range names {
		history, err := loadHistory(root, library)
		if errors.Is(err, errNoReleases) && len(libraries) == 0 || err == nil && len(history.Releases) == 0 {
			continue
		}
		if err != nil {
			return err
		}
		searched++
		// Comparing releases is what takes time: only where the name is known.
		if !history.Knows(name) {
			if text := unbound(history, name); text != "" {
				return errors.New(text)
			}
			known = append(known, history.NearNames(name)...)
			continue
		}
		all = append(all, tell(history, name))
	}
	switch {
	case len(all) > 0:
		return s.print(w, name, all)
	case searched == 0:
		return errors.New("no history has a release yet: `cybindgo releases add RELEASE LIB` reads one")
	case len(libraries) > 0:
		return fmt.Errorf("%s: nothing was ever called %q%s", strings.Join(libraries, ", "), name, suggest.Hint(name, known))
	}
	return fmt.Errorf("no library ever had anything that is called %q%s", name, suggest.Hint(name, known))
}

// unbound says of a function that headers declare that it cannot be bound: there
// is no more of it in the history.
func unbound(h *ir.History, name string) string {
	for _, r := range h.Releases {
		if reason, ok := r.Omitted[name]; ok {
			return fmt.Sprintf("%s %s declares %s, and it cannot be bound: %s", h.Library, r.Label, name, reason)
		}
	}
	return ""
}

func (s *sinceWhen) print(w io.Writer, name string, all []told) error {
	var b bytes.Buffer
	if s.format == "json" {
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(struct {
			Name      string `json:"name"`
			Libraries []told `json:"libraries"`
		}{name, all}); err != nil {
			return err
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	for i := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(all[i].text())
	}
	_, err := w.Write(b.Bytes())
	return err
}

// tell goes through a history that knows the names.
func tell(h *ir.History, names ...string) told {
	t := told{Library: h.Library, First: h.Releases[0].Label, Last: h.Releases[len(h.Releases)-1].Label, Releases: len(h.Releases)}
	c := h.Chronicle()
	seen := map[string]bool{}
	for _, name := range names {
		for _, line := range c.Of(name) {
			if !seen[line.Title()] {
				seen[line.Title()] = true
				t.Timelines = append(t.Timelines, &line)
			}
		}
	}
	return t
}

func (t *told) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s", t.Library, finding.Count(t.Releases, "release"), t.First)
	if t.Last != t.First {
		b.WriteString(" to " + t.Last)
	}
	b.WriteByte('\n')
	for _, line := range t.Timelines {
		b.WriteString("\n" + line.Text())
	}
	return b.String()
}
