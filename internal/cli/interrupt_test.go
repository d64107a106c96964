package cli

import (
	"bytes"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/cybindgo/cybindgo/emit"
)

const interruptConfig = `licence: []
packages:
  - name: demo
    version: 1.0.0
    module: demo.bindings
    output: out
    libraries:
      driver: {releases: RELEASE}
`

// TestKilledWhileWriting kills the program at random moments while it changes
// a tree from one release to another. Each file is then one or the other, whole,
// and the next run mends the tree.
func TestKilledWhileWriting(t *testing.T) {
	dir := t.TempDir()
	for _, r := range []string{"12.9.0", "13.5.0"} {
		text := bytes.ReplaceAll([]byte(interruptConfig), []byte("RELEASE"), []byte(r))
		if err := os.WriteFile(filepath.Join(dir, r+".yaml"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(dir, "cybindgo"), args...)
		cmd.Dir = dir
		return cmd
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "cybindgo"), "github.com/cybindgo/cybindgo/cmd/cybindgo")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := command("generate", "-c", "12.9.0.yaml").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	releases := []string{"13.5.0", "12.9.0"}
	killed := 0
	for i := range 20 {
		cmd := command("generate", "-c", releases[i%2]+".yaml")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Intn(80)) * time.Millisecond)
		cmd.Process.Kill()
		if err := cmd.Wait(); err != nil {
			killed++
		}
		err := filepath.WalkDir(filepath.Join(dir, "out"), func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || bytes.HasPrefix([]byte(d.Name()), []byte(".cybindgo-")) {
				return err
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			if err := emit.VerifySeal(data); err != nil {
				t.Errorf("after kill %d: %s: %v", i, p, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if killed == 0 {
		t.Error("no run was killed before it ended: the test saw nothing")
	}
	if out, err := command("generate", "-c", "13.5.0.yaml").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := command("check", "-c", "13.5.0.yaml").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
