package cli

import (
	"regexp"
	"runtime/debug"
	"strings"
)

// version and commit say what this program is, where whoever linked it knew:
// -ldflags "-X github.com/cybindgo/cybindgo/internal/cli.version=1.2.0".
var version, commit string

// commitLength is how much of a commit is shown.
const commitLength = 12

// pseudoVersion is what the Go command calls a commit without a tag:
// v1.2.1-0.20261105083000-0123456789ab, and +dirty if files were changed.
var pseudoVersion = regexp.MustCompile(`^v?(.*?)-(?:(?:.*\.)?0\.)?[0-9]{14}-([0-9a-f]{12})(?:\+.*)?$`)

// versionText is what `cybindgo --version` says behind the name: a version, and
// the commit in parentheses where it is known. info is nil if the program says
// nothing of how it was built.
func versionText(version, commit string, info *debug.BuildInfo) string {
	if version == "" && info != nil {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && commit == "" {
				commit = s.Value
			}
		}
		// A commit between two versions is neither of them.
		if m := pseudoVersion.FindStringSubmatch(version); m != nil {
			version = "devel"
			if commit == "" {
				commit = m[2]
			}
		}
	}
	version = strings.TrimPrefix(version, "v")
	if version == "" || version == "(devel)" {
		version = "devel"
	}
	if commit == "" {
		return version
	}
	return version + " (" + commit[:min(len(commit), commitLength)] + ")"
}

// ownVersion is the text for this program.
func ownVersion() string {
	info, _ := debug.ReadBuildInfo()
	return versionText(version, commit, info)
}
