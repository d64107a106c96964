package cli

import (
	"math/rand"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestKilledWhileWriting kills the program at random moments while it changes
// a tree from one release to another. Each file is then as the one or as the
// other, whole, and the next run mends the tree and sweeps it.
func TestKilledWhileWriting(t *testing.T) {
	p := newProcesses(t)
	releases := []string{"12.9.0", "13.5.0"}
	var trees []map[string]string
	var whole time.Duration // of a run that nobody kills
	for _, r := range releases {
		p.config(t, r+".yaml", r)
		start := time.Now()
		p.run(t, "generate", "-c", r+".yaml")
		whole = time.Since(start)
		files, _ := p.tree(t, "out")
		trees = append(trees, files)
	}
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewSource(seed))
	kills, mixed, left := 0, 0, 0
	// More often where the moment was missed so far, as on a loaded machine.
	for i, usual := 0, times(t, 100); i < usual || mixed == 0 && i < 20*usual; i++ {
		cmd := p.command("generate", "-c", releases[i%2]+".yaml")
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int63n(int64(whole) * 5 / 4)))
		cmd.Process.Kill()
		if err := cmd.Wait(); err != nil {
			kills++
		} else {
			whole = (whole + time.Since(start)) / 2
		}
		files, temporary := p.tree(t, "out")
		left += temporary
		like := []int{0, 0}
		for name, text := range files {
			old, fresh := text == trees[0][name], text == trees[1][name]
			switch {
			case !old && !fresh:
				t.Errorf("seed %d, after kill %d: %s is neither old nor new", seed, i, name)
			case old && !fresh:
				like[0]++
			case fresh && !old:
				like[1]++
			}
		}
		if len(files) != len(trees[0]) {
			t.Errorf("seed %d, after kill %d: %d files, want %d", seed, i, len(files), len(trees[0]))
		}
		if like[0] > 0 && like[1] > 0 {
			mixed++
		}
	}
	t.Logf("seed %d: %d runs were killed; %d trees were half new, %d files were being written", seed, kills, mixed, left)
	if kills == 0 || mixed == 0 {
		t.Error("no run was killed while it wrote: the test saw nothing")
	}
	p.run(t, "generate", "-c", "13.5.0.yaml")
	files, temporary := p.tree(t, "out")
	if diff := cmp.Diff(trees[1], files); diff != "" || temporary != 0 {
		t.Errorf("after a run in peace %d temporary files are left, and the tree differs (-want +got):\n%s", temporary, diff)
	}
	p.run(t, "check", "-c", "13.5.0.yaml")
}
