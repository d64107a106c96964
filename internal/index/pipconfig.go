package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gopkg.in/ini.v1"
)

// pipConfig is what pip's configuration files say.
type pipConfig struct {
	values map[string]setting // by section/key
}

// get gives the value of a key: what is said of downloading and installing
// goes before what is said of all commands.
func (c *pipConfig) get(key string) setting {
	for _, section := range []string{"download", "install", "global"} {
		if s, ok := c.values[section+"/"+key]; ok {
			return s
		}
	}
	return setting{}
}

// readPipConfig reads the files that pip reads. Files that are not there are
// none; one that cannot be read is an error.
func readPipConfig() (*pipConfig, error) {
	c := &pipConfig{map[string]setting{}}
	for _, name := range pipFiles(runtime.GOOS, os.Getenv) {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("pip's configuration: %w", err)
		}
		if err := c.read(name, data); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// read takes the values of a file over those that were read before.
func (c *pipConfig) read(name string, data []byte) error {
	file, err := ini.LoadSources(ini.LoadOptions{
		AllowPythonMultilineValues: true, IgnoreInlineComment: true, AllowBooleanKeys: true,
		SkipUnrecognizableLines: true, PreserveSurroundedQuote: true,
	}, data)
	if err != nil {
		// What does not parse is not shown: there may be a password in it.
		return fmt.Errorf("%s: pip's configuration is not as expected: sections in brackets, lines KEY = VALUE", name)
	}
	for _, section := range file.Sections() {
		for _, key := range section.Keys() {
			k := strings.TrimLeft(strings.ReplaceAll(strings.ToLower(key.Name()), "_", "-"), "-")
			c.values[section.Name()+"/"+k] = setting{strings.TrimSpace(key.Value()), k + " in " + name}
		}
	}
	return nil
}

// etc is where the system's configuration is on Unix.
var etc = "/etc"

// pipFiles lists pip's configuration files on an operating system, the one
// that wins last: the system's, the user's, the virtual environment's, and the
// one in PIP_CONFIG_FILE (pip's documentation, "Configuration").
func pipFiles(system string, env func(string) string) (files []string) {
	extra := env("PIP_CONFIG_FILE")
	if extra == os.DevNull {
		return nil
	}
	add := func(dir string, rest ...string) {
		if dir != "" {
			files = append(files, filepath.Join(append([]string{dir}, rest...)...))
		}
	}
	home := env("HOME")
	switch system {
	case "windows":
		home = env("USERPROFILE")
		add(env("ProgramData"), "pip", "pip.ini")
		add(home, "pip", "pip.ini")
		add(env("APPDATA"), "pip", "pip.ini")
		add(env("VIRTUAL_ENV"), "pip.ini")
	case "darwin":
		add("/Library/Application Support", "pip", "pip.conf")
		add(home, ".pip", "pip.conf")
		add(home, ".config", "pip", "pip.conf")
		add(home, "Library", "Application Support", "pip", "pip.conf")
		add(env("VIRTUAL_ENV"), "pip.conf")
	default:
		dirs := env("XDG_CONFIG_DIRS")
		if dirs == "" {
			dirs = filepath.Join(etc, "xdg")
		}
		for _, dir := range filepath.SplitList(dirs) {
			add(dir, "pip", "pip.conf")
		}
		add(etc, "pip.conf")
		add(home, ".pip", "pip.conf")
		if dir := env("XDG_CONFIG_HOME"); dir != "" {
			add(dir, "pip", "pip.conf")
		} else {
			add(home, ".config", "pip", "pip.conf")
		}
		add(env("VIRTUAL_ENV"), "pip.conf")
	}
	if extra != "" {
		files = append(files, extra)
	}
	return files
}
