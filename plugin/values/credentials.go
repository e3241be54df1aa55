package values

import (
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// A URL that somebody wrote a user or a password into may stand in any text of a
// fault. faults.Hush hides what stands in one word; here is what it cannot know of:
// a password with a blank in it, one whose end was cut off, and the endpoint that
// people write without a scheme. It takes in too much rather than too little, but
// never a URL that holds no credentials, nor what stands behind one.

var (
	// host is what a URL without credentials has between its scheme and its path.
	host = regexp.MustCompile(`^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]+)?`)
	// hidden is what Hush leaves of credentials.
	hidden = regexp.MustCompile(`^\*+@`)
	// begins what may be credentials: the scheme of a URL, or the one key whose value
	// is a URL, up to that.
	begins = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)|otlpEndpoint["']?[ \t]*[:=][ \t]*["']?`)
)

// parameter is one of a URL's query, which holds a token more often than not.
var parameter = regexp.MustCompile(`([?&][\w.%~\[\]-]+=)([^\s"'&#,}]+)`)

// withoutCredentials hides them one for one, so that a caret below still fits.
func withoutCredentials(text string) string {
	text = withoutParameters(faults.Hush(text))
	if !strings.Contains(text, "://") && !strings.Contains(text, "otlpEndpoint") {
		return text
	}
	var out strings.Builder
	marks, from := begins.FindAllStringSubmatchIndex(text, -1), 0
	for i, m := range marks {
		end, isURL := len(text), m[2] >= 0
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		if line := strings.IndexAny(text[m[1]:end], "\r\n"); !isURL && line >= 0 {
			end = m[1] + line
		}
		secret := m[1] + credentials(text[m[1]:end], isURL)
		out.WriteString(text[from:m[1]] + stars(text[m[1]:secret]))
		from = secret
	}
	return out.String() + text[from:]
}

func withoutParameters(text string) string {
	if !strings.ContainsAny(text, "?#") {
		return text
	}
	text = withoutQuery(text)
	var out strings.Builder
	from := 0
	for _, m := range parameter.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(text[from:m[4]] + stars(text[m[4]:m[5]]))
		from = m[5]
	}
	return out.String() + text[from:]
}

// query is a URL, or the endpoint without a scheme, up to where its query or its
// fragment begins.
var query = regexp.MustCompile(`(["']?)(?:[A-Za-z][A-Za-z0-9+.-]*://|otlpEndpoint["']?[ \t]*[:=][ \t]*["']?|[\w.-]+:[0-9]{2,5}/)[^\s"'?#]*[?#]`)

// withoutQuery hides it to the end of the quoted text that it is in, or of the line:
// where else it ends only the parser knows.
func withoutQuery(text string) string {
	at := query.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	runes := []rune(text[at[1]:])
	end := len(runes)
	if line := slices.IndexFunc(runes, func(r rune) bool { return r == '\n' || r == '\r' }); line >= 0 {
		end = line
	}
	quote := text[at[2]:at[3]]
	if last := strings.LastIndexAny(text[at[0]:at[1]], `"'`); last >= 0 {
		quote = text[at[0]+last : at[0]+last+1]
	}
	if quote != "" {
		if shut := closing(append([]rune(quote), runes...), 0) - 2; shut < end && shut >= 0 {
			end = shut
		}
	}
	return text[:at[1]] + stars(string(runes[:end])) + withoutQuery(string(runes[end:]))
}

// credentials is how many bytes at the start of a text are, or may be.
func credentials(text string, isURL bool) int {
	done := len(hidden.FindString(text))
	n := 0
	if isURL || done > 0 {
		n = user(text[done:])
	} else {
		n = upTo(text)
	}
	if n == 0 {
		return max(done-1, 0)
	}
	return done + n
}

// user is the length of the user and password that a URL begins with.
func user(text string) int {
	plain := len(host.FindString(text))
	switch after := text[plain:]; {
	case plain > 0 && (after == "" || strings.ContainsRune("/?#,;\"'`()[]{}<>\\\r\n", rune(after[0]))):
		return 0
	case plain > 0 && (after[0] == ' ' || after[0] == '\t'):
		if end := ends.FindStringIndex(after); end != nil {
			text = text[:plain+end[0]]
		}
		return max(lastAt(text), 0)
	case plain > 0 && after[0] == ':' && upTo(text) == 0:
		return plain + unfinished(after)
	}
	return upTo(text)
}

// unfinished is the length of a password, with its colon, whose @ is on another
// line.
func unfinished(after string) int {
	end := strings.IndexAny(after, " \t\r\n\"'`,;{}[]()<>/")
	if end < 0 {
		end = len(after)
	}
	return end
}

// upTo is where credentials end at the latest: at the last @, or where the text
// was cut off before it.
func upTo(text string) int {
	if at := lastAt(text); at >= 0 {
		return at
	}
	return max(strings.LastIndex(text, "…"), 0)
}

// lastAt is where the last @ is that a host may follow: not one that pins the
// digest of an image or the reference of a workflow.
func lastAt(text string) int {
	at := strings.LastIndexByte(text, '@')
	for at >= 0 && pins.MatchString(text[at:]) {
		at = strings.LastIndexByte(text[:at], '@')
	}
	return at
}

// ends is what no user or password goes on behind, when it has a blank in it.
var ends = regexp.MustCompile("[,;\"'{}\\[\\]=\r\n]|:\\s")

var pins = regexp.MustCompile(`^@(?:sha256:|sha512:|refs/)`)
