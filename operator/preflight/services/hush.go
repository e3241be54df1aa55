package services

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/runkora/kora/internal/kube"
)

// part is how many characters of a secret in a row tell too much of it.
const part = 6

// readLimit is how much of a text is read at all, in bytes: more than is told.
const readLimit = 4 << 10

// secrets are what must stand in no text that leaves this package.
type secrets []string

// hush is a remote side's text as it may be told: on one line, of a bounded
// length, and nothing at all of it where it holds a secret, or a part of one, in
// any writing. To cut the part out would tell its length and its place, and leave
// what a server wrote in a way that nobody thought of.
func (s secrets) hush(text string) string {
	text = text[:min(len(text), readLimit)]
	if s.tells(text) {
		return ""
	}
	return kube.Line(text)
}

// tells reports whether a text holds six characters in a row of a secret, or all
// of a shorter one: as it stands, in other letters, quoted, encoded, or split by
// what is neither a letter nor a digit.
func (s secrets) tells(text string) bool {
	views := writings(text, 3)
	for _, secret := range s {
		for _, form := range []string{strings.ToLower(secret), bare(secret)} {
			if form != "" && anyHolds(views, form) {
				return true
			}
		}
	}
	return false
}

func anyHolds(views map[string]bool, secret string) bool {
	letters := []rune(secret)
	size := min(part, len(letters))
	for i := 0; i+size <= len(letters); i++ {
		window := string(letters[i : i+size])
		for view := range views {
			if strings.Contains(view, window) {
				return true
			}
		}
	}
	return false
}

// writings are the ways to read a text, each also without what is neither a
// letter nor a digit; a writing inside a writing is read to a depth.
func writings(text string, depth int) map[string]bool {
	out := map[string]bool{}
	todo := []string{text}
	for range depth {
		var next []string
		for _, t := range todo {
			if len(out) > mostWritings {
				break
			}
			for _, view := range []string{strings.ToLower(t), bare(t), backwards(bare(t))} {
				out[view] = true
			}
			next = append(next, decoded(t)...)
		}
		todo = next
	}
	return out
}

// mostWritings bounds what a text that is all encodings would make of work.
const mostWritings = 400

// decoded reads a text as quoted, as of a URL, as of HTML, and what in it looks
// like base64 or hexadecimal, from each place where that may begin.
func decoded(text string) []string {
	var out []string
	keep := func(t string) {
		if t != "" && t != text {
			out = append(out, t)
		}
	}
	keep(unescaped(text))
	keep(percent(text))
	keep(html.UnescapeString(text))
	for _, run := range base64Run().FindAllString(joined(text), 20) {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(run, "="))
		for from := range min(4, len(run)) {
			t := run[from:]
			if raw, err := base64.RawStdEncoding.DecodeString(t[:len(t)-len(t)%4]); err == nil {
				keep(string(raw))
			}
			if raw, err := base64.RawStdEncoding.DecodeString(t); err == nil {
				keep(string(raw))
			}
		}
	}
	for _, run := range hexRun().FindAllString(joined(text), 20) {
		for from := range 2 {
			if t := run[from:]; len(t) > 1 {
				if raw, err := hex.DecodeString(t[:len(t)-len(t)%2]); err == nil {
					keep(string(raw))
				}
			}
		}
	}
	return out
}

// joined is a text without white space and quotes, by which encodings are wrapped.
func joined(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(`"'\:,`, r) {
			return -1
		}
		return r
	}, text)
}

var (
	base64Run = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}`) })
	hexRun    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9A-Fa-f]{8,}`) })
	escapes   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{3})`)
	})
	percents = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[0-9A-Fa-f]{2}`) })
)

// unescaped reads what Go, C, JSON and SQL write with a backslash.
func unescaped(text string) string {
	return escapes().ReplaceAllStringFunc(text, func(e string) string {
		base, digits := 16, e[2:]
		if e[1] >= '0' && e[1] <= '7' {
			base, digits = 8, e[1:]
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil {
			return e
		}
		if n < 0x100 && e[1] != 'u' && e[1] != 'U' {
			return string([]byte{byte(n)})
		}
		return string(rune(n))
	})
}

// percent reads each %41 of a text, whatever else stands there.
func percent(text string) string {
	return percents().ReplaceAllStringFunc(strings.ReplaceAll(text, "+", " "), func(e string) string {
		plain, err := url.PathUnescape(e)
		if err != nil {
			return e
		}
		return plain
	})
}

// bare is a text's letters and digits alone, in small letters.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func backwards(text string) string {
	letters := []rune(text)
	for i, j := 0, len(letters)-1; i < j; i, j = i+1, j-1 {
		letters[i], letters[j] = letters[j], letters[i]
	}
	return string(letters)
}
