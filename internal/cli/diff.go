package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/diffpage"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newDiff(p *project) *cobra.Command {
	var d comparison
	cmd := &cobra.Command{
		Use:   "diff LIB OLD NEW",
		Short: "List what changed in a library's API between two releases",
		Long: "Diff lists functions, enumerators, fields, types and constants that were added, removed\nor changed. Each change has a class, the gravest that fits:\n\n" +
			meanings() +
			"The exit code is 0, whatever was found, unless --fail-on names what must not be: abi is\ncython-abi and layout together, source is whatever breaks source. Removals under\nallow-removed in the configuration, or given with --allow-removed, never count.",
		Example: "  cybindgo diff driver 12.9.1 13.0.0\n" +
			"  cybindgo diff driver 13.4.2 13.5.0 --format markdown > changes.md\n" +
			"  cybindgo diff driver 13.4.2 13.5.0 --format html > changes.html\n" +
			"  cybindgo diff driver 13.4.2 13.5.0 --fail-on abi --only function,record,field",
		Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.run(cmd, p, args[0], args[1], args[2])
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.format, "format", "text", "how to print: text, markdown, json or html, one page for a browser")
	f.StringVar(&d.failOn, "fail-on", "", "exit with 1 on a change that breaks the abi or source, or on any")
	f.StringVar(&d.target, "target", "", "only what changed on this platform, such as linux/amd64")
	f.StringSliceVar(&d.only, "only", nil, "only these: function, symbol, enum, enumerator, record, field, typedef, constant")
	f.StringSliceVar(&d.classes, "class", nil, "only these classes: cython-abi, layout, source, behaviour, addition, other, noise")
	f.StringSliceVar(&d.allowed, "allow-removed", nil, "a name that may vanish, for --fail-on; give it once for each")
	return cmd
}

// meanings lists the classes for the help.
func meanings() string {
	var b strings.Builder
	for _, c := range ir.Classes {
		fmt.Fprintf(&b, "  %-10s  %s\n", c, c.Meaning())
	}
	return b.String() + "\n"
}

// comparison is one run of `diff`.
type comparison struct {
	format, failOn, target string
	only, classes, allowed []string
}

func (d *comparison) run(cmd *cobra.Command, p *project, name, old, new string) error {
	subjects := make([]string, len(ir.Subjects))
	for i, s := range ir.Subjects {
		subjects[i] = string(s)
	}
	classes := make([]string, len(ir.Classes))
	for i, c := range ir.Classes {
		classes[i] = string(c)
	}
	errs := []error{
		oneOf("--format", d.format, "text", "markdown", "json", "html"),
		oneOf("--fail-on", d.failOn, "", "abi", "source", "any"),
	}
	for _, s := range d.only {
		errs = append(errs, oneOf("--only", s, subjects...))
	}
	for _, c := range d.classes {
		errs = append(errs, oneOf("--class", c, classes...))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	project, libraries, root, err := p.read()
	if err != nil {
		return err
	}
	lib, err := libraries.Load(name)
	if err != nil {
		return err
	}
	history, err := loadHistory(root, name)
	if err != nil {
		return err
	}
	changes, err := history.Diff(old, new)
	if err != nil {
		return err
	}
	if changes, err = d.filter(changes); err != nil {
		return err
	}
	allowed, err := d.allow(changes, project.Allowed(lib))
	if err != nil {
		return err
	}
	if err := d.print(cmd.OutOrStdout(), changes, history); err != nil {
		return err
	}
	failing := changes.Only(func(x *ir.Change) bool { return d.fails(x) && !(vanishes(x) && allowed[x.Name]) })
	if n := len(failing.List); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "cybindgo: %s that --fail-on %s refuses\n", finding.Count(n, "change"), d.failOn)
		return errFound
	}
	return nil
}

func (d *comparison) print(w io.Writer, c *ir.Changes, h *ir.History) error {
	var text string
	switch d.format {
	case "html":
		return diffpage.Write(w, c, h)
	case "markdown":
		text = c.Markdown()
	case "json":
		text = string(c.JSON())
	default:
		text = c.Text()
	}
	_, err := io.WriteString(w, text)
	return err
}

// filter leaves out what the flags do not ask for.
func (d *comparison) filter(c *ir.Changes) (*ir.Changes, error) {
	if len(c.Targets) == 0 {
		return nil, fmt.Errorf("%s and %s of %s were read for no platform in common", c.Old, c.New, c.Library)
	}
	if d.target != "" {
		t, err := ir.ParseTarget(d.target)
		if err != nil {
			return nil, fmt.Errorf("--target: %w", err)
		}
		if !slices.Contains(c.Targets, t) {
			return nil, oneOf("--target", d.target, targetNames(c.Targets)...)
		}
		c = c.Only(func(x *ir.Change) bool { return x.Concerns(t) })
	}
	if len(d.only) > 0 {
		c = c.Only(func(x *ir.Change) bool { return slices.Contains(d.only, string(x.Subject)) })
	}
	if len(d.classes) > 0 {
		c = c.Only(func(x *ir.Change) bool { return slices.Contains(d.classes, string(x.Class())) })
	}
	return c, nil
}

// allow lists the names that may vanish. One that is given on the command line
// has to.
func (d *comparison) allow(c *ir.Changes, configured map[string]bool) (map[string]bool, error) {
	gone := []string{}
	for i := range c.List {
		if vanishes(&c.List[i]) {
			gone = append(gone, c.List[i].Name)
		}
	}
	for _, name := range d.allowed {
		if !slices.Contains(gone, name) {
			return nil, fmt.Errorf("--allow-removed %s: it has not vanished between %s and %s%s", name, c.Old, c.New, suggest.Hint(name, gone))
		}
		configured[name] = true
	}
	return configured, nil
}

// vanishes reports whether a change takes a name away.
func vanishes(x *ir.Change) bool {
	return x.What == ir.Removed || x.What == ir.Superseded || x.What == ir.Renamed && x.Name == x.Old
}

func (d *comparison) fails(x *ir.Change) bool {
	switch d.failOn {
	case "abi":
		return x.Breaks&ir.BreaksABI != 0
	case "source":
		return x.Breaks&ir.BreaksSource != 0
	}
	return d.failOn == "any"
}

// oneOf refuses a flag's value that is not valid.
func oneOf(flag, value string, valid ...string) error {
	if slices.Contains(valid, value) {
		return nil
	}
	valid = slices.DeleteFunc(slices.Clone(valid), func(s string) bool { return s == "" })
	return fmt.Errorf("%s %q: expected one of %s%s", flag, value, strings.Join(valid, ", "), suggest.Hint(value, valid))
}

func targetNames(targets []ir.Target) []string {
	var names []string
	for _, t := range targets {
		names = append(names, string(t))
	}
	return names
}

// openLibrary loads a library's definition and history.
func openLibrary(p *project, name string) (*config.Library, *ir.History, error) {
	libraries, root, err := p.libraries()
	if err != nil {
		return nil, nil, err
	}
	lib, err := libraries.Load(name)
	if err != nil {
		return nil, nil, err
	}
	history, err := loadHistory(root, name)
	if err != nil {
		return nil, nil, err
	}
	if len(history.Releases) == 0 {
		return nil, nil, fmt.Errorf("the history of %s is empty: `cybindgo releases add RELEASE %s --headers PATH` reads a release", name, name)
	}
	return lib, history, nil
}
