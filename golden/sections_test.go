package golden

import (
	"fmt"
	"strings"

	"github.com/cybindgo/cybindgo/internal/config"
)

// The sections of emitted files that a case may show instead of a whole file:
// from the line after the one that holds begin up to the one that holds end.
// Without an end a section goes to the end of the file.
var sections = map[string]struct{ begin, end string }{
	"types":     {"# Types\n" + banner, banner + "# Constants"},
	"constants": {"# Constants\n" + banner, banner + "# Functions"},
	"functions": {"# Functions\n" + banner, ""},
	"rows":      {"cyb_rows[CYB_COUNT] = {\n", "    };"},
	"platform":  {"/* platform: ", "    /* platform: end */"},
	"open":      {"cdef void* _cyb_open_library() except NULL:\n", "cdef int _cyb_initialise()"},
}

const banner = "###############################################################################\n"

// part is what came out under a name: an emitted file, a section of one, or
// facts.
func (o *outcome) part(name string) (string, error) {
	if write, ok := facts[name]; ok {
		var b strings.Builder
		write(&b, o)
		return b.String(), nil
	}
	file, section, cut := strings.Cut(name, "#")
	text, err := o.file(file)
	if err != nil || !cut {
		return text, err
	}
	s, ok := sections[section]
	if !ok {
		return "", fmt.Errorf("%s: there is no section %q", name, section)
	}
	_, rest, ok := strings.Cut(text, s.begin)
	if !ok {
		return "", fmt.Errorf("%s: the file has no %q", name, s.begin)
	}
	if s.end != "" {
		if rest, _, ok = strings.Cut(rest, s.end); !ok {
			return "", fmt.Errorf("%s: the section has no end", name)
		}
	}
	return strings.Trim(rest, "\n") + "\n", nil
}

// file finds an emitted file by its path below the package's modules or below
// its output.
func (o *outcome) file(name string) (string, error) {
	for i := range o.project.Packages {
		pkg := &o.project.Packages[i]
		for _, dir := range []string{moduleDir(pkg), pkg.Output, ""} {
			if data, ok := o.emitted.Files[strings.TrimPrefix(dir+"/"+name, "/")]; ok {
				return string(data), nil
			}
		}
	}
	return "", fmt.Errorf("no file %s is emitted", name)
}

func moduleDir(pkg *config.Package) string {
	return pkg.Output + "/" + strings.ReplaceAll(pkg.Module, ".", "/")
}
