package cgen

import "github.com/cybindgo/cybindgo/ir"

// reachable keeps, of the types of a snapshot, those that the functions need:
// each with all its shapes, and with what those need in turn.
func reachable(s *ir.Snapshot, functions []ir.Function) *ir.Snapshot {
	uses := map[string][]*ir.Type{} // entity to the types that it is made of
	for i := range s.Records {
		r := &s.Records[i]
		uses[r.Key()] = append(uses[r.Key()], fieldTypes(r)...)
	}
	for i := range s.Typedefs {
		uses[s.Typedefs[i].Name] = append(uses[s.Typedefs[i].Name], s.Typedefs[i].Type)
	}
	found := map[string]bool{}
	var visit func(t *ir.Type)
	visit = func(t *ir.Type) {
		t.Walk(func(t *ir.Type) {
			if t.Kind != ir.Named || found[key(t)] {
				return
			}
			found[key(t)] = true
			for _, u := range uses[key(t)] {
				visit(u)
			}
		})
	}
	for i := range functions {
		visit(functions[i].Type)
	}
	out := *s
	out.API = ir.API{Functions: functions}
	for _, e := range s.Enums {
		if found[e.Key()] {
			out.Enums = append(out.Enums, e)
		}
	}
	for _, r := range s.Records {
		if found[r.Key()] {
			out.Records = append(out.Records, r)
		}
	}
	for _, d := range s.Typedefs {
		if found[d.Key()] {
			out.Typedefs = append(out.Typedefs, d)
		}
	}
	return &out
}

// fieldTypes lists the types of a record's fields, those inside it included.
func fieldTypes(r *ir.Record) []*ir.Type {
	var out []*ir.Type
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Record != nil {
			out = append(out, fieldTypes(f.Record)...)
		} else {
			out = append(out, f.Type)
		}
	}
	return out
}
