package emit

import (
	"testing"

	"github.com/cybindgo/cybindgo/ir"
)

func TestParametersThatAreDeclaredOtherwise(t *testing.T) {
	parse := func(text string) *ir.Type {
		typ, err := ir.ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		return typ
	}
	f := &ir.Function{Name: "demoRun", Symbol: "demoRun", Meta: ir.Meta{Header: "demo.h"}, Type: parse("int(const char*const* options, int(void*)* done, int count)")}
	for _, test := range []struct {
		rules     map[string]string
		want, err string
	}{
		{map[string]string{"demoOther.options": "void*"}, "int(const char*const* options, int(void*)* done, int count)", ""},
		{map[string]string{"demoRun.options": "const char**", "demoRun.done": "void*"}, "int(const char** options, void* done, int count)", ""},
		{map[string]string{"demoRun.option": "void*"}, "", `parameters: function demoRun (demo.h) has no parameter "option": expected one of options, done, count`},
		{map[string]string{"demoRun.count": "void*"}, "", "parameters: demoRun.count is int in demo.h and cannot be void*: expected a pointer in a pointer's place"},
		{map[string]string{"demoRun.options": "int"}, "", "parameters: demoRun.options is const char*const* in demo.h and cannot be int: expected a pointer in a pointer's place"},
		{map[string]string{"demoRun.options": "const char*["}, "", "parameters: demoRun.options: type \"const char*[\": expected `]` at character 13, found the end"},
	} {
		got, err := withParameters(f, test.rules)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%v: got %v, want %s", test.rules, err, test.err)
			}
			continue
		}
		if err != nil || got.Type.String() != test.want {
			t.Errorf("%v: got %v, %v, want %s", test.rules, got, err, test.want)
		}
	}
	if got := f.Type.Params[0].Type.String(); got != "const char*const*" {
		t.Errorf("the function itself has changed: %s", got)
	}
}
