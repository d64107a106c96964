package main

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/cybindgo/cybindgo/internal/cli"
	"github.com/cybindgo/cybindgo/internal/pack"
)

// writeManual makes manual pages of all commands, and completions for shells.
func writeManual(j *job) ([]pack.File, error) {
	root := cli.Commands()
	root.DisableAutoGenTag = true // it has the day on which it was made
	root.InitDefaultHelpCmd()
	files, err := manualPages(root, j)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		file  string
		write func(*bytes.Buffer) error
	}{
		{"cybindgo.bash", func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) }},
		{"cybindgo.fish", func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) }},
		{"cybindgo.ps1", func(b *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(b) }},
		{"_cybindgo", func(b *bytes.Buffer) error { return root.GenZshCompletion(b) }},
	} {
		var b bytes.Buffer
		if err := c.write(&b); err != nil {
			return nil, err
		}
		files = append(files, pack.File{Name: "completions/" + c.file, Data: b.Bytes()})
	}
	return files, nil
}

// markdown indents what stands apart in a help text, so that it does in a page
// that is made from Markdown: its lines are not to be joined.
func markdown(help string) string {
	lines := strings.SplitAfter(help, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "  ") {
			lines[i] = "    " + line
		}
	}
	return strings.Join(lines, "")
}

// manualPages makes the page of a command and those of the commands below it.
func manualPages(cmd *cobra.Command, j *job) ([]pack.File, error) {
	at := j.at
	cmd.Long = markdown(cmd.Long)
	header := &doc.GenManHeader{Section: "1", Date: &at, Source: "cybindgo " + j.version, Manual: "cybindgo"}
	var b bytes.Buffer
	if err := doc.GenMan(cmd, header, &b); err != nil {
		return nil, err
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	files := []pack.File{{Name: "man/man1/" + name + ".1", Data: b.Bytes()}}
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		more, err := manualPages(c, j)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}
