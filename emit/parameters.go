package emit

import (
	"fmt"
	"github.com/cybindgo/cybindgo/ir"
	"slices"
	"strings"
)

// withParameters is a function with the parameters that the definition declares
// otherwise than the headers do, by FUNCTION.PARAMETER: the function itself if
// there are none. A call stays right, since a pointer takes a pointer's place.
func withParameters(f *ir.Function, parameters map[string]string) (*ir.Function, error) {
	var out *ir.Function
	for _, key := range sortedKeys(parameters) {
		function, parameter, _ := strings.Cut(key, ".")
		if function != f.Name {
			continue
		}
		if out == nil {
			c, t := *f, *f.Type
			t.Params = slices.Clone(t.Params)
			c.Type, out = &t, &c
		}
		i := slices.IndexFunc(f.Type.Params, func(p ir.Param) bool { return p.Name == parameter })
		if i < 0 {
			var names []string
			for _, p := range f.Type.Params {
				names = append(names, p.Name)
			}
			return nil, fmt.Errorf("parameters: function %s (%s) has no parameter %q: expected one of %s", f.Name, f.Header, parameter, strings.Join(names, ", "))
		}
		t, err := ir.ParseType(parameters[key])
		if err != nil {
			return nil, fmt.Errorf("parameters: %s: %w", key, err)
		}
		if was := f.Type.Params[i].Type; t.Kind != ir.Pointer || was.Kind != ir.Pointer && was.Kind != ir.Array {
			return nil, fmt.Errorf("parameters: %s is %s in %s and cannot be %s: expected a pointer in a pointer's place", key, was, f.Header, t)
		}
		out.Type.Params[i].Type = t
	}
	if out == nil {
		return f, nil
	}
	return out, nil
}

// parameters replaces what the definition declares otherwise.
func (s *selection) parameters(parameters map[string]string) error {
	if len(parameters) == 0 {
		return nil
	}
	u := *s.union
	u.Functions = slices.Clone(u.Functions)
	for i := range u.Functions {
		e := &u.Functions[i]
		e.Shapes = slices.Clone(e.Shapes)
		for j := range e.Shapes {
			f, err := withParameters(&e.Shapes[j], parameters)
			if err != nil {
				return err
			}
			e.Shapes[j] = *f
		}
	}
	s.union = &u
	return nil
}
