package audit

import (
	"strconv"
	"strings"

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
	var text strings.Builder
	any := false
	for i, e := range mod.Externs {
		if !isName(e.CName) {
			any = true
			text.WriteString(probe + strconv.Itoa(i) + " " + e.CName + "\n")
		}
	}
	if !any {
		return
	}
	// After the verbatim text, so that its macros are expanded.
	for _, v := range csource.Variants(append(texts(mod), csource.Text{Text: text.String()})) {
		at, first := -1, 0
		for i, t := range v.Tokens {
			if t.Kind != syntax.Name || !strings.HasPrefix(t.Text, probe) {
				continue
			}
			if at >= 0 && acts(v.Tokens[first:i]) {
				c.actsBehind(&mod.Externs[at])
			}
			at, _ = strconv.Atoi(t.Text[len(probe):])
			first = i + 1
		}
		if at >= 0 && acts(v.Tokens[first:]) {
			c.actsBehind(&mod.Externs[at])
		}
	}
}

func (c *collector) actsBehind(e *cython.Extern) {
	c.report(HiddenState, e.Pos, "the C text behind %s does something; let a function do it", e.Name)
}

// texts are the verbatim blocks of a module.
func texts(mod *cython.Module) []csource.Text {
	out := make([]csource.Text, 0, len(mod.Verbatim)+1)
	for _, v := range mod.Verbatim {
		out = append(out, csource.Text{Text: v.Text, Pos: v.Pos})
	}
	return out
}

// acts reports whether C tokens call or change something. What stands inside
// of sizeof and its like is not evaluated.
func acts(t []syntax.Token) bool {
	for i := 0; i < len(t); i++ {
		switch {
		case t[i].Kind == syntax.Name && i+1 < len(t) && t[i+1].Is("("):
			if !unevaluated[t[i].Text] {
				return true
			}
			depth := 0
			for i++; i < len(t); i++ {
				if t[i].Is("(") {
					depth++
				} else if t[i].Is(")") {
					if depth--; depth == 0 {
						break
					}
				}
			}
		case t[i].Kind != syntax.Op:
		case strings.HasSuffix(t[i].Text, "=") && t[i].Text != "==" && t[i].Text != "!=" && t[i].Text != "<=" && t[i].Text != ">=",
			t[i].Is("++"), t[i].Is("--"), t[i].Is(";"), t[i].Is("{"):
			return true
		}
	}
	return false
}

var unevaluated = map[string]bool{
	"sizeof": true, "__typeof__": true, "typeof": true, "decltype": true, "_Alignof": true, "alignof": true, "__alignof__": true, "offsetof": true,
}
