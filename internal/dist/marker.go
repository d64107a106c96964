package dist

import (
	"fmt"
	"strings"

	version "github.com/aquasecurity/go-pep440-version"
)

// A Marker says where a requirement holds (PEP 508).
type Marker interface {
	// Holds evaluates the marker. A variable that the environment lacks is an
	// error, not a guess.
	Holds(Environment) (bool, error)
}

// An Environment is what markers ask about.
type Environment struct {
	// Variables such as sys_platform and platform_machine.
	Variables map[string]string
	// Extras that are asked for: extra == 'nvml' holds if nvml is one of them.
	Extras map[string]bool
}

type (
	all     []Marker // and
	some    []Marker // or
	compare struct {
		op          string
		left, right operand
	}
	operand struct {
		text     string
		variable bool
	}
)

// Holds implements [Marker].
func (m all) Holds(e Environment) (bool, error) {
	for _, part := range m {
		if ok, err := part.Holds(e); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// Holds implements [Marker].
func (m some) Holds(e Environment) (bool, error) {
	var first error
	for _, part := range m {
		ok, err := part.Holds(e)
		if ok {
			return true, nil
		}
		if first == nil {
			first = err
		}
	}
	return false, first
}

// Holds implements [Marker].
func (m compare) Holds(e Environment) (bool, error) {
	for _, sides := range [][2]operand{{m.left, m.right}, {m.right, m.left}} {
		if v, other := sides[0], sides[1]; v.variable && v.text == "extra" && !other.variable {
			switch m.op {
			case "==":
				return e.Extras[Normalise(other.text)], nil
			case "!=":
				return !e.Extras[Normalise(other.text)], nil
			}
			return false, fmt.Errorf("the marker compares extra by %s: expected == or !=", m.op)
		}
	}
	left, err := m.left.value(e)
	if err != nil {
		return false, err
	}
	right, err := m.right.value(e)
	if err != nil {
		return false, err
	}
	switch m.op {
	case "in":
		return strings.Contains(right, left), nil
	case "not in":
		return !strings.Contains(right, left), nil
	}
	order := strings.Compare(left, right)
	if v, err := version.Parse(left); err == nil {
		if w, err := version.Parse(right); err == nil {
			order = v.Compare(w)
		}
	}
	switch m.op {
	case "==":
		return order == 0, nil
	case "!=":
		return order != 0, nil
	case "<":
		return order < 0, nil
	case "<=":
		return order <= 0, nil
	case ">":
		return order > 0, nil
	case ">=":
		return order >= 0, nil
	}
	return false, fmt.Errorf("the marker compares by %s, which is not known here", m.op)
}

func (o operand) value(e Environment) (string, error) {
	if !o.variable {
		return o.text, nil
	}
	if v, ok := e.Variables[o.text]; ok {
		return v, nil
	}
	return "", fmt.Errorf("the marker asks for %.100s, which is not known here", o.text)
}

// maxDepth bounds parentheses in a marker.
const maxDepth = 50

// ParseMarker reads a marker: comparisons, joined by and, or and parentheses.
func ParseMarker(text string) (Marker, error) {
	tokens, err := scanMarker(text)
	if err != nil {
		return nil, err
	}
	p := &markerParser{tokens: tokens}
	m, err := p.or(0)
	if err != nil {
		return nil, err
	}
	if len(p.tokens) > 0 {
		return nil, fmt.Errorf("the marker goes on with %.100q, which is not expected there", p.tokens[0].text)
	}
	return m, nil
}

// markerToken is a word, an operator, a parenthesis, or a text in quotes.
type markerToken struct {
	text   string
	quoted bool
}

func scanMarker(text string) (tokens []markerToken, err error) {
	const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" {
			return tokens, nil
		}
		n := 1
		switch c := text[0]; {
		case c == '"' || c == '\'':
			end := strings.IndexByte(text[1:], c)
			if end < 0 {
				return nil, fmt.Errorf("the marker has a text that does not end: %.40s", text)
			}
			tokens = append(tokens, markerToken{text[1 : end+1], true})
			text = text[end+2:]
			continue
		case c == '(' || c == ')':
		case strings.IndexByte("<>=!~", c) >= 0:
			n = len(text) - len(strings.TrimLeft(text, "<>=!~"))
		case strings.IndexByte(word, c) >= 0:
			n = len(text) - len(strings.TrimLeft(text, word))
		default:
			return nil, fmt.Errorf("the marker has the character %q, which is not expected there", c)
		}
		tokens = append(tokens, markerToken{text: text[:n]})
		text = text[n:]
	}
}

type markerParser struct{ tokens []markerToken }

// next reports whether the next token is this word, and takes it if so.
func (p *markerParser) next(word string) bool {
	if len(p.tokens) == 0 || p.tokens[0].quoted || p.tokens[0].text != word {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

func (p *markerParser) or(depth int) (Marker, error) {
	parts, err := p.list("or", func() (Marker, error) { return p.and(depth) })
	if len(parts) == 1 {
		return parts[0], err
	}
	return some(parts), err
}

func (p *markerParser) and(depth int) (Marker, error) {
	parts, err := p.list("and", func() (Marker, error) { return p.comparison(depth) })
	if len(parts) == 1 {
		return parts[0], err
	}
	return all(parts), err
}

// list reads one part or several, with a word between them.
func (p *markerParser) list(word string, part func() (Marker, error)) (parts []Marker, err error) {
	for {
		m, err := part()
		if err != nil {
			return nil, err
		}
		if parts = append(parts, m); !p.next(word) {
			return parts, nil
		}
	}
}

func (p *markerParser) comparison(depth int) (Marker, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the marker has more than %d parentheses in each other", maxDepth)
	}
	if p.next("(") {
		m, err := p.or(depth + 1)
		if err != nil {
			return nil, err
		}
		if !p.next(")") {
			return nil, fmt.Errorf("the marker has a parenthesis that is not closed")
		}
		return m, nil
	}
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	op := ""
	for _, known := range []string{"==", "!=", "<=", ">=", "<", ">", "~=", "===", "in"} {
		if p.next(known) {
			op = known
			break
		}
	}
	if op == "" && p.next("not") && p.next("in") {
		op = "not in"
	}
	if op == "" {
		return nil, fmt.Errorf("the marker has no comparison behind %.100q", left.text)
	}
	right, err := p.operand()
	return compare{op, left, right}, err
}

func (p *markerParser) operand() (operand, error) {
	if len(p.tokens) == 0 {
		return operand{}, fmt.Errorf("the marker ends where a name or a text in quotes is expected")
	}
	t := p.tokens[0]
	const operators = "<>=!~()"
	if !t.quoted && strings.ContainsAny(t.text, operators) {
		return operand{}, fmt.Errorf("the marker has %.100q where a name or a text in quotes is expected", t.text)
	}
	p.tokens = p.tokens[1:]
	return operand{t.text, !t.quoted}, nil
}
