package parser

import (
	"io"
	"strings"

	"modernc.org/cc/v4"
)

// What the front end does not tell of its own accord: the value of a macro that
// is defined more than once, and what a macro expands to.

// aliasPrefix begins macros of our own that stand for another: the front end
// evaluates no macro that was defined more than once, but it does evaluate one
// that leads there.
const aliasPrefix = "__cybindgo_value_of_"

// aliases is a source that is made up when the front end reaches it, after all
// headers: only then is it known which of their macros need an alias.
type aliases struct {
	u    *unit
	text io.Reader
}

func (a *aliases) Read(p []byte) (int, error) {
	if a.text == nil {
		times := map[string]int{}
		var again []string
		for _, f := range a.u.set.order {
			if f.class != bound {
				continue
			}
			f.eachDirective(func(verb string, rest []byte) {
				if verb == "define" || verb == "undef" {
					name := string(rest[:wordLen(rest)])
					if times[name]++; times[name] == 2 {
						again = append(again, name)
					}
				}
			})
		}
		var b strings.Builder
		for _, name := range again {
			b.WriteString("#define " + aliasPrefix + name + " " + name + "\n")
		}
		a.text = strings.NewReader(b.String())
	}
	return a.text.Read(p)
}

const probeMark = "__cybindgo_next__"

// expand tells what each of the names stands for, in the order given: the
// text of a view's directives is preprocessed with the names behind it. A mark
// behind each keeps one that expands to nothing from swallowing the next.
func (u *unit) expand(names []string, sources []cc.Source) ([]string, Errors) {
	var b strings.Builder
	b.WriteString(probeMark)
	b.WriteByte('\n')
	for _, name := range names {
		b.WriteString(name)
		b.WriteString(" " + probeMark + "\n")
	}
	u.directivesOnly = true
	text, errs := u.preprocess(append(sources, source("probe", b.String())))
	if len(errs) > 0 {
		return nil, errs
	}
	parts := strings.Split(text, probeMark)
	if len(parts) != len(names)+2 {
		return nil, Errors{{Msg: "the macros of the headers cannot be told apart after expansion"}}
	}
	parts = parts[1 : len(parts)-1]
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts, nil
}
