package headers

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
)

// An Error is a problem with one place that headers were to come from, worded
// for a terminal: where, what is wrong, what was expected.
type Error struct {
	Path   string // the file or folder, as the user gave it
	Member string // the member of the wheel, if the problem is one member's
	Msg    string // what is wrong and what was expected
	Err    error  // the cause, or nil
}

// Error gives "PATH: message", or "WHEEL!MEMBER: message".
func (e *Error) Error() string {
	where := e.Path
	if e.Member != "" {
		where += "!" + printable(e.Member)
	}
	return where + ": " + e.Msg
}

// Unwrap gives the cause, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

func errorf(path, format string, args ...any) *Error {
	return &Error{Path: path, Msg: fmt.Sprintf(format, args...)}
}

// unreadable reports that the system would not let a path be read. The path is
// taken out of the system's message, because Error shows it.
func unreadable(path string, err error) *Error {
	var inner *fs.PathError
	cause := err
	if errors.As(err, &inner) {
		cause = inner.Err
	}
	return &Error{Path: path, Msg: "cannot be read: " + cause.Error(), Err: err}
}

// printable gives a member's name as a terminal may show it: a wheel can name
// its members with control characters, and at any length.
func printable(name string) string {
	if len(name) > maxName {
		name = name[:60] + "..."
	}
	if strconv.CanBackquote(name) {
		return name
	}
	return strconv.Quote(name)
}
