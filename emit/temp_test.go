package emit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSweepRemovesWhatKilledRunsLeft(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	young, old := time.Now(), time.Now().Add(-2*maxTempAge)
	names := map[string]string{}
	for _, f := range []struct {
		what, name string
		at         time.Time
		stays      bool
	}{
		{"of a process that is gone", fmt.Sprintf("%s%d-1", tempPrefix, dead.Process.Pid), young, false},
		{"of this process", fmt.Sprintf("%s%d-1", tempPrefix, os.Getpid()), young, true},
		{"of this process's number, abandoned", fmt.Sprintf("%s%d-2", tempPrefix, os.Getpid()), old, false},
		{"without a number", tempPrefix + "x", young, true},
		{"somebody's", ".cybindgo.yaml", old, true},
	} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, f.at, f.at); err != nil {
			t.Fatal(err)
		}
		if f.stays {
			names[f.name] = f.what
		}
	}
	sweep(dir)
	left := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left[e.Name()] = names[e.Name()]
	}
	if diff := cmp.Diff(names, left); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
}
