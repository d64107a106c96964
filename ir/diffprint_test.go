package ir

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// checkAgree reads the three reports of the same changes back, and compares
// what they count with what they list.
func checkAgree(t *testing.T, c *Changes) {
	t.Helper()
	want, sum := c.ByClass(), 0
	for _, n := range want {
		sum += n
	}
	if n := c.Counts(); sum != len(c.List) || n.Changes != sum || n.Changes != n.Source+n.ABI-n.Both+n.Limits+n.Neither {
		t.Fatalf("the counts %+v and %v do not add up for %d changes", n, want, len(c.List))
	}
	// What is neither an addition nor of no consequence says so, line by line.
	quiet := want[Addition] + want[Other]

	text, markdown := c.Text(), c.Markdown()
	head, body, _ := strings.Cut(text, "\n")
	same(t, "counts in text", want, countsIn(t, head))
	listed, silent := empty(), 0
	for _, line := range strings.Split(body, "\n") {
		if line == "" || strings.HasPrefix(line, "    ") {
			continue
		}
		if m := verdictEnd.FindStringSubmatch(line); m != nil {
			listed[classIn(t, m[1])]++
		} else {
			silent++
		}
	}
	same(t, "lines of text without a class", quiet, silent)
	listed[Addition], listed[Other] = want[Addition], want[Other]
	same(t, "lines of text", want, listed)

	same(t, "counts in Markdown", want, countsIn(t, strings.Split(markdown, "\n")[2]))
	listed = empty()
	var class Class
	for _, line := range strings.Split(markdown, "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			title, _, _ = strings.Cut(title, " (")
			class = Classes[slices.IndexFunc(Classes, func(c Class) bool { return c.Title() == title })]
		}
		if strings.HasPrefix(line, "- ") {
			listed[class]++
		}
	}
	same(t, "items of Markdown", want, listed)

	var read struct {
		Format  int
		Counts  Counts
		Classes map[Class]int
		Changes []changeJSON
	}
	if err := json.Unmarshal(c.JSON(), &read); err != nil {
		t.Fatal(err)
	}
	same(t, "counts in JSON", c.Counts(), read.Counts)
	same(t, "classes in JSON", want, read.Classes)
	listed = empty()
	for i, x := range read.Changes {
		listed[x.Class]++
		line := (&Change{Subject: x.Subject, What: x.What, Name: x.Name, In: x.In, Old: x.Old, New: x.New, Detail: x.Detail, Limit: x.Limit, Breaks: c.List[i].Breaks, On: x.On}).String()
		same(t, "a change read from JSON", c.List[i].String(), line)
		same(t, "what it breaks", c.List[i].Breaks.Names(), x.Breaks)
	}
	same(t, "changes in JSON", want, listed)
}

func empty() map[Class]int { return (&Changes{}).ByClass() }

// verdictEnd is the class at the end of a line of text, before its platforms.
var verdictEnd = regexp.MustCompile(`.* \[([\w ]+?)(?:, source break)?\](?: on \S+(?:, \S+)*)?$`)

var countsLine = regexp.MustCompile(`(\d+) changes?: (.*?)\.?$`)

// countsIn reads what [Changes.Summary] wrote.
func countsIn(t *testing.T, line string) map[Class]int {
	t.Helper()
	n := empty()
	if strings.Contains(strings.ToLower(line), "no changes") {
		return n
	}
	m := countsLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no counts in %q", line)
	}
	for _, part := range strings.Split(m[2], ", ") {
		number, words, _ := strings.Cut(part, " ")
		n[classIn(t, strings.TrimSuffix(words, "s"))], _ = strconv.Atoi(number)
	}
	return n
}

func classIn(t *testing.T, words string) Class {
	t.Helper()
	for _, c := range Classes {
		if c.Words() == words {
			return c
		}
	}
	t.Fatalf("%q is no class", words)
	return ""
}
