package theme

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// urlForm is the URL of an asset whose path ends in an extension (R33).
type urlForm struct{ extension string }

const (
	urlMost  = 2048
	hostMost = 253
	portText = `([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])`
	label    = `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
	hostText = `(` + label + `\.)*` + label
	// pathText are the characters that RFC 3986 lets stand behind a host, less
	// the fragment's mark. None of them ends a quoted text in HTML or CSS but
	// the apostrophe, which both escape.
	pathText = `([A-Za-z0-9._~:/@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*`
)

var (
	labelPattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	portPattern  = regexp.MustCompile(`^` + portText + `$`)
	tailPattern  = regexp.MustCompile(`^([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`)
	// address: browsers read a host whose last part is a number as an IPv4
	// address, in decimal, octal and hexadecimal, with one to four parts.
	address = regexp.MustCompile(`(^|\.)([0-9]+|0[xX][0-9A-Fa-f]*)$`)
)

func (urlForm) code() faults.Code  { return faults.ThemeURL }
func (f urlForm) expected() string { return "https://HOST/PATH" + f.extension }

func (f urlForm) quoting(*source.Node) string {
	return "write a URL such as " + f.expected() + ", or remove the key"
}

// parts are those of a URL, cut at their marks without any decoding, so that
// no two readers can differ on where the host ends.
type parts struct{ authority, path, query string }

func split(rest string) parts {
	var p parts
	rest, _, _ = strings.Cut(rest, "#")
	rest, p.query, _ = strings.Cut(rest, "?")
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		i = len(rest)
	}
	p.authority, p.path = rest[:i], rest[i:]
	return p
}

func (f urlForm) read(text, _ string) (string, []problem) {
	var out []problem
	add := func(message, fix string) {
		out = append(out, problem{faults.ThemeURL, message, shownURL(text), f.expected(), fix})
	}
	if n := utf8.RuneCountInString(text); n > urlMost {
		add(fmt.Sprintf("the URL has %d characters", n), fmt.Sprintf("use at most %d characters", urlMost))
	}
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		add("the URL does not start with https://", "serve the asset over HTTPS, and write the whole URL in lower-case https")
	}
	if _, after, has := strings.Cut(text, "://"); !ok && has {
		rest, ok = after, true
	}
	if ok {
		f.rest(rest, add)
	}
	if out != nil {
		return "", out
	}
	return text, nil
}

// rest judges all that stands behind the scheme.
func (f urlForm) rest(rest string, add func(message, fix string)) {
	p := split(rest)
	host := p.authority
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		add("the URL holds credentials", "remove all before the host: every visitor's browser would be given them")
		host = host[i+1:]
	}
	judgeHost(host, add)
	if strings.Contains(rest, "#") {
		add("the URL holds a fragment", "remove the # and what follows it")
	}
	if !strings.HasSuffix(p.path, f.extension) {
		add("the path of the URL does not end in "+f.extension, "give the file a name that ends in "+f.extension+", in front of any query")
	}
	if c := oddCharacter(p.path + p.query); c != "" {
		add("the URL holds "+c, "percent-encode it, or name the file without it")
	}
}

func judgeHost(host string, add func(message, fix string)) {
	name, port, has := strings.Cut(host, ":")
	switch {
	case strings.HasPrefix(host, "["), address.MatchString(name):
		add("the host of the URL is an IP address", "use the name of the host, which its certificate is for")
		return
	case name == "":
		add("the URL has no host", "write the host behind https://")
	case !ascii(name):
		add("the host of the URL is not in ASCII", "write it in the form that starts with xn--, which cannot be taken for another name")
	case !plainHost(name):
		add("the host of the URL is not a plain host name", "use letters, digits, hyphens and dots, such as assets.example.com")
	}
	if has && !portPattern.MatchString(port) {
		add("the port of the URL is not a number from 1 to 65535", "remove the port, or correct it")
	}
}

// plainHost is hostText with its bounds. A pattern that counts to 61 takes
// longer to compile than all others together.
func plainHost(name string) bool {
	for l := range strings.SplitSeq(name, ".") {
		if len(l) > 63 || !labelPattern.MatchString(l) {
			return false
		}
	}
	return len(name) <= hostMost
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// oddCharacter names the first character that no URL holds as it is.
func oddCharacter(tail string) string {
	if tailPattern.MatchString(tail) {
		return ""
	}
	for i := range tail {
		_, size := utf8.DecodeRuneInString(tail[i:])
		switch c := tail[i : i+size]; {
		case c == "%" && !tailPattern.MatchString(tail[i:min(i+3, len(tail))]):
			return "a % that is followed by no two hexadecimal digits"
		case c == "%", tailPattern.MatchString(c):
		default:
			r, _ := utf8.DecodeRuneInString(c)
			return named(r)
		}
	}
	return ""
}

func (f urlForm) schema(string) map[string]any {
	return map[string]any{
		"type": "string", "maxLength": urlMost,
		"pattern": `^https://` + hostText + `(:` + portText + `)?/` + pathText + regexp.QuoteMeta(f.extension) +
			`(\?([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?$`,
		"not": map[string]any{"pattern": `^https://(([^/]*\.)?([0-9]+|0[xX][0-9A-Fa-f]*)[:/]|[^:/]{254})`},
	}
}
