package argocd

import (
	"fmt"
	"strings"
	"unicode"

	yaml3 "go.yaml.in/yaml/v3"
)

// style is that of a text as the encoder writes Go's own: it quotes on, no and y,
// which Argo CD, kubectl and Helm, by YAML 1.1, would read as booleans (R44). Of a
// node the encoder asks its own reader alone, to which they are texts.
func style(n *yaml3.Node) yaml3.Style {
	if n.Kind != yaml3.ScalarNode || n.ShortTag() != "!!str" {
		return 0
	}
	var as yaml3.Node
	if as.Encode(n.Value) != nil || !bare(n.Value) {
		return yaml3.DoubleQuotedStyle
	}
	return as.Style
}

// bare reports whether a text may stand without quotes for all that the encoder
// overlooks: the key that merges maps, and blanks where a block has its indent.
func bare(text string) bool {
	lines := strings.Contains(text, "\n")
	return text != "<<" && !(lines && (strings.TrimLeft(text, " \n") != text || strings.Contains(text, "\t")))
}

// printable writes out the characters that JSON has in a text and YAML has not.
func printable(text []byte) string {
	var b strings.Builder
	for _, r := range string(text) {
		if unicode.IsControl(r) || r == '\ufeff' || r == '\ufffe' || r == '\uffff' {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
