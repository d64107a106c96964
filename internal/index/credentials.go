package index

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jdx/go-netrc"
)

// credentials are those of a .netrc file.
type credentials struct{ file *netrc.Netrc }

// readNetrc reads the file that NETRC names, or .netrc (_netrc) in the user's
// home. One that cannot be read has nothing in it, as for pip.
func readNetrc(env func(string) string) *credentials {
	names := []string{env("NETRC")}
	if names[0] == "" {
		home := env("HOME")
		if home == "" {
			home = env("USERPROFILE")
		}
		if home == "" {
			return nil
		}
		names = []string{filepath.Join(home, ".netrc"), filepath.Join(home, "_netrc")}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if file, err := netrc.Parse(name); err == nil {
			return &credentials{file}
		}
	}
	return nil
}

// userFor gives the credentials for a URL: its own, the index's where it is of
// the same host, or those of .netrc.
func (c *Client) userFor(u *url.URL) *url.Userinfo {
	if u.User != nil {
		return u.User
	}
	if own := c.Location.URL; own.User != nil && own.Scheme == u.Scheme && strings.EqualFold(own.Host, u.Host) {
		return own.User
	}
	if c.netrc == nil {
		return nil
	}
	m := c.netrc.file.Machine(u.Hostname())
	if m == nil || m.Get("login")+m.Get("password") == "" {
		return nil
	}
	return url.UserPassword(m.Get("login"), m.Get("password"))
}
