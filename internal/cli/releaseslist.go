package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/ir"
)

func newReleasesList(p *project) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list [LIB...]",
		Short: "List the releases of each library, and what is new in each",
		Long:  "List shows the releases that the history has: the date, how many functions, records,\nenums, typedefs and constants each declares, and what came with it, compared with the\nrelease before it. `cybindgo diff` has the changes.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--format", format, "text", "json"); err != nil {
				return err
			}
			_, root, names, err := p.libraryNames(args)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			lines := []releaseLine{}
			for _, name := range names {
				history, err := historyOrNew(root, name)
				if err != nil {
					return err
				}
				if len(history.Releases) == 0 && format == "text" {
					fmt.Fprintf(out, "%-10s no releases\n", name)
				}
				listed, err := releaseLines(name, history)
				if err != nil {
					return err
				}
				lines = append(lines, listed...)
			}
			if format == "json" {
				encoder := json.NewEncoder(out)
				encoder.SetIndent("", "  ")
				return encoder.Encode(lines)
			}
			for i := range lines {
				fmt.Fprintln(out, lines[i].text())
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "how to print: text or json")
	return cmd
}

// releaseLine is one release in the list.
type releaseLine struct {
	Library    string            `json:"library"`
	Release    string            `json:"release"`
	Date       string            `json:"date"`
	Components map[string]string `json:"components"` // package: version
	Functions  int               `json:"functions"`
	Records    int               `json:"records"`
	Enums      int               `json:"enums"`
	Typedefs   int               `json:"typedefs"`
	Constants  int               `json:"constants"`
	Since      string            `json:"since"` // the release that it is compared with; empty for the first
	New        additions         `json:"new"`
	Changes    int               `json:"changes"` // all of them, the new names among them
	Breaks     int               `json:"breaks"`  // those that break source or the ABI
}

// additions counts names that the release before did not have.
type additions struct {
	Functions   int `json:"functions"`
	Enumerators int `json:"enumerators"`
	Records     int `json:"records"`
	Constants   int `json:"constants"`
}

func releaseLines(library string, history *ir.History) ([]releaseLine, error) {
	var lines []releaseLine
	before := ""
	for _, label := range history.Labels() {
		s, err := history.At(label)
		if err != nil {
			return nil, err
		}
		api := s.For(s.Targets[0])
		line := releaseLine{
			Library: library, Release: label, Date: s.Release.Date, Components: s.Release.Components, Since: before,
			Records: len(api.Records), Enums: len(api.Enums), Typedefs: len(api.Typedefs), Constants: len(api.Constants),
		}
		for i := range api.Functions {
			if !api.Functions[i].Superseded {
				line.Functions++
			}
		}
		if before != "" {
			changes, err := history.Diff(before, label)
			if err != nil {
				return nil, err
			}
			line.compare(changes)
		}
		lines = append(lines, line)
		before = label
	}
	return lines, nil
}

func (l *releaseLine) compare(changes *ir.Changes) {
	l.Changes = len(changes.List)
	for i := range changes.List {
		x := &changes.List[i]
		if x.Breaks != 0 {
			l.Breaks++
		}
		if x.What != ir.Added {
			continue
		}
		switch x.Subject {
		case ir.FunctionSubject:
			l.New.Functions++
		case ir.EnumeratorSubject:
			l.New.Enumerators++
		case ir.RecordSubject:
			l.New.Records++
		case ir.ConstantSubject:
			l.New.Constants++
		}
	}
}

func (l *releaseLine) text() string {
	return strings.TrimRight(fmt.Sprintf("%-10s %-10s %-10s %4d functions %4d records %4d enums %4d typedefs %4d constants  %s",
		l.Library, l.Release, l.Date, l.Functions, l.Records, l.Enums, l.Typedefs, l.Constants, l.news()), " ")
}

// news says what is new, in words.
func (l *releaseLine) news() string {
	switch {
	case l.Since == "":
		return ""
	case l.Changes == 0:
		return "as " + l.Since
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{l.New.Functions, "function"}, {l.New.Records, "record"}, {l.New.Enumerators, "enumerator"}, {l.New.Constants, "constant"}} {
		if part.n > 0 {
			parts = append(parts, "+"+finding.Count(part.n, part.what))
		}
	}
	if l.Breaks > 0 {
		parts = append(parts, finding.Count(l.Breaks, "break"))
	}
	if len(parts) == 0 {
		parts = append(parts, finding.Count(l.Changes, "change"))
	}
	return strings.Join(parts, ", ")
}
