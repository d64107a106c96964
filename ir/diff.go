package ir

import (
	"cmp"
	"slices"
	"strings"
)

// Changes is what differs between two snapshots of one library. Positions and
// the order of top-level entities are not compared.
type Changes struct {
	Library  string
	Old, New string // the releases
	// Targets are those that both snapshots were read for; only these are
	// compared.
	Targets []Target
	List    []Change // sorted: by subject, place, name, change and targets
}

// Change is one difference. An entity that differs in several ways has several.
type Change struct {
	Subject Subject
	What    What
	// Name is the public name of a function, the symbol of a superseded one, the
	// key of an enum, record or typedef, the name of an enumerator or constant,
	// or the path of a field from its record, "value.members.count".
	Name string
	In   string // the enum of an enumerator, the record of a field, else empty
	// Old and New are what it was and is, as far as that is a text of its own:
	// a declaration, a value, a size in bytes. One that is added has no Old.
	Old, New string
	Detail   string // in words, where Old and New do not tell all
	Header   string // that declares it, the new one where it moved
	Breaks   Breaks
	// Limit marks an enumerator that says how many others there are (MAX, COUNT,
	// END). It moves with almost every release.
	Limit bool
	On    []Target // the targets that it concerns; nil is all of Changes.Targets
}

// Subject is a kind of thing that changes.
type Subject string

// The subjects, in the order of a report. A symbol is a superseded function,
// which no public name leads to.
const (
	FunctionSubject   Subject = "function"
	SymbolSubject     Subject = "symbol"
	EnumSubject       Subject = "enum"
	EnumeratorSubject Subject = "enumerator"
	RecordSubject     Subject = "record"
	FieldSubject      Subject = "field"
	TypedefSubject    Subject = "typedef"
	ConstantSubject   Subject = "constant"
)

// Subjects lists all subjects in the order of a report.
var Subjects = []Subject{
	FunctionSubject, SymbolSubject, EnumSubject, EnumeratorSubject, RecordSubject, FieldSubject, TypedefSubject, ConstantSubject,
}

// What says in which way something changed, in the words of a report.
type What string

// The ways in which things change.
const (
	Added   What = "added"
	Removed What = "removed"
	// Renamed: the same symbol or field under another name.
	Renamed What = "renamed"
	// HeaderChanged: another header declares it. That is a note.
	HeaderChanged What = "header changed"

	// Superseded: the public name is gone, the library still has the symbol.
	// Restored is the way back.
	Superseded What = "superseded"
	Restored   What = "public again"
	// SymbolChanged: the header's macro lets the public name stand for another
	// symbol.
	SymbolChanged    What = "symbol changed"
	PublicChanged    What = "public name changed" // of a symbol, in a [Timeline]
	SignatureChanged What = "signature changed"
	// These change no type: names, names that changed places, and what C ignores
	// of a parameter (its own const, an array's bound).
	ParametersRenamed   What = "parameters renamed"
	ParametersSwapped   What = "parameters swapped"
	ParametersRespelled What = "parameters respelled"
	ConventionChanged   What = "calling convention changed"
	PerThreadChanged    What = "per-thread symbol changed"
	LookupChanged       What = "look-up changed" // base name or version to ask the library for
	Deprecated          What = "deprecated"
	Undeprecated        What = "deprecated no more"
	Inlined             What = "defined in the header" // the library need not export it
	Exported            What = "exported"              // was defined in the header
	RoleChanged         What = "role changed"
	// LeftOut: a function that cannot be bound came, or one of them went. The
	// model has no more of it than the reason.
	LeftOut What = "left out"

	ValueChanged      What = "value changed"
	Moved             What = "moved"         // an enumerator, to another enum
	OrderChanged      What = "order changed" // of enumerators or fields that both have
	UnderlyingChanged What = "underlying type changed"
	TagChanged        What = "tag changed" // declared with another tag, or with one at last

	Completed          What = "completed" // was declared only
	MadeOpaque         What = "made opaque"
	KindChanged        What = "kind changed" // struct and union
	SizeChanged        What = "size changed"
	AlignmentChanged   What = "alignment changed"
	OffsetChanged      What = "offset changed"
	BitsChanged        What = "bit-field changed"
	ArrangementChanged What = "arrangement changed" // unnamed members around fields that stay where they are

	TypeChanged What = "type changed"
)

// Breaks is the set of what a change breaks.
type Breaks uint8

const (
	// BreaksSource: what was written for the old release may not compile with
	// the new one, C or Cython.
	BreaksSource Breaks = 1 << iota
	// BreaksABI: what was compiled against the old release is refused by the new
	// one, or goes wrong. A function's signature string in __pyx_capi__ changes
	// or is gone; a record's size, alignment or offsets change; a number that a
	// compiler has copied into its callers is another one.
	BreaksABI
)

// Names lists what is in the set: "source", "abi".
func (b Breaks) Names() []string {
	names := []string{}
	if b&BreaksSource != 0 {
		names = append(names, "source")
	}
	if b&BreaksABI != 0 {
		names = append(names, "abi")
	}
	return names
}

// Counts is how many changes are of which class. Source and ABI overlap in
// Both: Changes = Source + ABI - Both + Limits + Neither.
type Counts struct {
	Changes int `json:"changes"`
	Source  int `json:"source"` // break source
	ABI     int `json:"abi"`    // break the ABI
	Both    int `json:"both"`
	Limits  int `json:"limits"` // MAX, COUNT and END enumerators, unless they break something
	Neither int `json:"neither"`
}

// Counts counts the changes by class.
func (c *Changes) Counts() Counts {
	n := Counts{Changes: len(c.List)}
	for i := range c.List {
		switch x := &c.List[i]; {
		case x.Breaks == BreaksSource|BreaksABI:
			n.Source++
			n.ABI++
			n.Both++
		case x.Breaks == BreaksSource:
			n.Source++
		case x.Breaks == BreaksABI:
			n.ABI++
		case x.Limit:
			n.Limits++
		default:
			n.Neither++
		}
	}
	return n
}

// Only is the changes for which keep holds.
func (c *Changes) Only(keep func(*Change) bool) *Changes {
	out := *c
	out.List = nil
	for i := range c.List {
		if keep(&c.List[i]) {
			out.List = append(out.List, c.List[i])
		}
	}
	return &out
}

// Concerns reports whether a change is one for the target.
func (x *Change) Concerns(t Target) bool { return x.On == nil || slices.Contains(x.On, t) }

// Diff lists what differs between two snapshots on the targets that both have.
func Diff(old, new *Snapshot) *Changes {
	c := &Changes{Library: new.Library, Old: old.Release.Label, New: new.Release.Label}
	merged := map[change]int{} // to places in c.List
	for _, t := range new.Targets {
		if !slices.Contains(old.Targets, t) {
			continue
		}
		c.Targets = append(c.Targets, t)
		for _, x := range diffOn(t, old.For(t), new.For(t)) {
			i, ok := merged[x]
			if !ok {
				i = len(c.List)
				merged[x] = i
				c.List = append(c.List, x.whole())
			}
			if on := c.List[i].On; len(on) == 0 || on[len(on)-1] != t {
				c.List[i].On = append(on, t)
			}
		}
	}
	for i := range c.List {
		if len(c.List[i].On) == len(c.Targets) {
			c.List[i].On = nil
		}
	}
	c.leftOut(old.Release.Omitted, new.Release.Omitted)
	c.sort()
	return c
}

// leftOut tells of functions that cannot be bound: why one is missing that was
// there before, and of those that the model does not have.
func (c *Changes) leftOut(old, new map[string]string) {
	told := map[string]bool{}
	for i := range c.List {
		x := &c.List[i]
		if x.Subject != FunctionSubject {
			continue
		}
		if reason, ok := new[x.Name]; ok && x.What == Removed {
			x.Detail, told[x.Name] = "it cannot be bound any more: "+reason, true
		}
		if reason, ok := old[x.Name]; ok && x.What == Added {
			x.Detail, told[x.Name] = "it could not be bound: "+reason, true
		}
	}
	note := func(name, before, now string) {
		if before != now && !told[name] {
			c.List = append(c.List, Change{Subject: FunctionSubject, What: LeftOut, Name: name, Old: before, New: now})
		}
	}
	for name, reason := range old {
		note(name, reason, new[name])
	}
	for name, reason := range new {
		if _, both := old[name]; !both {
			note(name, "", reason)
		}
	}
}

// change is a Change on one target, as a key.
type change struct {
	Subject        Subject
	What           What
	Name, In       string
	Old, New       string
	Detail, Header string
	Breaks         Breaks
	Limit          bool
}

func (x change) whole() Change {
	return Change{
		Subject: x.Subject, What: x.What, Name: x.Name, In: x.In, Old: x.Old, New: x.New,
		Detail: x.Detail, Header: x.Header, Breaks: x.Breaks, Limit: x.Limit,
	}
}

func (c *Changes) sort() {
	slices.SortFunc(c.List, func(a, b Change) int {
		return cmp.Or(
			slices.Index(Subjects, a.Subject)-slices.Index(Subjects, b.Subject),
			strings.Compare(a.In, b.In),
			strings.Compare(a.Name, b.Name),
			strings.Compare(string(a.What), string(b.What)),
			slices.Compare(a.On, b.On),
			strings.Compare(a.Old, b.Old),
			strings.Compare(a.New, b.New),
			strings.Compare(a.Detail, b.Detail),
		)
	})
}

// differ compares two APIs on one target.
type differ struct {
	target   Target
	old, new *world
	out      []change
	// paired maps the keys of old records and enums to those of new ones that
	// are the same under another key.
	paired map[string]string
	depth  int // of types that are being compared
}

func diffOn(t Target, old, new *API) []change {
	d := &differ{target: t, old: newWorld(old), new: newWorld(new), paired: map[string]string{}}
	// Which types are which comes first: other comparisons ask for it.
	records, enums := d.pairRecords(), d.pairEnums()
	d.functions()
	d.enums(enums)
	d.records(records)
	d.typedefs()
	d.constants()
	return d.out
}

func (d *differ) add(x change) { d.out = append(d.out, x) }

// header notes that another header declares something.
func (d *differ) header(subject Subject, name string, old, new *Meta) {
	if old.Header != new.Header {
		d.add(change{Subject: subject, What: HeaderChanged, Name: name, Old: old.Header, New: new.Header, Header: new.Header})
	}
}

// world is an API with its types by name.
type world struct {
	*API
	typedefs map[string]*Typedef
	records  map[string]*Record // by key
	enums    map[string]*Enum   // by key
}

func newWorld(a *API) *world {
	w := &world{API: a, typedefs: make(map[string]*Typedef, len(a.Typedefs)), records: make(map[string]*Record, len(a.Records)), enums: make(map[string]*Enum, len(a.Enums))}
	for i := range a.Typedefs {
		w.typedefs[a.Typedefs[i].Name] = &a.Typedefs[i]
	}
	for i := range a.Records {
		w.records[a.Records[i].Key()] = &a.Records[i]
	}
	for i := range a.Enums {
		w.enums[a.Enums[i].Key()] = &a.Enums[i]
	}
	return w
}
