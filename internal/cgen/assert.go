package cgen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// View says which macros a file of assertions is compiled under; each shows
// other names.
type View int

// The views.
const (
	// Public is what every program sees: functions under their public names,
	// and all types, enumerators and constants.
	Public View = iota
	// Internal shows superseded functions and, beside the others, the symbols
	// with a per-thread default stream.
	Internal
	// PerThread is the view in which public names lead to the symbols with a
	// per-thread default stream.
	PerThread
)

// AssertOptions are the choices of [Assertions].
type AssertOptions struct {
	View View
	// Defines are macros to define first, as NAME or NAME=VALUE: those of the
	// library and that of the view.
	Defines []string
	// Includes are the headers to include, in order.
	Includes []string
}

// Assertions writes a C file that includes the real headers and asserts what
// the model says of one target: the type and the symbol of every function, the
// value of every enumerator and constant, the layout of every record down to
// the type, size and offset of each field, and what every typedef stands for.
// gcc and clang compile it if the model is right, and name each fact that is
// wrong. With optimisation on, and everything else right, they also judge the
// place and width of bit-fields, which no constant expression can tell.
//
// What it cannot see: a declaration that the model lacks, the difference
// between an enum and the integer that holds it, const on a parameter itself,
// and bounds of array parameters.
func Assertions(api *ir.API, target ir.Target, opts AssertOptions) []byte {
	a := &assertions{names: namesOf(api)}
	a.writer = writer{spell: a.spell}
	fmt.Fprintf(&a.b, "/* Facts about headers for %s, for a compiler to confirm. */\n", target)
	for _, d := range opts.Defines {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			value = "1"
		}
		fmt.Fprintf(&a.b, "#define %s %s\n", name, value)
	}
	for _, h := range opts.Includes {
		fmt.Fprintf(&a.b, "#include <%s>\n", h)
	}
	a.b.WriteString(assertMacros)
	switch opts.View {
	case Public:
		a.inRecords(api.Records)
		for i := range api.Functions {
			if f := &api.Functions[i]; !f.Superseded {
				a.function(f, f.Name)
				if !f.Inline {
					a.leads(f.Name, f.Symbol)
				}
			}
		}
		for i := range api.Enums {
			a.enum(&api.Enums[i])
		}
		for i := range api.Typedefs {
			a.typedef(&api.Typedefs[i])
		}
		for i := range api.Records {
			a.record(&api.Records[i])
		}
		for i := range api.Constants {
			a.constant(&api.Constants[i])
		}
	case Internal:
		for i := range api.Functions {
			f := &api.Functions[i]
			if f.Superseded {
				a.function(f, f.Symbol)
			}
			if f.PerThread != "" {
				a.function(f, f.PerThread)
			}
		}
	case PerThread:
		for i := range api.Functions {
			if f := &api.Functions[i]; !f.Superseded && f.PerThread != "" {
				a.function(f, f.Name)
				a.leads(f.Name, f.PerThread)
			}
		}
	}
	return []byte(a.b.String())
}

// assertMacros shorten what follows. SAME ignores qualifiers of the type
// itself and honours those further in. HELD compares size and sign; the model's
// sign is not Microsoft's, whose compiler holds every enum in an int.
const assertMacros = `
#define FACT(fact, text) _Static_assert(fact, text)
#define SAME(a, b) __builtin_types_compatible_p(a, b)
#define SPELT(name) #name
#define EXPANDED(name) SPELT(name)
#define ADDRESS(pointer) ((unsigned long long)(__UINTPTR_TYPE__)(pointer))
#define OFFSET(type, path) __builtin_offsetof(type, path)
#define MEMBER(type, path) (((type *)0)->path)
#if defined(_MSC_VER)
#define HELD(type, by, sign) (sizeof(type) == sizeof(by))
#else
#define HELD(type, by, sign) (sizeof(type) == sizeof(by) && (type)-1 sign (type)0)
#endif

`

type assertions struct {
	*names
	writer
	b strings.Builder
	// inside gives, for an enum that stands inside a record, an expression of
	// its type.
	inside map[string]string
	bits   int
}

// spell names types as the headers do.
func (a *assertions) spell(t *ir.Type) string {
	if expr, ok := a.inside[t.Name]; ok && t.Kind == ir.Named {
		return "__typeof__(" + expr + ")"
	}
	if t.Tag != "" {
		return t.Tag + " " + t.Name
	}
	return t.Name
}

// inRecords finds the enums that stand inside records: the model calls them
// PARENT.FIELD, and C has only the fields.
func (a *assertions) inRecords(records []ir.Record) {
	a.inside = map[string]string{}
	for i := range records {
		r := &records[i]
		for _, p := range places(r) {
			if p.Type == nil || p.Bits > 0 {
				continue
			}
			expr := fmt.Sprintf("MEMBER(%s, %s)", r.Key(), p.path)
			t := p.Type
			for ; t.Kind == ir.Pointer || t.Kind == ir.Array; t = t.Elem {
				expr += "[0]"
			}
			if t.Kind == ir.Named && strings.Contains(t.Name, ".") {
				a.inside[t.Name] = expr
			}
		}
	}
}

func (a *assertions) fact(expression, what string) {
	fmt.Fprintf(&a.b, "FACT(%s, %s);\n", expression, text(what))
}

func (a *assertions) function(f *ir.Function, name string) {
	a.fact(fmt.Sprintf("SAME(__typeof__(%s), %s)", name, a.declare(f.Type, "")), functionFact(f, name))
}

func functionFact(f *ir.Function, name string) string {
	return fmt.Sprintf("function %s is %s", name, f.Type)
}

// leads asserts what a name expands to.
func (a *assertions) leads(name, symbol string) {
	a.fact(fmt.Sprintf("!__builtin_strcmp(EXPANDED(%s), %q)", name, symbol), symbolFact(name, symbol))
}

func symbolFact(name, symbol string) string { return name + " leads to " + symbol }

func (a *assertions) enum(e *ir.Enum) {
	for _, v := range e.Enumerators {
		a.fact(valueIs(v.Name, v.Value), enumeratorFact(v))
	}
	if e.Anonymous {
		return
	}
	t := &ir.Type{Kind: ir.Named, Name: e.Name}
	if e.Tagged {
		t.Tag = "enum"
	}
	name := a.declare(t, "")
	sign := ">"
	if !strings.HasPrefix(e.Underlying, "unsigned") {
		sign = "<"
	}
	a.fact(fmt.Sprintf("HELD(%s, %s, %s)", name, e.Underlying, sign),
		fmt.Sprintf("%s is held by %s", e.Key(), e.Underlying))
}

// valueIs compares an integer with its value. The sign is compared as well:
// conversion to an unsigned type makes -1 equal to the highest value.
func valueIs(name string, v ir.Integer) string {
	sign := ">="
	if v.Negative() {
		sign = "<"
	}
	return fmt.Sprintf("(%s) == %s && (%[1]s) %[3]s 0", name, integer(v), sign)
}

func enumeratorFact(v ir.Enumerator) string { return v.Name + " is " + string(v.Value) }

func (a *assertions) typedef(d *ir.Typedef) {
	a.fact(fmt.Sprintf("SAME(%s, %s)", d.Name, a.declare(d.Type, "")), typedefFact(d))
}

func typedefFact(d *ir.Typedef) string { return fmt.Sprintf("%s stands for %s", d.Name, d.Type) }

func (a *assertions) record(r *ir.Record) {
	for _, f := range facts(r, r.Key()) {
		a.fact(fmt.Sprintf("%s == %d", f.compiled(), f.value), f.what())
	}
	if r.Incomplete {
		return
	}
	for _, p := range places(r) {
		switch {
		case p.Bits > 0:
			a.bitField(r, p)
		case p.Record == nil:
			a.fact(fmt.Sprintf("SAME(__typeof__(MEMBER(%s, %s)), %s)", r.Key(), p.path, a.declare(p.Type, "")), fieldFact(r, p))
		}
	}
}

func fieldFact(r *ir.Record, p place) string {
	return fmt.Sprintf("field %s.%s is %s", r.Key(), p.path, p.Type)
}

// bitField writes a function that sets all bits of a field and looks at the
// bytes. An optimiser knows the outcome; where that is wrong, what is left is a
// call of a function that is declared to be an error.
func (a *assertions) bitField(r *ir.Record, p place) {
	a.bits++
	first := p.offset*8 + int64(p.Bit)
	last := first + int64(p.Bits) - 1
	var wrong []string
	for i := max(first/8-1, 0); i <= min(last/8+1, r.Size-1); i++ {
		want := 0
		for bit := range int64(8) {
			if at := i*8 + bit; at >= first && at <= last {
				want |= 1 << bit
			}
		}
		wrong = append(wrong, fmt.Sprintf("bytes[%d] != %#x", i, want))
	}
	fmt.Fprintf(&a.b, `#ifdef __OPTIMIZE__
__attribute__((error(%s))) void wrong_bits_%d(void);
void check_bits_%[2]d(void) {
    %[3]s record;
    unsigned char bytes[sizeof record];
    __builtin_memset(&record, 0, sizeof record);
    record.%[4]s = -1;
    __builtin_memcpy(bytes, &record, sizeof record);
    if (%[5]s)
        wrong_bits_%[2]d();
}
#endif
`, text(bitFact(r, p)), a.bits, r.Key(), p.path, strings.Join(wrong, " || "))
}

func bitFact(r *ir.Record, p place) string {
	return fmt.Sprintf("field %s.%s is %d bits at bit %d", r.Key(), p.path, p.Bits, p.offset*8+int64(p.Bit))
}

// constant asserts a macro's type and value. C calls an enumerator an int, so
// the type of one is left alone.
func (a *assertions) constant(c *ir.Constant) {
	if c.Type == nil {
		return
	}
	class := a.class(c.Type)
	if c.Type.Kind == ir.Array {
		class = character
	}
	value := ""
	switch class {
	case enumeration, integral:
		value = valueIs(c.Name, ir.Integer(c.Value))
	case pointer:
		value = fmt.Sprintf("ADDRESS(%s) == (unsigned long long)%s", c.Name, integer(ir.Integer(c.Value)))
	case floating:
		value = floatIs(c.Name, c.Value, a.resolve(c.Type).Name)
	case character:
		if c.Type.Kind == ir.Array {
			value = fmt.Sprintf("!__builtin_memcmp(%s, %s, %d)", c.Name, text(c.Value), len(c.Value)+1)
		} else {
			value = valueIs(c.Name, ir.Integer(c.Value))
		}
	default:
		fmt.Fprintf(&a.b, "/* %s is of type %s, whose value no constant expression tells. */\n", c.Name, c.Type)
		return
	}
	if class != enumeration {
		value = fmt.Sprintf("SAME(__typeof__(%s), %s) && %s", c.Name, a.declare(c.Type, ""), value)
	}
	a.fact(value, constantFact(c))
}

func constantFact(c *ir.Constant) string {
	if c.Type.Kind == ir.Array {
		return fmt.Sprintf("%s is a string of %d bytes", c.Name, len(c.Value))
	}
	return fmt.Sprintf("%s is %s of type %s", c.Name, c.Value, c.Type)
}

// floatIs compares a macro with a number of its own type.
func floatIs(name, value, typ string) string {
	f, err := strconv.ParseFloat(value, 64)
	switch {
	case err == nil && f != f:
		return fmt.Sprintf("(%s) != (%[1]s)", name)
	case err == nil && f-f != 0 && f > 0:
		return fmt.Sprintf("(%s) == __builtin_inf()", name)
	case err == nil && f-f != 0:
		return fmt.Sprintf("(%s) == -__builtin_inf()", name)
	case typ == "float":
		value += "f"
	case typ == "long double":
		value += "L"
	}
	return fmt.Sprintf("(%s) == %s", name, value)
}
