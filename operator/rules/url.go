package rules

import (
	"net/url"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxHost is the length of a DNS name.
const maxHost = 253

// checkURL gives the faults of a URL that has the form that its schema asks for
// (https, a lower-case DNS name, no user, no fragment): what a pattern cannot say.
func checkURL(at *field.Path, text string) field.ErrorList {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return field.ErrorList{invalid(at, text, "is no URL that can be read: each '%%' must be followed by two hexadecimal digits; write the URL as the service documents it")}
	}
	var faults field.ErrorList
	if port := u.Port(); port != "" && !isPort(port) {
		faults = append(faults, invalid(at, text, "names the port %s, and ports end at 65535; write the one that the service listens on", port))
	}
	if len(u.Hostname()) > maxHost {
		faults = append(faults, invalid(at, text, "names a host of %d characters, and DNS names end at %d", len(u.Hostname()), maxHost))
	}
	if hasDots(u.Path) {
		faults = append(faults, invalid(at, text, "has a '.' or '..' segment in its path, plain or as %%2e, which servers read in different ways; write the path that is meant"))
	}
	if _, err := url.ParseQuery(u.RawQuery); err != nil {
		faults = append(faults, invalid(at, text, "has a query that cannot be read: each '%%' must be followed by two hexadecimal digits, and ';' is no separator"))
	}
	return faults
}

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= 65535
}

// hasDots reports whether a decoded path climbs or stands still. A backslash is a
// separator to some servers.
func hasDots(path string) bool {
	for segment := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// external is checkURL of a URL that must lead out of the cluster.
func external(at *field.Path, text string) field.ErrorList {
	faults := checkURL(at, text)
	if u, err := url.Parse(text); err == nil && u.Hostname() != "" {
		faults = append(faults, outside(at, text, u.Hostname())...)
	}
	return faults
}

// HostOf is the host of a URL without its port; empty for what is no URL.
func HostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// PortOf is the port of an https URL, 443 where it names none, and 0 for what is
// no URL.
func PortOf(text string) int {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return 0
	case u.Port() == "":
		return 443
	}
	n, _ := strconv.Atoi(u.Port())
	return n
}
