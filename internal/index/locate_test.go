package index

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bare is an environment in which no index is set and nobody can be asked.
func bare(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CONFIG_DIRS": home + "/none", "PATH": home + "/bin", "VIRTUAL_ENV": "",
		"PIP_CONFIG_FILE": "", "PIP_INDEX_URL": "", "UV_INDEX_URL": "", "UV_DEFAULT_INDEX": "", "UV_CONFIG_FILE": "", "UV_NO_CONFIG": "",
		"PIP_CERT": "", "REQUESTS_CA_BUNDLE": "", "CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": "", "PIP_CLIENT_CERT": "",
		"PIP_TRUSTED_HOST": "", "UV_INSECURE_HOST": "", "PIP_PROXY": "", "NETRC": "", "PIP_NO_INDEX": "", "UV_NO_INDEX": "",
	} {
		t.Setenv(name, value)
	}
	etc = home + "/etc"
	t.Cleanup(func() { etc = "/etc" })
	return home
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestWhereTheIndexIs sets one place after the other, each of which wins over
// those before.
func TestWhereTheIndexIs(t *testing.T) {
	home := bare(t)
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(home, "none.conf"))
	given := ""
	for _, step := range []struct {
		name      string
		set       func()
		url, from string
	}{
		{"uv", func() {
			write(t, home+"/bin/uv", "#!/bin/sh\necho '  --default-index <URL>  The URL of the default index (by default: <https://uv.example/simple>).'\n", 0o777)
		}, "https://uv.example/simple", "what DIR/bin/uv uses by default"},
		{"pip", func() {
			write(t, home+"/bin/python3", "#!/bin/sh\necho a warning\necho https://pip.example/simple\n", 0o777)
		}, "https://pip.example/simple", "what DIR/bin/python3 uses by default"},
		{"pip of the virtual environment", func() {
			write(t, home+"/venv/bin/python", "#!/bin/sh\necho https://venv.example/simple/\n", 0o777)
			t.Setenv("VIRTUAL_ENV", home+"/venv")
		}, "https://venv.example/simple", "what DIR/venv/bin/python uses by default"},
		{"uv's configuration", func() { write(t, home+"/uv/uv.toml", "index-url = \"https://uvconf.example/simple\"\n", 0o666) },
			"https://uvconf.example/simple", "index-url in DIR/uv/uv.toml"},
		{"uv's default index", func() {
			write(t, home+"/uv/uv.toml", "[[index]]\nname = \"a\"\nurl = \"https://a.example/simple\"\n[[index]]\nname = \"my-b\"\nurl = \"https://b.example/simple\"\ndefault = true\n", 0o666)
		}, "https://b.example/simple", "the default index in DIR/uv/uv.toml"},
		{"the system's pip.conf", func() { write(t, home+"/etc/pip.conf", "[global]\nindex-url = https://system.example/simple\n", 0o666) },
			"https://system.example/simple", "index-url in DIR/etc/pip.conf"},
		{"the user's pip.conf", func() { write(t, home+"/pip/pip.conf", "[global]\nindex-url = https://user.example/simple\n", 0o666) },
			"https://user.example/simple", "index-url in DIR/pip/pip.conf"},
		{"a part of it for one command", func() {
			write(t, home+"/pip/pip.conf", "# a comment\n[global]\nindex-url = https://user.example/simple\n[install]\nindex_url=https://install.example/simple\n", 0o666)
		}, "https://install.example/simple", "index-url in DIR/pip/pip.conf"},
		{"the virtual environment's pip.conf", func() {
			write(t, home+"/venv/pip.conf", "[install]\nindex-url: https://site.example/simple\n", 0o666)
		}, "https://site.example/simple", "index-url in DIR/venv/pip.conf"},
		{"PIP_CONFIG_FILE", func() { write(t, home+"/none.conf", "[download]\nindex-url = https://file.example/simple\n", 0o666) },
			"https://file.example/simple", "index-url in DIR/none.conf"},
		{"UV_DEFAULT_INDEX", func() { t.Setenv("UV_DEFAULT_INDEX", "main=https://uvdefault.example/simple") }, "https://uvdefault.example/simple", "UV_DEFAULT_INDEX"},
		{"UV_INDEX_URL", func() { t.Setenv("UV_INDEX_URL", "https://uvenv.example/simple") }, "https://uvenv.example/simple", "UV_INDEX_URL"},
		{"PIP_INDEX_URL", func() { t.Setenv("PIP_INDEX_URL", "https://env.example/simple") }, "https://env.example/simple", "PIP_INDEX_URL"},
		{"the flag", func() { given = "https://flag.example/simple/?q#f" }, "https://flag.example/simple", "--index-url"},
	} {
		step.set()
		l, err := Locate(context.Background(), given)
		if err != nil {
			t.Errorf("%s: %v", step.name, err)
			continue
		}
		if got, from := l.URL.String(), strings.ReplaceAll(l.From, home, "DIR"); got != step.url || from != step.from {
			t.Errorf("%s: %s from %s, want %s from %s", step.name, got, from, step.url, step.from)
		}
	}
}

func TestWithoutAnIndex(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(home string)
		want string
	}{
		{"nobody to ask", func(string) {}, "no package index is known: set PIP_INDEX_URL or UV_INDEX_URL to the URL of one, " +
			"or index-url in pip's configuration, or give --index-url; without any, the pip or uv on PATH would be asked, but there is none"},
		{"nobody who knows", func(home string) { write(t, home+"/bin/python3", "#!/bin/sh\nexit 1\n", 0o777) }, "no package index is known: set PIP_INDEX_URL or UV_INDEX_URL to the URL of one, " +
			"or index-url in pip's configuration, or give --index-url; without any, the pip or uv on PATH would be asked, but there is none"},
		{"no URL", func(string) { t.Setenv("PIP_INDEX_URL", "user:secret@host/simple") }, "PIP_INDEX_URL is no URL of an index: expected https://HOST/PATH"},
		{"not even nearly", func(string) { t.Setenv("PIP_INDEX_URL", "https://user:sec%zzret@host/") }, "PIP_INDEX_URL is no URL of an index: expected https://HOST/PATH"},
		{"another scheme", func(string) { t.Setenv("PIP_INDEX_URL", "file:///simple") }, "PIP_INDEX_URL is no URL of an index: expected https://HOST/PATH"},
		{"no TLS", func(string) { t.Setenv("PIP_INDEX_URL", "http://user:secret@host.example/simple") },
			"the index at http://host.example/simple (from PIP_INDEX_URL) is not secure: expected https, or its host in PIP_TRUSTED_HOST"},
		{"a proxy that is none", func(string) { t.Setenv("PIP_PROXY", "http://user:secret@/") }, "the proxy that pip is given is no URL: expected http://HOST:PORT"},
		{"a pip.conf that is none", func(home string) {
			write(t, home+"/pip/pip.conf", "[global\nindex-url = https://user:secret@host\n", 0o666)
		},
			"DIR/pip/pip.conf: pip's configuration is not as expected: sections in brackets, lines KEY = VALUE"},
		{"a uv.toml that is none", func(home string) { write(t, home+"/uv/uv.toml", "index-url = https://user:secret@host\n", 0o666) },
			"DIR/uv/uv.toml: uv's configuration is not as expected: it is no TOML, or a value is of another type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := bare(t)
			c.set(home)
			_, err := Locate(context.Background(), "")
			if err == nil || strings.ReplaceAll(err.Error(), home, "DIR") != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestWays(t *testing.T) {
	home := bare(t)
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(home, "pip.conf"))
	write(t, home+"/pip.conf", "[global]\ncert = /conf.pem\nproxy = proxy.example:3128\ntrusted-host =\n    a.example\n    b.example:8080\nclient-cert = /client.pem\n", 0o666)
	t.Setenv("PIP_INDEX_URL", "http://a.example/simple")
	l, err := Locate(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{strings.Join(l.Ways.Certificates, " "), l.Ways.Client, l.Ways.Proxy.String(), strings.Join(l.Ways.Trusted, " ")}
	if want := []string{"/conf.pem", "/client.pem", "http://proxy.example:3128", "a.example b.example:8080"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, step := range []struct{ name, value, want string }{
		{"SSL_CERT_FILE", "/ssl.pem", "/conf.pem"},
		{"REQUESTS_CA_BUNDLE", "/requests.pem", "/conf.pem"},
		{"PIP_CERT", "/pip.pem", "/pip.pem"},
	} {
		t.Setenv(step.name, step.value)
		if l, err = Locate(context.Background(), ""); err != nil || !slices.Equal(l.Ways.Certificates, []string{step.want}) {
			t.Errorf("with %s: %v, %v", step.name, l.Ways.Certificates, err)
		}
	}
}

// TestConfigurationFiles lists the files of each system, as pip's and uv's
// documentation has them.
func TestConfigurationFiles(t *testing.T) {
	env := func(values map[string]string) func(string) string {
		return func(name string) string { return values[name] }
	}
	unix := map[string]string{"HOME": "/home/me", "VIRTUAL_ENV": "/venv", "PIP_CONFIG_FILE": "/my.conf"}
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"linux", pipFiles("linux", env(unix)), []string{"/etc/xdg/pip/pip.conf", "/etc/pip.conf", "/home/me/.pip/pip.conf", "/home/me/.config/pip/pip.conf", "/venv/pip.conf", "/my.conf"}},
		{"linux with XDG", pipFiles("linux", env(map[string]string{"HOME": "/home/me", "XDG_CONFIG_HOME": "/xdg", "XDG_CONFIG_DIRS": "/a:/b"})),
			[]string{"/a/pip/pip.conf", "/b/pip/pip.conf", "/etc/pip.conf", "/home/me/.pip/pip.conf", "/xdg/pip/pip.conf"}},
		{"macOS", pipFiles("darwin", env(unix)), []string{"/Library/Application Support/pip/pip.conf", "/home/me/.pip/pip.conf", "/home/me/.config/pip/pip.conf",
			"/home/me/Library/Application Support/pip/pip.conf", "/venv/pip.conf", "/my.conf"}},
		{"windows", pipFiles("windows", env(map[string]string{"ProgramData": "/data", "USERPROFILE": "/me", "APPDATA": "/app", "VIRTUAL_ENV": "/venv"})),
			[]string{"/data/pip/pip.ini", "/me/pip/pip.ini", "/app/pip/pip.ini", "/venv/pip.ini"}},
		{"none", pipFiles("linux", env(map[string]string{"HOME": "/home/me", "PIP_CONFIG_FILE": os.DevNull})), nil},
		{"uv on linux", uvFiles("linux", env(unix)), []string{"/home/me/.config/uv/uv.toml", "/etc/uv/uv.toml"}},
		{"uv on windows", uvFiles("windows", env(map[string]string{"APPDATA": "/app", "ProgramData": "/data"})), []string{"/app/uv/uv.toml", "/data/uv/uv.toml"}},
		{"uv with a file", uvFiles("linux", env(map[string]string{"UV_CONFIG_FILE": "/my.toml"})), []string{"/my.toml"}},
		{"uv without any", uvFiles("linux", env(map[string]string{"UV_NO_CONFIG": "1", "HOME": "/home/me"})), nil},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// uv takes a named index's credentials from the environment.
func TestCredentialsForUV(t *testing.T) {
	text := "[[index]]\nname = \"my-b.1\"\nurl = \"https://b.example/simple\"\ndefault = true\n"
	env := map[string]string{"UV_INDEX_MY_B_1_USERNAME": "me", "UV_INDEX_MY_B_1_PASSWORD": "p@ss"}
	s, err := uvIndex("uv.toml", []byte(text), func(name string) string { return env[name] })
	if err != nil || s.value != "https://me:p%40ss@b.example/simple" {
		t.Errorf("got %q, %v", s.value, err)
	}
}

// Whoever told pip or uv to do without an index is not asked behind their back,
// unless an index is given.
func TestNoIndex(t *testing.T) {
	home := bare(t)
	for _, step := range []struct {
		set  func()
		want string // the error
	}{
		{func() { write(t, home+"/pip/pip.conf", "[global]\nno-index = true\n", 0o666) }, "no package index is to be used, says no-index in DIR/pip/pip.conf: give --index-url, or --headers PATH"},
		{func() { t.Setenv("UV_NO_INDEX", "1") }, "no package index is to be used, says UV_NO_INDEX: give --index-url, or --headers PATH"},
		{func() { t.Setenv("PIP_NO_INDEX", "yes") }, "no package index is to be used, says PIP_NO_INDEX: give --index-url, or --headers PATH"},
	} {
		step.set()
		_, err := Locate(t.Context(), "")
		if err == nil || strings.ReplaceAll(err.Error(), home, "DIR") != step.want {
			t.Errorf("got %v, want %s", err, step.want)
		}
		if l, err := Locate(t.Context(), "https://given.example/simple"); err != nil || l.From != "--index-url" {
			t.Errorf("with an index given: %v, %v", l, err)
		}
	}
	t.Setenv("PIP_NO_INDEX", "0")
	t.Setenv("UV_NO_INDEX", "")
	write(t, home+"/pip/pip.conf", "[global]\nindex-url = https://user.example/simple\n", 0o666)
	if l, err := Locate(t.Context(), ""); err != nil || l.URL.String() != "https://user.example/simple" {
		t.Errorf("with no-index off: %v, %v", l, err)
	}
}
