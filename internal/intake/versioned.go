package intake

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/ir"
)

// underPublicNames takes functions that a library exports under the name of a
// release, __demoRun_13_5, for what they are: spellings of demoRun, which the
// header defines as a call of one. The public function stays, as one that the
// library exports, and the history does not lose and gain names with each
// release. name is the definition's, with {symbol}, {major} and {minor}. The
// number of spellings is given back.
func underPublicNames(s *ir.Snapshot, name string) int {
	if name == "" {
		return 0
	}
	before := len(s.Functions)
	pattern := strings.NewReplacer(`\{symbol\}`, "(.+?)", `\{major\}`, `\d+`, `\{minor\}`, `\d+`).Replace(regexp.QuoteMeta(name))
	spelled := regexp.MustCompile("^" + pattern + "$")
	public := map[string]bool{} // the functions of which there is a spelling
	has := map[string]bool{}
	for i := range s.Functions {
		has[s.Functions[i].Name] = true
	}
	s.Functions = slices.DeleteFunc(s.Functions, func(f ir.Function) bool {
		m := spelled.FindStringSubmatch(f.Symbol)
		if m == nil || !has[m[1]] {
			return false
		}
		public[m[1]] = true
		return true
	})
	for i := range s.Functions {
		if f := &s.Functions[i]; public[f.Name] {
			f.Inline = false
		}
	}
	return before - len(s.Functions)
}
