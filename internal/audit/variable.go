package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// variable is state that threads share: a C variable with static storage, or a
// name of the module.
type variable struct {
	name string
	lang lang
	kind varKind
	typ  *syntax.Type
	init *syntax.Expr
	// initial is the variable that init takes the address of; null says that
	// init is zero, NULL, None, False or missing.
	initial *variable
	null    bool
	class   string // of the instance that it holds, where this module defines it
	holds   pyKind // what is known of the object that it holds, from all assignments
	pos     syntax.Pos
	// reentrant: a lock that the thread that holds it can take again.
	reentrant bool
	cimported bool
	inner     pyKind // what is known of the elements of a collection
	origin    string // what is imported: threading, threading.Lock
	number    int    // of the variable, once it is asked for
	events    []event
	sinks     []sink
	// written are the functions that write it while the module is in use.
	written map[*function]bool
}

type lang uint8

const (
	langC lang = iota
	langPython
)

type varKind uint8

const (
	data       varKind = iota
	lock               // a lock that gives up the interpreter while it waits
	nativeLock         // a lock that does not
	perThread          // thread-local storage
	imported           // a module or what one gave
	callable           // a function or a class of this module
)

// pyKind is what matters of a Python object.
type pyKind uint8

const (
	pyUnknown pyKind = iota
	pyImmutable
	pyMutable
)

// operation is what an access does.
type operation uint8

const (
	read operation = iota
	write
	exchange
	swap // compare-and-swap
)

// order is a memory order; none is a plain access.
type order uint8

const (
	none order = iota
	relaxed
	consume
	acquire
	release
	acqRel
	seqCst
)

func (o order) acquires() bool { return o == acquire || o == acqRel || o == seqCst }
func (o order) releases() bool { return o == release || o == acqRel || o == seqCst }

// event is one access, as seen on one path.
type event struct {
	op      operation
	order   order
	content bool // of what the variable points to or contains
	runtime bool // after the import of the module
	locks   varSet
	ensured varSet // what was known to be initialised
	unset   varSet // what was known not to be, under a lock
	stored  varSet // what had been published on the path
	value   value  // what is written
	in      *function
	how     string // for the message, where the access is not plain to see
	pos     syntax.Pos
}

// sink is a use of a value that has to be initialised by then.
type sink struct {
	what    string
	ensured varSet
	certain bool // not null, or read when initialised
	part    bool // it is an element of what the variable leads to
	pos     syntax.Pos
	in      *function
}

// varSet is a small set of variables; nil is empty. It is never changed.
type varSet []*variable

// maxSet bounds what is remembered of a path. Forgetting that something was
// initialised or locked loses no finding; what was published is not forgotten
// without one: see interpreter.published.
const maxSet = 64

func (s varSet) has(v *variable) bool {
	for _, x := range s {
		if x == v {
			return true
		}
	}
	return false
}

func (s varSet) with(v *variable) varSet {
	if s.has(v) || len(s) >= maxSet {
		return s
	}
	return append(s[:len(s):len(s)], v)
}

func (s varSet) without(v *variable) varSet {
	for i, x := range s {
		if x == v {
			out := append(varSet{}, s[:i]...)
			return append(out, s[i+1:]...)
		}
	}
	return s
}

// and is the intersection.
func (s varSet) and(t varSet) varSet {
	if len(s) == 0 || len(t) == 0 {
		return nil
	}
	same := true
	for _, x := range s {
		same = same && t.has(x)
	}
	if same {
		return s
	}
	var out varSet
	for _, x := range s {
		if t.has(x) {
			out = append(out, x)
		}
	}
	return out
}

func (s varSet) or(t varSet) varSet {
	for _, x := range t {
		s = s.with(x)
	}
	return s
}

// pointer reports whether the variable's own value leads to something else.
func (v *variable) pointer() bool {
	return v.typ != nil && (v.typ.Pointers > 0 || v.typ.Array || v.typ.Func || v.typ.Atomic)
}

// object reports whether the variable holds a Python object.
func (v *variable) object() bool {
	if v.lang == langPython {
		return v.typ == nil || v.typ.Pointers == 0 && pythonTypes[v.typ.Name]
	}
	return v.typ != nil && v.typ.Name == "PyObject"
}

// pythonTypes are the types of Cython variables that hold references.
var pythonTypes = map[string]bool{
	"object": true, "dict": true, "list": true, "set": true, "tuple": true, "str": true, "bytes": true, "type": true,
	"frozenset": true, "bytearray": true, "unicode": true, "": true,
}
