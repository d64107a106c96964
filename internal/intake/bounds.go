package intake

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/cybindgo/cybindgo/internal/headers"
	"github.com/cybindgo/cybindgo/ir"
)

// largeHeaders is from how many bytes on headers are read for one target after
// the other: the front end keeps some 300 bytes for each of theirs. All that
// CUDA has for the driver are 1.5 MB.
const largeHeaders = 4 << 20

// atOnce is for how many targets the headers may be read at a time.
func atOnce(req Request, sets map[ir.Target]*headers.Set) int {
	var size int64
	for _, name := range req.Library.Headers.Bind {
		if info, err := fs.Stat(sets[""].FS(), name); err == nil {
			size += info.Size()
		}
	}
	if size > largeHeaders {
		return 1
	}
	return len(req.Targets)
}

// tooDeep reports what is nested deeper than a history can hold.
func tooDeep(api *ir.API, display func(string) string) error {
	var errs []error
	check := func(m *ir.Meta, what, name string, depth, most int) {
		if depth > most {
			errs = append(errs, fmt.Errorf("%s:%d:%d: %s: %s nested %d deep, expected at most %d",
				display(m.Pos.File), m.Pos.Line, m.Pos.Col, name, what, depth, most))
		}
	}
	for i := range api.Functions {
		f := &api.Functions[i]
		check(&f.Meta, "its type is", f.Name, f.Type.Depth(), ir.MaxTypeDepth)
	}
	for i := range api.Typedefs {
		t := &api.Typedefs[i]
		check(&t.Meta, "its type is", t.Name, t.Type.Depth(), ir.MaxTypeDepth)
	}
	for i := range api.Records {
		r := &api.Records[i]
		records, types := r.Depth()
		check(&r.Meta, "its members are", r.Name, records, ir.MaxRecordDepth)
		check(&r.Meta, "the type of a member is", r.Name, types, ir.MaxTypeDepth)
	}
	return errors.Join(errs...)
}
