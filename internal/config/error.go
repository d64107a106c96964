package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is a mistake in a configuration, with its place.
type Error struct {
	File      string
	Line, Col int // from 1; Line is 0 for a mistake of the whole file
	Msg       string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Errors is everything that is wrong with a configuration, in order of place.
type Errors []*Error

func (list Errors) Error() string {
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// Unwrap lets errors.As find the first mistake.
func (list Errors) Unwrap() []error {
	errs := make([]error, len(list))
	for i, e := range list {
		errs[i] = e
	}
	return errs
}

// err is the list in order, or nil where it is empty.
func (list Errors) err() error {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.CompactFunc(list, func(a, b *Error) bool { return *a == *b })
}
