package action

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = ".."

// newReport is a checkout with this repository's project in a folder.
func newReport(t *testing.T, folder string) *workflow {
	t.Helper()
	w := newWorkflow(t)
	for _, name := range []string{"cybindgo.yaml", "generated", "releases"} {
		from, to := filepath.Join(root, name), filepath.Join(w.dir, folder, name)
		if name == "cybindgo.yaml" {
			write(t, to, read(t, from))
		} else if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestCheckAndVerify(t *testing.T) {
	w := newReport(t, "sub dir")
	inputs := []string{"INPUT_DIRECTORY=sub dir/"}
	step := func(more ...string) result { return w.step(t, "report.sh", append(inputs, more...)...) }

	if r := step("INPUT_COMMAND=check"); r.code != 0 || !regexp.MustCompile(`^\d\d+ files are as generated\n$`).MatchString(r.out) || r.outputs["exit-code"] != "0" {
		t.Errorf("check of a clean project: %+v", r)
	}
	if r := step("INPUT_COMMAND=verify"); r.code != 0 || r.outputs["exit-code"] != "0" || !strings.Contains(r.out, "every seal is valid") {
		t.Errorf("verify of a clean project: %+v", r)
	}

	edited := filepath.Join(w.dir, "sub dir/generated/cuda_bindings_13/setup.py")
	write(t, edited, read(t, edited)+"# quick fix\n")
	const annotation = "::error file=sub dir/generated/cuda_bindings_13/setup.py,"
	r := step("INPUT_COMMAND=check", "INPUT_SARIF=reports/check.sarif")
	if r.code != 1 || !strings.HasPrefix(r.out, annotation) || r.outputs["exit-code"] != "1" {
		t.Errorf("check of an edit: %+v", r)
	}
	var sarif struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(w.dir, "reports/check.sarif"))), &sarif); err != nil || len(sarif.Runs) != 1 || len(sarif.Runs[0].Results) != 1 || sarif.Runs[0].Results[0].RuleID != "edited" {
		t.Errorf("SARIF: %v, %+v", err, sarif)
	}
	if r := step("INPUT_COMMAND=verify"); r.code != 1 || !strings.HasPrefix(r.out, annotation) {
		t.Errorf("verify of an edit: %+v", r)
	}
	if r := step("INPUT_COMMAND=verify", "INPUT_ARGS=--all\nsub dir/generated/cuda_bindings_12\r\n\n"); r.code != 0 {
		t.Errorf("verify of another folder: %+v", r)
	}
	if r := step("INPUT_COMMAND=check", "INPUT_ARGS=driver\n--diff-lines=0"); r.code != 1 {
		t.Errorf("check with arguments: %+v", r)
	}
}

func TestReportsThatCannotRun(t *testing.T) {
	w := newReport(t, ".")
	for _, c := range []struct {
		inputs []string
		want   string
	}{
		{[]string{"INPUT_COMMAND=chekc"}, "command: expected check, verify or update, and not 'chekc'"},
		{[]string{"INPUT_COMMAND=check", "INPUT_DIRECTORY=../other"}, "working-directory: expected a folder below the repository's root, and not '../other'"},
		{[]string{"INPUT_COMMAND=check", "INPUT_DIRECTORY=/etc"}, "working-directory: expected a folder below the repository's root, and not '/etc'"},
		{[]string{"INPUT_COMMAND=check", "INPUT_DIRECTORY=missing"}, "working-directory: there is no folder 'missing'"},
	} {
		if r := w.step(t, "report.sh", c.inputs...); r.code != 2 || r.out != "::error title=cybindgo action::"+c.want+"\n" {
			t.Errorf("%v: %+v", c.inputs, r)
		}
	}
	// An input is a value, whatever it says.
	evil := "$(touch pwned)`touch pwned`; touch pwned"
	r := w.step(t, "report.sh", "INPUT_COMMAND=check", "INPUT_ARGS="+evil, "INPUT_SARIF=x.sarif")
	if r.code != 2 || !strings.Contains(r.err, "library") || r.outputs["exit-code"] != "2" {
		t.Errorf("an argument that looks like a script: %+v", r)
	}
	for _, name := range []string{"pwned", "x.sarif"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

func TestInstall(t *testing.T) {
	w := newReport(t, ".")
	if r := w.step(t, "install.sh", "INPUT_VERSION=installed"); r.code != 0 || r.pathsAdded != "" {
		t.Errorf("installed: %+v", r)
	}
	if r := w.step(t, "install.sh", "INPUT_VERSION=1.0; ls"); r.code != 2 || !strings.Contains(r.out, "version: expected one such as 1.2.0") {
		t.Errorf("no version: %+v", r)
	}
	// Built from the source, the program says which tag it is.
	r := w.step(t, "install.sh", "INPUT_VERSION=", "ACTION_REF=v1.2.0")
	folder := strings.TrimSuffix(r.pathsAdded, "\n")
	if r.code != 0 || folder != filepath.Join(w.temp, "cybindgo") {
		t.Fatalf("from source: %+v", r)
	}
	if got := w.run(t, filepath.Join(folder, "cybindgo"), "--version"); got != "cybindgo 1.2.0" {
		t.Errorf("it says %q", got)
	}
}
