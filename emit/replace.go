package emit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"
)

// Replacement is a file and what it is to hold.
type Replacement struct {
	Name string
	Data []byte
}

// Replace replaces several files, all or none of them. All are written beside
// the old ones and flushed to disk first, so that whatever can go wrong goes
// wrong before anything has changed; then they are renamed in order. Should a
// rename fail, those before it are undone. Only a process that is killed between
// two renames leaves some files old and some new, each of them whole.
func Replace(files []Replacement) (err error) {
	temps := make([]string, len(files))
	defer func() {
		if err != nil {
			for _, temp := range temps {
				if temp != "" {
					os.Remove(temp)
				}
			}
		}
	}()
	for i, f := range files {
		folder := filepath.Dir(f.Name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return fmt.Errorf("cannot make the folder %s: %w", folder, reason(err))
		}
		sweep(folder)
		if temps[i], err = writeTemp(folder, f.Data); err != nil {
			return fmt.Errorf("cannot write %s: %w", f.Name, reason(err))
		}
	}
	undo := make([]func() error, 0, len(files))
	for i, f := range files {
		back, err := restorer(f.Name)
		if err == nil {
			err = atomic.ReplaceFile(temps[i], f.Name)
		}
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", f.Name, reason(err))
			for _, u := range undo {
				err = errors.Join(err, u())
			}
			return err
		}
		temps[i] = ""
		undo = append(undo, back)
	}
	return nil
}

// restorer puts a file back to what it is now.
func restorer(name string) (func() error, error) {
	old, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return func() error { return os.Remove(name) }, nil
	}
	return func() error { return WriteFile(name, old) }, err
}
