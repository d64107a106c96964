package ir

// Role says what a parameter is for, which a prototype cannot. Roles lie over
// the API: the low-level bindings ignore them, the Python layer reads them.
type Role struct {
	Function string // the public name
	Param    string // the parameter's name
	In       string // releases, as runs: "12.0.0..12.9.1,13.0.2.."; empty for all
	Is       string // one of RoleNames
	Length   string // the parameter or constant that counts an array or a buffer, else empty
	Optional bool   // NULL is allowed
}

// RoleNames are the roles that a parameter may have.
var RoleNames = []string{"in", "out", "inout", "array", "buffer", "string", "callback", "userdata"}

// RoleOf finds the role of a parameter in a release; ok is false where nothing
// is recorded.
func (h *History) RoleOf(function, param, release string) (role Role, ok bool) {
	labels := h.Labels()
	i, err := h.Find(release)
	if err != nil {
		return Role{}, false
	}
	for _, r := range h.Roles {
		if r.Function != function || r.Param != param {
			continue
		}
		if r.In == "" {
			return r, true
		}
		if in, err := parseSpan(r.In, labels); err == nil && in[i] {
			return r, true
		}
	}
	return Role{}, false
}
