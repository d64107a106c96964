package emit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tempPrefix begins the names of files that are being written. The writer's
// process and a time follow.
const tempPrefix = ".cybindgo-"

// maxTempAge is after what time a file that is being written is taken to be
// abandoned, whatever process its name says: another machine may have shared
// the folder.
const maxTempAge = 10 * time.Minute

// writeTemp writes a new file in the folder, flushed to disk, with the mode of
// an ordinary new file. The name is empty if there is none.
func writeTemp(folder string, data []byte) (name string, err error) {
	f, err := createTemp(folder)
	if err != nil {
		return "", err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	return f.Name(), errors.Join(err, f.Close())
}

func createTemp(folder string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(folder, fmt.Sprintf("%s%d-%d", tempPrefix, os.Getpid(), time.Now().UnixNano()+int64(i)))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) || i > 100 {
			return f, err
		}
	}
}

// foldersOf lists the folders that hold generated files.
func foldersOf(out *Output) []string {
	folders := map[string]bool{}
	for p := range out.Files {
		folders[path.Dir(p)] = true
	}
	return sortedKeys(folders)
}

// sweep removes what runs left in a folder that were killed while they wrote.
func sweep(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), tempPrefix)
		if !ok || !e.Type().IsRegular() {
			continue
		}
		process, _, _ := strings.Cut(rest, "-")
		info, err := e.Info()
		if err == nil && (time.Since(info.ModTime()) > maxTempAge || gone(process)) {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// gone reports whether no process has this number.
func gone(process string) bool {
	pid, err := strconv.Atoi(process)
	if err != nil || pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return true // Windows looks for it here
	}
	defer p.Release()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
