package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cybindgo/cybindgo/internal/indextest"
)

const header = `#pragma once
#define CUDA_VERSION NUMBER
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_NOT_FOUND = 500 } CUresult;
CUresult cuInit(unsigned int Flags);
`

const project = `packages:
  - name: demo
    version: 1.0.0
    module: demo.bindings
    output: out
    libraries:
      driver: {releases: 13.4.2}
`

const emptyHistory = `{"format":1,"library":"driver","targets":["linux/amd64","linux/arm64","windows/amd64"],"releases":[]}`

// updates is a checkout of a project that a bare repository holds, beside an
// index of invented releases.
type updates struct {
	*workflow
	index  *indextest.Server
	remote string
}

func newUpdates(t *testing.T) *updates {
	t.Helper()
	u := &updates{workflow: newWorkflow(t), index: indextest.New(t), remote: filepath.Join(t.TempDir(), "remote.git")}
	for name, value := range u.index.Environment(t.TempDir()) {
		u.env = append(u.env, name+"="+value)
	}
	u.env = append(u.env, "GH_TOKEN=secret", "GH_PULLS="+filepath.Join(u.temp, "pulls"))
	u.setPulls(t)
	u.release(t, "13.4.2", "13.4.92", "13040", "2026-09-16", "")

	for _, d := range []string{u.dir, u.remote} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(u.dir, "cybindgo.yaml"), project)
	write(t, filepath.Join(u.dir, "releases/driver.json"), emptyHistory)
	u.run(t, "cybindgo", "releases", "add", "13.4.2", "driver", "--no-progress")
	u.run(t, "cybindgo", "generate")
	u.git(t, "init", "--quiet", "--bare", "--initial-branch=main", u.remote)
	u.git(t, "init", "--quiet", "--initial-branch=main", ".")
	u.git(t, "remote", "add", "origin", u.remote)
	u.git(t, "add", ".")
	u.git(t, "commit", "--quiet", "-m", "first")
	u.git(t, "push", "--quiet", "origin", "main")
	return u
}

// release lists a release on the index, with a function of its own.
func (u *updates) release(t *testing.T, label, version, number, day, text string) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	runtime := indextest.Component{Name: "nvidia-cuda-runtime", Version: version}
	profiler := indextest.Component{Name: "nvidia-cuda-profiler-api", Version: version}
	u.index.Release(t, label, at, runtime, profiler)
	include := "#include \"cuda.h\"\n"
	u.index.Component(t, profiler, "manylinux2014_x86_64", 0, at, map[string]string{"nvidia/cu13/include/cudaProfiler.h": include})
	u.index.Component(t, runtime, "manylinux2014_x86_64", 0, at, map[string]string{
		"nvidia/cu13/include/cuda.h": strings.ReplaceAll(header, "NUMBER", number) + text, "nvidia/cu13/include/cudaGL.h": include})
}

// update runs the step, which has to leave the checkout as it was.
func (u *updates) update(t *testing.T, inputs ...string) result {
	t.Helper()
	head := u.git(t, "rev-parse", "HEAD")
	r := u.step(t, "update.sh", append([]string{"INPUT_ARGS=--refresh"}, inputs...)...)
	if got := u.git(t, "rev-parse", "HEAD"); got != head {
		t.Errorf("the checkout is at %s and was at %s", got, head)
	}
	if got := u.git(t, "status", "--porcelain", "--branch"); !strings.HasPrefix(got, "## main") || strings.Contains(got, "\n") {
		t.Errorf("the checkout is not clean:\n%s", got)
	}
	return r
}

// branch is where a branch of the remote is, or nothing.
func (u *updates) branch(t *testing.T, name string) string {
	t.Helper()
	commit, _, _ := strings.Cut(u.git(t, "ls-remote", u.remote, "refs/heads/"+name), "\t")
	return commit
}

const nothingNew = "Nothing to update.\n"

func TestUpdateOpensAndKeepsOnePullRequest(t *testing.T) {
	u := newUpdates(t)
	if r := u.update(t); r.code != 0 || !strings.HasSuffix(r.out, nothingNew) || r.outputs["changed"] != "false" || u.branch(t, "cybindgo/update") != "" {
		t.Fatalf("with nothing new: %+v", r)
	}

	// A release comes out.
	u.release(t, "13.5.0", "13.5.37", "13050", "2026-11-04", "CUresult cuNew(int a);\n")
	r := u.update(t, "INPUT_LABELS=bindings,cuda")
	if r.code != 0 || r.outputs["changed"] != "true" || r.outputs["pull-request"] != "https://example.org/pull/1" {
		t.Fatalf("a release: %+v", r)
	}
	first := u.branch(t, "cybindgo/update")
	u.git(t, "fetch", "--quiet", "origin", "cybindgo/update")
	if got, want := u.git(t, "log", "--format=%an %s", "main..FETCH_HEAD"), "github-actions[bot] Update the bindings to 13.5.0"; got != want {
		t.Errorf("commits: %q, want %q", got, want)
	}
	changed := u.git(t, "diff", "--name-only", "main", "FETCH_HEAD")
	for _, want := range []string{"cybindgo.yaml", "releases/driver.json", "out/demo/bindings/cydriver.pxd"} {
		if !strings.Contains(changed, want) {
			t.Errorf("%s is not changed: %s", want, changed)
		}
	}
	pulls := u.pulls(t)
	if len(pulls) != 1 || pulls[0].Title != "Update the bindings to 13.5.0" || pulls[0].Base != "main" || pulls[0].Branch != "cybindgo/update" || pulls[0].Labels != "bindings,cuda" ||
		!strings.Contains(pulls[0].Body, "**function added** `cuNew`") || r.summary != pulls[0].Body {
		t.Errorf("pull requests: %+v", pulls)
	}

	// Again: nothing is pushed. A fork's branch of the same name is left alone.
	pulls = append([]pull{{Number: 1, State: "open", Branch: "cybindgo/update", Base: "main", Fork: true, Title: "mine"}}, pulls...)
	pulls[1].Number, pulls[1].Body = 2, "edited"
	u.setPulls(t, pulls...)
	r = u.update(t)
	if pulls = u.pulls(t); r.code != 0 || u.branch(t, "cybindgo/update") != first || len(pulls) != 2 || pulls[0].Title != "mine" || pulls[1].Body != r.summary ||
		r.outputs["pull-request"] != "https://example.org/pull/2" {
		t.Errorf("the second time: %+v\n%+v", r, pulls)
	}

	// The next release: the same pull request has both.
	u.release(t, "13.5.1", "13.5.99", "13050", "2026-12-04", "CUresult cuNew(int a);\nCUresult cuNewer(int a);\n")
	r = u.update(t)
	second := u.branch(t, "cybindgo/update")
	if pulls = u.pulls(t); r.code != 0 || second == first || len(pulls) != 2 || pulls[1].Title != "Update the bindings to 13.5.0, 13.5.1" {
		t.Errorf("another release: %+v\n%+v", r, pulls)
	}

	// The base has moved on: the commit goes on top of it.
	write(t, filepath.Join(u.dir, "README.md"), "text\n")
	u.git(t, "add", "README.md")
	u.git(t, "commit", "--quiet", "-m", "second")
	u.git(t, "push", "--quiet", "origin", "main")
	r = u.update(t)
	third := u.branch(t, "cybindgo/update")
	u.git(t, "fetch", "--quiet", "origin", "cybindgo/update")
	if r.code != 0 || third == second || u.git(t, "rev-parse", "FETCH_HEAD^") != u.git(t, "rev-parse", "main") {
		t.Errorf("a base that moved: %+v", r)
	}

	// Somebody closes it: it stays closed.
	pulls = u.pulls(t)
	pulls[1].State, pulls[1].Head = "closed", third
	u.setPulls(t, pulls...)
	if r = u.update(t); r.code != 0 || len(u.pulls(t)) != 2 || !strings.Contains(r.out, "::notice title=cybindgo action::the same update was closed as pull request 2: delete the branch cybindgo/update to have it again") {
		t.Errorf("closed: %+v", r)
	}

	// It is merged after all: nothing is left.
	u.git(t, "merge", "--quiet", "--ff-only", "FETCH_HEAD")
	u.git(t, "push", "--quiet", "origin", "main")
	if r = u.update(t); r.code != 0 || r.outputs["changed"] != "false" {
		t.Errorf("merged: %+v", r)
	}
}

func TestUpdateLeavesWorkOfOthersAlone(t *testing.T) {
	u := newUpdates(t)
	u.release(t, "13.5.0", "13.5.37", "13050", "2026-11-04", "CUresult cuNew(int a);\n")
	u.update(t)
	for name, work := range map[string][]string{
		"a commit on top":   {"commit", "--quiet", "--allow-empty", "-m", "a fix"},
		"a commit reworked": {"commit", "--quiet", "--amend", "--no-edit", "--all"},
	} {
		u.git(t, "fetch", "--quiet", "origin", "cybindgo/update")
		u.git(t, "checkout", "--quiet", "FETCH_HEAD")
		write(t, filepath.Join(u.dir, "cybindgo.yaml"), read(t, filepath.Join(u.dir, "cybindgo.yaml"))+"# a fix\n")
		u.git(t, work...)
		u.git(t, "push", "--quiet", "--force", "origin", "HEAD:cybindgo/update")
		u.git(t, "checkout", "--quiet", "--force", "main")
		theirs := u.branch(t, "cybindgo/update")
		r := u.update(t)
		if r.code != 0 || u.branch(t, "cybindgo/update") != theirs || !strings.Contains(r.out, "::warning title=cybindgo action::the branch cybindgo/update has work of somebody else and is left alone") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Workflows check out one commit, and may be behind.
func TestUpdateOfAShallowCheckoutThatIsBehind(t *testing.T) {
	u := newUpdates(t)
	u.release(t, "13.5.0", "13.5.37", "13050", "2026-11-04", "CUresult cuNew(int a);\n")
	write(t, filepath.Join(u.dir, "README.md"), "text\n")
	u.git(t, "add", "README.md")
	u.git(t, "commit", "--quiet", "-m", "second")
	u.git(t, "push", "--quiet", "origin", "main", "main~1:refs/heads/old")
	full := u.dir
	u.dir = filepath.Join(t.TempDir(), "shallow")
	if err := os.MkdirAll(u.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	u.git(t, "clone", "--quiet", "--depth=1", "--branch=old", "file://"+u.remote, ".")
	u.git(t, "checkout", "--quiet", "-B", "main")
	for range 2 {
		if r := u.update(t, "INPUT_BASE=main"); r.code != 0 || r.outputs["pull-request"] != "https://example.org/pull/1" {
			t.Fatalf("%+v", r)
		}
	}
	if got := u.git(t, "rev-parse", "--is-shallow-repository"); got != "true" {
		t.Error("all of the history was fetched")
	}
	u.dir = full
	u.git(t, "fetch", "--quiet", "origin", "cybindgo/update")
	if u.git(t, "rev-parse", "FETCH_HEAD^") != u.git(t, "rev-parse", "main") {
		t.Error("the update is not on top of the newest commit")
	}
	if got := u.git(t, "rev-parse", "--is-shallow-repository"); got != "false" {
		t.Error("a whole clone has become a shallow one")
	}
}

func TestUpdatesThatCannotRun(t *testing.T) {
	u := newUpdates(t)
	u.release(t, "13.5.0", "13.5.37", "13050", "2026-11-04", "CUresult cuNew(int a);\n")
	for _, c := range []struct {
		input, want string
	}{
		{"INPUT_BRANCH=main", "branch: expected another one than the base, main"},
		{"INPUT_BRANCH=--delete", "base, branch: '--delete' is no name of a branch"},
		{"INPUT_BASE=a b", "base, branch: 'a b' is no name of a branch"},
	} {
		if r := u.update(t, c.input); r.code != 2 || !strings.HasPrefix(r.out, "::error title=cybindgo action::"+c.want+"\n") {
			t.Errorf("%s: %+v", c.input, r)
		}
	}
	u.index.Fail("nvidia-cuda-profiler-api/", 100, indextest.Status(404, ""))
	if r := u.update(t); r.code != 2 || !strings.Contains(r.err, "driver 13.5.0") {
		t.Errorf("an index that lacks a package: %+v", r)
	}
	u.index.Mend()
	if r := u.update(t, "GH_TOKEN=wrong"); r.code == 0 || !strings.Contains(r.err, "gh: no token") {
		t.Errorf("a token that is refused: %+v", r)
	}
	if u.branch(t, "cybindgo/update") != "" || len(u.pulls(t)) != 0 {
		t.Error("something was pushed")
	}
	write(t, filepath.Join(u.dir, "left.txt"), "")
	if r := u.step(t, "update.sh"); r.code != 2 || !strings.Contains(r.out, "the work tree has changes already") {
		t.Errorf("a work tree with changes: %+v", r)
	}
}
