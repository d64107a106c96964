package finding

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonVersion is the version of the shape of the JSON output. It grows when a
// member changes its meaning or goes; a new member leaves it.
const jsonVersion = 1

// jsonReport is the JSON output: one object.
//
//	{
//	  "version": 1,
//	  "command": "check",
//	  "files": 22,                      how many files were looked at
//	  "findings": [                     empty where there are none, never absent
//	    {
//	      "rule": "changed",            stable
//	      "severity": "error",          error, warning or note
//	      "file": "a/b.pyx",            slashes on every system
//	      "line": 3, "column": 5,       from 1, columns in bytes; absent where unknown
//	      "endLine": 3, "endColumn": 9, the last byte that belongs to the place
//	      "message": "...",
//	      "hint": "...",                what to do; may be absent, like all below
//	      "related": [{"file": ..., "line": ..., "message": "..."}],
//	      "diff": "--- a/...\n"         a unified diff
//	    }
//	  ]
//	}
type jsonReport struct {
	Version  int       `json:"version"`
	Command  string    `json:"command"`
	Files    int       `json:"files"`
	Findings []Finding `json:"findings"`
}

func (r *Report) printJSON(w io.Writer) error {
	return writeJSON(w, jsonReport{Version: jsonVersion, Command: r.Command, Files: r.Files, Findings: r.Findings})
}

// writeJSON prints a value with two spaces of indentation and a line end.
// Bytes that are no UTF-8, which a diff may have, become U+FFFD.
func writeJSON(w io.Writer, v any) error {
	data, err := json.Marshal(v, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), json.FormatNilSliceAsNull(false))
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
