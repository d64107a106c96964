package finding

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sample has every part that a finding may have, and text that each format
// has to escape.
func sample() *Report {
	sources := map[string]string{"a/b.pyx": "one\nx = \"é😀\" + y\n"}
	return &Report{
		Command: "align",
		Rules: []Rule{
			{ID: "drifted", Severity: Error, Text: "The files differ.", Help: "Make them equal."},
			{ID: "moved", Severity: Warning, Text: "The order differs.", Help: "Restore it."},
			{ID: "helper", Severity: Note, Text: "Only one file has it.", Help: "Nothing to do."},
		},
		Findings: []Finding{
			{
				Rule: "drifted", Severity: Error, Message: "100% other: a,b\nand more",
				Place: Place{File: "a/b.pyx", Line: 2, Col: 15, EndLine: 2, EndCol: 15},
				Hint:  "regenerate",
				Related: []Related{
					{Place: Place{File: "a/c d.pyx", Line: 7, Col: 1}, Message: "the other one"},
					{Place: Place{File: "a/e.pyx"}, Message: "a whole file"},
				},
				Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-old\r\n+new\n",
			},
			{Rule: "moved", Severity: Warning, Message: "over lines", Place: Place{File: "a,b:c%.pyx", Line: 3, Col: 2, EndLine: 4, EndCol: 6}},
			{Rule: "helper", Severity: Note, Message: "whole \x1b[31mfile \xff", Place: Place{File: "d.pyx"}},
			{Rule: "new-rule", Severity: Error, Message: "not in the table", Place: Place{File: "/abs/e.pyx", Line: 9}},
		},
		Files:   2,
		Summary: "3 differences",
		Source:  func(file string) []byte { return []byte(sources[file]) },
	}
}

func printed(t *testing.T, r *Report, f Format, diffLines int) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Print(&b, f, diffLines); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	head := `a/b.pyx:2:15: error: 100% other: a,b\nand more [drifted]
    a/c d.pyx:7:1: the other one
    a/e.pyx: a whole file
    regenerate
`
	tail := `a,b:c%.pyx:3:2: warning: over lines [moved]
d.pyx: note: whole \u001b[31mfile \xff [helper]
/abs/e.pyx:9: error: not in the table [new-rule]
3 differences
`
	for _, c := range []struct {
		lines int
		diff  string
	}{
		{AllLines, "    --- a\n    +++ b\n    @@ -1 +1 @@\n    -old\\r\n    +new\n"},
		{5, "    --- a\n    +++ b\n    @@ -1 +1 @@\n    -old\\r\n    +new\n"},
		{2, "    --- a\n    +++ b\n    ... 3 more lines of the diff; --diff-lines=-1 prints all\n"},
		{0, ""},
	} {
		if diff := cmp.Diff(head+c.diff+tail, printed(t, sample(), Text, c.lines)); diff != "" {
			t.Errorf("%d lines of diff:\n%s", c.lines, diff)
		}
	}
}

func TestJSON(t *testing.T) {
	want := `{
  "version": 1,
  "command": "align",
  "files": 2,
  "findings": [
    {
      "rule": "drifted",
      "severity": "error",
      "file": "a/b.pyx",
      "line": 2,
      "column": 15,
      "endLine": 2,
      "endColumn": 15,
      "message": "100% other: a,b\nand more",
      "hint": "regenerate",
      "related": [
        {
          "file": "a/c d.pyx",
          "line": 7,
          "column": 1,
          "message": "the other one"
        },
        {
          "file": "a/e.pyx",
          "message": "a whole file"
        }
      ],
      "diff": "--- a\n+++ b\n@@ -1 +1 @@\n-old\r\n+new\n"
    },
    {
      "rule": "moved",
      "severity": "warning",
      "file": "a,b:c%.pyx",
      "line": 3,
      "column": 2,
      "endLine": 4,
      "endColumn": 6,
      "message": "over lines"
    },
    {
      "rule": "helper",
      "severity": "note",
      "file": "d.pyx",
      "message": "whole \u001b[31mfile ` + "\ufffd" + `"
    },
    {
      "rule": "new-rule",
      "severity": "error",
      "file": "/abs/e.pyx",
      "line": 9,
      "message": "not in the table"
    }
  ]
}
`
	if diff := cmp.Diff(want, printed(t, sample(), JSON, 2)); diff != "" {
		t.Error(diff)
	}
	if got := printed(t, sample(), JSON, 0); strings.Contains(got, `"diff"`) {
		t.Errorf("without diffs there is one:\n%s", got)
	}
	empty := "{\n  \"version\": 1,\n  \"command\": \"verify\",\n  \"files\": 3,\n  \"findings\": []\n}\n"
	if diff := cmp.Diff(empty, printed(t, &Report{Command: "verify", Files: 3}, JSON, AllLines)); diff != "" {
		t.Errorf("no findings:\n%s", diff)
	}
}

func TestGitHub(t *testing.T) {
	want := `::error file=a/b.pyx,line=2,endLine=2,col=12,endColumn=12,title=cybindgo align%3A drifted::100%25 other: a,b%0Aand more%0Aa/c d.pyx:7:1: the other one%0Aa/e.pyx: a whole file%0Aregenerate
::warning file=a%2Cb%3Ac%25.pyx,line=3,endLine=4,title=cybindgo align%3A moved::over lines
::notice file=d.pyx,title=cybindgo align%3A helper::whole ` + "\x1b[31mfile \xff" + `
::error file=/abs/e.pyx,line=9,title=cybindgo align%3A new-rule::not in the table
3 differences
`
	if diff := cmp.Diff(want, printed(t, sample(), GitHub, AllLines)); diff != "" {
		t.Error(diff)
	}
}

func TestSARIF(t *testing.T) {
	want := `{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "cybindgo",
          "informationUri": "https://github.com/cybindgo/cybindgo",
          "rules": [
            {
              "id": "drifted",
              "shortDescription": {
                "text": "The files differ."
              },
              "help": {
                "text": "Make them equal."
              },
              "defaultConfiguration": {
                "level": "error"
              }
            }
          ]
        }
      },
      "columnKind": "utf16CodeUnits",
      "results": [
        {
          "ruleId": "drifted",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "100% other: a,b\nand more\nregenerate"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a/b.pyx"
                },
                "region": {
                  "startLine": 2,
                  "startColumn": 12,
                  "endLine": 2,
                  "endColumn": 13
                }
              }
            }
          ],
          "relatedLocations": [
            {
              "id": 1,
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a/c%20d.pyx"
                },
                "region": {
                  "startLine": 7,
                  "startColumn": 1
                }
              },
              "message": {
                "text": "the other one"
              }
            },
            {
              "id": 2,
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a/e.pyx"
                }
              },
              "message": {
                "text": "a whole file"
              }
            }
          ]
        }
      ]
    }
  ]
}
`
	r := sample()
	r.Rules, r.Findings = r.Rules[:1], r.Findings[:1]
	if diff := cmp.Diff(want, printed(t, r, SARIF, AllLines)); diff != "" {
		t.Error(diff)
	}
}

// TestSARIFFollowsItsSchema holds what is printed against the published schema,
// which allows no member that it does not name.
func TestSARIFFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text string) error {
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(log)
	}
	full := printed(t, sample(), SARIF, AllLines)
	for name, text := range map[string]string{"full": full, "empty": printed(t, &Report{Command: "check"}, SARIF, AllLines)} {
		if err := validate(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, planted := range []string{`"ruleID"`, `"level": "bad", "was"`} {
		wrong := strings.ReplaceAll(strings.ReplaceAll(full, `"ruleId"`, planted), `"level"`, planted)
		if validate(wrong) == nil {
			t.Errorf("the schema accepts %s", planted)
		}
	}
}

func TestSARIFOfAllFindings(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal([]byte(printed(t, sample(), SARIF, AllLines)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	type row struct {
		Rule, URI string
		Index     int
		Region    sarifRegion
	}
	var got []row
	for _, r := range run.Results {
		l := r.Locations[0].Physical
		one := row{Rule: run.Tool.Driver.Rules[r.RuleIndex].ID, URI: l.Artifact.URI, Index: r.RuleIndex}
		if l.Region != nil {
			one.Region = *l.Region
		}
		got = append(got, one)
	}
	want := []row{
		{"drifted", "a/b.pyx", 0, sarifRegion{2, 12, 2, 13}},
		{"moved", "./a,b:c%25.pyx", 1, sarifRegion{3, 2, 4, 7}},
		{"helper", "d.pyx", 2, sarifRegion{}},
		{"new-rule", "file:///abs/e.pyx", 3, sarifRegion{StartLine: 9}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range Formats {
		if got, err := ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	for name, want := range map[string]string{
		"jsn":     `format "jsn": expected text, json, github or sarif; did you mean json?`,
		"Sarif":   `format "Sarif": expected text, json, github or sarif; did you mean sarif?`,
		"yaml":    `format "yaml": expected text, json, github or sarif`,
		"":        `format "": expected text, json, github or sarif`,
		"git hub": `format "git hub": expected text, json, github or sarif; did you mean github?`,
	} {
		if _, err := ParseFormat(name); err == nil || err.Error() != want {
			t.Errorf("ParseFormat(%q): %v, want %s", name, err, want)
		}
	}
}

func TestFailed(t *testing.T) {
	for _, c := range []struct {
		severities []Severity
		want       bool
	}{
		{nil, false}, {[]Severity{Note, Note}, false}, {[]Severity{Note, Warning}, true}, {[]Severity{Error}, true},
	} {
		var findings []Finding
		for _, s := range c.severities {
			findings = append(findings, Finding{Severity: s})
		}
		if got := Failed(findings); got != c.want {
			t.Errorf("Failed(%v) = %v", c.severities, got)
		}
	}
}
