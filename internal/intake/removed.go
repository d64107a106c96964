package intake

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cybindgo/cybindgo/ir"
)

// Removal is a name that a release has and the one after it lacks.
type Removal struct {
	Kind, Name  string // "function" or "enumerator"
	Header      string // that declared it
	Has, Lacks  string // the releases
	Replacement string // for an enumerator, another one of the same enum that is new and has its value
}

func (r Removal) String() string {
	text := fmt.Sprintf("%s %s of %s: %s has it, %s does not", r.Kind, r.Name, r.Header, r.Has, r.Lacks)
	if r.Replacement != "" {
		text += "; " + r.Replacement + " has its value now"
	}
	return text
}

// Removals lists the functions and enumerators that vanish at a release of a
// history: from the release before it to this one, and from this one to the
// next. A function has not vanished if its name still leads to a symbol, be it
// another one, or if its symbol is still there under another name, or
// superseded.
func Removals(history *ir.History, release string) ([]Removal, error) {
	at, err := history.Find(release)
	if err != nil {
		return nil, err
	}
	var list []Removal
	for i := max(at, 1); i <= min(at+1, len(history.Releases)-1); i++ {
		before, err := history.At(history.Releases[i-1].Label)
		if err != nil {
			return nil, err
		}
		after, err := history.At(history.Releases[i].Label)
		if err != nil {
			return nil, err
		}
		list = append(list, removed(before, after)...)
	}
	slices.SortStableFunc(list, func(a, b Removal) int {
		return cmp.Or(-cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

func removed(before, after *ir.Snapshot) (list []Removal) {
	has, lacks := before.Release.Label, after.Release.Label
	functions, symbols := map[string]bool{}, map[string]bool{}
	for _, f := range after.Functions {
		functions[f.Name], symbols[f.Symbol] = true, true
	}
	said := map[string]bool{}
	for _, f := range before.Functions {
		if !f.Superseded && !functions[f.Name] && !symbols[f.Name] && !symbols[f.Symbol] && !said[f.Name] {
			said[f.Name] = true
			list = append(list, Removal{"function", f.Name, f.Header, has, lacks, ""})
		}
	}
	enumerators := map[string]bool{}
	values := map[string]map[ir.Integer]string{} // of each enum, the name that has a value
	for i := range after.Enums {
		e := &after.Enums[i]
		values[e.Key()] = map[ir.Integer]string{}
		for _, v := range e.Enumerators {
			enumerators[v.Name] = true
			values[e.Key()][v.Value] = v.Name
		}
	}
	old := map[string]bool{}
	for i := range before.Enums {
		for _, v := range before.Enums[i].Enumerators {
			old[v.Name] = true
		}
	}
	for i := range before.Enums {
		e := &before.Enums[i]
		for _, v := range e.Enumerators {
			if enumerators[v.Name] || said[v.Name] {
				continue
			}
			said[v.Name] = true
			replacement := values[e.Key()][v.Value]
			if old[replacement] {
				replacement = ""
			}
			list = append(list, Removal{"enumerator", v.Name, e.Header, has, lacks, replacement})
		}
	}
	return list
}
