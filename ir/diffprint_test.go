package ir

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// checkAgree reads the three reports of the same changes back, and compares
// what they count with what they list.
func checkAgree(t *testing.T, c *Changes) {
	t.Helper()
	want := c.Counts()
	if n := want; n.Changes != len(c.List) || n.Changes != n.Source+n.ABI-n.Both+n.Limits+n.Neither {
		t.Fatalf("the counts %+v do not add up for %d changes", n, len(c.List))
	}

	text, markdown := c.Text(), c.Markdown()
	head, body, _ := strings.Cut(text, "\n")
	same(t, "counts in text", want, countsIn(t, head))
	var listed Counts
	for _, line := range strings.Split(body, "\n") {
		if line == "" || strings.HasPrefix(line, "    ") {
			continue
		}
		listed.add(strings.Contains(line, "[breaks source"), strings.Contains(line, "the ABI]"), strings.HasSuffix(limitEnd.ReplaceAllString(line, ""), "[limit]"))
	}
	same(t, "lines of text", want, listed)

	same(t, "counts in Markdown", want, countsIn(t, strings.Split(markdown, "\n")[2]))
	listed, section := Counts{}, ""
	for _, line := range strings.Split(markdown, "\n") {
		if strings.HasPrefix(line, "## ") {
			section = line
		}
		if strings.HasPrefix(line, "- ") {
			listed.add(strings.Contains(line, " — breaks source"), strings.Contains(line, "the ABI"), strings.HasPrefix(section, "## Limits"))
		}
	}
	same(t, "items of Markdown", want, listed)

	var read struct {
		Format  int
		Counts  Counts
		Changes []changeJSON
	}
	if err := json.Unmarshal(c.JSON(), &read); err != nil {
		t.Fatal(err)
	}
	same(t, "counts in JSON", want, read.Counts)
	listed = Counts{}
	for i, x := range read.Changes {
		breaks := strings.Join(x.Breaks, " ")
		listed.add(strings.Contains(breaks, "source"), strings.Contains(breaks, "abi"), x.Limit)
		line := (&Change{Subject: x.Subject, What: x.What, Name: x.Name, In: x.In, Old: x.Old, New: x.New, Detail: x.Detail, Limit: x.Limit, Breaks: c.List[i].Breaks, On: x.On}).String()
		same(t, "a change read from JSON", c.List[i].String(), line)
	}
	same(t, "changes in JSON", want, listed)
}

// limitEnd is what may follow the class in a line of text.
var limitEnd = regexp.MustCompile(` on \S+(, \S+)*$`)

func (n *Counts) add(source, abi, limit bool) {
	n.Changes++
	switch {
	case source && abi:
		n.Source++
		n.ABI++
		n.Both++
	case source:
		n.Source++
	case abi:
		n.ABI++
	case limit:
		n.Limits++
	default:
		n.Neither++
	}
}

var countsLine = regexp.MustCompile(`(\d+) changes?: (\d+) break source, (\d+) break the ABI \((\d+) both\), (\d+) limits, (\d+) neither`)

func countsIn(t *testing.T, line string) Counts {
	t.Helper()
	if strings.Contains(strings.ToLower(line), "no changes") {
		return Counts{}
	}
	m := countsLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no counts in %q", line)
	}
	var n [6]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1])
	}
	return Counts{n[0], n[1], n[2], n[3], n[4], n[5]}
}
