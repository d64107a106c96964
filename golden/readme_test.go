package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// acceptance are the numbers of the public acceptance cases.
var acceptance = strings.Fields(`B01 B03 B05 B06 B09 B11 B13 B15 B17 B19 B21 B23 B25 B27 B28 B30 B32 B34 B36 B38 B40 B42 B44 B46
	B48 B50 B52 B54 B56 B58 B60 B62 B64 B65 B67 B69 B71 B73 B75 B77 B79 B81 B83 B85 B87 B89 B91 B93 B95 B97 B99 B101 B103`)

var (
	tableRow = regexp.MustCompile(`(?m)^\| (B\d+) \| [^|]+ \| ([^|]*) \| ?([^|]*)\|$`)
	quoted   = regexp.MustCompile("`([^`]+)`")
	reasons  = regexp.MustCompile(`^(Python layer|other libraries|a free-threaded interpreter among the tests): .+`)
)

// Every acceptance case is in the README's table once, with tests that exist or
// with what it waits for, and every golden case is in the row of its number.
func TestEveryAcceptanceCaseIsHeldOrWaits(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	named := map[string]bool{}
	for _, row := range tableRow.FindAllStringSubmatch(string(data), -1) {
		id, held, waits := row[1], quoted.FindAllStringSubmatch(row[2], -1), strings.TrimSpace(row[3])
		listed = append(listed, id)
		if len(held) == 0 {
			t.Errorf("%s: nothing holds it", id)
		}
		if waits != "" && !reasons.MatchString(waits) {
			t.Errorf("%s waits for %q: expected a reason that matches %s", id, waits, reasons)
		}
		for _, h := range held {
			named[h[1]] = true
			if err := exists(h[1]); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	if d := cmp.Diff(acceptance, listed); d != "" {
		t.Errorf("cases in the table (-want +got):\n%s", d)
	}
	if !slices.IsSortedFunc(listed, byNumber) {
		t.Error("the table is not in order")
	}
	for _, c := range readCases(t) {
		if !named[c.path] {
			t.Errorf("%s is not in the table", c.path)
		}
		id, _, _ := strings.Cut(c.name, "_")
		if !strings.HasPrefix(string(c.archive.Comment), id) {
			t.Errorf("%s: its comment does not begin with its number, %s", c.path, id)
		}
	}
}

// exists finds a file, or a test in one, by the name that the table gives it.
func exists(name string) error {
	file, test, inFile := strings.Cut(name, "::")
	if strings.Contains(file, "/") {
		file = filepath.Join("..", filepath.FromSlash(file))
	}
	data, err := os.ReadFile(file)
	if err != nil || !inFile {
		return err
	}
	if declared := regexp.MustCompile(`(?m)^(def|func) ` + test + `\(`); !declared.Match(data) {
		return fmt.Errorf("%s has no test %s", file, test)
	}
	return nil
}
