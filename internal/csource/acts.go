package csource

import (
	"strings"

	"github.com/cybindgo/cybindgo/internal/syntax"
)

// Acts reports whether tokens call or change something when they are
// evaluated. What stands inside of sizeof and its like is not.
func Acts(t []syntax.Token) bool {
	for i := 0; i < len(t); i++ {
		switch {
		case t[i].Kind == syntax.Name && i+1 < len(t) && t[i+1].Is("("):
			if !unevaluated[t[i].Text] {
				return true
			}
			if end := closing(t[i+1:]); end > 0 {
				i += 1 + end
			}
		case t[i].Kind != syntax.Op:
		case strings.HasSuffix(t[i].Text, "=") && t[i].Text != "==" && t[i].Text != "!=" && t[i].Text != "<=" && t[i].Text != ">=",
			t[i].Is("++"), t[i].Is("--"), t[i].Is(";"), t[i].Is("{"):
			return true
		}
	}
	return false
}

var unevaluated = set(`sizeof __typeof__ typeof decltype _Alignof alignof __alignof__ offsetof`)
