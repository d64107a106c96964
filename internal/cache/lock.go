package cache

import (
	"context"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Lock waits until no other process has the lock of this name, and keeps
// others waiting until unlock. The operating system drops the lock of a process
// that dies. waiting is called, from another goroutine, if that takes a while.
//
// The lock spares work and guards nothing: where no lock file can be made, all
// goes on without.
func (c *Cache) Lock(ctx context.Context, name string, waiting func()) (unlock func(), err error) {
	if !safe(name) || os.MkdirAll(c.path(locks), 0o777) != nil {
		return func() {}, ctx.Err()
	}
	got := make(chan *lockedfile.File, 1)
	go func() {
		f, err := lockedfile.OpenFile(c.path(locks, name), os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			f = nil
		}
		got <- f
	}()
	slow := time.AfterFunc(patience, waiting)
	defer slow.Stop()
	select {
	case f := <-got:
		if err := ctx.Err(); err != nil { // who gets an error does not unlock
			release(f)()
			return func() {}, err
		}
		return release(f), nil
	case <-ctx.Done():
		go func() { release(<-got)() }()
		return func() {}, ctx.Err()
	}
}

// patience is how long to wait for a lock before that is worth a word.
const patience = time.Second

func release(f *lockedfile.File) func() {
	return func() {
		if f != nil {
			f.Close()
		}
	}
}
