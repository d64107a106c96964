package audit

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// What is known of functions of C, C++, Python and its C interface, by name.
var (
	allocators = map[string]bool{
		"malloc": true, "calloc": true, "realloc": true, "aligned_alloc": true, "PyMem_Malloc": true, "PyMem_Calloc": true,
		"PyMem_RawMalloc": true, "PyMem_RawCalloc": true, "PyObject_Malloc": true, "HeapAlloc": true, "strdup": true,
	}
	releasers = map[string]bool{
		"free": true, "PyMem_Free": true, "PyMem_RawFree": true, "PyObject_Free": true, "HeapFree": true, "delete": true,
		"Py_DECREF": true, "Py_XDECREF": true, "Py_DecRef": true,
	}
	references = map[string]bool{
		"Py_INCREF": true, "Py_XINCREF": true, "Py_IncRef": true, "Py_NewRef": true, "Py_XNewRef": true,
	}
	// These write to what their first argument points to, and read the others.
	writesFirst = map[string]bool{
		"memcpy": true, "memmove": true, "memset": true, "strcpy": true, "strncpy": true, "strcat": true, "strncat": true,
		"sprintf": true, "snprintf": true, "qsort": true, "PyDict_SetItem": true, "PyDict_SetItemString": true,
		"PyDict_DelItem": true, "PyDict_Clear": true, "PyDict_Update": true, "PyList_Append": true, "PyList_SetItem": true, "PySet_Add": true,
		"PyObject_SetAttr": true, "PyObject_SetAttrString": true, "PyObject_SetItem": true, "PyDict_SetDefault": true, "PyDict_SetDefaultRef": true,
		"Py_CLEAR": true, "Py_SETREF": true, "Py_XSETREF": true, "setattr": true, "PyTuple_SetItem": true,
	}
	// These only read.
	readers = map[string]bool{
		"strlen": true, "strcmp": true, "strncmp": true, "memcmp": true, "strchr": true, "strstr": true, "strrchr": true, "dlsym": true,
		"dlopen": true, "dlerror": true, "GetProcAddress": true, "LoadLibraryA": true, "LoadLibraryExA": true, "LoadLibraryW": true, "printf": true,
		"fprintf": true, "puts": true, "abort": true, "bsearch": true, "PyErr_SetString": true, "PyErr_Format": true,
		"len": true, "sorted": true, "dict": true, "list": true, "tuple": true, "set": true, "frozenset": true, "str": true, "repr": true,
		"int": true, "bool": true, "bytes": true, "min": true, "max": true, "sum": true, "any": true, "all": true, "iter": true,
		"PyDict_Copy": true, "PyDict_GetItem": true, "PyDict_GetItemString": true, "PyList_AsTuple": true, "PyTuple_GetItem": true,
		"isinstance": true, "enumerate": true, "zip": true, "hash": true, "print": true, "id": true, "type": true, "MappingProxyType": true,
	}
	closers = map[string]bool{"dlclose": true, "FreeLibrary": true}
	// hidden are functions that reach state which is not followed.
	hidden = map[string]bool{
		"globals": true, "exec": true, "eval": true, "vars": true, "__import__": true, "import_module": true,
		"delattr": true, "compile": true, "PyModule_AddObject": true, "PyImport_AddModule": true, "PyModule_GetDict": true, "PyState_AddModule": true,
		"PyThreadState_GetDict": true, "PyInterpreterState_GetDict": true, "PyImport_GetModuleDict": true, "PySys_SetObject": true, "setenv": true, "putenv": true, "_putenv": true,
		"__setattr__": true, "lru_cache": true, "cache": true, "cached_property": true, "PyRun_SimpleString": true, "PyModule_GetState": true, "PyType_GetModuleState": true, "PyCapsule_Import": true, "PyCapsule_SetContext": true, "PyCapsule_SetPointer": true,
	}
	lockers = map[string]varKind{
		"pthread_mutex_lock": nativeLock, "pthread_rwlock_wrlock": nativeLock, "pthread_spin_lock": nativeLock, "EnterCriticalSection": nativeLock,
		"AcquireSRWLockExclusive": nativeLock, "mtx_lock": nativeLock, "PyThread_acquire_lock": nativeLock, "PyThread_acquire_lock_timed": nativeLock,
		"PyMutex_Lock": lock, "sem_wait": nativeLock, "WaitForSingleObject": nativeLock,
	}
	unlockers = map[string]bool{
		"pthread_mutex_unlock": true, "pthread_rwlock_unlock": true, "pthread_spin_unlock": true, "LeaveCriticalSection": true,
		"ReleaseSRWLockExclusive": true, "mtx_unlock": true, "PyThread_release_lock": true, "PyMutex_Unlock": true, "sem_post": true,
	}
	onces = map[string]bool{"call_once": true, "pthread_once": true, "InitOnceExecuteOnce": true}
	// barriers keep the compiler, and on x64 thereby the processor, from moving
	// later reads before earlier ones.
	barriers = map[string]bool{"_ReadBarrier": true, "_ReadWriteBarrier": true, "MemoryBarrier": true, "_mm_mfence": true, "_mm_lfence": true}
)

// known follows a call of a function whose effect is known.
func (it *interpreter) known(name string, e *syntax.Expr, st *state) (value, bool) {
	if strings.HasPrefix(name, "Py") && st.gil != gilHeld && it.runtime && !withoutInterpreter(name) {
		it.report(Unreadable, e.Pos, "%s needs the interpreter, which may not be held here", name)
	}
	switch {
	case allocators[name]:
		for _, v := range it.args(e.Args, st) {
			if name == "realloc" {
				it.free(v, e.Pos, st)
			}
		}
		return it.newMemory(e.Pos, st), true
	case releasers[name]:
		for _, v := range it.args(e.Args, st) {
			it.free(v, e.Pos, st)
		}
		return anything, true
	case references[name]:
		var out value = anything
		for _, v := range it.args(e.Args, st) {
			out = v
			for _, a := range v {
				if a.obj != nil {
					o := st.objects[a.obj]
					o.owned = true
					st.setObject(a.obj, o)
				}
			}
		}
		return out, true
	case writesFirst[name]:
		it.writeFirst(name, e, st)
		return anything, true
	case readers[name]:
		for i, v := range it.args(e.Args, st) {
			for _, a := range v {
				switch a.kind {
				case address:
					it.access(a.v, event{op: read, pos: e.Args[i].Pos}, st)
				case loaded, element:
					it.access(a.v, event{op: read, content: true, pos: e.Args[i].Pos}, st)
				}
			}
		}
		it.seen(st)
		if kind, ok := makers[name]; ok {
			return value{{kind: python, py: kind, obj: it.site(e.Pos, true)}}, true
		}
		return anything, true
	case closers[name]:
		it.args(e.Args, st)
		it.report(ClosesLibrary, e.Pos, "%s closes a library while pointers into it may be kept", name)
		return anything, true
	case hidden[name]:
		it.args(e.Args, st)
		it.report(HiddenState, e.Pos, "%s reaches state that is not followed", name)
		return anything, true
	case unlockers[name]:
		if len(e.Args) > 0 {
			if v := it.lockOf(e.Args[0], st); v != nil {
				it.releaseLock(v, st)
			}
		}
		return anything, true
	case onces[name]:
		return it.once(e, st), true
	case barriers[name]:
		it.barrier(st)
		return anything, true
	}
	if kind, ok := lockers[name]; ok {
		if strings.HasSuffix(name, "_timed") || name == "PyThread_acquire_lock" && (len(e.Args) < 2 || e.Args[1].Text != "WAIT_LOCK" && e.Args[1].Text != "1") {
			it.args(e.Args, st)
			it.report(Unreadable, e.Pos, "a lock that may not be got cannot be followed")
			return anything, true
		}
		if len(e.Args) > 0 {
			if v := it.lockOf(e.Args[0], st); v != nil {
				if kind == nativeLock {
					v.kind = nativeLock
				}
				it.acquireLock(v, e.Pos, st)
				return value{{kind: integer}}, true
			}
			it.args(e.Args, st)
			it.report(Unreadable, e.Pos, "this lock cannot be followed: lock a variable of the module or of the file")
		}
		return anything, true
	}
	return nil, false
}

// withoutInterpreter reports whether a function of Python's C interface may be
// called by a thread that does not hold the interpreter.
func withoutInterpreter(name string) bool {
	return strings.HasPrefix(name, "PyMutex_") || strings.HasPrefix(name, "PyThread_") || strings.HasPrefix(name, "PyMem_Raw")
}

// writeFirst follows a function that writes to its first argument.
func (it *interpreter) writeFirst(name string, e *syntax.Expr, st *state) {
	if (name == "Py_CLEAR" || name == "Py_SETREF" || name == "Py_XSETREF") && len(e.Args) > 0 {
		// Macros that assign their argument.
		v := anything
		if len(e.Args) > 1 {
			v = it.eval(e.Args[1], st)
		}
		it.free(it.eval(e.Args[0], st), e.Pos, st)
		it.assign(e.Args[0], v, nil, st)
		return
	}
	for i, v := range it.args(e.Args, st) {
		for _, a := range v {
			if i == 0 {
				it.store(a, anything, e.Pos, st)
				continue
			}
			switch a.kind {
			case address:
				op := read
				if strings.HasSuffix(name, "printf") && (a.v.typ == nil || !a.v.typ.TopConst) {
					op = write // %n
				}
				it.access(a.v, event{op: op, pos: e.Args[i].Pos}, st)
			case loaded, element:
				it.access(a.v, event{op: read, content: true, pos: e.Args[i].Pos}, st)
			}
		}
	}
	if name == "setattr" && (len(e.Args) == 0 || e.Args[0].Op != syntax.Ident) {
		it.report(HiddenState, e.Pos, "setattr reaches state that is not followed")
	} else if name == "setattr" {
		if local, v, fn := it.resolve(e.Args[0].Text); !local && (v != nil || fn != nil) {
			it.report(HiddenState, e.Pos, "setattr reaches state that is not followed")
		}
	}
}

// free follows the release of memory or of a reference.
func (it *interpreter) free(v value, pos syntax.Pos, st *state) {
	for _, a := range v {
		switch a.kind {
		case fresh, python:
			it.stillThere(a, pos, st)
			o := st.objects[a.obj]
			if o.in != nil {
				it.report(FreedPublished, pos, "this is freed although %s may lead to it", o.in.name)
			}
			o.freed = true
			if a.obj != nil {
				st.setObject(a.obj, o)
			}
		case loaded, element:
			if it.runtime && (a.v.pointer() || a.v.object()) {
				it.report(FreedPublished, pos, "what %s leads to is freed while other threads may read it", a.v.name)
			}
		case old:
			if it.runtime {
				it.report(FreedPublished, pos, "what %s led to before is freed while other threads may read it", a.v.name)
			}
		case address:
			it.access(a.v, event{op: write, pos: pos}, st)
		}
	}
}
