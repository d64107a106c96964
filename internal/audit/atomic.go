package audit

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// atomicCall is an atomic operation, in whichever spelling.
type atomicCall struct {
	op            operation
	target        value
	order         order
	failure       order
	new, expected value
	into          value // where a failed swap puts what it found
	weak          bool
	gives         atomicResult
}

// atomicResult is what the call itself gives.
type atomicResult uint8

const (
	givesNothing atomicResult = iota
	givesValue                // what was there
	givesSuccess              // of a swap
)

// orders by their names and by GCC's numbers.
var orders = map[string]order{
	"memory_order_relaxed": relaxed, "memory_order_consume": consume, "memory_order_acquire": acquire,
	"memory_order_release": release, "memory_order_acq_rel": acqRel, "memory_order_seq_cst": seqCst,
	"memory_order::relaxed": relaxed, "memory_order::consume": consume, "memory_order::acquire": acquire,
	"memory_order::release": release, "memory_order::acq_rel": acqRel, "memory_order::seq_cst": seqCst,
	"__ATOMIC_RELAXED": relaxed, "__ATOMIC_CONSUME": consume, "__ATOMIC_ACQUIRE": acquire,
	"__ATOMIC_RELEASE": release, "__ATOMIC_ACQ_REL": acqRel, "__ATOMIC_SEQ_CST": seqCst,
	"0": relaxed, "1": consume, "2": acquire, "3": release, "4": acqRel, "5": seqCst,
}

// orderOf reads a memory order. One that is not a constant counts as relaxed.
func orderOf(e *syntax.Expr) order {
	for e.Op == syntax.Cast {
		e = e.X
	}
	if e.Op != syntax.Ident && e.Op != syntax.Literal && e.Op != syntax.Member {
		return relaxed
	}
	if o, ok := orders[e.Text]; ok {
		return o
	}
	return relaxed
}

// atomic follows a call of an atomic function.
func (it *interpreter) atomic(name string, e *syntax.Expr, st *state) (value, bool) {
	a := e.Args
	arg := func(i int) value {
		if i < len(a) {
			return it.eval(a[i], st)
		}
		return anything
	}
	ord := func(i int, otherwise order) order {
		if i < len(a) {
			return orderOf(a[i])
		}
		return otherwise
	}
	base := strings.TrimPrefix(name, "__c11_")
	explicit := strings.HasSuffix(base, "_explicit") || base != name
	base = strings.TrimSuffix(base, "_explicit")
	needs := map[string]int{"atomic_load": 1, "atomic_store": 2, "atomic_exchange": 2, "atomic_compare_exchange_strong": 3, "atomic_compare_exchange_weak": 3}
	if n, ok := needs[base]; ok && explicit && len(a) <= n {
		it.report(Unreadable, e.Pos, "%s lacks its memory order", name)
	}
	switch base {
	case "__atomic_load_n":
		return it.perform(atomicCall{op: read, target: arg(0), order: ord(1, relaxed), gives: givesValue}, e, st), true
	case "atomic_load":
		return it.perform(atomicCall{op: read, target: arg(0), order: ord(1, seqCst), gives: givesValue}, e, st), true
	case "__ldar64", "__ldar32", "__load_acquire", "ReadPointerAcquire":
		return it.perform(atomicCall{op: read, target: arg(0), order: acquire, gives: givesValue}, e, st), true
	case "__atomic_load":
		v := it.perform(atomicCall{op: read, target: arg(0), order: ord(2, relaxed), gives: givesValue}, e, st)
		for _, into := range arg(1) {
			it.store(into, v, e.Pos, st)
		}
		return anything, true
	case "__atomic_store_n":
		return it.perform(atomicCall{op: write, target: arg(0), new: arg(1), order: ord(2, relaxed)}, e, st), true
	case "atomic_store", "atomic_init":
		return it.perform(atomicCall{op: write, target: arg(0), new: arg(1), order: ord(2, seqCst)}, e, st), true
	case "__stlr64", "__stlr32", "WritePointerRelease":
		return it.perform(atomicCall{op: write, target: arg(0), new: arg(1), order: release}, e, st), true
	case "__atomic_store":
		return it.perform(atomicCall{op: write, target: arg(0), new: it.pointee(arg(1), st), order: ord(2, relaxed)}, e, st), true
	case "__atomic_exchange_n":
		return it.perform(atomicCall{op: exchange, target: arg(0), new: arg(1), order: ord(2, relaxed), gives: givesValue}, e, st), true
	case "atomic_exchange":
		return it.perform(atomicCall{op: exchange, target: arg(0), new: arg(1), order: ord(2, seqCst), gives: givesValue}, e, st), true
	case "__atomic_exchange":
		return it.perform(atomicCall{op: exchange, target: arg(0), new: it.pointee(arg(1), st), order: ord(3, relaxed), gives: givesNothing}, e, st), true
	case "__sync_lock_test_and_set":
		return it.perform(atomicCall{op: exchange, target: arg(0), new: arg(1), order: acquire, gives: givesValue}, e, st), true
	case "__atomic_compare_exchange_n", "__atomic_compare_exchange":
		c := atomicCall{op: swap, target: arg(0), into: arg(1), new: arg(2), order: ord(4, relaxed), failure: ord(5, relaxed), gives: givesSuccess}
		if base == "__atomic_compare_exchange" {
			c.new = it.pointee(c.new, st)
		}
		if w, ok := arg(3).only(integer); !ok || w.n != 0 {
			c.weak = true
		}
		c.expected = it.pointee(c.into, st)
		return it.perform(c, e, st), true
	case "atomic_compare_exchange_strong", "atomic_compare_exchange_weak":
		c := atomicCall{op: swap, target: arg(0), into: arg(1), new: arg(2), order: ord(3, seqCst), failure: ord(4, seqCst), gives: givesSuccess, weak: strings.HasSuffix(base, "weak")}
		c.expected = it.pointee(c.into, st)
		return it.perform(c, e, st), true
	case "__sync_bool_compare_and_swap", "__sync_val_compare_and_swap":
		c := atomicCall{op: swap, target: arg(0), expected: arg(1), new: arg(2), order: seqCst, failure: seqCst, gives: givesSuccess}
		if strings.Contains(base, "val") {
			c.gives = givesValue
		}
		return it.perform(c, e, st), true
	}
	name = strings.TrimPrefix(name, "_")
	o := seqCst
	for suffix, weaker := range map[string]order{"_nf": relaxed, "_acq": acquire, "_rel": release, "NoFence": relaxed, "Acquire": acquire, "Release": release} {
		if rest, ok := strings.CutSuffix(name, suffix); ok && strings.HasPrefix(rest, "Interlocked") {
			name, o = rest, weaker
		}
	}
	switch name {
	case "InterlockedCompareExchangePointer", "InterlockedCompareExchange", "InterlockedCompareExchange64":
		return it.perform(atomicCall{op: swap, target: arg(0), new: arg(1), expected: arg(2), order: o, failure: o, gives: givesValue}, e, st), true
	case "InterlockedExchangePointer", "InterlockedExchange", "InterlockedExchange64":
		return it.perform(atomicCall{op: exchange, target: arg(0), new: arg(1), order: o, gives: givesValue}, e, st), true
	}
	if strings.HasPrefix(name, "Interlocked") || strings.HasPrefix(name, "atomic_fetch_") || strings.HasPrefix(name, "_atomic_fetch_") || strings.HasPrefix(name, "sync_fetch_") || strings.HasPrefix(name, "_sync_") || strings.HasPrefix(name, "_atomic_") || strings.HasPrefix(name, "atomic_flag") {
		if strings.HasSuffix(name, "fence") {
			return anything, true
		}
		o := seqCst
		if len(a) > 1 && strings.Contains(name, "atomic") {
			o = ord(len(a)-1, seqCst)
		}
		return it.perform(atomicCall{op: exchange, target: arg(0), new: anything, order: o, gives: givesNothing}, e, st), true
	}
	return nil, false
}

// atomicMethod follows the methods of std::atomic.
func (it *interpreter) atomicMethod(m, e *syntax.Expr, st *state) (value, bool) {
	switch m.Text {
	case "load", "store", "exchange", "compare_exchange_strong", "compare_exchange_weak", "test_and_set", "fetch_add", "fetch_sub", "fetch_or", "fetch_and":
	default:
		return nil, false
	}
	target := it.atomicTarget(m.X, st)
	if target == nil {
		if it.frame().fn.lang == langC {
			it.report(Unreadable, e.Pos, "what this atomic operation works on cannot be followed")
		}
		return nil, false
	}
	a := e.Args
	ord := func(i int) order {
		if i < len(a) {
			return orderOf(a[i])
		}
		return seqCst
	}
	arg := func(i int) value {
		if i < len(a) {
			return it.eval(a[i], st)
		}
		return anything
	}
	switch m.Text {
	case "load":
		return it.perform(atomicCall{op: read, target: target, order: ord(0), gives: givesValue}, e, st), true
	case "store":
		return it.perform(atomicCall{op: write, target: target, new: arg(0), order: ord(1)}, e, st), true
	case "compare_exchange_strong", "compare_exchange_weak":
		// The expected value is passed by reference.
		c := atomicCall{op: swap, target: target, expected: arg(0), new: arg(1), order: ord(2), failure: ord(3), gives: givesSuccess, weak: strings.HasSuffix(m.Text, "weak")}
		if len(a) == 3 {
			c.failure = c.order
		}
		if len(a) > 0 {
			c.into = it.addressOf(a[0], st)
		}
		return it.perform(c, e, st), true
	default:
		return it.perform(atomicCall{op: exchange, target: target, new: arg(0), order: ord(1), gives: givesValue}, e, st), true
	}
}

// atomicTarget is the variable that a method of std::atomic works on.
func (it *interpreter) atomicTarget(e *syntax.Expr, st *state) value {
	if e.Op == syntax.Unary && e.Text == "*" {
		return it.eval(e.X, st)
	}
	if e.Op == syntax.Ident {
		local, v, _ := it.resolve(e.Text)
		if local {
			if v := st.get(cell{it.frame(), e.Text}); v.any(address) {
				return v
			}
			return nil
		}
		if v != nil && v.typ != nil && v.typ.Atomic {
			return value{{kind: address, v: v}}
		}
		return nil
	}
	if e.Op == syntax.Call && strings.HasSuffix(callName(e), "atomic_ref") && len(e.Args) == 1 {
		return it.addressOf(e.Args[0], st)
	}
	return nil
}
