package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// askFor is how long pip or uv may take to answer.
const askFor = 30 * time.Second

// A question asks a program which index it uses where nobody says. The answer
// is the first match in what it prints.
type question struct {
	program string
	args    []string
	answer  *regexp.Regexp
}

var (
	aLine = regexp.MustCompile(`(?m)^(https?://\S+?)\r?$`)
	// uv says it in its help.
	inHelp = regexp.MustCompile(`(?is)default-index\b.*?by default:?\s*<?(https?://[^\s>\])]+)`)
)

// pipDefault has pip print its default, whose place in pip has been the same
// since version 8.
const pipDefault = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"

// questions lists whom to ask: the virtual environment's pip, then those that
// a shell would find.
func questions() (list []question) {
	pythons := []string{"python3", "python", "py"}
	if env := os.Getenv("VIRTUAL_ENV"); env != "" {
		inside := filepath.Join(env, "bin", "python")
		if runtime.GOOS == "windows" {
			inside = filepath.Join(env, "Scripts", "python.exe")
		}
		pythons = append([]string{inside}, pythons...)
	}
	for _, python := range pythons {
		list = append(list, question{python, []string{"-c", pipDefault}, aLine})
	}
	return append(list, question{"uv", []string{"help", "pip", "install"}, inHelp})
}

// ask asks the pip or uv at hand.
func ask(ctx context.Context) (setting, error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	for _, q := range questions() {
		path, err := exec.LookPath(q.program)
		if err != nil && !errors.Is(err, exec.ErrDot) {
			continue
		}
		cmd := exec.CommandContext(ctx, path, q.args...)
		cmd.Env = append(os.Environ(), "NO_COLOR=1", "PYTHONIOENCODING=utf-8")
		cmd.WaitDelay = time.Second
		out, err := cmd.Output()
		if ctx.Err() != nil {
			return setting{}, fmt.Errorf("asking %s which index it uses: %w; set PIP_INDEX_URL or give --index-url", path, ctx.Err())
		}
		if m := q.answer.FindStringSubmatch(string(out)); err == nil && m != nil {
			return setting{strings.TrimRight(m[1], "."), "what " + path + " uses by default"}, nil
		}
	}
	return setting{}, errors.New("no package index is known: set PIP_INDEX_URL or UV_INDEX_URL to the URL of one, " +
		"or index-url in pip's configuration, or give --index-url; without any, the pip or uv on PATH would be asked, but there is none")
}
