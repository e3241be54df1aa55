package overrides

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// lines writes a map or list in block style. Each scalar takes one line, so
// nothing that a value holds can end the block that it stands in.
func lines(n *source.Node) []string {
	var out []string
	for _, f := range n.Fields {
		key := word(f.Key.Value) + ":"
		if flat, ok := inline(f.Value); ok {
			out = append(out, key+" "+flat)
			continue
		}
		out = append(out, key)
		out = append(out, indented(lines(f.Value), "  ", "  ")...)
	}
	for _, item := range n.Items {
		if flat, ok := inline(item); ok {
			out = append(out, "- "+flat)
			continue
		}
		out = append(out, indented(lines(item), "- ", "  ")...)
	}
	return out
}

func indented(lines []string, first, rest string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = rest + line
	}
	if len(out) > 0 {
		out[0] = first + lines[0]
	}
	return out
}

// inline writes what stands on its key's line.
func inline(n *source.Node) (string, bool) {
	switch {
	case n.Kind == source.Mapping:
		return "{}", len(n.Fields) == 0
	case n.Kind == source.Sequence:
		return "[]", len(n.Items) == 0
	case n.Tag == "!!str" || !bare.MatchString(n.Value):
		return word(n.Value), true
	case n.Tag == "!!int":
		if i, ok := n.Any().(int64); ok {
			return strconv.FormatInt(i, 10), true
		}
	}
	return n.Value, true
}

// bare is a number or boolean, whatever its base or spelling.
var bare = regexp.MustCompile(`^[-+.\w]+$`)

// plainWord is a text that no reader of YAML takes for anything else; the
// words that some do take for a boolean or null are not. A number with the
// unit of a quantity is one.
var (
	plainWord = regexp.MustCompile(`^(?:/?[A-Za-z][-\w./]*|[0-9]+(?:m|[KMGTP]i?))$`)
	otherWord = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// word writes a text in one line. Go's escapes are all YAML's too, and leave
// out whatever a reader would not see.
func word(text string) string {
	if plainWord.MatchString(text) && !otherWord.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// visible is a text for a comment: one line, nothing that drives a terminal.
func visible(text string) string {
	quoted := strconv.Quote(text)
	if quoted == `"`+text+`"` {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`)
}
