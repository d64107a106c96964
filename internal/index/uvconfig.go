package index

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/BurntSushi/toml"
)

// uvFile is what is read of uv.toml.
type uvFile struct {
	IndexURL string `toml:"index-url"`
	Index    []struct {
		Name    string `toml:"name"`
		URL     string `toml:"url"`
		Default bool   `toml:"default"`
	} `toml:"index"`
	Pip struct {
		IndexURL string `toml:"index-url"`
	} `toml:"pip"`
}

// readUVConfig gives the default index of uv's configuration: the file that
// UV_CONFIG_FILE names, or the user's, or the system's.
func readUVConfig() (setting, error) {
	for _, name := range uvFiles(runtime.GOOS, os.Getenv) {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		s, err := uvIndex(name, data, os.Getenv)
		if err != nil || s.value != "" {
			return s, err
		}
	}
	return setting{}, nil
}

// uvIndex gives the default index that a file names, with the credentials that
// the environment has for it.
func uvIndex(name string, data []byte, env func(string) string) (setting, error) {
	var f uvFile
	if _, err := toml.Decode(string(data), &f); err != nil {
		// What does not parse is not shown: there may be a password in it.
		return setting{}, fmt.Errorf("%s: uv's configuration is not as expected: it is no TOML, or a value is of another type", name)
	}
	for _, i := range f.Index {
		if !i.Default {
			continue
		}
		s := setting{i.URL, "the default index in " + name}
		key := "UV_INDEX_" + strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
				return r
			}
			return '_'
		}, strings.ToUpper(i.Name))
		user, password := env(key+"_USERNAME"), env(key+"_PASSWORD")
		if u, err := url.Parse(i.URL); err == nil && i.Name != "" && user+password != "" {
			u.User = url.UserPassword(user, password)
			s.value = u.String()
		}
		return s, nil
	}
	for _, u := range []string{f.IndexURL, f.Pip.IndexURL} {
		if u != "" {
			return setting{u, "index-url in " + name}, nil
		}
	}
	return setting{}, nil
}

// uvFiles lists uv's configuration files outside of projects, the one that
// wins first.
func uvFiles(system string, env func(string) string) (files []string) {
	if env("UV_NO_CONFIG") != "" {
		return nil
	}
	if name := env("UV_CONFIG_FILE"); name != "" {
		return []string{name}
	}
	add := func(dir string, rest ...string) {
		if dir != "" {
			files = append(files, filepath.Join(append([]string{dir}, rest...)...))
		}
	}
	if system == "windows" {
		add(env("APPDATA"), "uv", "uv.toml")
		add(env("ProgramData"), "uv", "uv.toml")
		return files
	}
	if dir := env("XDG_CONFIG_HOME"); dir != "" {
		add(dir, "uv", "uv.toml")
	} else {
		add(env("HOME"), ".config", "uv", "uv.toml")
	}
	for _, dir := range filepath.SplitList(env("XDG_CONFIG_DIRS")) {
		add(dir, "uv", "uv.toml")
	}
	add(etc, "uv", "uv.toml")
	return files
}
