package align

import "github.com/cybindgo/cybindgo/internal/finding"

// The rules, in order of weight.
const (
	ruleFormat      = "format"
	ruleFunction    = "function"
	ruleSignature   = "signature"
	ruleSymbol      = "symbol"
	ruleVersion     = "version"
	ruleStatement   = "statement"
	ruleDeclaration = "declaration"
	ruleRegion      = "region"
	ruleOrder       = "order"
	ruleHeader      = "header"
	ruleUnreadable  = "unreadable"
	rulePlatform    = "platform"
)

// Rules are the kinds of differences.
var Rules = []finding.Rule{
	{
		ID: ruleFormat, Severity: finding.Error,
		Text: "Most functions of the two files differ.",
		Help: "One of the files is probably of another format or release: it was not generated again when the other was. Generate both.",
	},
	{
		ID: ruleFunction, Severity: finding.Error,
		Text: "A function is in one file only.",
		Help: "Calls of it fail on the other platform, or cannot be built there. Generate both files from the same input.",
	},
	{
		ID: ruleSignature, Severity: finding.Error,
		Text: "A function's signature differs.",
		Help: "The same call means something else on each platform. Generate both files from the same input.",
	},
	{
		ID: ruleSymbol, Severity: finding.Error,
		Text: "A symbol is looked up in one file only.",
		Help: "On the other platform the function is not found. Whether a platform's library has a symbol is found out when it is loaded: both files should ask for it.",
	},
	{
		ID: ruleVersion, Severity: finding.Error,
		Text: "A symbol is asked for in different versions.",
		Help: "The two platforms get functions with different behaviour, or signatures. Ask for the same version in both.",
	},
	{
		ID: ruleStatement, Severity: finding.Error,
		Text: "Statements of a function differ outside platform code.",
		Help: "The function does something else on each platform. Make the statements equal, or mark them as platform code if they have to differ.",
	},
	{
		ID: ruleDeclaration, Severity: finding.Error,
		Text: "Declarations differ outside platform code.",
		Help: "Make them equal, or mark them as platform code if they have to differ.",
	},
	{
		ID: ruleRegion, Severity: finding.Error,
		Text: "A platform region is marked wrongly.",
		Help: "A region begins with `/* platform: NAME */` and ends with `/* platform: end */`, each alone on its line, and stands at the same place in both files.",
	},
	{
		ID: ruleOrder, Severity: finding.Warning,
		Text: "A function stands at another place.",
		Help: "Nothing works differently, but the files cannot be compared by eye, and one of them was probably edited.",
	},
	{
		ID: ruleHeader, Severity: finding.Warning,
		Text: "The comments or directives at the top differ.",
		Help: "They say what a file was made from, and how it is compiled: the files are probably not of the same run.",
	},
	{
		ID: ruleUnreadable, Severity: finding.Warning,
		Text: "A place cannot be read.",
		Help: "What stands there was not compared.",
	},
	{
		ID: rulePlatform, Severity: finding.Note,
		Text: "A function of platform code differs or is in one file only, or an import is.",
		Help: "It calls a platform's own functions, so it may have to. Look at it once.",
	},
}

var severities = func() map[string]finding.Severity {
	m := map[string]finding.Severity{}
	for _, r := range Rules {
		m[r.ID] = r.Severity
	}
	return m
}()
