package update

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/ir"
)

// maxNames is how many names of a list a decision shows unfolded.
const maxNames = 8

// MaxSummary is how long a summary may be, in bytes. GitHub refuses a pull
// request whose text has more than 65,536 characters.
const MaxSummary = 60_000

// Written is what became of the files on disk.
type Written struct {
	Created, Updated, Kept, Stale []string // paths; Kept were edited by hand and left alone
	Notes                         []string
}

// Title is the subject of a pull request.
func (u *Update) Title() string {
	if len(u.Releases) == 0 {
		return "Bindings are up to date"
	}
	var labels []string
	for _, r := range u.Releases {
		labels = append(labels, r.Label)
	}
	slices.SortFunc(labels, compareLabels)
	labels = slices.Compact(labels)
	if len(labels) > 3 {
		labels = []string{labels[0], "…", labels[len(labels)-1]}
	}
	return "Update the bindings to " + strings.Join(labels, ", ")
}

func compareLabels(a, b string) int {
	v, err1 := ir.ParseVersion(a)
	w, err2 := ir.ParseVersion(b)
	if err1 != nil || err2 != nil {
		return strings.Compare(a, b)
	}
	return v.Compare(w)
}

// Markdown is the summary for a pull request: counts, what breaks, what a
// person has to decide, what was added, and the files. Lists are cut short
// where all of it would be too long, and say so.
func (u *Update) Markdown(w Written) string {
	text := u.markdown(w, 0, 0)
	for _, items := range []int{300, 100, 30, 10, 3} {
		if len(text) <= MaxSummary {
			break
		}
		text = u.markdown(w, items, items/3)
	}
	return text
}

// markdown shows so many breaking and other changes of a release; zero is all.
func (u *Update) markdown(w Written, breaking, others int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", u.Title())
	if len(u.Releases) == 0 {
		b.WriteString("The history has every release that is on offer.\n")
		if len(w.Created)+len(w.Updated)+len(w.Kept)+len(w.Stale)+len(u.Decisions) == 0 {
			return b.String()
		}
	} else {
		u.table(&b)
	}
	b.WriteString("\n## What breaks\n")
	if !u.list(&b, breaks, breaking) {
		b.WriteString("\nNothing.\n")
	}
	var changed strings.Builder
	if u.list(&changed, behaves, breaking) {
		fmt.Fprintf(&b, "\n## What compiles and may do something else\n%s", &changed)
	}
	u.decisions(&b, w)
	u.rest(&b, others)
	u.packages(&b)
	files(&b, w)
	return b.String()
}

// table has a line for each release.
func (u *Update) table(b *strings.Builder) {
	b.WriteString("| library | release | published | since | added | removed | changed | break source | break the ABI |\n|---|---|---|---|--:|--:|--:|--:|--:|\n")
	for i := range u.Releases {
		r := &u.Releases[i]
		added, removed := r.count(ir.Added), r.count(ir.Removed)
		n := r.counts()
		since := r.Previous
		if since == "" {
			since = "none"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %d | %d | %d | %d |\n", r.Library, r.Label, r.Result.Snapshot.Release.Date, since,
			added, removed, n.Changes-added-removed, n.Source, n.ABI)
	}
	b.WriteString("\n<details><summary>Where the headers came from</summary>\n\n")
	for i := range u.Releases {
		r := &u.Releases[i]
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(r.Result.Snapshot.Release.Components)) {
			parts = append(parts, name+" "+r.Result.Snapshot.Release.Components[name])
		}
		fmt.Fprintf(b, "- %s %s: %s\n", r.Library, r.Label, strings.Join(parts, ", "))
	}
	b.WriteString("\n</details>\n")
}

func (r *Release) counts() ir.Counts {
	if r.Changes == nil {
		return ir.Counts{}
	}
	return r.Changes.Counts()
}

func (r *Release) count(what ir.What) (n int) {
	if r.Changes != nil {
		for i := range r.Changes.List {
			if r.Changes.List[i].What == what {
				n++
			}
		}
	}
	return n
}

func breaks(x *ir.Change) bool  { return x.Breaks != 0 }
func behaves(x *ir.Change) bool { return x.Class() == ir.Behaviour }

// list lists the changes that keep holds for, release by release, and reports
// whether there are some.
func (u *Update) list(b *strings.Builder, keep func(*ir.Change) bool, max int) (some bool) {
	for i := range u.Releases {
		r := &u.Releases[i]
		if r.Changes == nil {
			continue
		}
		if text := r.Changes.Only(keep).MarkdownItems(max); text != "" {
			fmt.Fprintf(b, "\n### %s %s → %s\n\n%s", r.Library, r.Previous, r.Label, text)
			some = true
		}
	}
	return some
}

func (u *Update) decisions(b *strings.Builder, w Written) {
	decisions := slices.Clone(u.Decisions)
	if len(w.Kept) > 0 {
		decisions = append(decisions, Decision{Text: "these files were edited by hand and are left alone. Move the edits into a snippet or drop them, then run `cybindgo generate --force`", Names: w.Kept})
	}
	if len(w.Stale) > 0 {
		decisions = append(decisions, Decision{Text: "these files are generated no more; delete them", Names: w.Stale})
	}
	fmt.Fprintf(b, "\n## To decide\n\n")
	if len(decisions) == 0 {
		b.WriteString("Nothing.\n")
	}
	for _, d := range decisions {
		fmt.Fprintf(b, "- [ ] %s.", d.Text)
		names := make([]string, len(d.Names))
		for i, n := range d.Names {
			names[i] = "`" + n + "`"
		}
		switch {
		case len(names) > maxNames:
			fmt.Fprintf(b, "\n  <details><summary>%s</summary>\n\n  %s\n\n  </details>", finding.Count(len(names), "name"), strings.Join(names, ", "))
		case len(names) > 0:
			b.WriteString(" " + strings.Join(names, ", "))
		}
		b.WriteByte('\n')
	}
}

// rest folds what does not break anything.
func (u *Update) rest(b *strings.Builder, max int) {
	for i := range u.Releases {
		r := &u.Releases[i]
		if r.Changes == nil {
			continue
		}
		quiet := r.Changes.Only(func(x *ir.Change) bool { return !breaks(x) && !behaves(x) })
		if len(quiet.List) > 0 {
			fmt.Fprintf(b, "\n<details><summary>%s %s → %s: %s that break nothing</summary>\n\n%s\n</details>\n",
				r.Library, r.Previous, r.Label, finding.Count(len(quiet.List), "change"), quiet.MarkdownItems(max))
		}
	}
}

func (u *Update) packages(b *strings.Builder) {
	if len(u.Packages) == 0 {
		return
	}
	b.WriteString("\n## Packages\n\n")
	for _, p := range u.Packages {
		fmt.Fprintf(b, "- `%s` binds %s %s (before: %s)\n", p.Output, p.Library, p.After, p.Before)
	}
}

func files(b *strings.Builder, w Written) {
	fmt.Fprintf(b, "\n## Files\n\n%s created, %d updated, %d left alone.\n", finding.Count(len(w.Created), "file"), len(w.Updated), len(w.Kept))
	if len(w.Created)+len(w.Updated) > 0 {
		b.WriteString("\n<details><summary>Which</summary>\n\n")
		for _, p := range w.Created {
			fmt.Fprintf(b, "- created `%s`\n", p)
		}
		for _, p := range w.Updated {
			fmt.Fprintf(b, "- updated `%s`\n", p)
		}
		b.WriteString("\n</details>\n")
	}
	if len(w.Notes) > 0 {
		b.WriteString("\n<details><summary>Notes of the generator</summary>\n\n")
		for _, n := range w.Notes {
			fmt.Fprintf(b, "- %s\n", n)
		}
		b.WriteString("\n</details>\n")
	}
}
