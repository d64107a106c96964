package audit

import (
	"github.com/cybindgo/cybindgo/internal/syntax"
)

// lockKind tells locks from data by their type.
func lockKind(t *syntax.Type) varKind {
	if t == nil || t.Array || t.Pointers > 0 && t.Name != "PyThread_type_lock" {
		return data
	}
	switch t.Name {
	case "PyMutex", "pymutex", "PyMutexObject":
		return lock
	case "mutex", "recursive_mutex", "timed_mutex", "shared_mutex", "pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t",
		"CRITICAL_SECTION", "SRWLOCK", "mtx_t", "PyThread_type_lock", "pythread_type_lock", "once_flag", "pthread_once_t", "INIT_ONCE":
		return nativeLock
	}
	return data
}

// lockMakers make locks that give up the interpreter while they wait, and
// storage that is not shared.
var lockMakers = map[string]varKind{
	"threading.Lock": lock, "threading.RLock": lock, "threading.Condition": lock, "_thread.allocate_lock": lock, "_thread.RLock": lock,
	"cython.pymutex": lock, "threading.local": perThread, "_thread._local": perThread, "contextvars.ContextVar": perThread,
	"cpython.pythread.PyThread_allocate_lock": nativeLock,
}

// lockMaker recognises the making of a lock, by where the name comes from: a
// name can be given to anything.
func (p *program) lockMaker(e *syntax.Expr) (varKind, bool) {
	if e.Op != syntax.Call {
		return data, false
	}
	origin := ""
	switch {
	case e.X.Op == syntax.Ident:
		if v := p.globals[e.X.Text]; v != nil && v.kind == imported {
			origin = v.origin
		}
	case e.X.Op == syntax.Member && e.X.X.Op == syntax.Ident:
		if v := p.globals[e.X.X.Text]; v != nil && v.kind == imported {
			origin = v.origin + "." + e.X.Text
		}
	}
	k, ok := lockMakers[origin]
	return k, ok
}

// callName is the last name of what a call calls.
func callName(e *syntax.Expr) string {
	if e == nil || e.Op != syntax.Call {
		return ""
	}
	switch e.X.Op {
	case syntax.Ident, syntax.Member:
		return e.X.Text
	}
	return ""
}

// makers of objects, by name.
var makers = map[string]pyKind{
	"dict": pyMutable, "list": pyMutable, "set": pyMutable, "bytearray": pyMutable, "defaultdict": pyMutable, "OrderedDict": pyMutable,
	"deque": pyMutable, "Counter": pyMutable, "WeakValueDictionary": pyMutable, "WeakKeyDictionary": pyMutable, "SimpleNamespace": pyMutable,
	"sorted": pyMutable, "array": pyMutable, "copy": pyMutable, "deepcopy": pyMutable, "fromkeys": pyMutable,
	"PyDict_New": pyMutable, "PyList_New": pyMutable, "PySet_New": pyMutable, "PyDict_Copy": pyMutable,
	"tuple": pyImmutable, "str": pyImmutable, "bytes": pyImmutable, "int": pyImmutable, "float": pyImmutable, "frozenset": pyImmutable,
	"bool": pyImmutable, "MappingProxyType": pyImmutable, "namedtuple": pyImmutable, "len": pyImmutable, "repr": pyImmutable,
	"PyTuple_New": pyImmutable, "PyTuple_Pack": pyImmutable, "PyLong_FromVoidPtr": pyImmutable, "PyLong_FromLong": pyImmutable,
	"PyUnicode_FromString": pyImmutable, "PyBytes_FromString": pyImmutable, "PyCapsule_New": pyImmutable, "PyDictProxy_New": pyImmutable,
	"PyList_AsTuple": pyImmutable, "PyFrozenSet_New": pyImmutable, "intern": pyImmutable, "object": pyImmutable,
}

// objectKind says what an expression makes, as far as its form tells.
func objectKind(e *syntax.Expr) pyKind {
	switch e.Op {
	case syntax.Dict, syntax.List:
		return pyMutable
	case syntax.Comp:
		if e.Text != "generator" {
			return pyMutable
		}
	case syntax.Literal, syntax.Str, syntax.Null, syntax.SizeOf:
		return pyImmutable
	case syntax.Tuple:
		for _, a := range e.Args {
			if k := objectKind(a); k != pyImmutable {
				return k
			}
		}
		return pyImmutable
	case syntax.Call:
		k := makers[callName(e)]
		if k == pyImmutable && len(e.Args) > 0 && elementKind(e.Args[0]) == pyMutable {
			return pyMutable // a tuple of lists
		}
		return k
	case syntax.Cast:
		return objectKind(e.X)
	case syntax.Binary:
		return max(objectKind(e.X), objectKind(e.Y))
	}
	return pyUnknown
}

// elementKind says what the elements of a display are.
func elementKind(e *syntax.Expr) pyKind {
	k := pyUnknown
	switch e.Op {
	case syntax.Dict:
		if e.Text == "set" {
			return pyImmutable
		}
		for i := 1; i < len(e.Args); i += 2 {
			k = max(k, objectKind(e.Args[i]))
		}
	case syntax.List, syntax.Tuple:
		for _, a := range e.Args {
			k = max(k, objectKind(a))
		}
	case syntax.Comp:
		if e.Y != nil {
			return objectKind(e.Y)
		}
		return objectKind(e.X)
	case syntax.Call:
		if len(e.Args) > 0 {
			return elementKind(e.Args[0])
		}
	}
	return k
}

// argument is what a keyword argument passes.
func argument(e *syntax.Expr) *syntax.Expr {
	if e.Op == syntax.Keyword {
		return e.X
	}
	return e
}
