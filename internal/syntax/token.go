package syntax

// Kind is the kind of a token.
type Kind uint8

// The kinds.
const (
	EOF Kind = iota
	Name
	Number
	String // a string or character literal, with its prefix and quotes
	Op
)

// Pos is a place in a file: line and column count from 1, columns in bytes.
// The zero value is no place.
type Pos struct{ Line, Col int32 }

// Token is a word of the source. Comments and white space are no tokens.
type Token struct {
	Kind Kind
	Text string // as in the source
	Pos
	Off int32 // of the first byte in the file
}

// Is reports whether the token is the name or operator s.
func (t Token) Is(s string) bool {
	return (t.Kind == Name || t.Kind == Op) && t.Text == s
}

// End is the place of the token's last byte. A string of several lines ends on
// another line than it begins.
func (t Token) End() Pos {
	p := t.Pos
	last := -1
	for i := 0; i < len(t.Text); i++ {
		if t.Text[i] == '\n' {
			p.Line++
			last = i
		}
	}
	if last < 0 {
		p.Col += int32(len(t.Text)) - 1
	} else {
		p.Col = max(1, int32(len(t.Text)-last-1))
	}
	return p
}

// Problem is a place that a reader could not read.
type Problem struct {
	Pos
	Message string
}
