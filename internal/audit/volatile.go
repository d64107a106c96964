package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
	"slices"
)

// volatileLoad recognises the acquire load of Microsoft's compiler on x64: a
// volatile read and then a barrier. Everywhere else volatile orders nothing.
func (it *interpreter) volatileLoad(v *variable, pos syntax.Pos, st *state) bool {
	taken := it.c.Taken
	msvc := slices.Contains(taken, "defined ( _MSC_VER )")
	x64 := slices.Contains(taken, "! defined ( _M_ARM64 )") || slices.Contains(taken, "defined ( _M_X64 )") || slices.Contains(taken, "defined ( _M_AMD64 )")
	if !msvc || !x64 {
		return false
	}
	st.barrier = append(st.barrier[:len(st.barrier):len(st.barrier)], volatileRead{v, pos})
	return true
}

// volatileRead is a read that still needs a barrier after it.
type volatileRead struct {
	v   *variable
	pos syntax.Pos
}

// barrier completes the volatile reads before it.
func (it *interpreter) barrier(st *state) {
	for _, b := range st.barrier {
		it.access(b.v, event{op: read, order: acquire, pos: b.pos}, st)
	}
	st.barrier = nil
}

// checkBarriers counts the volatile reads that got no barrier in their
// function as relaxed ones.
func (it *interpreter) checkBarriers(st *state) {
	for _, b := range st.barrier {
		it.access(b.v, event{op: read, order: relaxed, pos: b.pos, how: "a volatile read needs _ReadBarrier() after it"}, st)
	}
	st.barrier = nil
}
