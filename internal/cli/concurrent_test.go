package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// job is a process that runs beside others.
type job struct {
	args []string
	cmd  *exec.Cmd
	out  bytes.Buffer
}

// together starts a process for each command line and waits for all.
func (p *processes) together(t *testing.T, lines ...string) []*job {
	t.Helper()
	var jobs []*job
	for _, line := range lines {
		j := &job{args: strings.Fields(line)}
		j.cmd = p.command(j.args...)
		j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.out
		if err := j.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	for _, j := range jobs {
		j.cmd.Wait()
	}
	return jobs
}

// mustExit fails for a process that ended with none of the codes.
func (j *job) mustExit(t *testing.T, codes ...int) {
	t.Helper()
	got := j.cmd.ProcessState.ExitCode()
	for _, c := range codes {
		if got == c {
			return
		}
	}
	t.Errorf("cybindgo %s: exit code %d, want one of %v\n%s", strings.Join(j.args, " "), got, codes, j.out.String())
}

// TestRunsBesideEachOther runs commands on one tree at the same time. Whoever
// writes a file last, it is whole, and nothing is left over.
func TestRunsBesideEachOther(t *testing.T) {
	p := newProcesses(t)
	releases := []string{"12.9.0", "13.5.0"}
	trees := map[string]map[string]string{}
	for _, r := range releases {
		p.config(t, r+".yaml", r)
		p.run(t, "generate", "-c", r+".yaml")
		trees[r], _ = p.tree(t, "out")
	}
	for i := range times(t, 25) {
		// The tree goes from one release to the other.
		r := releases[i%2]
		generate, check := "generate -c "+r+".yaml", "check -c "+r+".yaml"
		jobs := p.together(t, generate, check, generate, generate, check)
		for _, j := range jobs {
			if j.args[0] == "check" {
				j.mustExit(t, exitClean, exitFound) // it may have looked before
			} else {
				j.mustExit(t, exitClean)
			}
		}
		files, temporary := p.tree(t, "out")
		if diff := cmp.Diff(trees[r], files); diff != "" || temporary != 0 {
			t.Fatalf("round %d: %d temporary files are left, and the tree differs (-want +got):\n%s", i, temporary, diff)
		}
		p.run(t, "check", "-c", r+".yaml")
	}
	// Two that want different trees: each file is of one of them.
	p.together(t, "generate -c 12.9.0.yaml", "generate -c 13.5.0.yaml", "generate -c 12.9.0.yaml")
	files, temporary := p.tree(t, "out")
	for name, text := range files {
		if text != trees["12.9.0"][name] && text != trees["13.5.0"][name] {
			t.Errorf("%s is of neither release", name)
		}
	}
	if temporary != 0 || len(files) != len(trees["13.5.0"]) {
		t.Errorf("%d files and %d temporary ones, want %d and none", len(files), temporary, len(trees["13.5.0"]))
	}
}

// demoHeader is a release that differs from others by its number.
const demoHeader = `#pragma once
#define CUDA_VERSION NUMBER
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_NOT_FOUND = 500 } CUresult;
CUresult cuInit(unsigned int Flags);
`

const emptyHistory = `{"format":1,"library":"driver","targets":["linux/amd64","linux/arm64","windows/amd64"],"releases":[]}`

// TestReleasesAddBesideOthers: a history is read whole while another process
// replaces it, and of two that add a release each, none undoes the other.
func TestReleasesAddBesideOthers(t *testing.T) {
	p := newProcesses(t)
	p.config(t, "cybindgo.yaml", "13.0.0..13.9.0")
	p.write(t, "releases/driver.json", emptyHistory)
	for _, v := range []string{"13000", "13010", "13020", "13090"} {
		p.write(t, v+"/cuda.h", strings.ReplaceAll(demoHeader, "NUMBER", v))
		p.write(t, v+"/cudaProfiler.h", "#include \"cuda.h\"\n")
		p.write(t, v+"/cudaGL.h", "#include \"cuda.h\"\n")
	}
	p.run(t, "releases", "add", "13.0.0", "driver", "--headers", "13000")
	p.run(t, "releases", "add", "13.9.0", "driver", "--headers", "13090")
	p.run(t, "generate")
	history, _ := p.tree(t, "releases")
	for range times(t, 15) {
		p.write(t, "releases/driver.json", history["driver.json"])
		jobs := p.together(t,
			"releases add 13.1.0 driver --headers 13010", "generate", "check",
			"releases add 13.2.0 driver --headers 13020", "generate", "releases list")
		for _, j := range jobs {
			if j.args[0] == "check" {
				j.mustExit(t, exitClean, exitFound)
			} else {
				j.mustExit(t, exitClean)
			}
		}
		list := p.run(t, "releases", "list", "driver")
		if got := strings.Count(list, "driver "); got != 4 {
			t.Fatalf("%d releases, want 4: one was lost\n%s", got, list)
		}
		p.run(t, "generate")
		if _, temporary := p.tree(t, "."); temporary != 0 {
			t.Errorf("%d temporary files are left", temporary)
		}
		if files, _ := p.tree(t, "releases"); len(files) != 1 {
			t.Errorf("%d files are in releases, want the history alone", len(files))
		}
		p.run(t, "check")
	}
}
