package ir

import "fmt"

// Diff lists what differs between two releases, with what changed in the roles
// of parameters.
func (h *History) Diff(old, new string) (*Changes, error) {
	i, err := h.Find(old)
	if err != nil {
		return nil, err
	}
	j, err := h.Find(new)
	if err != nil {
		return nil, err
	}
	c := h.between(i, j)
	if len(h.Roles) > 0 {
		c.List = append(c.List, h.roleChanges(h.whole(i), h.whole(j))...)
		c.sort()
	}
	return c, nil
}

// roleChanges lists the parameters of functions in both releases whose role is
// another one. A caller may have relied on NULL being allowed.
func (h *History) roleChanges(old, new *Snapshot) []Change {
	type param struct{ function, name string }
	var out []Change
	seen := map[param]bool{}
	for _, r := range h.Roles {
		p := param{r.Function, r.Param}
		if seen[p] || !old.hasParam(p.function, p.name) || !new.hasParam(p.function, p.name) {
			continue
		}
		seen[p] = true
		a, _ := h.RoleOf(p.function, p.name, old.Release.Label)
		b, _ := h.RoleOf(p.function, p.name, new.Release.Label)
		if a.shown() == b.shown() {
			continue
		}
		x := Change{Subject: FunctionSubject, What: RoleChanged, Name: p.function, Old: a.shown(), New: b.shown(), Detail: "parameter " + p.name}
		if a.Optional && !b.Optional {
			x.Breaks = BreaksSource
		}
		out = append(out, x)
	}
	return out
}

// hasParam reports whether a public function has a parameter of the name.
func (s *Snapshot) hasParam(function, name string) bool {
	for i := range s.Functions {
		if f := &s.Functions[i]; f.Name == function && !f.Superseded {
			for _, p := range f.Type.Params {
				if p.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// nullAllowed ends a role in words.
const nullAllowed = ", NULL allowed"

func (r Role) shown() string {
	text := r.Is
	if r.Length != "" {
		text += fmt.Sprintf(" of length %s", r.Length)
	}
	if r.Optional {
		text += nullAllowed
	}
	return text
}
