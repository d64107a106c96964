package align

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cybindgo/cybindgo/internal/finding"
)

// comparison is two files and what was found about them.
type comparison struct {
	a, b     *file
	strict   bool // the files mark their platform code
	findings []finding.Finding
}

// Files compares two platform files, given by their names and contents. Places
// are in the first file where it has the thing, with the other file's place
// beside it, and in the second otherwise. It is an error if a file has no
// function: then it is no platform file, and nothing would be compared.
func Files(aName string, aData []byte, bName string, bData []byte) (*finding.Report, error) {
	c := &comparison{a: read(aName, aData), b: read(bName, bData)}
	for _, f := range []*file{c.a, c.b} {
		if len(f.functions) == 0 {
			return nil, fmt.Errorf("%s: no function in it: expected a platform file of a loader, such as driver_linux.pyx", f.name)
		}
	}
	c.findings = append(c.findings, c.a.problems...)
	c.findings = append(c.findings, c.b.problems...)
	c.strict = len(c.a.regions)+len(c.b.regions) > 0
	if !c.strict {
		passPlatform(c.a, c.b)
	}
	c.platforms()
	c.header()
	differ, common := c.functions()
	c.compareSequences(c.a.level.body, c.b.level.body, "", ruleDeclaration, finding.Place{File: aName}, finding.Place{File: bName})
	finding.Sort(c.findings)
	c.format(differ, common)
	r := &finding.Report{Command: "align", Rules: Rules, Findings: c.findings, Files: 2}
	r.Summary = c.summary(common)
	return r, nil
}

// format says, before everything else, that the files are of different make:
// then most that follows has one reason.
func (c *comparison) format(differ, common int) {
	alone := 0
	for _, f := range c.findings {
		if f.Rule == ruleFunction {
			alone++
		}
	}
	if total := common + alone; total < 4 || 2*(differ+alone) <= total {
		return
	}
	message := fmt.Sprintf("%d of the %d functions that both files have differ, and %d are in one of them only", differ, common, alone)
	if common == 0 {
		message = "the files have no function in common"
	}
	f := newFinding(ruleFormat, finding.Place{File: c.a.name, Line: 1}, message)
	f.Hint = "one file was probably not generated again when the other was: generate both"
	f.Related = []finding.Related{{Place: finding.Place{File: c.b.name, Line: 1}, Message: "the other file"}}
	c.findings = slices.Insert(c.findings, 0, f)
}

func newFinding(rule string, at finding.Place, message string) finding.Finding {
	return finding.Finding{Rule: rule, Severity: severities[rule], Place: at, Message: message}
}

func (c *comparison) add(rule string, at, other finding.Place, message, otherMessage string) {
	f := newFinding(rule, at, message)
	f.Related = []finding.Related{{Place: other, Message: otherMessage}}
	c.findings = append(c.findings, f)
}

// platforms checks that the regions of the files are of two platforms.
func (c *comparison) platforms() {
	for _, f := range []*file{c.a, c.b} {
		for _, r := range f.regions[min(1, len(f.regions)):] {
			if r.platform != f.regions[0].platform {
				c.add(ruleRegion, finding.Place{File: f.name, Line: int(r.first)}, finding.Place{File: f.name, Line: int(f.regions[0].first)},
					fmt.Sprintf("a region of %s in a file for %s", r.platform, f.regions[0].platform), "the file's first region")
			}
		}
	}
	if len(c.a.regions) > 0 && len(c.b.regions) > 0 && c.a.regions[0].platform == c.b.regions[0].platform {
		c.add(ruleRegion, finding.Place{File: c.a.name, Line: int(c.a.regions[0].first)}, finding.Place{File: c.b.name, Line: int(c.b.regions[0].first)},
			"both files are for "+c.a.regions[0].platform, "the other file's region")
	}
}

// header compares the comments at the top, which say what a file was made from.
func (c *comparison) header() {
	a, b := c.a.header, c.b.header
	for i := range max(len(a), len(b)) {
		at := func(f *file, list []comment) (finding.Place, string) {
			if i < len(list) {
				return finding.Place{File: f.name, Line: list[i].line}, quoted(list[i].text)
			}
			return finding.Place{File: f.name, Line: 1}, "nothing"
		}
		aPlace, aText := at(c.a, a)
		bPlace, bText := at(c.b, b)
		if aText != bText {
			c.add(ruleHeader, aPlace, bPlace, fmt.Sprintf("the comment at the top says %s here, %s there", aText, bText), "there")
			return
		}
	}
}

// functions compares the functions, and gives how many there are in both files
// and how many of those differ.
func (c *comparison) functions() (differ, common int) {
	aOrder, bOrder := c.single(c.a, c.b), c.single(c.b, c.a)
	for _, u := range aOrder {
		other := c.b.byName[u.name]
		if !c.strict && u.platform && other.platform {
			c.helper(u, other)
			continue
		}
		before := len(c.findings)
		c.signatures(u, other)
		c.compareSequences(u.body, other.body, "in "+u.shown+": ", ruleStatement, u.place, other.place)
		if len(c.findings) > before {
			differ++
		}
	}
	c.order(aOrder, bOrder)
	return differ, len(aOrder)
}

// single reports the functions that one file has and the other lacks, each with
// its neighbour in the other file, which says where it is expected. It gives
// the functions that both have.
func (c *comparison) single(has, lacks *file) (both []*unit) {
	for _, u := range has.functions {
		if lacks.byName[u.name] != nil {
			both = append(both, u)
		}
	}
	passed := 0 // of both
	for _, u := range has.functions {
		if passed < len(both) && both[passed] == u {
			passed++
			continue
		}
		expected, where := finding.Place{File: lacks.name}, "no function of this name"
		switch {
		case passed > 0:
			expected, where = lacks.byName[both[passed-1].name].place, "expected after this function"
		case len(both) > 0:
			expected, where = lacks.byName[both[0].name].place, "expected before this function"
		}
		if !c.strict && u.platform {
			c.add(rulePlatform, u.place, expected, u.shown+", a function of platform code, is in this file only", where)
			continue
		}
		c.add(ruleFunction, u.place, expected, u.shown+" is in this file only", where)
	}
	return both
}

// helper notes that a function of platform code differs from the other file's.
func (c *comparison) helper(a, b *unit) {
	x, y := joined(a), joined(b)
	if x.key != y.key || !slices.Equal(keys(a.body), keys(b.body)) {
		c.add(rulePlatform, a.place, b.place, fmt.Sprintf("%s, a function of platform code, differs", a.shown), "there")
	}
}

// joined is the head of a function as one statement.
func joined(u *unit) statement {
	var s statement
	var texts []string
	for _, h := range u.head {
		s.tokens = append(s.tokens, h.tokens...)
		texts = append(texts, h.text)
	}
	s.key, s.text = key(s.tokens, 0), strings.Join(texts, " ")
	return s
}

// signatures compares the heads of a function, decorators included.
func (c *comparison) signatures(a, b *unit) {
	x, y := joined(a), joined(b)
	if x.key == y.key {
		return
	}
	i := 0
	for i < len(x.tokens) && i < len(y.tokens) && x.tokens[i].Text == y.tokens[i].Text {
		i++
	}
	c.add(ruleSignature, c.a.token(&x, i), c.b.token(&y, i), fmt.Sprintf("the signature of %s is %s here, %s there", a.shown, quoted(x.text), quoted(y.text)), "there")
}

// order reports functions that stand at another place: those that are not in
// the longest run which both files have in the same order.
func (c *comparison) order(a, b []*unit) {
	place := map[string]int{}
	for i, u := range b {
		place[u.name] = i
	}
	numbers := make([]int, len(a))
	for i, u := range a {
		numbers[i] = place[u.name]
	}
	inOrder := longestRise(numbers)
	for i, u := range a {
		if inOrder[i] {
			continue
		}
		o := b[numbers[i]]
		after := "at the start"
		if n := numbers[i]; n > 0 {
			after = "after " + b[n-1].shown
		}
		c.add(ruleOrder, u.place, o.place, fmt.Sprintf("%s stands at another place: %s in the other file", u.shown, after), "there")
	}
}

// longestRise marks a longest increasing subsequence of different numbers.
func longestRise(numbers []int) []bool {
	tails := []int{}                    // indices: the best end of each length
	before := make([]int, len(numbers)) // the index before, in the best run that ends here
	for i, n := range numbers {
		at, _ := slices.BinarySearchFunc(tails, n, func(j, n int) int { return numbers[j] - n })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	in := make([]bool, len(numbers))
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			in[i] = true
		}
	}
	return in
}

// summary says what was compared and what was passed over.
func (c *comparison) summary(common int) string {
	passed := fmt.Sprintf("%d and %d statements of platform code passed over", c.a.passed, c.b.passed)
	if c.strict {
		passed = fmt.Sprintf("%d and %d platform regions passed over", len(c.a.regions), len(c.b.regions))
	}
	notes := 0
	for _, f := range c.findings {
		if f.Severity == finding.Note {
			notes++
		}
	}
	n := len(c.findings) - notes
	verdict := "the files agree"
	if n > 0 {
		verdict = fmt.Sprintf("%d differences", n)
	}
	if notes > 0 {
		verdict += fmt.Sprintf(" and %d notes", notes)
	}
	return fmt.Sprintf("%d functions in both, %s: %s", common, passed, verdict)
}
