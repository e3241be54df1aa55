// Package reference reads the names of artifacts in registries, strictly.
package reference

import (
	"regexp"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
)

// The grammar of the OCI distribution specification. go-containerregistry's is
// looser: it takes ../ in a repository, and a URL's scheme for a registry.
var (
	host       = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$`)
	repository = regexp.MustCompile(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$`)
)

// maxLength bounds a reference in bytes.
const maxLength = 1000

// Parse reads REGISTRY/REPOSITORY with a tag, a sha256 digest, or both, and
// reports whether the text is one. What only some readers would complete,
// such as a name without a registry, is none.
func Parse(text string, o ...name.Option) (name.Reference, bool) {
	first, rest, ok := strings.Cut(text, "/")
	if !ok || len(text) > maxLength || !host.MatchString(first) {
		return nil, false
	}
	path, digest, pinned := strings.Cut(rest, "@")
	path, _, _ = strings.Cut(path, ":")
	if !repository.MatchString(path) || pinned && !Digest(digest) {
		return nil, false
	}
	r, err := name.ParseReference(text, append(o, name.StrictValidation)...)
	return r, err == nil
}

// Shown is a text that was given for a reference, as it may be printed: what
// stands before an @ that begins no digest is a user with a password, as
// addresses of the web have it.
func Shown(text string) string {
	end := len(text)
	for {
		i := strings.LastIndex(text[:end], "@")
		if i < 0 {
			return text
		}
		if !strings.HasPrefix(text[i+1:], "sha256:") {
			return "[hidden]" + text[i:]
		}
		end = i
	}
}

// Digest reports whether a text is sha256: and 64 lower-case hex digits, the
// one form that every tool reads alike.
func Digest(text string) bool {
	digits, ok := strings.CutPrefix(text, "sha256:")
	return ok && len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
}
