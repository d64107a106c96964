package audit

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// interpreter follows a program.
type interpreter struct {
	*program
	file    string
	runtime bool // what is followed runs after the import of the module
	here    syntax.Pos
	frames  []*frame
	memo    map[string]*outcome
	report  func(rule string, pos syntax.Pos, format string, args ...any)
	sites   map[syntax.Pos]*object
	// evaluations counts the tests that were evaluated.
	evaluations int
	key         []byte // for memoKey
	numbers     int
	cycles      []cycle
}

// frame is one call being followed.
type frame struct {
	fn      *function
	returns value
	ended   *state // joined states of all returns
	tries   []*state
	loops   []*loop
	scoped  varSet // locks that with statements and guards hold
}

type loop struct {
	breaks, continues *state
}

// maxSteps bounds the work on a module, in statements; a call counts for
// twenty. The driver's loader takes a few thousand.
const maxSteps = 500_000

// maxEvals bounds the same in expressions.
const maxEvals = 2 * maxSteps

func (it *interpreter) frame() *frame { return it.frames[len(it.frames)-1] }

// exec follows statements from st and gives the state after them, or nil where
// control does not get there.
func (it *interpreter) exec(body []*syntax.Stmt, st *state) *state {
	held := st.locks
	for _, s := range body {
		if st == nil {
			return nil
		}
		if it.steps++; it.steps > maxSteps {
			it.tooLarge()
			return nil
		}
		it.here = s.Pos
		it.seen(st)
		st = it.stmt(s, st)
	}
	if st != nil && len(st.locks) > len(held) && it.frame().fn.lang == langC {
		st.locks = it.endGuards(body, st.locks)
	}
	if st != nil {
		it.seen(st)
	}
	return st
}

func (it *interpreter) tooLarge() {
	it.report(Unreadable, syntax.Pos{Line: 1, Col: 1}, "the module is too large to follow every path")
}

// seen joins a state into those that an exception may come from.
func (it *interpreter) seen(st *state) {
	for i := len(it.frames) - 1; i >= 0; i-- {
		f := it.frames[i]
		if n := len(f.tries); n > 0 {
			f.tries[n-1] = it.join(f.tries[n-1], st.clone())
			return
		}
	}
}

func (it *interpreter) stmt(s *syntax.Stmt, st *state) *state {
	f := it.frame()
	switch s.Op {
	case syntax.Pass, syntax.Global, syntax.Case:
	case syntax.Unread:
		it.report(Unreadable, s.Pos, "this statement cannot be read")
	case syntax.Asm:
		it.report(Unreadable, s.Pos, "assembly cannot be followed")
	case syntax.Goto:
		it.report(Unreadable, s.Pos, "goto cannot be followed")
	case syntax.ExprStmt:
		it.eval(s.X, st)
		if st.dead {
			return nil
		}
	case syntax.Decl:
		it.declare(s, st)
	case syntax.Set:
		v := it.eval(s.Y, st)
		if s.Text != "=" {
			for _, t := range s.Targets {
				v = it.moved(it.eval(t, st))
			}
		}
		for _, t := range s.Targets {
			it.assign(t, v, s.Y, st)
		}
	case syntax.If:
		test := it.testOf(s.X, st)
		yes, no := it.branch(s.X, st)
		if yes != nil {
			yes = it.exec(s.Body, yes)
		}
		if no != nil {
			no = it.exec(s.Else, no)
		}
		joined := it.join(yes, no)
		if joined != nil {
			publishedBy(test, yes, no, joined)
		}
		return joined
	case syntax.Loop:
		return it.loop(s, st)
	case syntax.Break:
		if len(f.loops) == 0 {
			return st // a match's case
		}
		l := f.loops[len(f.loops)-1]
		if s.Text == "continue" {
			l.continues = it.join(l.continues, st)
		} else {
			l.breaks = it.join(l.breaks, st)
		}
		return nil
	case syntax.Return:
		v := value{{kind: null}}
		if s.X != nil {
			v = it.eval(s.X, st)
		}
		it.finish(v, st, s)
		return nil
	case syntax.Raise:
		if s.X != nil {
			it.eval(s.X, st)
		}
		it.seen(st)
		return nil
	case syntax.With:
		return it.with(s, st)
	case syntax.Try:
		return it.try(s, st)
	case syntax.Block:
		return it.exec(s.Body, st)
	case syntax.Switch:
		return it.switches(s, st)
	case syntax.Import:
		if it.runtime {
			it.report(LateImport, s.Pos, "%s is imported while the module is in use", s.Text)
		}
	case syntax.Del:
		for _, t := range s.Targets {
			it.assign(t, value{{kind: null}}, nil, st)
		}
	case syntax.Define:
		if len(it.frames) > 1 || it.runtime {
			it.report(HiddenState, s.Pos, "a function or a class inside of a function can keep state that is not followed")
			break
		}
		if s.Func == nil { // a class: its body runs
			return it.classBody(s, st)
		}
	}
	return st
}

// testOf is the value of a condition that is a local variable.
func (it *interpreter) testOf(e *syntax.Expr, st *state) value {
	if e.Op == syntax.Ident && it.frame().fn.locals[e.Text] {
		return st.get(cell{it.frame(), e.Text})
	}
	return nil
}

// classBody runs the body of a class at import; its names are the class's.
func (it *interpreter) classBody(s *syntax.Stmt, st *state) *state {
	for _, inner := range s.Body {
		if inner.Op == syntax.Set {
			v := it.eval(inner.Y, st)
			for _, a := range v {
				if a.py == pyMutable {
					it.report(SharedMutable, inner.Pos, "a mutable attribute of class %s is shared by all its instances", s.Text)
				}
			}
		}
	}
	return st
}

func (it *interpreter) finish(v value, st *state, s *syntax.Stmt) {
	f := it.frame()
	if f.ended != nil && len(f.scoped) == 0 && !sameSet(f.ended.locks, st.locks) {
		it.report(HeldInterpreter, s.Pos, "%s ends with a lock in hand on one path and without it on another", f.fn.Name)
	}
	f.returns = it.union(f.returns, v)
	f.ended = it.join(f.ended, st)
	if len(it.frames) == 2 && f.fn.Kind != "lambda" { // an entry point
		it.escape(v, st, s.Pos, "returned")
		it.leaves(st, s.Pos)
	}
}

// maxRounds bounds how often the body of a loop is followed.
const maxRounds = 8

// loop follows the body until nothing new is learnt.
func (it *interpreter) loop(s *syntax.Stmt, st *state) *state {
	f := it.frame()
	if s.Text == "for" {
		it.iterate(s.X, st)
	}
	it.spin(s, st)
	var exits *state
	settled := false
	for round := 0; round < maxRounds; round++ {
		l := &loop{}
		f.loops = append(f.loops, l)
		var into, out *state
		switch s.Text {
		case "for":
			into, out = st.clone(), st
			for _, t := range s.Targets {
				it.assign(t, anything, nil, into)
			}
		case "do":
			into = st
		default:
			if s.X == nil {
				into = st.clone()
			} else {
				into, out = it.branch(s.X, st.clone())
			}
		}
		exits = it.join(exits, out)
		var after *state
		if into != nil {
			after = it.exec(s.Body, into)
		}
		after = it.join(after, l.continues)
		if s.Text == "do" && after != nil && s.X != nil {
			after, out = it.branch(s.X, after)
			exits = it.join(exits, out)
		}
		f.loops = f.loops[:len(f.loops)-1]
		exits = it.join(exits, l.breaks)
		if after == nil {
			settled = true
			break
		}
		next := it.join(st.clone(), after)
		if next.same(st) && round > 0 {
			settled = true
			break
		}
		st = next
	}
	if !settled {
		it.report(Unreadable, s.Pos, "this loop does not come to rest")
	}
	if s.Text == "for" {
		exits = it.join(exits, st)
	}
	if exits != nil && len(s.Else) > 0 {
		return it.exec(s.Else, exits)
	}
	return exits
}

// spin finds loops that wait for another thread.
func (it *interpreter) spin(s *syntax.Stmt, st *state) {
	if s.Text == "for" || s.X == nil || st.gil == gilReleased || !it.runtime {
		return
	}
	for _, b := range s.Body {
		if b.Op != syntax.Pass && !(b.Op == syntax.ExprStmt && b.X.Op == syntax.Call && waits[callName(b.X)]) {
			return
		}
	}
	before := len(it.events())
	probe := st.clone()
	it.eval(s.X, probe)
	if len(it.events()) > before {
		it.report(HeldInterpreter, s.Pos, "a loop waits for another thread, which may need the interpreter that this one holds")
	}
}

// events are all accesses so far, to see whether something was accessed.
func (it *interpreter) events() []int {
	var n []int
	for _, v := range it.all {
		for range v.events {
			n = append(n, 0)
		}
	}
	return n
}

// waits are functions that do nothing but pass time.
var waits = map[string]bool{
	"sched_yield": true, "usleep": true, "nanosleep": true, "Sleep": true, "SwitchToThread": true, "sleep": true, "_mm_pause": true,
	"YieldProcessor": true, "yield": true, "sleep_for": true, "__builtin_ia32_pause": true, "pass": true,
}

// escape checks a value that leaves the module, or is used as it is.
func (it *interpreter) escape(v value, st *state, pos syntax.Pos, what string) {
	for _, a := range v {
		switch a.kind {
		case element:
			if !a.nonNull {
				a.v.sinks = append(a.v.sinks, sink{what: what, ensured: st.ensured, certain: a.certain, part: true, pos: pos, in: it.frame().fn})
			}
		case loaded:
			if a.v.pointer() && !a.nonNull || a.v.object() {
				a.v.sinks = append(a.v.sinks, sink{what: what, ensured: st.ensured, certain: a.certain || a.nonNull, pos: pos, in: it.frame().fn})
			}
		}
	}
}

// callPath names the functions being followed, for messages.
func (it *interpreter) callPath() string {
	var names []string
	for _, f := range it.frames[1:] {
		names = append(names, f.fn.Name)
	}
	return strings.Join(names, " -> ")
}
