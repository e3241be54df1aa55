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
var smell = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|cred|private`)

// harmless are the keys of kora's and Kubernetes' own whose names only look so.
var harmless = []string{
	"key", "topologyKey", "secretKeyRef", "secretRef", "secretName", "existingSecret", "caSecret", "platformSecretName", "platformSecrets",
	"credentialName", "imagePullSecrets", "pullSecretRef", "matchLabelKeys", "mismatchLabelKeys", "automountServiceAccountToken", "tokenReview",
}

func smells(name string) bool { return smell.MatchString(name) && !slices.Contains(harmless, name) }

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
	h := &hush{refused: map[string]bool{}, lines: map[place]bool{}}
	for _, f := range found {
		if f.Code == faults.UnknownField || f.Code == faults.WrongType {
			h.refused[f.Field] = true
		}
		if f.Code == faults.UnknownField && smells(f.Found) {
			h.lines[place{f.File, f.Line}] = true
		}
	}
	h.walk(t.root, "", false)
	for i := range found {
		h.fault(&found[i])
	}
	return found
}

// hush collects the values that are not to be shown.
type hush struct {
	refused map[string]bool // the paths of keys that are none, and of wrong values
	values  []*source.Node
	lines   map[place]bool // on which such a key stands, perhaps twice
}

type place struct {
	file string
	line int
}

// walk looks below a key that is refused, or in extraEnv, for names that smell.
func (h *hush) walk(n *source.Node, at fields.Path, refused bool) {
	for _, f := range entriesOf(n) {
		below := at.Child(f.Key.Value)
		inside := refused || h.refused[string(below)]
		plain := f.Key.Value == "value" && strings.Contains(string(at), ".extraEnv[")
		if inside && smells(f.Key.Value) || plain {
			h.collect(f.Value)
		} else {
			h.walk(f.Value, below, inside)
		}
	}
	if n != nil && n.Kind == source.Sequence {
		for i, item := range n.Items {
			h.walk(item, at.Index(i), refused || h.refused[string(at.Index(i))])
		}
	}
}

func entriesOf(n *source.Node) []source.Field { return value{node: n}.entries() }

func (h *hush) collect(n *source.Node) {
	switch {
	case n == nil:
	case n.Kind == source.Scalar && n.Value != "":
		h.values = append(h.values, n)
	case n.Kind == source.Mapping:
		for _, f := range n.Fields {
			h.collect(f.Value)
		}
	default:
		for _, item := range n.Items {
			h.collect(item)
		}
	}
}

// fault hides the values in one. A value of a few signs stands in many a text by
// chance: it is hidden on its own line only, like one that is written otherwise than
// it reads.
func (h *hush) fault(f *faults.Fault) {
	if h.lines[place{f.File, f.Line}] && f.Line > 0 {
		f.Source = hushedLine(f.Source)
		if f.SourceFrom > 0 {
			f.Source = "" // it may begin within the value
		}
	}
	const least = 4
	for _, n := range h.values {
		for _, text := range []*string{&f.Key, &f.Field, &f.Message, &f.Found, &f.Expected, &f.Fix, &f.Source, &f.File} {
			if len(n.Value) >= least {
				*text = strings.ReplaceAll(*text, n.Value, stars(n.Value))
			}
		}
		if n.Pos.File != nil && n.Pos.File.Name == f.File && n.Pos.Line == f.Line && f.Line > 0 {
			f.Source = behind(f.Source, n.Pos.Column-max(f.SourceFrom-1, 0))
		}
	}
}

// behind hides a scalar that begins at a column of a line: as far as a sign that
// ends it outside of quotes.
func behind(line string, column int) string {
	runes := []rune(line)
	if column < 1 || column > len(runes) {
		return line
	}
	end, quote := len(runes), rune(0)
	for i := column - 1; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote == 0 && i == column-1 && (r == '"' || r == '\''):
			quote = r
		case quote != 0 && r == quote:
			end = i + 1
		case quote == 0 && (r == ',' || r == '}' || r == ']'):
			end = i
		}
		if end < len(runes) || i+1 == len(runes) {
			break
		}
	}
	return string(runes[:column-1]) + stars(string(runes[column-1:end])) + string(runes[end:])
}
