package guard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cybindgo/cybindgo/emit"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/textfile"
)

var sealRules = []finding.Rule{
	{
		ID: "no-seal", Severity: finding.Error,
		Text: "A file has no seal.",
		Help: "The file is not a generated one, or its seal line was removed. Generate it again, or do not name it.",
	},
	{
		ID: "two-seals", Severity: finding.Error,
		Text: "A file has more than one seal line.",
		Help: "A seal covers the whole file, so there can be only one: two files were joined, or a merge kept both sides. Generate the file again.",
	},
	{
		ID: "malformed-seal", Severity: finding.Error,
		Text: "A seal line cannot be read.",
		Help: "Expected format=1; content-sha256= and 64 hexadecimal digits. Generate the file again.",
	},
	{
		ID: "broken-seal", Severity: finding.Error,
		Text: "The content of a file does not match its seal.",
		Help: "The file was edited after it was generated, or changed on its way. Restore it, or move the edit to where it is generated from and generate it again.",
	},
	{
		ID: "line-ends", Severity: finding.Error,
		Text: "A sealed file has CRLF line ends.",
		Help: "With LF the seal matches: the file was not edited, version control or an editor rewrote its line ends. Set `eol=lf` for it in .gitattributes.",
	},
}

// reasons gives each reason its rule and what to do.
var reasons = []struct {
	reason     error
	rule, hint string
}{
	{emit.ErrNoSeal, "no-seal", "generate it again, or leave it out"},
	{emit.ErrTwoSeals, "two-seals", "generate it again"},
	{emit.ErrSealForm, "malformed-seal", "generate it again"},
	{emit.ErrSealDigest, "broken-seal", "restore it, or move the edit to where it is generated from"},
	{emit.ErrLineEnds, "line-ends", ""},
}

// Seals checks the seals of files, and of the sealed files below folders. A
// file that is named must have a seal. Below a folder those without one are
// passed over, unless all is set; then every source there must have one.
//
// Sources are what emit.Sealable names. Hidden folders and folders of caches
// are left out, and links below a folder are not followed. It is an error if
// nothing was checked: a misspelt path must not look like a clean one.
func Seals(paths []string, all bool) (*finding.Report, error) {
	var files []sealedFile
	seen := map[string]bool{}
	for _, p := range paths {
		found, err := listFiles(p)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !seen[f.name] {
				seen[f.name] = true
				files = append(files, f)
			}
		}
	}
	if err := verifyAll(files); err != nil {
		return nil, err
	}
	r := &finding.Report{Command: "verify", Rules: sealRules}
	for _, f := range files {
		if errors.Is(f.err, emit.ErrNoSeal) && !f.named && !all {
			continue
		}
		r.Files++
		if f.err != nil {
			r.Findings = append(r.Findings, sealFinding(f))
		}
	}
	if r.Files == 0 {
		return nil, fmt.Errorf("%s: no sealed file there: expected generated files, or folders that hold some", strings.Join(paths, ", "))
	}
	finding.Sort(r.Findings)
	r.Summary = fmt.Sprintf("%s checked: every seal is valid", finding.Count(r.Files, "file"))
	if n := len(r.Findings); n > 0 {
		r.Summary = fmt.Sprintf("%s checked, %d wrong", finding.Count(r.Files, "file"), n)
	}
	return r, nil
}

// sealedFile is a file to check, and then what is wrong with it.
type sealedFile struct {
	name  string
	named bool // on the command line
	err   error
	// template is the line of the same seal in the template beside it, or 0.
	template int
}

// listFiles lists the files that a path stands for, in order.
func listFiles(path string) ([]sealedFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []sealedFile{{name: filepath.Clean(path), named: true}}, nil
	}
	var files []sealedFile
	// A link to a folder is walked only with a separator behind it.
	root := filepath.Clean(path) + string(filepath.Separator)
	err = filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != root && !emit.HoldsSources(d.Name()) {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && emit.Sealable(d.Name()):
			files = append(files, sealedFile{name: filepath.Clean(name)})
		}
		return nil
	})
	return files, err
}

// verifyAll reads and checks files, some at a time. The error is one of
// reading.
func verifyAll(files []sealedFile) error {
	var wg sync.WaitGroup
	var next atomic.Int64
	failed := make([]error, len(files))
	for range min(len(files), 2*runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				data, err := textfile.Read(files[i].name)
				if err != nil {
					failed[i] = err
					continue
				}
				f := &files[i]
				if f.err = emit.VerifySeal(data); errors.Is(f.err, emit.ErrSealDigest) {
					f.template = sameSeal(f.name, data)
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

func sealFinding(f sealedFile) finding.Finding {
	file := filepath.ToSlash(f.name)
	out := finding.Finding{Message: f.err.Error(), Place: finding.Place{File: file}}
	for _, r := range reasons {
		if errors.Is(f.err, r.reason) {
			out.Rule, out.Hint = r.rule, r.hint
		}
	}
	out.Severity = severity(sealRules, out.Rule)
	var seal *emit.SealError
	if errors.As(f.err, &seal) {
		out.Line = seal.Line
		if seal.First > 0 {
			out.Related = []finding.Related{{Place: finding.Place{File: file, Line: seal.First}, Message: "the first seal line"}}
		}
		if seal.Reason == emit.ErrSealDigest && f.template > 0 {
			out.Related = []finding.Related{{Place: finding.Place{File: file + ".in", Line: f.template}, Message: "this template has the same seal: the file was made from it, seal and all"}}
		}
	}
	return out
}

// sameSeal is the line of the seal in the template that lies beside a file, if
// it is the file's own seal; else 0. A program that fills templates in and
// knows nothing of seals leaves such files.
func sameSeal(name string, data []byte) int {
	template, err := textfile.Read(name + ".in")
	if err != nil {
		return 0
	}
	seal, line := emit.SealLine(template)
	if own, _ := emit.SealLine(data); own == "" || own != seal {
		return 0
	}
	return line
}
