package cli

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lockReleases waits until no other process changes the project's histories,
// and keeps others waiting until unlock. Whoever reads a history and writes it
// back would undo what another process entered in between. The operating
// system drops the lock of a process that dies.
//
// Where no lock file can be made, nothing can be written either, and whoever
// tries will say why.
func lockReleases(root string) (unlock func()) {
	folder := filepath.Dir(historyFile(root, ""))
	name := filepath.Join(folder, ".cybindgo.lock")
	for {
		os.MkdirAll(folder, 0o777)
		f, err := lockedfile.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return func() {}
		}
		// The one who had it before may have removed it while we waited.
		mine, err := f.Stat()
		if there, err2 := os.Stat(name); err == nil && err2 == nil && os.SameFile(mine, there) {
			return func() {
				os.Remove(name)
				f.Close()
				os.Remove(folder) // if nothing was written into it
			}
		}
		f.Close()
	}
}
