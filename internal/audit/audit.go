package audit

import (
	"bytes"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/finding"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// File is a source file to audit.
type File struct {
	Path string
	Data []byte
}

// Check audits the Cython and Python files among files and gives what it found,
// sorted. A .pxd says which functions of the .pyx beside it others can call; a
// file that ends in _linux or _windows belongs to the .pxd without that.
func Check(files []File) []finding.Finding {
	mods := make([]*cython.Module, len(files))
	parallel(len(files), func(i int) {
		switch path.Ext(files[i].Path) {
		case ".pyx", ".pxd", ".pxi", ".py":
			mods[i] = cython.ParseModule(files[i].Path, files[i].Data)
		}
	})
	exports := map[string]map[string]bool{}
	for i, f := range files {
		if path.Ext(f.Path) != ".pxd" {
			continue
		}
		names := map[string]bool{}
		for _, s := range mods[i].Body {
			if s.Op == syntax.Define && s.Func != nil {
				names[s.Func.Name] = true
			}
		}
		exports[f.Path] = names
	}
	found := make([][]finding.Finding, len(files))
	parallel(len(files), func(i int) {
		// A package's setup.py runs alone, before there is anything to share.
		if mods[i] != nil && path.Base(files[i].Path) != "setup.py" {
			found[i] = checkModule(mods[i], exports[declarations(files[i].Path)])
			inside(files[i].Data, found[i])
		}
	})
	out := slices.Concat(found...)
	finding.Sort(out)
	return out
}

// parallel does n things on all processors. A panic in one of them becomes one
// of the caller, who would not see it otherwise.
func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Value
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed.CompareAndSwap(nil, fmt.Sprintf("%v\n%s", r, debug.Stack()))
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
	if r := failed.Load(); r != nil {
		panic(r)
	}
}

// declarations is the .pxd that belongs to a .pyx.
func declarations(file string) string {
	base := strings.TrimSuffix(file, path.Ext(file))
	base = strings.TrimSuffix(strings.TrimSuffix(base, "_linux"), "_windows")
	return base + ".pxd"
}

// checkModule audits one file, for every outcome of its C conditions.
func checkModule(mod *cython.Module, exports map[string]bool) []finding.Finding {
	c := collector{file: mod.Name, seen: map[string]bool{}}
	for _, p := range mod.Problems {
		c.report(Unreadable, p.Pos, "%s", p.Message)
	}
	c.surface(mod)
	c.pySubset(mod)
	c.cText(mod)
	program := newProgram(mod, exports)
	variants := csource.Variants(texts(mod))
	for i, v := range variants {
		for _, inc := range v.Includes {
			if strings.HasPrefix(inc.Text, `"`) {
				c.report(Unreadable, inc.Pos, "the header %s is not read here: what it defines cannot be followed", inc.Text)
			}
		}
		if slices.ContainsFunc(variants[:i], v.Same) {
			continue
		}
		unit := csource.ParseUnit(v)
		for _, p := range unit.Problems {
			c.report(Unreadable, p.Pos, "%s", p.Message)
		}
		for _, pos := range unit.Asm {
			c.report(Unreadable, pos, "assembly cannot be followed")
		}
		c.cUnit(unit, mod)
		program.lambdas = nil
		program.compile(unit, c.report)
		it := &interpreter{
			program: program, file: mod.Name, memo: map[string]*outcome{}, sites: map[syntax.Pos]*object{}, report: c.report,
		}
		it.follow()
		it.classify()
	}
	return c.findings
}

// inside moves places that lie behind the end of the text, or of a line, to
// that end: what is missing there, a bracket say, is missed by who reads on.
func inside(data []byte, found []finding.Finding) {
	if len(found) == 0 {
		return
	}
	lines := bytes.Split(data, []byte("\n"))
	for i := range found {
		p := &found[i].Place
		if p.Line > len(lines) {
			p.Line, p.Col = len(lines), len(lines[len(lines)-1])+1
		} else if p.Line > 0 {
			p.Col = min(p.Col, len(lines[p.Line-1])+1)
		}
	}
}

// collector gathers findings, each place and rule once.
type collector struct {
	file     string
	seen     map[string]bool
	findings []finding.Finding
}

func (c *collector) report(rule string, pos syntax.Pos, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	key := fmt.Sprintf("%s %d:%d %s", rule, pos.Line, pos.Col, msg)
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.findings = append(c.findings, finding.Finding{
		Rule: rule, Severity: finding.Error, Message: msg, Hint: help(rule),
		Place: finding.Place{File: c.file, Line: int(pos.Line), Col: int(pos.Col)},
	})
}
