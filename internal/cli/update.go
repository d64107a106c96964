package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/textfile"
	"github.com/cybindgo/cybindgo/internal/update"
	"github.com/cybindgo/cybindgo/ir"
)

func newUpdate(p *project) *cobra.Command {
	var u updating
	cmd := &cobra.Command{
		Use:   "update [LIB...]",
		Short: "Add the releases that are new, generate, and sum up what changed",
		Long:  "Update looks for final releases of the toolkit that the history of a library\nlacks, reads their headers, enters them, carries the packages that ended at the newest\nrelease of their major version on to the one that is newest now, generates, and writes\na summary in Markdown for a pull request: counts, what breaks, what a person has to\ndecide, and the files. Without LIB every library that the project binds is updated.\n\nFiles are written when everything is known to be right, all or none of them. A file\nthat was edited by hand is left alone and listed. With nothing new nothing is written\nbut what is not as generated, and the exit code is 0.",
		Example: "  cybindgo update --summary summary.md\n" +
			"  cybindgo update driver --dry-run",
		RunE: func(cmd *cobra.Command, args []string) error {
			return u.run(cmd, p, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&u.summary, "summary", "", "write the summary to this file and not to standard output")
	f.BoolVarP(&u.dryRun, "dry-run", "n", false, "say what would change; write nothing")
	u.addFlags(cmd)
	return cmd
}

// updating is one run of `update`.
type updating struct {
	fetching
	summary string
	dryRun  bool
}

func (u *updating) run(cmd *cobra.Command, p *project, only []string) error {
	stdout := cmd.OutOrStdout()
	file, err := p.file()
	if err != nil {
		return err
	}
	in := update.Input{Only: only}
	if in.Config, err = textfile.Read(file); err != nil {
		return err
	}
	// Releases that the configuration names already, and that are to be added,
	// are checked afterwards.
	have, root, errs, err := p.gather(only, &source{})
	if err = errors.Join(append(errs, err)...); err != nil {
		return err
	}
	if !u.dryRun {
		defer lockReleases(root)()
	}
	in.Project, in.Libraries, in.Histories = have.Project, have.Libraries, have.Histories
	found, err := u.find(cmd, in)
	if err != nil {
		return err
	}
	files, written, err := u.generate(root, file, in, found)
	if err != nil {
		return err
	}
	if !u.dryRun {
		if err := emit.Replace(files); err != nil {
			return err
		}
	}
	text := found.Markdown(written)
	if u.summary == "" {
		_, err = io.WriteString(stdout, text)
		return err
	}
	if err := emit.WriteFile(u.summary, []byte(text)); err != nil {
		return err
	}
	for _, r := range found.Releases {
		fmt.Fprintf(stdout, "%s %s\n", r.Library, r.Label)
	}
	fmt.Fprintf(stdout, "%s added, %s written, %s to decide: see %s\n", finding.Count(len(found.Releases), "release"),
		finding.Count(len(written.Created)+len(written.Updated), "file"), finding.Count(len(found.Decisions), "point"), u.summary)
	return nil
}

// find asks the index.
func (u *updating) find(cmd *cobra.Command, in update.Input) (*update.Update, error) {
	ctx, stop := interruptible()
	defer stop()
	fetcher, shown, err := u.open(cmd)
	if err != nil {
		return nil, err
	}
	defer shown.close()
	found, err := update.Find(ctx, in, indexSource{fetcher})
	return found, interruption(ctx, err)
}

// generate makes all files in memory, in the order in which they have to be
// written: a run that is killed in between is mended by the next one, since the
// histories, which tell what is new, come last.
func (u *updating) generate(root, file string, in update.Input, found *update.Update) (files []emit.Replacement, w update.Written, err error) {
	next := emit.Input{Project: found.Project, Libraries: in.Libraries, Histories: map[string]*ir.History{}}
	for name, history := range in.Histories {
		next.Histories[name] = history
	}
	for name, history := range found.Histories {
		next.Histories[name] = history
	}
	if err := next.Project.Check(next.Libraries, next.Histories); err != nil {
		return nil, w, err
	}
	out, err := emit.Generate(next)
	if err != nil {
		return nil, w, err
	}
	states, err := emit.Compare(root, out)
	if err != nil {
		return nil, w, err
	}
	if string(found.Config) != string(in.Config) {
		files = append(files, emit.Replacement{Name: file, Data: found.Config})
		w.Updated = append(w.Updated, filepath.ToSlash(file))
	}
	for _, s := range states {
		switch s.State {
		case emit.Same, emit.Unknown:
			continue
		case emit.Stale:
			w.Stale = append(w.Stale, s.Path)
			continue
		case emit.Edited:
			w.Kept = append(w.Kept, s.Path)
			continue
		case emit.Missing:
			w.Created = append(w.Created, s.Path)
		default:
			w.Updated = append(w.Updated, s.Path)
		}
		files = append(files, emit.Replacement{Name: filepath.Join(root, filepath.FromSlash(s.Path)), Data: out.Files[s.Path]})
	}
	for _, name := range next.Project.LibraryNames() {
		if history := found.Histories[name]; history != nil {
			files = append(files, emit.Replacement{Name: historyFile(root, name), Data: history.Encode()})
			w.Updated = append(w.Updated, "releases/"+name+".json")
		}
	}
	w.Notes = out.Notes
	return files, w, nil
}
