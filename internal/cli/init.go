package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/internal/scaffold"
	"github.com/cybindgo/cybindgo/internal/suggest"
	"github.com/cybindgo/cybindgo/ir"
)

func newInit(p *project) *cobra.Command {
	var n beginning
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Begin a project: write a configuration, and a definition of a library of your own",
		Long: `Init writes cybindgo.yaml for a package that binds one library, so that
` + "`cybindgo generate`" + ` works, and what is generated can be built without headers.

A library that is built in needs nothing more. For one of your own, --headers says
where its headers are. Init reads them, and writes libraries/NAME.yaml and
releases/NAME.json as well: which functions cannot be bound and are left out, what
functions return when they raise, what the library's file is called. What no header
tells is a guess to look over.

Nothing that is there already is overwritten, and what would not generate is not
written.`,
		Example: "  cybindgo init --library driver\n" +
			"  cybindgo init --library demo --headers include --release 1.0.0",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return n.run(cmd, p) },
	}
	f := cmd.Flags()
	f.StringVar(&n.library, "library", "driver", "the library to bind: one that is built in, or one of your own")
	f.StringVar(&n.pkg, "package", "", "the distribution's name (default LIBRARY-bindings)")
	f.StringVar(&n.module, "module", "", "the Python package that the modules go into (default: after the distribution)")
	f.StringArrayVar(&n.paths, "headers", nil, "where the headers of a library of your own are: PATH, or OS/ARCH=PATH for another platform's")
	f.StringArrayVar(&n.bind, "bind", nil, "a header to bind, as it is included; give it once for each (default: all *.h that are in PATH itself)")
	f.StringArrayVar(&n.defines, "define", nil, "a macro to define before headers are read, NAME or NAME=VALUE; give it once for each")
	f.StringVar(&n.release, "release", "1.0.0", "the release that the headers are of")
	return cmd
}

// beginning is one run of `init`.
type beginning struct {
	library, pkg, module string
	paths, bind, defines []string
	release              string
}

// start is what a run writes, and what it has to say.
type start struct {
	files   []emit.Replacement // in the order in which they are named
	project *scaffold.Project
	library *config.Library
	history *ir.History
	result  *intake.Result // nil for a library that is built in
}

func (n *beginning) run(cmd *cobra.Command, p *project) error {
	file := p.config
	if file == "" {
		file = config.FileName
	}
	if err := n.complete(); err != nil {
		return err
	}
	s, err := n.begin(filepath.Dir(file), file)
	if err != nil {
		return err
	}
	for _, f := range s.files {
		if _, err := os.Lstat(f.Name); err == nil {
			return fmt.Errorf("%s is there already, and init overwrites nothing: go to another folder, or edit the file", f.Name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	count, err := s.try(file)
	if err != nil && s.result != nil {
		return fmt.Errorf("%w\nnothing is written: --bind takes other headers, --define tells what these lack", err)
	}
	if err != nil {
		return err
	}
	if err := emit.Replace(s.files); err != nil {
		return err
	}
	s.say(cmd, p.config, count)
	return nil
}

// complete fills in what was not said, and checks the rest.
func (n *beginning) complete() error {
	if err := config.Fits("library", "--library", n.library); err != nil {
		return err
	}
	if n.pkg == "" {
		n.pkg = strings.ReplaceAll(n.library, "_", "-") + "-bindings"
	}
	if n.module == "" {
		n.module = strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(n.pkg))
	}
	for _, d := range n.defines {
		if err := config.Fits("define", "--define", d); err != nil {
			return err
		}
	}
	return errors.Join(config.Fits("distribution", "--package", n.pkg), config.Fits("module", "--module", n.module), config.Fits("release", "--release", n.release))
}

// begin makes the files, for a library that is built in or for another.
func (n *beginning) begin(root, file string) (*start, error) {
	s := &start{project: &scaffold.Project{Package: n.pkg, Version: "0.1.0", Module: n.module, Output: "generated/" + strings.ReplaceAll(n.module, ".", "_"), Library: n.library}}
	builtIn := config.LibraryNames()
	switch isBuiltIn := slices.Contains(builtIn, n.library); {
	case isBuiltIn && len(n.paths)+len(n.bind)+len(n.defines) > 0:
		return nil, fmt.Errorf("library %s is built in: --headers, --bind and --define are for a library of your own", n.library)
	case isBuiltIn && embedded(n.library):
		if err := n.known(s); err != nil {
			return nil, err
		}
	case isBuiltIn:
		return nil, fmt.Errorf("library %s has no releases yet that are built in: `cybindgo releases add RELEASE %s` reads one in a project that names it", n.library, n.library)
	case len(n.paths) == 0:
		return nil, fmt.Errorf("library %q: expected one that is built in (%s), or --headers PATH with the headers of your own%s",
			n.library, strings.Join(builtIn, ", "), suggest.Hint(n.library, builtIn))
	default:
		if err := n.own(s, root); err != nil {
			return nil, err
		}
	}
	s.files = append([]emit.Replacement{{Name: file, Data: []byte(s.project.YAML())}}, s.files...)
	return s, nil
}

// known binds a library that is built in: the releases of the newest major
// version.
func (n *beginning) known(s *start) (err error) {
	if s.library, err = config.LoadLibrary(n.library); err != nil {
		return err
	}
	if s.history, err = loadEmbedded(n.library); err != nil {
		return err
	}
	from, to := newestMajor(s.history)
	s.project.Releases = from
	if from != to {
		s.project.Releases += ".." + to
	}
	s.project.Inline = s.library.Types.Default != config.Inline
	return nil
}

// newestMajor gives the first and the last final release of the newest major
// version, or the last release where none is final.
func newestMajor(h *ir.History) (from, to string) {
	major := ""
	for _, r := range slices.Backward(h.Releases) {
		first, _, _ := strings.Cut(r.Label, ".")
		if r.Prerelease || major != "" && first != major {
			continue
		}
		if major == "" {
			major, to = first, r.Label
		}
		from = r.Label
	}
	if to == "" {
		to = h.Releases[len(h.Releases)-1].Label
		from = to
	}
	return from, to
}

// own reads the headers of a library that nobody has defined, and defines it.
func (n *beginning) own(s *start, root string) error {
	sources, err := headerPaths(n.paths)
	if err != nil {
		return err
	}
	bind, err := n.headers(sources[""])
	if err != nil {
		return err
	}
	definition := filepath.Join(root, config.LibraryDir, n.library+".yaml")
	about := scaffold.Library{Name: n.library, Bind: bind, Defines: n.defines, Exclude: map[string]string{}}
	parse := func() ([]byte, error) {
		text := []byte(about.YAML())
		s.library, err = config.ParseLibrary(definition, text)
		return text, err
	}
	if _, err := parse(); err != nil {
		return err
	}
	s.result, err = intake.Read(intake.Request{Library: s.library, Release: n.release, Targets: ir.DefaultTargets, Headers: sources, LeaveOut: true})
	if err != nil {
		return err
	}
	if len(s.result.Snapshot.Functions) == 0 {
		return fmt.Errorf("%s: no function is declared in %s", strings.Join(n.paths, ", "), strings.Join(bind, ", "))
	}
	about.Results, about.Exclude = scaffold.Results(s.result.Snapshot)
	for _, o := range s.result.Omitted {
		if o.Function {
			about.Exclude[o.Name] = o.Reason
		}
	}
	text, err := parse()
	if err != nil {
		return err
	}
	s.history = ir.NewHistory(n.library)
	if err := s.history.Add(s.result.Snapshot); err != nil {
		return err
	}
	s.project.Releases = n.release
	s.files = []emit.Replacement{{Name: definition, Data: text}, {Name: historyFile(root, n.library), Data: s.history.Encode()}}
	return nil
}

// headers lists the headers to bind: those named, or all that are directly in
// the places given.
func (n *beginning) headers(paths []string) ([]string, error) {
	set, err := headers.Open(paths)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	found, err := fs.Glob(set.FS(), "*.h")
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	for _, h := range n.bind {
		if _, err := fs.Stat(set.FS(), h); err != nil {
			return nil, fmt.Errorf("--bind %s: there is no such header in %s%s", h, strings.Join(set.Searched(), ", "), suggest.Hint(h, found))
		}
	}
	if len(n.bind) > 0 {
		return n.bind, nil
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no header (*.h) is in there itself: name those to bind, as they are included, with --bind demo/demo.h", strings.Join(set.Searched(), ", "))
	}
	return found, nil
}

// try generates in memory what the files will, and counts the files: what does
// not generate is not worth writing.
func (s *start) try(file string) (int, error) {
	project, err := config.LoadProject(file, s.files[0].Data)
	if err != nil {
		return 0, err
	}
	in := emit.Input{Project: project, Libraries: map[string]*config.Library{s.library.Name: s.library}, Histories: map[string]*ir.History{s.library.Name: s.history}}
	if err := project.Check(in.Libraries, in.Histories); err != nil {
		return 0, err
	}
	if s.result != nil {
		if err := s.library.CheckRules(s.history); err != nil {
			return 0, err
		}
	}
	out, err := emit.Generate(in)
	if err != nil {
		return 0, err
	}
	return len(out.Files), nil
}

// say tells what was written and what comes next.
func (s *start) say(cmd *cobra.Command, named string, count int) {
	out := cmd.OutOrStdout()
	for _, f := range s.files {
		fmt.Fprintf(out, "created    %s\n", filepath.ToSlash(f.Name))
	}
	option := ""
	if named != "" {
		option = " --config " + named
	}
	if s.result != nil {
		fmt.Fprintf(out, "%s %s: %s declared, %d bound\n", s.library.Name, s.project.Releases, finding.Count(s.result.Declared, "function"), s.result.Declared-len(s.library.Exclude))
		for _, name := range slices.Sorted(maps.Keys(s.library.Exclude)) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s is left out: %s\n", name, s.library.Exclude[name])
		}
		fmt.Fprintf(out, "next: look over %s: what the library's file is called, what functions return when they raise\n", filepath.ToSlash(s.files[1].Name))
	}
	fmt.Fprintf(out, "next: `cybindgo generate%s` writes %s below %s\n", option, finding.Count(count, "file"), filepath.ToSlash(filepath.Join(filepath.Dir(s.files[0].Name), s.project.Output)))
}
