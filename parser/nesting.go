package parser

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Go does not let a program survive a stack that grows without end, and the
// front end calls itself for every bracket that is open, at about 10 kB each.
// So nesting is bounded before the front end sees a header: in the text, and,
// since macros can double brackets as often as they please, in what macros
// expand to.
const (
	maxNesting = 1000  // of brackets and of #if; real headers stay below 20
	maxPrefix  = 10000 // of operators without a bracket, comma or semicolon, as in ----x
	maxIfLine  = 4096  // bytes of an #if

	maxMacro   = 200 // how deep a macro may nest
	maxLeft    = 20  // how much of it a macro may leave open
	plainMacro = 15  // up to which depth the bound on the text is enough
)

// tooDeep tells at which offset the text nests deeper than the front end may
// follow, or -1.
func tooDeep(code []byte) int {
	depth, ifs, run := 0, 0, 0
	for i := 0; i < len(code); i++ {
		c := code[i]
		if !deepens[c] {
			continue
		}
		switch c {
		case '(', '[', '{':
			depth++
			run = 0
		case ')', ']', '}':
			depth = max(depth-1, 0)
			run = 0
		case '"', '\'':
			i = literalEnd(code, i) - 1
		case '#':
			switch verb, _ := directive(code[i:min(i+20, len(code))]); verb {
			case "if", "elif":
				if end, _ := lineEnd(code, i); end-i > maxIfLine {
					return i
				}
				if verb == "if" {
					ifs++
				}
			case "ifdef", "ifndef":
				ifs++
			case "endif":
				ifs--
			}
		case ';', ',':
			run = 0
		default: // an operator
			run++
		}
		if depth > maxNesting || ifs > maxNesting || run > maxPrefix {
			return i
		}
	}
	return -1
}

// deepens are the bytes that tooDeep looks at.
var deepens = func() (set [256]bool) {
	set = operator
	for _, c := range []byte("()[]{}\"'#;,") {
		set[c] = true
	}
	return set
}()

func isOperator(c byte) bool { return operator[c] }

var operator = [256]bool{
	'*': true, '&': true, '-': true, '+': true, '!': true, '~': true,
	'?': true, ':': true, '=': true, '|': true, '^': true,
}

// macroDepth says how much deeper a macro makes what uses it.
type macroDepth struct {
	bodies   [][]byte // behind the name, one of each definition
	depth    int
	left     int  // what is still open behind it
	loose    bool // it may nest with what stands beside it
	measured bool
}

// foresee finds headers that could take the front end down: by macros that
// nest without bound, or by includes that end its input. Where the directives
// alone do not rule it out, the headers are preprocessed first.
func (r *reading) foresee() Errors {
	macros := map[string]*macroDepth{}
	suspect := false
	for _, f := range r.prefetch() {
		f.eachDirective(func(verb string, rest []byte) {
			if verb != "define" {
				suspect = suspect || verb == "include_next" || verb == "include" && r.endsInput(f, rest)
				return
			}
			n := wordLen(rest)
			m := macros[string(rest[:n])]
			if m == nil {
				m = &macroDepth{}
				macros[string(rest[:n])] = m
			}
			m.bodies = append(m.bodies, rest[n:])
		})
	}
	for _, name := range slices.Sorted(maps.Keys(macros)) {
		m := macros[name]
		measure(macros, m)
		if m.depth > maxMacro || m.left > maxLeft {
			return Errors{{Msg: fmt.Sprintf("the macro %s expands to brackets or operators that are nested too deep", name)}}
		}
		suspect = suspect || m.loose || m.depth > plainMacro
	}
	if !suspect {
		return nil
	}
	for _, view := range [][]string{nil, {r.cfg.InternalView}} {
		if view != nil && r.onlyPublic() {
			continue
		}
		u, err := r.set.unit(r.platform)
		if err != nil {
			return Errors{{Msg: err.Error()}}
		}
		text, errs := u.preprocess(append(r.sources(view...), r.consulted()))
		if len(errs) > 0 {
			return errs
		}
		if tooDeep([]byte(text)) >= 0 {
			return Errors{{Msg: fmt.Sprintf("macros of the headers expand to brackets or operators that are nested too deep: more than %d", maxNesting)}}
		}
	}
	return nil
}

// endsInput reports whether an include may make the front end stop reading
// there and then, in the middle of a declaration, without ever coming to
// endSource: one whose argument is a macro, or is not found in the way that
// Open replaces.
func (r *reading) endsInput(f *file, argument []byte) bool {
	argument = bytes.TrimSpace(argument)
	if len(argument) < 2 || argument[0] != '"' && argument[0] != '<' {
		return true
	}
	beside, ok := strings.CutPrefix(includeTarget(argument), path.Dir(f.name)+"/")
	return ok && r.set.files[beside] != nil
}

// includeTarget is the name in the argument of an include.
func includeTarget(argument []byte) string {
	return string(bytes.Trim(bytes.TrimSpace(argument), "<>\""))
}

// prefetch opens every header that the roots may include, whatever the
// conditions.
func (r *reading) prefetch() []*file {
	var list []*file
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		f, err := r.set.open(name)
		if err != nil {
			return
		}
		list = append(list, f)
		f.eachDirective(func(verb string, rest []byte) {
			if verb == "include" || verb == "include_next" {
				target := includeTarget(rest)
				visit(path.Join(path.Dir(name), target))
				visit(path.Clean(target))
			}
		})
	}
	for _, name := range r.roots {
		visit(name)
	}
	for _, name := range r.consult {
		visit(name)
	}
	return list
}

// measure finds the depth of a macro, that of the macros in it included. It is
// loose if its brackets do not match, if it ends with an operator, or if it
// hands on a macro for another to call.
func measure(macros map[string]*macroDepth, m *macroDepth) {
	if m.measured {
		return
	}
	m.measured = true
	for _, body := range m.bodies {
		var open []int // what each open bracket adds
		depth, prefix, last := 0, 0, byte(' ')
		if len(body) > 0 && body[0] == '(' { // parameters
			body = body[max(bytes.IndexByte(body, ')'), 0)+1:]
		}
		for i := 0; i < len(body); i++ {
			called := 0 // depth of the macro that is called here
			if isWord(body[i]) {
				n := wordLen(body[i:])
				used := macros[string(body[i:i+n])]
				i += n - 1
				last, prefix = 'x', 0
				if used == nil {
					continue
				}
				measure(macros, used)
				m.loose = m.loose || used.loose
				m.depth = max(m.depth, min(depth+used.depth, 1<<20))
				depth = min(depth+used.left, 1<<20)
				rest := bytes.TrimLeft(body[i+1:], " \t")
				if len(rest) == 0 || rest[0] != '(' {
					m.loose = m.loose || used.takesArguments()
					continue
				}
				called = used.depth
				i = len(body) - len(rest)
			}
			switch c := body[i]; {
			case c == '(' || c == '[' || c == '{':
				open = append(open, 1+called)
				depth += 1 + called
				prefix = 0
			case c == ')' || c == ']' || c == '}':
				if len(open) == 0 {
					m.loose = true
					break
				}
				depth -= open[len(open)-1]
				open = open[:len(open)-1]
			case c == '"' || c == '\'':
				i = literalEnd(body, i) - 1
			case isOperator(c):
				prefix++
			}
			if i < len(body) && body[i] != ' ' && body[i] != '\t' {
				last = body[i]
			}
			m.depth = max(m.depth, min(depth+prefix, 1<<20))
		}
		if !isOperator(last) {
			prefix = 0
		}
		m.left = max(m.left, depth+prefix)
		m.loose = m.loose || m.left > 0
	}
}

// takesArguments reports whether any of the macro's definitions does.
func (m *macroDepth) takesArguments() bool {
	return slices.ContainsFunc(m.bodies, func(body []byte) bool { return len(body) > 0 && body[0] == '(' })
}
