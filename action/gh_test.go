package action

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A pull is a pull request on the stand-in's GitHub, which is the file that
// GH_PULLS names.
type pull struct {
	Number int
	State  string // open, closed
	Head   string // the commit
	Branch string
	Base   string
	Fork   bool
	Title  string
	Body   string
	Labels string
}

// gh is a stand-in for GitHub's command line, as far as the action uses it.
// Anything else is an error.
func gh(args []string) int {
	var pulls []pull
	data, err := os.ReadFile(os.Getenv("GH_PULLS"))
	if err == nil {
		err = json.Unmarshal(data, &pulls)
	}
	if err == nil && os.Getenv("GH_TOKEN") != "secret" {
		err = fmt.Errorf("no token")
	}
	if err == nil {
		switch command := strings.Join(args[:min(2, len(args))], " "); {
		case command == "pr list":
			err = ghList(pulls, args[2:])
		case command == "pr create":
			pulls, err = ghCreate(pulls, args[2:])
		case command == "api --method":
			err = ghPatch(pulls, args[1:])
		default:
			err = fmt.Errorf("unknown command %q", args)
		}
	}
	if err == nil {
		if data, err = json.Marshal(pulls); err == nil {
			err = os.WriteFile(os.Getenv("GH_PULLS"), data, 0o666)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gh:", err)
		return 1
	}
	return 0
}

var filter = regexp.MustCompile(`^map\(select\(\(\.isCrossRepository \| not\) (?:and \.headRefOid == "([0-9a-f]+)")?\)\) \| \.\[0\]\.number // empty$`)

// ghList prints what the filter leaves. Where there is jq, it has to say the same.
func ghList(pulls []pull, args []string) error {
	f := flag.NewFlagSet("pr list", flag.ContinueOnError)
	branch, base, state := f.String("head", "", ""), f.String("base", "", ""), f.String("state", "", "")
	fields, jq := f.String("json", "", ""), f.String("jq", "", "")
	if err := f.Parse(args); err != nil {
		return err
	}
	m := filter.FindStringSubmatch(*jq)
	if m == nil || *fields != "number,headRefOid,isCrossRepository" {
		return fmt.Errorf("the stand-in does not know the filter %s of %s", *jq, *fields)
	}
	type entry struct {
		Number int    `json:"number"`
		Head   string `json:"headRefOid"`
		Fork   bool   `json:"isCrossRepository"`
	}
	listed, answer := []entry{}, ""
	for _, p := range pulls {
		if p.Branch == *branch && p.Base == *base && p.State == *state {
			listed = append(listed, entry{p.Number, p.Head, p.Fork})
			if answer == "" && !p.Fork && (m[1] == "" || m[1] == p.Head) {
				answer = strconv.Itoa(p.Number) + "\n"
			}
		}
	}
	if program, err := exec.LookPath("jq"); err == nil {
		data, err := json.Marshal(listed)
		if err != nil {
			return err
		}
		cmd := exec.Command(program, "-r", *jq)
		cmd.Stdin = bytes.NewReader(data)
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != answer {
			return fmt.Errorf("jq: %v: %q, want %q", err, out, answer)
		}
	}
	_, err := io.WriteString(os.Stdout, answer)
	return err
}

func ghCreate(pulls []pull, args []string) ([]pull, error) {
	f := flag.NewFlagSet("pr create", flag.ContinueOnError)
	p := pull{Number: len(pulls) + 1, State: "open"}
	f.StringVar(&p.Branch, "head", "", "")
	f.StringVar(&p.Base, "base", "", "")
	f.StringVar(&p.Title, "title", "", "")
	f.StringVar(&p.Labels, "label", "", "")
	body := f.String("body-file", "", "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(*body)
	p.Body = string(text)
	fmt.Println("Creating pull request")
	fmt.Printf("https://example.org/pull/%d\n", p.Number)
	return append(pulls, p), err
}

func ghPatch(pulls []pull, args []string) error {
	f := flag.NewFlagSet("api", flag.ContinueOnError)
	method := f.String("method", "", "")
	if err := f.Parse(args); err != nil {
		return err
	}
	path := f.Arg(0)
	raw, field, jq := f.String("raw-field", "", ""), f.String("field", "", ""), f.String("jq", "", "")
	if err := f.Parse(f.Args()[1:]); err != nil {
		return err
	}
	number, err := strconv.Atoi(strings.TrimPrefix(path, "repos/{owner}/{repo}/pulls/"))
	title, ok := strings.CutPrefix(*raw, "title=")
	file, ok2 := strings.CutPrefix(*field, "body=@")
	if err != nil || !ok || !ok2 || *method != "PATCH" || *jq != ".html_url" {
		return fmt.Errorf("the stand-in does not know api %q", args)
	}
	text, err := os.ReadFile(file)
	pulls[number-1].Title, pulls[number-1].Body = title, string(text)
	fmt.Printf("https://example.org/pull/%d\n", number)
	return err
}

// pulls reads the stand-in's pull requests.
func (w *workflow) pulls(t *testing.T) (pulls []pull) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, filepath.Join(w.temp, "pulls"))), &pulls); err != nil {
		t.Fatal(err)
	}
	return pulls
}

func (w *workflow) setPulls(t *testing.T, pulls ...pull) {
	t.Helper()
	data, err := json.Marshal(pulls)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.temp, "pulls"), string(data))
}
