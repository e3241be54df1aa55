package argocd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	yaml3 "go.yaml.in/yaml/v3"
)

// notes are the comments of a file: by the dotted path of the field they stand
// above; the empty path is the head of the file.
type notes map[string]string

// print is an object as YAML with its comments: typed, so that no field can be
// misspelt, and with the reason where a reader looks for it.
func print(object any, comments notes) (string, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return "", err
	}
	var doc yaml3.Node
	if err := yaml3.Unmarshal([]byte(printable(text)), &doc); err != nil {
		return "", err
	}
	root := doc.Content[0]
	plain(root)
	drop(root, "status")
	drop(field(root, "metadata"), "creationTimestamp")
	for path, comment := range comments {
		key := keyAt(root, path)
		if key == nil {
			return "", fmt.Errorf("a comment stands at %q, which is not there", path)
		}
		key.HeadComment = strings.ReplaceAll(comment, "\n\n", "\n#\n")
	}
	explicit(field(field(field(root, "spec"), "syncPolicy"), "automated"), "prune")
	var b bytes.Buffer
	enc := yaml3.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return "", err
	}
	return b.String(), nil
}

// plain makes YAML of JSON, which is read as YAML in its flowing form: blocks,
// quotes only where they are needed, and keys in the order of the alphabet.
func plain(n *yaml3.Node) {
	n.Style = style(n)
	for _, c := range n.Content {
		plain(c)
	}
	if n.Kind != yaml3.MappingNode {
		return
	}
	pairs := slices.Collect(slices.Chunk(n.Content, 2))
	slices.SortFunc(pairs, func(a, b []*yaml3.Node) int { return strings.Compare(a[0].Value, b[0].Value) })
	n.Content = slices.Concat(pairs...)
}

// explicit writes a boolean that is false and that the type would leave out: a
// reader looks for it (R40).
func explicit(n *yaml3.Node, name string) {
	if n == nil || field(n, name) != nil {
		return
	}
	n.Content = append([]*yaml3.Node{{Kind: yaml3.ScalarNode, Value: name}, {Kind: yaml3.ScalarNode, Tag: "!!bool", Value: "false"}}, n.Content...)
}

// keyAt is the node of a key; the first key of the file for the empty path.
func keyAt(n *yaml3.Node, path string) *yaml3.Node {
	if path == "" {
		return n.Content[0]
	}
	name, rest, more := strings.Cut(path, "/")
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		switch {
		case n.Content[i].Value != name:
		case more:
			return keyAt(n.Content[i+1], rest)
		default:
			return n.Content[i]
		}
	}
	return nil
}

func field(n *yaml3.Node, name string) *yaml3.Node {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func drop(n *yaml3.Node, name string) {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			return
		}
	}
}
