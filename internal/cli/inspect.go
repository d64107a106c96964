package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newInspect(p *project) *cobra.Command {
	var in inspection
	cmd := &cobra.Command{
		Use:   "inspect LIB [NAME...]",
		Short: "Show the model of a library's API",
		Long: "Inspect shows what the model knows of a release: each function, enum, record, typedef and\nconstant in a line, or those with the names given in full, by the name that a caller\nwrites, a symbol, a tag or an enumerator. What became of these names over all releases is\nshown below them, as by `cybindgo since`.\n\n" +
			"With --history it shows all shapes that an entity had, each with its releases. With\n--omitted it lists what is not bound, and why. With --capi it lists what the generated\nmodules export to others (__pyx_capi__), with the signature that an import is checked\nagainst and the release that introduced it.",
		Example: "  cybindgo inspect driver cuCtxCreate CUresult\n" +
			"  cybindgo inspect driver cuCtxCreate --history\n" +
			"  cybindgo inspect driver --kind record --format json\n" +
			"  cybindgo inspect driver --capi --format json > manifest.json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.library, in.names = args[0], args[1:]
			return in.run(cmd, p)
		},
	}
	f := cmd.Flags()
	f.StringVar(&in.format, "format", "text", "how to print: text or json")
	f.StringVarP(&in.release, "release", "r", "", "the release to show (default: the newest)")
	f.StringVar(&in.target, "target", "", "as this platform sees it, such as windows/amd64 (default: all)")
	f.StringVar(&in.kind, "kind", "", "only one kind: function, enum, record, typedef or constant")
	f.BoolVar(&in.history, "history", false, "every shape of all releases")
	f.BoolVar(&in.omitted, "omitted", false, "what is not bound, and why")
	f.BoolVar(&in.capi, "capi", false, "what the generated modules export to other Cython modules")
	f.StringVar(&in.output, "package", "", "with --capi: the package, by its output folder (default: all that bind the library)")
	f.StringArrayVar(&in.headers, "headers", nil, "with --release: read these headers, not the history")
	cmd.MarkFlagsMutuallyExclusive("history", "omitted", "capi")
	cmd.MarkFlagsMutuallyExclusive("history", "release")
	cmd.MarkFlagsMutuallyExclusive("history", "headers")
	cmd.MarkFlagsMutuallyExclusive("capi", "headers")
	cmd.MarkFlagsMutuallyExclusive("capi", "target")
	return cmd
}

// inspection is one run of `inspect`.
type inspection struct {
	library                               string
	names                                 []string
	format, release, target, kind, output string
	history, omitted, capi                bool
	headers                               []string
	def                                   *config.Library
	all                                   *ir.History
	at                                    int // the place of the release
	unbound                               map[string]string
}

// kinds are the subjects that a history keeps.
var kinds = []string{
	string(ir.FunctionSubject), string(ir.EnumSubject), string(ir.RecordSubject), string(ir.TypedefSubject), string(ir.ConstantSubject),
}

func (in *inspection) run(cmd *cobra.Command, p *project) error {
	if err := oneOf("--format", in.format, "text", "json"); err != nil {
		return err
	}
	if err := oneOf("--kind", in.kind, append([]string{""}, kinds...)...); err != nil {
		return err
	}
	if in.capi {
		return in.capsules(cmd, p)
	}
	if err := in.open(p); err != nil {
		return err
	}
	found, err := in.pick()
	if err != nil {
		return err
	}
	if in.omitted {
		return in.printOmitted(cmd.OutOrStdout(), found)
	}
	if in.format == "json" {
		return in.printJSON(cmd.OutOrStdout(), found)
	}
	return in.printText(cmd.OutOrStdout(), found)
}

// open loads the history, or makes one of the headers that are given.
func (in *inspection) open(p *project) error {
	if len(in.headers) == 0 {
		var err error
		if in.def, in.all, err = openLibrary(p, in.library); err != nil {
			return err
		}
	} else if err := in.read(p); err != nil {
		return err
	}
	in.at = len(in.all.Releases) - 1
	if in.release != "" {
		var err error
		if in.at, err = in.all.Find(in.release); err != nil {
			return err
		}
	}
	if in.target != "" {
		if _, err := ir.ParseTarget(in.target); err != nil {
			return fmt.Errorf("--target: %w", err)
		}
		return oneOf("--target", in.target, targetNames(in.all.Targets)...)
	}
	return nil
}

func (in *inspection) read(p *project) error {
	if in.release == "" {
		return fmt.Errorf("--headers needs --release, the release that they are of")
	}
	libraries, _, err := p.libraries()
	if err != nil {
		return err
	}
	if in.def, err = libraries.Load(in.library); err != nil {
		return err
	}
	sources, err := headerPaths(in.headers)
	if err != nil {
		return err
	}
	result, err := intake.Read(intake.Request{Library: in.def, Release: in.release, Targets: ir.DefaultTargets, Headers: sources})
	if err != nil {
		return err
	}
	in.all = ir.NewHistory(in.library)
	in.unbound = map[string]string{}
	for _, o := range result.Omitted {
		in.unbound[o.Name] = o.Reason
	}
	return in.all.Add(result.Snapshot)
}

// pick finds what was asked for.
func (in *inspection) pick() ([]ir.Life, error) {
	var found []ir.Life
	matched := map[string]bool{}
	lives := in.all.Lives()
	meant := in.meant(lives)
	for _, life := range lives {
		if in.kind != "" && in.kind != string(life.Subject) {
			continue
		}
		life.Shapes = slices.DeleteFunc(life.Shapes, func(s ir.Shape) bool { return !in.shows(&s) })
		if len(life.Shapes) == 0 {
			continue
		}
		wanted := len(in.names) == 0 || meant[life.Key]
		for _, name := range in.names {
			if slices.Contains(namesOf(&life), name) {
				matched[name], wanted = true, true
			}
		}
		if wanted {
			found = append(found, life)
		}
	}
	for _, name := range in.names {
		if !matched[name] {
			return nil, in.unknown(name)
		}
	}
	return found, nil
}

// meant lists the keys of what typedefs of the names stand for, by way of
// others: who asks for CUresult wants to see its values.
func (in *inspection) meant(lives []ir.Life) map[string]bool {
	typedefs := map[string]*ir.Life{}
	for i := range lives {
		if lives[i].Subject == ir.TypedefSubject {
			typedefs[lives[i].Key] = &lives[i]
		}
	}
	keys := map[string]bool{}
	for todo := slices.Clone(in.names); len(todo) > 0; todo = todo[1:] {
		life := typedefs[todo[0]]
		if life == nil {
			continue
		}
		for _, s := range life.Shapes {
			t := s.Entity.(*ir.Typedef).Type.Base()
			key := strings.TrimSpace(t.Tag + " " + t.Name)
			if t.Kind == ir.Named && !keys[key] {
				keys[key] = true
				todo = append(todo, key)
			}
		}
	}
	return keys
}

func (in *inspection) shows(s *ir.Shape) bool {
	return (in.history || s.Has(in.at)) && (in.target == "" || s.On == nil || slices.Contains(s.On, ir.Target(in.target)))
}

// unknown says that a name is not there, and what is: in other releases, or
// with other letters.
func (in *inspection) unknown(name string) error {
	var names []string
	for _, life := range in.all.Lives() {
		own := namesOf(&life)
		if slices.Contains(own, name) {
			var runs []string
			for _, s := range life.Shapes {
				runs = append(runs, s.In)
			}
			return fmt.Errorf("%s has no %q in %s as asked for: it is a %s in %s; --history shows all releases",
				in.library, name, in.all.Releases[in.at].Label, life.Subject, strings.Join(slices.Compact(runs), ", "))
		}
		names = append(names, own...)
	}
	return fmt.Errorf("%s declares nothing that is called %q%s", in.library, name, suggest.Hint(name, names))
}

// namesOf lists what an entity may be asked for by.
func namesOf(life *ir.Life) []string {
	names := []string{life.Key}
	for _, s := range life.Shapes {
		switch e := s.Entity.(type) {
		case *ir.Function:
			names = append(names, e.Name, e.Symbol)
		case *ir.Enum:
			names = append(names, e.Name)
			for _, v := range e.Enumerators {
				names = append(names, v.Name)
			}
		case *ir.Record:
			names = append(names, e.Name)
		}
	}
	return names
}
