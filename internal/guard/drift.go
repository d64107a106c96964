package guard

import (
	"bytes"
	"fmt"

	"github.com/aymanbagabas/go-udiff"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/finding"
)

// The rules of Drift. A rule is named after the state of the file.
var driftRules = []finding.Rule{
	{
		ID: string(emit.Missing), Severity: finding.Error,
		Text: "A generated file is missing.",
		Help: "The configuration asks for the file and it is not there. Run `cybindgo generate`.",
	},
	{
		ID: string(emit.Changed), Severity: finding.Error,
		Text: "A generated file is out of date.",
		Help: "The file is as cybindgo wrote it, but something else would be written now: the configuration, the history, a library's definition or cybindgo itself is another. Run `cybindgo generate` and commit what changed.",
	},
	{
		ID: string(emit.Edited), Severity: finding.Error,
		Text: "A generated file was edited by hand.",
		Help: "The file does not match its seal. Restore it, or move the edit to where the file is made from: the configuration, the library's definition or its snippet file. Then run `cybindgo generate --force`.",
	},
	{
		ID: string(emit.LineEnds), Severity: finding.Error,
		Text: "A generated file has other line endings.",
		Help: "Nothing but line endings differs: the file was not edited, version control or an editor rewrote it with CRLF. Seals count bytes, so set `eol=lf` for generated files in .gitattributes and run `cybindgo generate`.",
	},
	{
		ID: string(emit.Stale), Severity: finding.Error,
		Text: "A file that cybindgo wrote is generated no more.",
		Help: "The library or the file left the configuration. The seal is good, so nobody's work is in the file: delete it.",
	},
	{
		ID: string(emit.Unknown), Severity: finding.Warning,
		Text: "A file in a package's folder is marked as generated, and cybindgo does not generate it.",
		Help: "It was edited since, or another program wrote it. Look at it, then delete it or move it out of the package's folder; code that is yours should not carry the mark of a generated file.",
	},
}

// Drift reports the files that are not as generated. name turns a path of the
// output into one for people; diffs asks for unified diffs, from what is on
// disk to what would be generated.
func Drift(out *emit.Output, states []emit.FileState, name func(string) string, diffs bool) *finding.Report {
	r := &finding.Report{Command: "check", Rules: driftRules, Files: len(states)}
	for _, s := range states {
		if s.State == emit.Same {
			continue
		}
		f := finding.Finding{Rule: string(s.State), Severity: severity(driftRules, string(s.State)), Place: finding.Place{File: name(s.Path)}}
		switch s.State {
		case emit.Missing:
			f.Message = "missing: the configuration asks for this file"
			f.Hint = "run `cybindgo generate`"
		case emit.Changed:
			f.Message = "differs from what is generated"
			f.Hint = "run `cybindgo generate`"
		case emit.Edited:
			f.Message = s.Seal.Error()
			f.Hint = "restore it, or move the edit into the configuration or a snippet file; `cybindgo generate --force` overwrites it"
		case emit.LineEnds:
			f.Message = "line endings are CRLF, expected LF; nothing else differs"
			f.Hint = "set `eol=lf` for it in .gitattributes and run `cybindgo generate`"
			f.Line = 1 + bytes.Count(s.Old[:bytes.Index(s.Old, []byte("\r\n"))], []byte("\n"))
		case emit.Stale:
			f.Message = "stale: it is generated no more"
			f.Hint = "delete it"
		case emit.Unknown:
			f.Message = "unknown: marked as generated, and not a file that cybindgo generates here"
			f.Hint = "delete it, or move it out of the package's folder"
			if s.Seal != nil {
				f.Message += "; " + s.Seal.Error()
			}
		}
		if s.State == emit.Changed || s.State == emit.Edited {
			old, want := string(bytes.ReplaceAll(s.Old, []byte("\r\n"), []byte("\n"))), string(out.Files[s.Path])
			f.Line = firstDifference(old, want)
			if diffs {
				f.Diff = udiff.Unified("a/"+s.Path, "b/"+s.Path, old, want)
			}
		}
		r.Findings = append(r.Findings, f)
	}
	r.Summary = fmt.Sprintf("%d files are as generated", len(states))
	if n := len(r.Findings); n > 0 {
		r.Summary = fmt.Sprintf("%d of %d files are not as generated", n, len(states))
	}
	return r
}

// firstDifference is the first line of a that differs from b's, or a's last.
func firstDifference(a, b string) int {
	line := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' && i+1 < len(a) {
			line++
		}
	}
	return line
}

func severity(rules []finding.Rule, id string) finding.Severity {
	for i := range rules {
		if rules[i].ID == id {
			return rules[i].Severity
		}
	}
	return finding.Error
}
