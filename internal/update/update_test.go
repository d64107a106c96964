package update

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/internal/intake"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/releases"
)

// wheels is a Source of real headers: those that the tests' environment has.
type wheels struct {
	offered []string
	fails   string // a release that cannot be read
	absent  string // a release that lacks the library
	read    []string
}

func (w *wheels) Releases(context.Context) ([]string, error) { return w.offered, nil }

func (w *wheels) Read(_ context.Context, lib *config.Library, release string) (*intake.Result, error) {
	switch release {
	case w.fails:
		return nil, errors.New("no network")
	case w.absent:
		return nil, ErrAbsent
	}
	w.read = append(w.read, release)
	found, err := filepath.Glob(filepath.Join(os.Getenv("CYBINDGO_HEADERS"), release, "*.whl"))
	if err != nil || len(found) == 0 {
		return nil, errors.New("no wheels of " + release + " below CYBINDGO_HEADERS; `make setup` fetches them")
	}
	return intake.Read(intake.Request{Library: lib, Release: release, Targets: ir.DefaultTargets, Headers: map[ir.Target][]string{"": found}})
}

const project = `# Ours.
packages:
  - {name: twelve, version: 12.9.10, module: cuda.bindings, output: out/12, libraries: {driver: {releases: 12.9.0}}}
  - {name: thirteen, version: 13.3.0, module: cuda.bindings, output: out/13, libraries: {driver: {releases: 12.9.0..13.3.0}}}  # newest
`

// input is a project whose history lacks some releases.
func input(t *testing.T, text string, lacks ...string) Input {
	t.Helper()
	p, err := config.LoadProject("cybindgo.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	lib, err := config.LoadLibrary("driver")
	if err != nil {
		t.Fatal(err)
	}
	data, err := releases.FS.ReadFile("driver.json")
	if err != nil {
		t.Fatal(err)
	}
	history, err := ir.Decode("driver.json", data)
	if err != nil {
		t.Fatal(err)
	}
	// The releases of the tests' environment alone.
	has := map[string]bool{"12.0.0": true, "12.9.0": true, "12.9.1": true, "13.0.0": true, "13.0.2": true, "13.3.0": true, "13.4.2": true, "13.5.0": true}
	for _, label := range lacks {
		has[label] = false
	}
	for _, label := range history.Labels() {
		if !has[label] {
			if err := history.Remove(label); err != nil {
				t.Fatal(err)
			}
		}
	}
	return Input{Project: p, Config: []byte(text), Libraries: map[string]*config.Library{"driver": lib}, Histories: map[string]*ir.History{"driver": history}}
}

var offered = []string{"11.8.0", "13.5.0", "12.0.0", "12.9.0", "12.9.1", "13.0.0", "13.0.2", "13.3.0", "13.4.0rc1", "13.4.2"}

func TestTwoReleasesAreNew(t *testing.T) {
	in := input(t, project, "13.4.2", "13.5.0")
	before := string(in.Histories["driver"].Encode())
	source := &wheels{offered: offered}
	u, err := Find(t.Context(), in, source)
	if err != nil {
		t.Fatal(err)
	}
	// Not the candidate, and nothing older than the history begins with.
	if d := cmp.Diff([]string{"13.4.2", "13.5.0"}, source.read); d != "" {
		t.Errorf("read (-want +got):\n%s", d)
	}
	if before != string(in.Histories["driver"].Encode()) {
		t.Error("the history of the input has changed")
	}
	if got, want := u.Histories["driver"].Labels(), []string{"12.0.0", "12.9.0", "12.9.1", "13.0.0", "13.0.2", "13.3.0", "13.4.2", "13.5.0"}; !cmp.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if d := cmp.Diff([]Package{{"out/13", "driver", "12.9.0..13.3.0", "12.9.0..13.5.0"}}, u.Packages); d != "" {
		t.Errorf("packages (-want +got):\n%s", d)
	}
	if want := strings.Replace(project, "12.9.0..13.3.0", "12.9.0..13.5.0", 1); string(u.Config) != want {
		t.Errorf("the configuration is now\n%s", u.Config)
	}
	text := u.Markdown(Written{Updated: []string{"out/13/cydriver.pxd"}, Kept: []string{"out/13/setup.py"}})
	for _, want := range []string{
		"# Update the bindings to 13.4.2, 13.5.0\n",
		"| driver | 13.4.2 |  | 13.3.0 | 61 | 0 | 17 | 0 | 5 |",
		"\n## What breaks\n",
		"\n### driver 13.4.2 → 13.5.0\n",
		"\n- [ ] driver 13.5.0 has new functions with pointers whose direction is not known",
		"\n- [ ] thirteen still has version 13.3.0, which was its last release: give it a new one.\n",
		"\n- [ ] these files were edited by hand and are left alone.",
		"\n- `out/13` binds driver 12.9.0..13.5.0 (before: 12.9.0..13.3.0)\n",
		"\n- updated `out/13/cydriver.pxd`\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	if len(text) > MaxSummary {
		t.Errorf("%d bytes", len(text))
	}

	// Once more, on what came out: nothing is new.
	again := in
	again.Project, again.Config, again.Histories = u.Project, u.Config, u.Histories
	u2, err := Find(t.Context(), again, source)
	if err != nil {
		t.Fatal(err)
	}
	if len(u2.Releases) != 0 || len(u2.Histories) != 0 || len(u2.Packages) != 0 || string(u2.Config) != string(u.Config) {
		t.Errorf("the second time there are %d releases and %d packages", len(u2.Releases), len(u2.Packages))
	}
	if got := u2.Title(); got != "Bindings are up to date" {
		t.Errorf("the second time it is called %q", got)
	}
}

// A run that was killed when the configuration was written and the history was
// not is gone on with.
func TestConfigurationIsAheadOfTheHistory(t *testing.T) {
	in := input(t, strings.Replace(project, "12.9.0..13.3.0", "12.9.0..13.5.0", 1), "13.4.2", "13.5.0")
	u, err := Find(t.Context(), in, &wheels{offered: offered})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Releases) != 2 || len(u.Packages) != 0 || string(u.Config) != string(in.Config) {
		t.Errorf("%d releases, %d packages", len(u.Releases), len(u.Packages))
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	in := input(t, project, "13.4.2", "13.5.0")
	_, err := Find(t.Context(), in, &wheels{offered: offered, fails: "13.5.0"})
	if want := "driver 13.5.0: no network"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	u, err := Find(t.Context(), in, &wheels{offered: offered, absent: "13.5.0"})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Releases) != 1 || u.Releases[0].Label != "13.4.2" || u.Packages[0].After != "12.9.0..13.4.2" {
		t.Errorf("got %v and %v", u.Releases, u.Packages)
	}
}

// A major version that no package covers is for a person.
func TestNobodyCoversIt(t *testing.T) {
	only := strings.Join(strings.SplitAfter(project, "\n")[:3], "")
	in := input(t, only, "13.0.0", "13.0.2", "13.3.0", "13.4.2", "13.5.0")
	u, err := Find(t.Context(), in, &wheels{offered: []string{"13.0.0"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Packages) != 0 {
		t.Errorf("carried on: %v", u.Packages)
	}
	want := Decision{"driver", "no package covers driver 13.0.0: carry one on in `cybindgo.yaml`, or add a package", nil}
	if got := u.Decisions[len(u.Decisions)-1]; !cmp.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	text := u.Markdown(Written{})
	if !strings.Contains(text, "**function removed** `cuCtxCreate_v2`") && !strings.Contains(text, "cuCtxCreate") {
		t.Error("the summary does not name cuCtxCreate")
	}
	// What compiles as before and calls another symbol is neither a break nor quiet.
	_, after, _ := strings.Cut(text, "\n## What compiles and may do something else\n")
	section, _, _ := strings.Cut(after, "\n## ")
	if !strings.Contains(section, "**function symbol changed** `cuDeviceGetUuid`") {
		t.Errorf("what behaves otherwise:\n%s", section)
	}
	if strings.Contains(section, "added**") {
		t.Error("additions stand among what behaves otherwise")
	}
	// Three enumerators vanish, and the definition allows it.
	for _, d := range u.Decisions {
		if strings.Contains(d.Text, "lacks what") {
			t.Errorf("asked about %v", d.Names)
		}
	}
}

// A summary stays below what a pull request may hold, and says what it left out.
func TestSummaryIsCutShort(t *testing.T) {
	in := input(t, project, "13.0.0", "13.0.2", "13.3.0", "13.4.2", "13.5.0")
	u, err := Find(t.Context(), in, &wheels{offered: offered})
	if err != nil {
		t.Fatal(err)
	}
	u.Releases = append(u.Releases, u.Releases...)
	whole, text := u.markdown(Written{}, 0, 0), u.Markdown(Written{})
	if len(whole) <= MaxSummary {
		t.Fatalf("the whole summary has %d bytes only", len(whole))
	}
	if len(text) > MaxSummary || !strings.Contains(text, " more: see `cybindgo diff driver 12.9.1 13.0.0`\n") {
		t.Errorf("the summary has %d bytes", len(text))
	}
}
