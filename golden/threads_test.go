package golden

import (
	"maps"
	"slices"
	"testing"

	"github.com/cybindgo/cybindgo/internal/audit"
)

// TestEveryFileIsThreadSafe reads what came out, not what is written in the
// cases, so that -update cannot make it pass.
func TestEveryFileIsThreadSafe(t *testing.T) {
	emitted := emitted(t)
	var files []audit.File
	for _, path := range slices.Sorted(maps.Keys(emitted)) {
		files = append(files, audit.File{Path: path, Data: emitted[path]})
	}
	if len(files) < 100 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range audit.Check(files) {
		t.Errorf("%s:%d:%d: %s [%s]", f.File, f.Line, f.Col, f.Message, f.Rule)
	}
}
