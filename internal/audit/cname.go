package audit

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cybindgo/cybindgo/internal/csource"
	"github.com/cybindgo/cybindgo/internal/cython"
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// probe begins the C text of one declared name among others.
const probe = "cybindgo_probe_"

// cNames checks the C text that declarations put behind names. It should name
// or compute a constant; text that calls or changes something runs wherever the
// name is used.
func (c *collector) cNames(mod *cython.Module) {
	macros := defined(mod)
	var text strings.Builder
	any := false
	for i, e := range mod.Externs {
		if !isName(e.CName) || macros[e.CName] {
			any = true
			text.WriteString(probe + strconv.Itoa(i) + " " + e.CName + "\n")
		}
	}
	if !any {
		return
	}
	// After the verbatim text, so that its macros are expanded.
	for _, v := range csource.Variants(append(texts(mod), csource.Text{Text: text.String()})) {
		unit := csource.ParseUnit(v)
		shared := map[string]bool{}
		for _, d := range unit.Vars {
			shared[d.Text] = true
		}
		judge := func(at int, text []syntax.Token) {
			if at < 0 {
				return
			}
			if csource.Acts(text) || slices.ContainsFunc(text, func(t syntax.Token) bool { return shared[t.Text] }) {
				c.report(HiddenState, mod.Externs[at].Pos, "the C text behind %s does something, or leads to shared state; let a function do it", mod.Externs[at].Name)
			}
		}
		at, first := -1, 0
		for i, t := range v.Tokens {
			if t.Kind == syntax.Name && strings.HasPrefix(t.Text, probe) {
				judge(at, v.Tokens[first:i])
				at, _ = strconv.Atoi(t.Text[len(probe):])
				first = i + 1
			}
		}
		judge(at, v.Tokens[first:])
	}
}

// defined are the names that the verbatim text defines as macros.
func defined(mod *cython.Module) map[string]bool {
	names := map[string]bool{}
	for _, v := range mod.Verbatim {
		for l := range strings.Lines(v.Text) {
			rest, ok := strings.CutPrefix(strings.TrimSpace(l), "#")
			if !ok {
				continue
			}
			if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "define"); ok {
				rest = strings.TrimSpace(rest)
				end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
				if end < 0 {
					end = len(rest)
				}
				names[rest[:end]] = true
			}
		}
	}
	return names
}

// texts are the verbatim blocks of a module.
func texts(mod *cython.Module) []csource.Text {
	out := make([]csource.Text, 0, len(mod.Verbatim)+1)
	for _, v := range mod.Verbatim {
		out = append(out, csource.Text{Text: v.Text, Pos: v.Pos})
	}
	return out
}
