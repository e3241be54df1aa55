package render

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Driving reports whether a terminal may obey a character, or a reader not see
// it: controls, those of writing direction, and what has no glyph. A manifest
// holds texts of values and patches, and people read it on a terminal.
func Driving(r rune) bool {
	return !strconv.IsGraphic(r) && r != '\n' && r != '\t' && r != utf8.RuneError
}

// escaped writes out each such character. They may stand only in a quoted text,
// where an escape means the same.
func escaped(b []byte, escape func(rune) string) []byte {
	if !bytes.ContainsFunc(b, Driving) {
		return b
	}
	var out strings.Builder
	for _, r := range string(b) {
		if Driving(r) {
			out.WriteString(escape(r))
			continue
		}
		out.WriteRune(r)
	}
	return []byte(out.String())
}

func jsonEscape(r rune) string {
	var out string
	for _, unit := range utf16.AppendRune(nil, r) {
		out += fmt.Sprintf(`\u%04x`, unit)
	}
	return out
}

func yamlEscape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Escaped is a YAML text with each such character written out, which means the same
// where it stands in double quotes.
func Escaped(text string) string { return string(escaped([]byte(text), yamlEscape)) }

// Document writes one document, its keys in their order, and each text that Driving
// finds something in as a quoted one with escapes.
func Document(n *yaml.Node) ([]byte, error) {
	texts(n)
	quote(n)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := errors.Join(enc.Encode(n), enc.Close()); err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	return escaped(out.Bytes(), yamlEscape), nil
}

// texts gives each text the form that an older reader of YAML, too, reads as a text.
func texts(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		n.SetString(n.Value)
		var as yaml.Node
		if as.Encode(n.Value) == nil {
			n.Style = as.Style
		}
	}
	for _, c := range n.Content {
		texts(c)
	}
}

// quoted returns the value with every text that escaped will change in double
// quotes; what cannot be written so is left to the encoder, which says why.
func quoted(v any) any {
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		return v
	}
	quote(&n)
	return &n
}

func quote(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && strings.ContainsFunc(n.Value, Driving) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		quote(c)
	}
}
