package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// value is what an expression may be: one of a few alternatives.
type value []alt

// alt is one alternative.
type alt struct {
	kind  altKind
	v     *variable // of address, loaded, element, test, old
	obj   *object   // of fresh and test
	local cell      // of localAddress
	fn    *function // of code
	n     int64     // of integer
	py    pyKind    // of python
	// certain: the value was read when its variable was known to be
	// initialised; nonNull: it was found not to be null.
	certain, nonNull bool
	// early: it was read with an order too weak to follow it.
	early bool
	// truth of a test: true means that the test is true when the variable is
	// initialised, or the swap has succeeded.
	truth bool
	weak  bool // of a test: a swap that may fail for no reason
	when  int  // of a test of a variable: which evaluation it was
}

type altKind uint8

const (
	unknown altKind = iota
	null
	integer
	address      // of a shared variable, or into its storage
	localAddress // of a local variable
	fresh        // memory or an object that this thread made
	loaded       // read from a shared variable
	element      // read from what a shared variable leads to
	old          // what an exchange took out of a shared variable
	python       // a Python object made here
	testInitial  // whether a variable is initialised
	testSwap     // whether a compare-and-swap succeeded
	code         // a function
)

// object is something that was allocated at one place.
type object struct {
	pos    syntax.Pos
	python bool
	owned  bool // a new reference came with it
}

// maxAlts bounds the alternatives that are told apart.
const maxAlts = 12

var anything = value{{kind: unknown}}

func isAnything(v value) bool { return len(v) == 1 && v[0].kind == unknown }

// union joins alternatives.
func union(a, b value) value {
	if len(a) == 0 {
		return b
	}
	out := a
	for _, x := range b {
		found := false
		for _, y := range out {
			if x == y {
				found = true
				break
			}
		}
		if !found {
			out = append(out[:len(out):len(out)], x)
		}
	}
	if len(out) > maxAlts {
		return nil // the caller reports it
	}
	return out
}

func (v value) any(kind altKind) bool {
	for _, a := range v {
		if a.kind == kind {
			return true
		}
	}
	return false
}

// only gives the alternative of a value that has just one.
func (v value) only(kind altKind) (alt, bool) {
	if len(v) == 1 && v[0].kind == kind {
		return v[0], true
	}
	return alt{}, false
}

// constant reports whether a value is one of known integers.
func (v value) constant() bool {
	for _, a := range v {
		if a.kind != integer {
			return false
		}
	}
	return len(v) > 0
}
