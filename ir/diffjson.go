package ir

import (
	"bytes"
	"encoding/json"
)

// DiffFormat is the version of the JSON that [Changes.JSON] writes. It grows by
// one when a property changes its meaning or goes; new ones may come without.
const DiffFormat = 1

// changeJSON is a change as JSON has it. Properties that say nothing are left
// out, but for those that every change has.
type changeJSON struct {
	Subject Subject  `json:"subject"`
	What    What     `json:"change"`
	Name    string   `json:"name"`
	In      string   `json:"in,omitempty"`
	Old     string   `json:"old,omitempty"`
	New     string   `json:"new,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	Header  string   `json:"header,omitempty"`
	Class   Class    `json:"class"`
	Breaks  []string `json:"breaks"` // "source", "abi"
	Limit   bool     `json:"limit,omitempty"`
	On      []Target `json:"on,omitempty"`
}

// JSON writes the changes for programs, one to a line.
func (c *Changes) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	value := func(v any) {
		// Strings, numbers and lists of them: nothing that could fail.
		_ = enc.Encode(v)
		b.Truncate(b.Len() - 1) // the line end
	}
	property := func(name string, v any) {
		b.WriteString(",\n\"" + name + "\":")
		value(v)
	}
	b.WriteString("{\n\"format\":")
	value(DiffFormat)
	property("library", c.Library)
	property("old", c.Old)
	property("new", c.New)
	property("targets", append([]Target{}, c.Targets...))
	property("counts", c.Counts())
	property("classes", c.ByClass())
	b.WriteString(",\n\"changes\":[")
	for i := range c.List {
		x := &c.List[i]
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		value(x.json())
	}
	b.WriteString("\n]\n}\n")
	return b.Bytes()
}

func (x *Change) json() changeJSON {
	return changeJSON{x.Subject, x.What, x.Name, x.In, x.Old, x.New, x.Detail, x.Header, x.Class(), x.Breaks.Names(), x.Limit, x.On}
}
