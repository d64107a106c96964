package fetch

import (
	"fmt"
	"time"
)

// An Event tells what goes on, for whoever watches. Events come from several
// goroutines, one at a time.
type Event struct {
	Kind      EventKind
	Release   string
	Total     int       // of components, with Resolved
	Component Component // with Begun, Fetched, Cached
	Package   string    // with Begun, Lacking, Waiting
	Text      string    // with Lacking, Retrying: the reason
	Pause     time.Duration
}

// EventKind says what an event is about.
type EventKind int

// What there is to tell.
const (
	Resolved EventKind = iota // it is known which components there are to fetch
	Begun                     // a component's wheel is looked at
	Fetched                   // a component is in the cache now
	Cached                    // a component was there already
	Lacking                   // a release has no such component
	Retrying                  // a request failed, and is sent again
	Waiting                   // another process fetches the same
)

// String gives one line for a log.
func (e Event) String() string {
	c := e.Component
	switch e.Kind {
	case Resolved:
		return fmt.Sprintf("CUDA %s: %d components", e.Release, e.Total)
	case Begun:
		return fmt.Sprintf("%s %s: reading %s", c.Package, c.Version, c.Wheel)
	case Fetched:
		return fmt.Sprintf("%s %s: headers %d, requests %d, bytes %d", c.Package, c.Version, len(c.Headers), c.Requests, c.Bytes)
	case Cached:
		return fmt.Sprintf("%s %s: headers %d, from the cache", c.Package, c.Version, len(c.Headers))
	case Lacking:
		return e.Text
	case Retrying:
		return fmt.Sprintf("%s; trying again in %v", e.Text, e.Pause.Round(100*time.Millisecond))
	case Waiting:
		return fmt.Sprintf("%s: waiting for another cybindgo that fetches it", e.Package)
	}
	return ""
}
