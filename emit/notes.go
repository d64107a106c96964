package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// targetNotes lists what the targets do not agree on: functions that some of
// them lack, and numbers that are others there. The bindings are one for all.
func targetNotes(u *ir.Union, exclude map[string]string) []string {
	var notes []string
	for i := range u.Functions {
		f := u.Functions[i].Shape()
		if _, excluded := exclude[f.Name]; excluded {
			continue
		}
		var on ir.TargetSet
		for _, s := range u.Functions[i].Shapes {
			if on |= s.On; s.On == 0 {
				on = 0
				break
			}
		}
		if on != 0 && len(on.Names(u.Targets)) < len(u.Targets) {
			notes = append(notes, fmt.Sprintf("%s is declared for %s only; elsewhere calling it raises FunctionNotFoundError", f.Name, names(on, u.Targets)))
		}
	}
	for i := range u.Enums {
		if e := &u.Enums[i]; valuesDiffer(e) {
			notes = append(notes, fmt.Sprintf("enum %s has other values on %s", e.Shape().Name, names(e.Shapes[1].On, u.Targets)))
		}
	}
	for i := range u.Records {
		e := &u.Records[i]
		if slices.ContainsFunc(e.Shapes[1:], func(s ir.Record) bool { return s.Size != e.Shapes[0].Size }) {
			notes = append(notes, fmt.Sprintf("%s %s has another size on %s", e.Shape().Keyword(), e.Shape().Name, names(e.Shapes[1].On, u.Targets)))
		}
	}
	return notes
}

func names(on ir.TargetSet, targets []ir.Target) string {
	var list []string
	for _, t := range on.Names(targets) {
		list = append(list, string(t))
	}
	return strings.Join(list, ", ")
}
