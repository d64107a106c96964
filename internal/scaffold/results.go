package scaffold

import (
	"regexp"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// Results guesses what a function returns when it raises, for each type of
// result that needs a value. Functions whose result has none, such as a
// structure, come with a reason to leave them out.
func Results(s *ir.Snapshot) (values, without map[string]string) {
	values, without = map[string]string{}, map[string]string{}
	types := newTypes(s)
	for i := range s.Functions {
		result := s.Functions[i].Type.Elem
		if result == nil || result.IsVoid() || result.Kind == ir.Pointer {
			continue
		}
		value := types.value(result)
		if value == "" {
			without[s.Functions[i].Name] = "it returns " + result.String() + ", of which no value can stand for an exception"
			continue
		}
		values[result.String()] = value
	}
	return values, without
}

// types finds what names stand for.
type types struct {
	typedefs map[string]*ir.Type
	enums    map[string]*ir.Enum // by tag, or by the name of a typedef
	tags     map[string]*ir.Enum
}

func newTypes(s *ir.Snapshot) *types {
	t := &types{typedefs: map[string]*ir.Type{}, enums: map[string]*ir.Enum{}, tags: map[string]*ir.Enum{}}
	for i := range s.Typedefs {
		t.typedefs[s.Typedefs[i].Name] = s.Typedefs[i].Type
	}
	for i := range s.Enums {
		if e := &s.Enums[i]; e.Tagged {
			t.tags[e.Name] = e
		} else if !e.Anonymous {
			t.enums[e.Name] = e
		}
	}
	return t
}

// maxSteps bounds a chain of typedefs.
const maxSteps = 100

// value is what stands for an exception among the values of a type, or nothing.
func (t *types) value(result *ir.Type) string {
	for range maxSteps {
		switch {
		case result == nil:
			return ""
		case result.Kind == ir.Pointer:
			return "NULL"
		case result.Kind == ir.Basic:
			return basic(result.Name)
		case result.Kind != ir.Named:
			return ""
		case result.Tag == "enum":
			return enumerator(t.tags[result.Name])
		case result.Tag != "":
			return ""
		case t.enums[result.Name] != nil:
			return enumerator(t.enums[result.Name])
		case t.typedefs[result.Name] == nil:
			// One that the language knows: size_t, uint32_t.
			return basic(result.Name)
		}
		result = t.typedefs[result.Name]
	}
	return ""
}

var (
	floating = regexp.MustCompile(`\b(float|double)\b`)
	unsigned = regexp.MustCompile(`\b(unsigned|_Bool|bool|size_t|u?intptr_t|uint\w*_t)\b`)
	integer  = regexp.MustCompile(`\b(char|short|int|long|signed|ssize_t|ptrdiff_t|int\w*_t)\b`)
)

// basic is the value of a type of the language: minus one where there is one.
func basic(name string) string {
	switch {
	case strings.Contains(name, "_Complex"):
		return ""
	case floating.MatchString(name):
		return "-1.0"
	case unsigned.MatchString(name):
		return "0"
	case integer.MatchString(name):
		return "-1"
	}
	return ""
}

// failures are what names of enumerators say of a failure, the best first.
var failures = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(function|symbol)_?not_?found`),
	regexp.MustCompile(`(?i)(error|status|library)_?not_?found|not_?loaded`),
	regexp.MustCompile(`(?i)not_?initiali[sz]ed|uninitiali[sz]ed`),
	regexp.MustCompile(`(?i)unknown|internal|unspecified`),
	regexp.MustCompile(`(?i)err|fail|invalid|bad`),
}

// enumerator is the one that tells best that a function could not be called;
// the last one that is not zero where none tells it.
func enumerator(e *ir.Enum) string {
	if e == nil || len(e.Enumerators) == 0 {
		return ""
	}
	for _, failure := range failures {
		for _, x := range e.Enumerators {
			if string(x.Value) != "0" && failure.MatchString(x.Name) {
				return x.Name
			}
		}
	}
	best := e.Enumerators[0].Name
	for _, x := range e.Enumerators {
		if string(x.Value) != "0" {
			best = x.Name
		}
	}
	return best
}
