package audit

// classify judges every shared variable by its accesses. State is safe if it
// fits one of these disciplines:
//
//   - nothing writes it once the module is imported;
//   - every access is atomic, reads acquire, writes release, and what it leads
//     to is not changed once it is published;
//   - every access, also of what it leads to, is under one lock;
//   - it is written under one lock and read either under it or after an
//     atomic flag that is set under the same lock, once all is written.
func (it *interpreter) classify() {
	for _, v := range it.all {
		if v.kind == callable {
			continue
		}
		it.unknownObject(v)
		it.classifyOne(v)
	}
	for _, v := range it.all {
		it.checkSinks(v)
	}
	it.checkCycles()
}

func (it *interpreter) classifyOne(v *variable) {
	var direct, content []*event
	writes, contentWrites := 0, 0
	for i := range v.events {
		e := &v.events[i]
		if !e.runtime {
			continue
		}
		if e.content {
			content = append(content, e)
			if e.op != read {
				contentWrites++
			}
			continue
		}
		direct = append(direct, e)
		if e.op != read {
			writes++
		}
	}
	if writes == 0 && contentWrites == 0 {
		return
	}
	if v.kind == lock || v.kind == nativeLock || v.kind == imported || v.kind == perThread {
		for _, e := range append(direct, content...) {
			if e.op != read {
				it.report(CheckThenAssign, e.pos, "%s is changed while the module is in use", v.name)
			}
		}
		return
	}
	all := append(append([]*event(nil), direct...), content...)
	if commonLock(all) != nil {
		it.rechecked(v, direct)
		return
	}
	if writes > 0 && allAtomic(direct) {
		it.orders(v, direct)
		it.unguarded(v, content)
		return
	}
	if writes > 0 && it.behindFlag(v, all) {
		return
	}
	if writes == 0 {
		it.unguarded(v, content)
		return
	}
	it.diagnose(v, direct)
	it.unguarded(v, content)
}

// commonLock is a lock that is held in all events, or nil.
func commonLock(events []*event) *variable {
	if len(events) == 0 {
		return nil
	}
	held := events[0].locks
	for _, e := range events[1:] {
		held = held.and(e.locks)
	}
	if len(held) == 0 {
		return nil
	}
	return held[0]
}

func allAtomic(events []*event) bool {
	for _, e := range events {
		if e.order == none {
			return false
		}
	}
	return true
}

// orders checks the memory orders of a variable that is only accessed
// atomically, and that what it publishes is published once.
func (it *interpreter) orders(v *variable, events []*event) {
	for _, e := range events {
		switch {
		case e.op == read && !e.order.acquires():
			why := "reads with an order that does not acquire"
			if e.how != "" {
				why = "does not acquire: " + e.how
			}
			it.report(RelaxedLoad, e.pos, "this load of %s %s", v.name, why)
		case e.op != read && !e.order.releases():
			it.report(RelaxedPublish, e.pos, "this publishes %s with an order that does not release", v.name)
		case e.op == write && (v.pointer() || e.value.any(fresh)) && len(e.locks) == 0 && publishes(e.value):
			it.report(CheckThenAssign, e.pos, "two threads can both publish %s, the second over the first: use a compare-and-swap", v.name)
		case e.op == write && !v.pointer() && len(e.locks) == 0 && !e.value.constant():
			it.report(CheckThenAssign, e.pos, "two threads can both store to %s, the second without knowing of the first", v.name)
		}
	}
	it.rechecked(v, events)
}

// rechecked reports what is set under a lock without looking, under the same
// lock, whether it is set already: the second thread replaces what the first
// made.
func (it *interpreter) rechecked(v *variable, events []*event) {
	for _, e := range events {
		if e.op == write && len(e.locks) > 0 && len(e.unset) == 0 && (v.pointer() || v.object() || e.value.any(fresh)) && v.null && !isInitialValue(v, e.value) {
			it.report(PublishedTwice, e.pos, "%s is set under a lock without looking whether it is set", v.name)
		}
	}
}

// unknownObject reports an object that is used while the module is in use and
// may be changed by that: an iterator, a bound method, whatever a call gave.
func (it *interpreter) unknownObject(v *variable) {
	if v.kind != data || v.lang != langPython || !v.object() || v.holds != pyUnknown || v.init == nil || v.null || v.class != "" {
		return
	}
	for i := range v.events {
		if e := &v.events[i]; e.runtime && e.op == read {
			it.report(Unreadable, e.pos, "what %s holds is not known: it may be changed by using it", v.name)
			return
		}
	}
}

// publishes reports whether a value leads to something that was made here.
func publishes(v value) bool {
	for _, a := range v {
		if a.kind == fresh || a.kind == python || a.kind == unknown {
			return true
		}
	}
	return len(v) == 0
}

// unguarded reports changes to what a variable leads to, unless one lock is
// held for all accesses of it.
func (it *interpreter) unguarded(v *variable, content []*event) {
	if commonLock(content) != nil {
		return
	}
	for _, e := range content {
		if e.op == read {
			continue
		}
		how := ""
		if e.how != "" {
			how = ": " + e.how
		}
		rule := WriteAfterPublish
		if v.lang == langPython && v.object() {
			rule = CheckThenAssign
			if v.holds == pyMutable {
				rule = SharedMutable
			}
		}
		it.report(rule, e.pos, "what %s leads to is changed while other threads can read it%s", v.name, how)
	}
}

// behindFlag reports whether plain data is ordered by an atomic flag.
func (it *interpreter) behindFlag(v *variable, all []*event) bool {
	var writes []*event
	for _, e := range all {
		if e.op != read {
			writes = append(writes, e)
		}
	}
	l := commonLock(writes)
	if l == nil {
		return false
	}
	for _, flag := range it.all {
		if flag == v || !it.isFlag(flag, l) {
			continue
		}
		ok := true
		for _, e := range all {
			switch {
			case e.op == read && !e.locks.has(l):
				ok = ok && e.ensured.has(flag)
			case e.op != read:
				// Only the thread that found the flag unset writes, and before it sets it.
				ok = ok && e.unset.has(flag) && !e.stored.has(flag)
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// isFlag reports whether an atomic variable is set, with release, only under a
// lock, and read with acquire.
func (it *interpreter) isFlag(flag *variable, l *variable) bool {
	set := false
	for i := range flag.events {
		e := &flag.events[i]
		if !e.runtime || e.content {
			continue
		}
		switch {
		case e.order == none:
			return false
		case e.op == read:
			if !e.order.acquires() && !e.locks.has(l) {
				return false
			}
		default:
			set = true
			if !e.order.releases() || !e.locks.has(l) {
				return false
			}
		}
	}
	return set
}

// diagnose says what is wrong with a variable that fits no discipline.
func (it *interpreter) diagnose(v *variable, direct []*event) {
	var reads, writes []*event
	atomics := 0
	for _, e := range direct {
		if e.order != none {
			atomics++
		}
		if e.op == read {
			reads = append(reads, e)
		} else {
			writes = append(writes, e)
		}
	}
	locked := commonLock(writes)
	switch {
	case locked != nil && !v.object() && atomics > 0:
		it.each(reads, none, RelaxedLoad, "%s is read as a plain variable and written atomically", v.name)
		it.each(writes, none, RelaxedPublish, "%s is published as a plain variable and read atomically", v.name)
	case locked != nil:
		for _, e := range reads {
			if !e.locks.has(locked) {
				it.report(UnlockedRead, e.pos, "%s is written under the lock %s and read here without it", v.name, locked.name)
			}
		}
	case atomics > 0:
		it.each(reads, none, RelaxedLoad, "%s is read here as a plain variable", v.name)
		it.each(writes, none, RelaxedPublish, "%s is written here as a plain variable", v.name)
		it.orders(v, atomicOnly(direct))
	default:
		rule, what := CheckThenAssign, "%s is assigned while the module is in use, and nothing orders it with other threads"
		switch {
		case v.object():
			rule, what = LazyObject, "the Python object %s is assigned while the module is in use"
		case !v.pointer() && len(reads) > 0:
			rule, what = PlainFlag, "the plain variable %s tells other threads something, and nothing orders it"
		}
		for _, e := range writes {
			if e.how != "" {
				it.report(rule, e.pos, what+": "+e.how, v.name)
			} else {
				it.report(rule, e.pos, what, v.name)
			}
		}
	}
}

func atomicOnly(events []*event) []*event {
	var out []*event
	for _, e := range events {
		if e.order != none {
			out = append(out, e)
		}
	}
	return out
}

func (it *interpreter) each(events []*event, o order, rule, format string, args ...any) {
	for _, e := range events {
		if e.order == o {
			it.report(rule, e.pos, format, args...)
		}
	}
}

// checkSinks finds values that are used before they are sure to be there, and
// mutable objects that are handed out.
func (it *interpreter) checkSinks(v *variable) {
	runtimeWrites := false
	for i := range v.events {
		e := &v.events[i]
		runtimeWrites = runtimeWrites || e.runtime && e.op != read && !e.content
	}
	for _, s := range v.sinks {
		if v.object() || v.typ != nil && v.typ.Name == "PyObject" {
			if (v.holds == pyMutable && !s.part || s.part && v.inner == pyMutable) && s.what != "formatted" && s.what != "passed on" {
				it.report(SharedMutable, s.pos, "the mutable object in %s is %s: every caller gets the same one", v.name, s.what)
			}
			continue
		}
		if s.what == "called" {
			it.report(Bypass, s.pos, "what %s leads to is called without looking whether it is there", v.name)
			continue
		}
		if !runtimeWrites || s.certain {
			continue
		}
		if !it.initialised(v, s.ensured) {
			it.report(Bypass, s.pos, "what %s leads to is %s without making sure that it is there", v.name, s.what)
		}
	}
}

// initialised reports whether one of the variables that are known to be
// initialised is written together with v.
func (it *interpreter) initialised(v *variable, ensured varSet) bool {
	for _, e := range ensured {
		if e == v || it.sameLock(e, v) || implies(e, v) {
			return true
		}
	}
	return false
}

// implies reports whether a variable is set only where the other one is set
// already.
func implies(e, v *variable) bool {
	set := false
	for i := range e.events {
		x := &e.events[i]
		if x.content || x.op == read {
			continue
		}
		set = true
		if !x.ensured.has(v) && !x.stored.has(v) {
			return false
		}
	}
	return set
}

// sameLock reports whether two variables are only used under one lock, and set
// in one function.
func (it *interpreter) sameLock(a, b *variable) bool {
	var all []*event
	for _, v := range []*variable{a, b} {
		for i := range v.events {
			if v.events[i].runtime {
				all = append(all, &v.events[i])
			}
		}
	}
	if commonLock(all) == nil {
		return false
	}
	for fn := range a.written {
		if b.written[fn] {
			return true
		}
	}
	return false
}
