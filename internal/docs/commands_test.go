package docs

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/cli"
)

var update = flag.Bool("update", false, "write the parts of docs/ that are made from the source")

const commandsHead = `# Commands

<!-- Made from the commands' help by ` + "`go test ./internal/docs -update`" + `; edits are lost. -->

Exit codes: 0 clean, 1 found something, 2 could not run. Results go to standard output,
everything else to standard error.

`

// docs/commands.md holds the help of every command.
func TestCommandsAreListed(t *testing.T) {
	var text strings.Builder
	text.WriteString(commandsHead)
	names := commands(t)
	for _, name := range names {
		text.WriteString("- [`" + name + "`](#" + strings.ReplaceAll(name, " ", "-") + ")\n")
	}
	for _, name := range names {
		text.WriteString("\n## " + name + "\n\n```text\n" + help(t, strings.Fields(name)[1:]...) + "```\n")
	}
	hold(t, "docs/commands.md", text.String())
}

// Every command is in the README's table, and every command in it exists.
func TestCommandsAreInTheReadme(t *testing.T) {
	readme := read(t, "README.md")
	_, table, found := strings.Cut(readme, "\n## Commands\n")
	if !found {
		t.Fatal("README.md has no section Commands")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	var got, want []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z -]+)").FindAllStringSubmatch(table, -1) {
		got = append(got, strings.TrimRight(m[1], " -"))
	}
	for _, name := range commands(t) {
		want = append(want, strings.TrimPrefix(name, "cybindgo "))
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("commands in the README (-there are +listed):\n%s", d)
	}
}

// commands lists the commands that do something, by their full names.
func commands(t *testing.T, above ...string) []string {
	t.Helper()
	var out []string
	_, list, group := strings.Cut(help(t, above...), "\nAvailable Commands:\n")
	if !group {
		return []string{strings.Join(append([]string{"cybindgo"}, above...), " ")}
	}
	list, _, _ = strings.Cut(list, "\n\n")
	for _, line := range strings.Split(list, "\n") {
		if name := strings.Fields(line)[0]; name != "help" && name != "completion" {
			out = append(out, commands(t, append(append([]string(nil), above...), name)...)...)
		}
	}
	return out
}

func help(t *testing.T, command ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := cli.Run(append(append([]string(nil), command...), "--help"), &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("%v --help: exit code %d: %s", command, code, errs.String())
	}
	return out.String()
}

// hold compares a file that is made from the source with what it should be, and
// writes it with -update.
func hold(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		write(t, filepath.Join("..", "..", filepath.FromSlash(path)), want)
		return
	}
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(data)); d != "" {
		t.Errorf("%s is out of date: run `go test ./internal/docs -update` (-want +got):\n%s", path, d)
	}
}
