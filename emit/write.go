package emit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/natefinch/atomic"
)

// State is how a file on disk relates to what would be generated.
type State string

// The states of a file.
const (
	Same    State = "same"
	Missing State = "missing" // not there
	Changed State = "changed" // sealed, but made from something else
	Edited  State = "edited"  // its seal is missing or broken: somebody's work is in it
	Stale   State = "stale"   // sealed, and generated no more
)

// FileState is the state of one file.
type FileState struct {
	Path  string // as in Output.Files
	State State
	Seal  error  // what is wrong with the seal of an edited file
	Old   []byte // what is on disk
}

// Compare says for each generated file, in order of paths, how it stands on
// disk below root, and lists stale files after them.
func Compare(root string, out *Output) ([]FileState, error) {
	var states []FileState
	folders := map[string]bool{}
	for _, p := range sortedKeys(out.Files) {
		folders[path.Dir(p)] = true
		old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
		s := FileState{Path: p, Old: old}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			s.State = Missing
		case err != nil:
			return nil, err
		case bytes.Equal(old, out.Files[p]):
			s.State = Same
		default:
			s.State = Changed
			if s.Seal = VerifySeal(old); s.Seal != nil {
				s.State = Edited
			}
		}
		states = append(states, s)
	}
	for _, folder := range sortedKeys(folders) {
		stale, err := staleFiles(root, folder, out)
		if err != nil {
			return nil, err
		}
		states = append(states, stale...)
	}
	return states, nil
}

// staleFiles finds files beside generated ones that carry our seal but are
// not generated.
func staleFiles(root, folder string, out *Output) ([]FileState, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var states []FileState
	for _, e := range entries {
		p := path.Join(folder, e.Name())
		if _, ours := out.Files[p]; ours || !e.Type().IsRegular() || !sealable(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
		if err != nil {
			return nil, err
		}
		if bytes.Contains(data, []byte(sealMark)) {
			states = append(states, FileState{Path: p, State: Stale, Old: data})
		}
	}
	return states, nil
}

func sealable(name string) bool {
	switch path.Ext(name) {
	case ".pxd", ".pyx", ".py", ".pyi", ".toml", ".c", ".h":
		return true
	}
	return false
}

// Write brings the files that differ up to date, one by one and each whole:
// whatever interrupts it, a file is as it was or as it should be. Edited files
// are left alone unless force is set.
func Write(root string, out *Output, states []FileState, force bool) error {
	for _, s := range states {
		switch s.State {
		case Same, Stale:
			continue
		case Edited:
			if !force {
				continue
			}
		}
		if err := WriteFile(filepath.Join(root, filepath.FromSlash(s.Path)), out.Files[s.Path]); err != nil {
			return err
		}
	}
	return nil
}

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".cybindgo-"

// WriteFile replaces a file as a whole, making its folder where needed: the
// new content is written beside it, flushed to disk, and renamed.
func WriteFile(name string, data []byte) (err error) {
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, reason(err))
	}
	sweep(folder)
	f, err := createTemp(folder)
	if err != nil {
		return fmt.Errorf("cannot write in the folder %s: %w", folder, reason(err))
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
			err = fmt.Errorf("cannot write %s: %w", name, reason(err))
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return atomic.ReplaceFile(temp, name)
}

// createTemp is os.CreateTemp with the mode of an ordinary new file.
func createTemp(folder string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(folder, fmt.Sprintf("%s%d-%d", tempPrefix, os.Getpid(), time.Now().UnixNano()+int64(i)))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) || i > 100 {
			return f, err
		}
	}
}

// sweep removes what an interrupted run left behind. Young files may belong to
// a run that is still going on.
func sweep(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 10*time.Minute {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// reason leaves the path out of an error whose message names one already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
