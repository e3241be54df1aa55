package faults

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hushed returns the fault without the user and password of anything that looks
// like a URL or a host: reports are read by more people than what they are about.
func (f Fault) hushed() Fault {
	for _, text := range []*string{&f.File, &f.Key, &f.Object, &f.Field, &f.Message, &f.Found, &f.Expected, &f.Fix, &f.Source} {
		*text = Hush(*text)
	}
	return f
}

// Hush hides what stands before the last @ of each word that has a colon before
// it, sign for sign, so that a caret below still fits: "user:password@host",
// wherever it is written and whether it was meant as a URL, a registry or a host.
// The digest of an image is no host, nor is the reference of a workflow. It takes in
// too much rather than too little.
func Hush(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		out.WriteString(hushWord(text[:end]))
		rest := strings.IndexFunc(text[end:], func(r rune) bool { return !unicode.IsSpace(r) })
		if rest < 0 {
			rest = len(text) - end
		}
		out.WriteString(text[end : end+rest])
		text = text[end+rest:]
	}
	return out.String()
}

// hushWord hides it in one word. What was given before, as in key=user:password@host,
// stays.
func hushWord(word string) string {
	at := LastAt(word)
	colon := strings.IndexByte(word, ':')
	if at < 0 || colon < 0 || colon > at {
		return word
	}
	start := strings.LastIndexAny(word[:colon], "=\"'([{,") + 1
	if scheme := strings.Index(word[:at], "://"); scheme >= start {
		start = scheme + len("://")
	}
	return word[:start] + strings.Repeat("*", utf8.RuneCountInString(word[start:at])) + word[at:]
}

// LastAt is where the last @ of a word is that a host may follow, -1 where there is
// none: what stands before it may be a user and a password.
func LastAt(word string) int {
	for at := strings.LastIndexByte(word, '@'); at >= 0; at = strings.LastIndexByte(word[:at], '@') {
		if !digest(word[at+1:]) && !identity(word, at) {
			return at
		}
	}
	return -1
}

// digest reports what pins an image instead of naming a host.
func digest(after string) bool {
	return strings.HasPrefix(after, "sha256:") || strings.HasPrefix(after, "sha512:")
}

// identity reports an @ of a signer: before the reference of its workflow, or in it.
// One before the first slash of a URL is of a user, whatever the host is called.
func identity(word string, at int) bool {
	if scheme := strings.LastIndex(word[:at], "://"); scheme >= 0 && !strings.Contains(word[scheme+len("://"):at], "/") {
		return false
	}
	return strings.HasPrefix(word[at+1:], "refs/") || inReference(word, at)
}

// inReference reports whether an @ stands in the reference of a workflow, as in
// refs/tags/@acme/foo@1.0.0. No reference holds a colon, and so no password.
func inReference(word string, at int) bool {
	workflow, ref, ok := strings.Cut(word[:at], "@refs/")
	return ok && strings.Contains(workflow, "github/workflows/") && !strings.Contains(workflow, "@") && !strings.ContainsAny(ref, ":,;=\"'")
}
