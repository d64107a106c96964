package csource

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
	"strings"
)

func (p *parser) param(t []syntax.Token) syntax.Param {
	if eq := outside(t, "="); eq >= 0 {
		p.problemAt(t[eq].Pos, "a default argument cannot be followed")
		if eq == 0 {
			return syntax.Param{Pos: t[0].Pos}
		}
		t = t[:eq]
	}
	name := p.declaredName(t)
	if name < 0 {
		return syntax.Param{Type: p.typeOf(t), Pos: t[0].Pos}
	}
	typ := append(append([]syntax.Token(nil), t[:name]...), t[name+1:]...)
	p.vars[t[name].Text] = true
	return syntax.Param{Name: t[name].Text, Type: p.typeOf(typ), Pos: t[name].Pos}
}

// declaredName is the place of the name in a declarator, or -1.
func (p *parser) declaredName(t []syntax.Token) int {
	name, seen := -1, false
	for i := 0; i < len(t); i++ {
		switch w := &t[i]; {
		case w.Is("("):
			if i+1 < len(t) && t[i+1].Is("*") {
				for j := i + 2; j < len(t); j++ {
					if t[j].Kind == syntax.Name && !words[t[j].Text] {
						return j
					}
					if t[j].Is(")") {
						break
					}
				}
			}
			if c := closing(t[i:]); c >= 0 {
				i += c
			}
		case w.Is("["), w.Is("<"):
			depth := 0
			for ; i < len(t); i++ {
				if t[i].Is("[") || t[i].Is("<") {
					depth++
				} else if t[i].Is("]") || t[i].Is(">") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			seen = true
		case w.Is("="), w.Is(":"):
			return name
		case w.Kind == syntax.Name && !words[w.Text]:
			if seen || typeWords[w.Text] || i+1 < len(t) && t[i+1].Is("::") || i == 0 && len(t) > 1 {
				seen = true
				if i > 0 && !typeWords[w.Text] && !(i+1 < len(t) && (t[i+1].Is("::") || t[i+1].Is("<"))) {
					name = i
				}
				continue
			}
			if p.unit.Types[w.Text] && i+1 < len(t) {
				seen = true
				continue
			}
			if len(t) == 1 {
				return -1 // a type alone
			}
			name = i
		case w.Kind == syntax.Name:
			seen = true
		}
	}
	return name
}

// typeOf reads the tokens of a type.
func (p *parser) typeOf(t []syntax.Token) *syntax.Type {
	out := &syntax.Type{}
	depth := 0
	for i := range t {
		w := &t[i]
		switch {
		case w.Is("::"):
			out.Library = true
		case w.Is("("), w.Is("<"), w.Is("["):
			out.Library = out.Library || w.Text == "<"
			if w.Text == "(" && depth == 0 && out.Name != "_Atomic" {
				out.Func = out.Func || i > 0 && !t[i-1].Is("__attribute__") && !t[i-1].Is("__declspec")
			}
			if w.Text == "[" && depth == 0 {
				out.Array = true
			}
			depth++
		case w.Is(")"), w.Is(">"), w.Is("]"):
			depth--
		case w.Is("*"), w.Is("&"), w.Is("&&"):
			if depth > 0 && !out.Func {
				break
			}
			out.Pointers++
			out.Ref = out.Ref || w.Text != "*" && depth == 0
			out.Const = out.Const || out.TopConst && out.Pointers == 1
			out.TopConst = false
			if depth == 0 {
				out.Volatile = false
			}
		case depth > 0:
		case w.Is("const"), w.Is("constexpr"), w.Is("__const"):
			out.TopConst = true
		case w.Is("volatile"), w.Is("__volatile__"):
			out.Volatile = true
		case w.Is("_Atomic"), w.Is("atomic"):
			out.Atomic = true
			out.Name = w.Text
		case w.Kind == syntax.Name && strings.HasPrefix(w.Text, "atomic_") && w.Text != "atomic_flag":
			out.Atomic = true
			out.Name = w.Text
		case w.Is("static"):
			out.Static = true
		case w.Is("extern"):
			out.Extern = true
		case w.Is("_Thread_local"), w.Is("thread_local"), w.Is("__thread"):
			out.Thread = true
		case w.Kind == syntax.Name && (!words[w.Text] || out.Name == "" && typeWords[w.Text] && !w.Is("inline") && !w.Is("struct") && !w.Is("union") && !w.Is("enum")):
			out.Name = w.Text
		}
	}
	if out.Pointers == 0 {
		out.Const = out.TopConst
	}
	return out
}
