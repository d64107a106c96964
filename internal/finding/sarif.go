package finding

import (
	"io"
	"net/url"
	"path"
)

// The part of SARIF 2.1.0 that is printed
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). Nothing in it depends on
// the time, the host or where the project lies.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string     `json:"id"`
		Short   *sarifText `json:"shortDescription,omitzero"`
		Help    *sarifText `json:"help,omitzero"`
		Default *struct {
			Level Severity `json:"level"`
		} `json:"defaultConfiguration,omitzero"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     Severity        `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		ID       int `json:"id,omitzero"`
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitzero"`
		} `json:"physicalLocation"`
		Message *sarifText `json:"message,omitzero"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitzero"`
		EndLine     int `json:"endLine,omitzero"`
		EndColumn   int `json:"endColumn,omitzero"`
	}
)

func (r *Report) printSARIF(w io.Writer) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "cybindgo", InformationURI: "https://github.com/cybindgo/cybindgo", Rules: []sarifRule{}}
	index := map[string]int{}
	for _, rule := range r.Rules {
		index[rule.ID] = len(index)
		s := sarifRule{ID: rule.ID, Short: &sarifText{rule.Text}, Help: &sarifText{rule.Help}}
		s.Default = &struct {
			Level Severity `json:"level"`
		}{rule.Severity}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, s)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if _, known := index[f.Rule]; !known {
			index[f.Rule] = len(index)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: f.Rule})
		}
		text := f.Message
		if f.Hint != "" {
			text += "\n" + f.Hint
		}
		result := sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: f.Severity, Message: sarifText{text},
			Locations: []sarifLocation{r.sarifLocation(f.Place)},
		}
		for n, o := range f.Related {
			l := r.sarifLocation(o.Place)
			l.ID, l.Message = n+1, &sarifText{o.Message}
			result.Related = append(result.Related, l)
		}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func (r *Report) sarifLocation(p Place) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = fileURI(p.File)
	if p.Line == 0 {
		return l
	}
	l.Physical.Region = &sarifRegion{StartLine: p.Line, StartColumn: r.letters(p, p.Line, p.Col), EndLine: p.EndLine}
	if p.EndCol > 0 { // SARIF's end is the first letter that does not belong
		l.Physical.Region.EndColumn = r.letters(p, max(p.EndLine, p.Line), p.EndCol+1)
	}
	return l
}

// fileURI is a relative reference for a relative path, and a file: URI for an
// absolute one.
func fileURI(file string) string {
	switch {
	case path.IsAbs(file):
		return (&url.URL{Scheme: "file", Path: file}).String()
	case len(file) > 2 && file[1:3] == ":/": // C:/x
		return (&url.URL{Scheme: "file", Path: "/" + file}).String()
	}
	return (&url.URL{Path: file}).String()
}
