package ir

import "testing"

func TestARoleHoldsInItsReleases(t *testing.T) {
	h := demo(t)
	h.Roles = []Role{
		{Function: "demoAlloc", Param: "n", In: "1.0.0", Is: "in"},
		{Function: "demoAlloc", Param: "n", In: "1.1.0rc1..", Is: "inout", Length: "m", Optional: true},
		{Function: "demoAlloc", Param: "out", Is: "out"},
		{Function: "demoOld", Param: "n", In: "1.0.0,1.1.0", Is: "callback"},
	}
	h = mustDecode(t, string(h.Encode()))
	for _, c := range []struct{ function, param, release, is string }{
		{"demoAlloc", "n", "1.0.0", "in"},
		{"demoAlloc", "n", "1.1.0rc1", "inout"},
		{"demoAlloc", "n", "1.1.0", "inout"},
		{"demoAlloc", "out", "1.1.0", "out"},
		{"demoAlloc", "flags", "1.1.0", ""},
		{"demoFree", "n", "1.1.0", ""},
		{"demoOld", "n", "1.0.0", "callback"},
		{"demoOld", "n", "1.1.0rc1", ""},
		{"demoOld", "n", "1.1.0", "callback"},
		{"demoAlloc", "n", "9.9.9", ""},
	} {
		role, ok := h.RoleOf(c.function, c.param, c.release)
		if ok != (c.is != "") || role.Is != c.is {
			t.Errorf("%s of %s in %s: %+v, %v; want %q", c.param, c.function, c.release, role, ok, c.is)
		}
	}
	role, _ := h.RoleOf("demoAlloc", "n", "1.1.0")
	same(t, "role", Role{Function: "demoAlloc", Param: "n", In: "1.1.0rc1..", Is: "inout", Length: "m", Optional: true}, role)
}

func TestEveryRoleIsReadBack(t *testing.T) {
	h := demo(t)
	h.Roles = nil
	for _, name := range RoleNames {
		h.Roles = append(h.Roles, Role{Function: "demoAlloc", Param: name, Is: name})
	}
	same(t, "roles", h.Roles, mustDecode(t, string(h.Encode())).Roles)
}

func TestRolesOutliveAReplacement(t *testing.T) {
	h := demo(t)
	h.Roles = []Role{{Function: "demoOld", Param: "n", In: "1.0.0", Is: "in"}}
	if err := h.Remove("1.0.0"); err != nil {
		t.Fatal(err)
	}
	if _, ok := h.RoleOf("demoOld", "n", "1.1.0"); ok {
		t.Error("a role of a release that is out holds in another")
	}
	if err := h.Add(demoSnapshots()[0]); err != nil {
		t.Fatal(err)
	}
	if role, ok := h.RoleOf("demoOld", "n", "1.0.0"); !ok || role.Is != "in" {
		t.Errorf("%+v, %v", role, ok)
	}
}
