// Package releases embeds the history of each library's API: facts about
// public headers, one JSON file a library, written by `cybindgo releases add`.
package releases

import "embed"

// FS holds LIBRARY.json for every library with a history.
//
//go:embed *.json
var FS embed.FS
