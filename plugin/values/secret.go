package values

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// The values hold names of Secrets and never what is in one (R22). Who writes a
// password all the same gets a fault, for there is no such key, and no part of a
// fault, nor of another one on the same line, repeats the password.

// smell is a part of a key's name that what is behind it is better not shown.
var smell = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|cred|private|auth|bearer|headers|docker(?:cfg|config)|^certs?$|^pem$|crt$`)

// harmless are the keys of kora's and Kubernetes' own whose names only look so.
var harmless = []string{
	"key", "topologyKey", "secretKeyRef", "secretRef", "secretName", "existingSecret", "caSecret", "platformSecretName", "platformSecrets",
	"credentialName", "imagePullSecrets", "pullSecretRef", "matchLabelKeys", "mismatchLabelKeys", "automountServiceAccountToken", "tokenReview",
}

func smells(name string) bool {
	return !slices.Contains(harmless, name) && (smell.MatchString(name) || mistyped(name))
}

// mistyped is true where a word of a key's name is most likely one of a secret's.
func mistyped(name string) bool {
	for _, word := range words.FindAllString(name, -1) {
		if len(word) > 4 && fields.Nearest(word, []string{"password", "passwd", "secret", "token", "credential"}) != "" {
			return true
		}
	}
	return false
}

var words = regexp.MustCompile(`[A-Z]*[a-z]+|[A-Z]+`)

// secretLine finds a key that smells in a line that is no YAML as it should be, and
// all behind it.
var secretLine = regexp.MustCompile(`([\w.-]+)["']?[ \t]*[:=][ \t]*`)

// hushedLine hides what stands behind such a key, sign for sign.
func hushedLine(line string) string {
	for _, at := range secretLine.FindAllStringSubmatchIndex(line, -1) {
		if smells(lastName(line[at[2]:at[3]])) {
			return line[:at[1]] + stars(line[at[1]:])
		}
	}
	return line
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func stars(text string) string { return strings.Repeat("*", utf8.RuneCountInString(text)) }

// Hushed takes the values of keys that there are not, and whose names smell of a
// secret, out of every fault, and those of extraEnv, which are from Secrets alone.
func (t *Tree) Hushed(found faults.List) faults.List {
	if len(found) == 0 {
		return found
	}
	h := &hush{refused: map[string]doubt{}, told: map[string]bool{}, lines: map[place]bool{}}
	for i, f := range found {
		if f.Code == faults.UnknownField && assigns(f.Found) { // null, most likely, and so not in the tree
			h.values = append(h.values, &source.Node{Value: strings.TrimSuffix(f.Found, "…")})
			if strings.HasSuffix(f.Found, "…") {
				found[i].Source = ""
			}
		}
		h.told[f.Field] = true
		switch f.Code {
		case faults.UnknownField:
			h.refused[f.Field] = unknown
		case faults.WrongType:
			h.refused[f.Field] = max(h.refused[f.Field], mistaken)
		}
		if f.Code == faults.UnknownField && smells(f.Found) {
			h.lines[place{f.File, f.Line}] = true
		}
	}
	h.walk(t.root, "", none)
	for i := range found {
		h.fault(&found[i])
	}
	return found
}
