package cgen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cybindgo/cybindgo/ir"
)

// Mistake is a kind of wrong fact that [Plant] can put into a model.
type Mistake string

// The mistakes. Each is one that a parser could make.
const (
	WrongParameter  Mistake = "parameter"  // a parameter of another type
	MissingParam    Mistake = "missing"    // the last parameter left out
	WrongResult     Mistake = "result"     // another result type
	LostConst       Mistake = "const"      // const dropped behind a pointer
	WrongSymbol     Mistake = "symbol"     // a public name that leads elsewhere
	WrongEnumerator Mistake = "enumerator" // a value off by one
	WrongSign       Mistake = "sign"       // an enum held by a type of other sign
	WrongTypedef    Mistake = "typedef"    // a typedef of something else
	WrongSize       Mistake = "size"       // a record's size off by its alignment
	WrongAlign      Mistake = "alignment"  // a record's alignment doubled
	WrongOffset     Mistake = "offset"     // a field's offset off by one
	WrongField      Mistake = "field"      // a field of another type
	WrongBits       Mistake = "bits"       // a bit-field one bit narrower
	WrongConstant   Mistake = "constant"   // a macro's value off by one
	WrongString     Mistake = "string"     // a letter of a string macro changed
)

// Mistakes lists all kinds.
var Mistakes = []Mistake{
	WrongParameter, MissingParam, WrongResult, LostConst, WrongSymbol, WrongEnumerator, WrongSign, WrongTypedef,
	WrongSize, WrongAlign, WrongOffset, WrongField, WrongBits, WrongConstant, WrongString,
}

// Plant copies a model with one mistake in it, and gives the text with which
// [Assertions] names the wrong fact under the view. The n-th place that the
// mistake can be made in gets it, counted round. ok is false if there is none.
// What it does not change is shared with the original.
func Plant(api *ir.API, view View, mistake Mistake, n int) (planted *ir.API, fact string, ok bool) {
	p := planter{names: namesOf(api), view: view}
	c := *api
	switch mistake {
	case WrongParameter, MissingParam, WrongResult, LostConst, WrongSymbol:
		c.Functions = slices.Clone(api.Functions)
		fact = p.function(c.Functions, mistake, n)
	case WrongEnumerator, WrongSign:
		c.Enums = slices.Clone(api.Enums)
		fact = p.enum(c.Enums, mistake, n)
	case WrongTypedef:
		c.Typedefs = slices.Clone(api.Typedefs)
		fact = p.typedef(c.Typedefs, n)
	case WrongSize, WrongAlign, WrongOffset, WrongField, WrongBits:
		c.Records = slices.Clone(api.Records)
		fact = p.record(c.Records, mistake, n)
	case WrongConstant, WrongString:
		c.Constants = slices.Clone(api.Constants)
		fact = p.constant(c.Constants, mistake, n)
	}
	return &c, fact, fact != ""
}

type planter struct {
	*names
	view View
}

// pick is the n-th of the places that will do, -1 if none will.
func pick[T any](list []T, n int, will func(*T) bool) int {
	var places []int
	for i := range list {
		if will(&list[i]) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return -1
	}
	return places[n%len(places)]
}

// elsewhere is a type that is not compatible with t.
func elsewhere(t *ir.Type) *ir.Type { return &ir.Type{Kind: ir.Pointer, Elem: t} }

// constTarget reports whether a parameter points to something const.
func constTarget(p ir.Param) bool { return p.Type.Kind == ir.Pointer && p.Type.Elem.Const }

func (p planter) function(list []ir.Function, mistake Mistake, n int) string {
	asserted := func(f *ir.Function) bool {
		if p.view == Public {
			return !f.Superseded && !f.Inline
		}
		return f.Superseded == (p.view == Internal) && (p.view == Internal || f.PerThread != "")
	}
	i := pick(list, n, func(f *ir.Function) bool {
		switch {
		case !asserted(f):
			return false
		case mistake == LostConst:
			return slices.ContainsFunc(f.Type.Params, constTarget)
		case mistake == WrongParameter || mistake == MissingParam:
			return len(f.Type.Params) > 0
		case mistake == WrongSymbol:
			return p.view != Internal
		}
		return true
	})
	if i < 0 {
		return ""
	}
	f := &list[i]
	name := f.Name
	typ := *f.Type
	typ.Params = slices.Clone(typ.Params)
	f.Type = &typ
	switch mistake {
	case WrongSymbol:
		if p.view == PerThread {
			f.PerThread += "x"
			return symbolFact(name, f.PerThread)
		}
		f.Symbol += "x"
		return symbolFact(name, f.Symbol)
	case LostConst:
		param := &typ.Params[slices.IndexFunc(typ.Params, constTarget)]
		pointer, target := *param.Type, *param.Type.Elem
		target.Const = false
		pointer.Elem = &target
		param.Type = &pointer
	case WrongParameter:
		param := &typ.Params[n%len(typ.Params)]
		param.Type = elsewhere(param.Type)
	case MissingParam:
		typ.Params = typ.Params[:len(typ.Params)-1]
	case WrongResult:
		typ.Elem = elsewhere(typ.Elem)
	}
	return functionFact(f, name)
}

func (p planter) enum(list []ir.Enum, mistake Mistake, n int) string {
	i := pick(list, n, func(e *ir.Enum) bool { return mistake == WrongEnumerator || !e.Anonymous })
	if i < 0 {
		return ""
	}
	e := &list[i]
	if mistake == WrongSign {
		sign := map[string]string{"int": "unsigned int", "unsigned int": "int"}
		if e.Underlying = sign[e.Underlying]; e.Underlying == "" {
			e.Underlying = "char"
		}
		return fmt.Sprintf("%s is held by %s", e.Key(), e.Underlying)
	}
	e.Enumerators = slices.Clone(e.Enumerators)
	v := &e.Enumerators[n%len(e.Enumerators)]
	v.Value = next(v.Value)
	return enumeratorFact(*v)
}

// next is the integer after v, or the one before where there is none.
func next(v ir.Integer) ir.Integer {
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		if n == 1<<63-1 {
			return "9223372036854775808"
		}
		return ir.Integer(strconv.FormatInt(n+1, 10))
	}
	n, err := strconv.ParseUint(string(v), 10, 64)
	if err != nil || n == 1<<64-1 {
		return "18446744073709551614"
	}
	return ir.Integer(strconv.FormatUint(n+1, 10))
}

func (p planter) typedef(list []ir.Typedef, n int) string {
	i := pick(list, n, func(d *ir.Typedef) bool { return d.Type.Kind != ir.Func })
	if i < 0 {
		return ""
	}
	d := &list[i]
	d.Type = elsewhere(d.Type)
	return typedefFact(d)
}

func (p planter) record(list []ir.Record, mistake Mistake, n int) string {
	place := func(r *ir.Record) int {
		return pick(r.Fields, n, func(f *ir.Field) bool {
			if mistake == WrongBits {
				return f.Bits > 1
			}
			return f.Name != "" && f.Bits == 0 && (mistake == WrongOffset || f.Record == nil && !f.Flex)
		})
	}
	field := mistake == WrongOffset || mistake == WrongField || mistake == WrongBits
	i := pick(list, n, func(r *ir.Record) bool { return !r.Incomplete && (!field || place(r) >= 0) })
	if i < 0 {
		return ""
	}
	r := &list[i]
	key := r.Key()
	r.Fields = slices.Clone(r.Fields)
	switch mistake {
	case WrongSize:
		r.Size += r.Align
		return fact{recordSize, key, "", r.Size}.what()
	case WrongAlign:
		r.Align *= 2
		return fact{recordAlign, key, "", r.Align}.what()
	}
	f := &r.Fields[place(r)]
	switch mistake {
	case WrongOffset:
		f.Offset++
		return fact{fieldOffset, key, f.Name, f.Offset}.what()
	case WrongBits:
		f.Bits--
		return bitFact(r, placeOf(f))
	}
	f.Type = elsewhere(f.Type)
	return fieldFact(r, placeOf(f))
}

// placeOf is a field that the record itself lists.
func placeOf(f *ir.Field) place { return place{f, f.Name, f.Offset} }

func (p planter) constant(list []ir.Constant, mistake Mistake, n int) string {
	i := pick(list, n, func(c *ir.Constant) bool {
		if c.Type == nil {
			return false
		}
		if mistake == WrongString {
			return c.Type.Kind == ir.Array && c.Value != ""
		}
		switch p.class(c.Type) {
		case integral, enumeration, pointer:
			return true
		}
		return false
	})
	if i < 0 {
		return ""
	}
	c := &list[i]
	if mistake == WrongString {
		c.Value = string(c.Value[0]^1) + c.Value[1:]
	} else {
		c.Value = string(next(ir.Integer(c.Value)))
	}
	return constantFact(c)
}
