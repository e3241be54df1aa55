package render

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// longNumber is the number of digits from which on a number in a key may be more
// than the encoder counts to: it then has no order of the keys, and writes them
// otherwise each time.
const longNumber = 19

// ordered returns the value as it is, or with such a key as a node whose keys stand
// in the order of their bytes. What cannot be written is left to the encoder, which
// says why.
func ordered(v any) any {
	var n yaml.Node
	if !longKeyed(v) || n.Encode(v) != nil {
		return v
	}
	byKey(&n)
	return &n
}

func longKeyed(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if digits(key) >= longNumber || longKeyed(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, longKeyed)
	}
	return false
}

// digits is the length of the longest number in a text, whose other alphabets count.
func digits(text string) (most int) {
	n := 0
	for _, r := range text {
		if n++; r < '0' || r > '9' && r < 0x80 {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

func byKey(n *yaml.Node) {
	for _, c := range n.Content {
		byKey(c)
	}
	if n.Kind == yaml.MappingNode {
		pairs := slices.Collect(slices.Chunk(n.Content, 2))
		slices.SortFunc(pairs, func(a, b []*yaml.Node) int { return cmp.Compare(a[0].Value, b[0].Value) })
		n.Content = slices.Concat(pairs...)
	}
}
