package kustomize

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/filters/patchjson6902"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/runkora/kora/internal/fields"
)

// ErrMissing tells that a JSON6902 replace names what the object does not
// have; the library would quietly add it.
var ErrMissing = errors.New("the path does not exist")

// ErrNoSource tells that a move or copy is from what the object does not have;
// the library would quietly copy a null.
var ErrNoSource = errors.New("from does not exist")

// Op is one JSON6902 operation.
type Op struct {
	text     string // a patch of this operation alone, as JSON
	paths    [][]string
	replaces bool // of a path that must exist
}

// NewOp compiles an operation: its name, its pointers ("" where it has no
// from) and its value, nil for an operation without one.
func NewOp(name, path, from string, value *any) (*Op, error) {
	op := map[string]any{"op": name, "path": path}
	out := &Op{replaces: name == "replace", paths: [][]string{Segments(path)}}
	if from != "" {
		op["from"] = from
		out.paths = append(out.paths, Segments(from))
	}
	if value != nil {
		op["value"] = *value
	}
	b, err := json.Marshal([]any{op})
	out.text = string(b)
	return out, err
}

// Segments splits a JSON pointer (RFC 6901) and resolves its escapes.
func Segments(pointer string) []string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
	}
	return parts
}

// Apply returns the object after the operation; the object itself stays.
func (o *Op) Apply(object map[string]any, _ *fields.Type) (map[string]any, error) {
	if o.replaces && !exists(object, o.paths[0]) {
		return nil, ErrMissing
	}
	if len(o.paths) > 1 && !exists(object, o.paths[1]) {
		return nil, ErrNoSource
	}
	shown, p := showPaths(object, o.paths)
	made := kyaml.NewRNode(shown)
	if _, err := (patchjson6902.Filter{Patch: o.text}).Filter([]*kyaml.RNode{made}); err != nil {
		return nil, err
	}
	out, _ := p.back(object, made.YNode()).(map[string]any)
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

func exists(v any, path []string) bool {
	_, ok := Value(v, path)
	return ok
}

// Value follows the segments of a pointer, and reports whether they lead
// anywhere.
func Value(v any, path []string) (any, bool) {
	for _, s := range path {
		var ok bool
		if v, ok = child(v, s); !ok {
			return nil, false
		}
	}
	return v, true
}

func child(v any, segment string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		out, ok := v[segment]
		return out, ok
	case []any:
		if i, ok := place(v, segment); ok {
			return v[i], true
		}
	}
	return nil, false
}

// place reads an index; kustomize counts a negative one from the end.
func place(list []any, segment string) (int, bool) {
	i, err := strconv.Atoi(segment)
	if i < 0 {
		i += len(list)
	}
	return i, err == nil && i >= 0 && i < len(list)
}

// showPaths returns of a value what the pointers lead to; a pointer that ends
// here (it is empty) asks for all of it.
func showPaths(whole any, paths [][]string) (*yaml.Node, *part) {
	for _, p := range paths {
		if len(p) == 0 {
			return toYAML(whole), nil
		}
	}
	switch whole := whole.(type) {
	case map[string]any:
		return showKeys(whole, paths)
	case []any:
		return showPlaces(whole, paths)
	}
	return toYAML(whole), nil
}

func showKeys(whole map[string]any, paths [][]string) (*yaml.Node, *part) {
	shown, p := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, &part{fields: map[string]*part{}}
	for _, path := range paths {
		name := path[0]
		v, ok := whole[name]
		if _, done := p.fields[name]; !ok || done {
			continue
		}
		node, inner := showPaths(v, below(paths, name))
		p.fields[name] = inner
		shown.Content = append(shown.Content, text(name), node)
	}
	return shown, p
}

// showPlaces hides the items that no pointer names. When one pointer ends in
// this list, its items may move, and no other may count on their places: then
// every item stands there whole or hidden, none in part.
func showPlaces(whole []any, paths [][]string) (*yaml.Node, *part) {
	moves, deeper := false, false
	for _, path := range paths {
		moves, deeper = moves || len(path) == 1, deeper || len(path) > 1
		if i, err := strconv.Atoi(path[0]); err == nil && i < 0 {
			return toYAML(whole), nil
		}
	}
	if moves && deeper {
		return toYAML(whole), nil
	}
	shown, p := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}, &part{deep: map[int]*part{}, length: len(whole)}
	for i, item := range whole {
		node := hide(i)
		if inner := belowPlace(paths, i); inner != nil {
			node, p.deep[i] = showPaths(item, inner)
		}
		shown.Content = append(shown.Content, node)
	}
	return shown, p
}

func belowPlace(paths [][]string, i int) [][]string {
	var out [][]string
	for _, p := range paths {
		if n, err := strconv.Atoi(p[0]); err == nil && n == i {
			out = append(out, p[1:])
		}
	}
	return out
}

func below(paths [][]string, name string) [][]string {
	var out [][]string
	for _, p := range paths {
		if p[0] == name {
			out = append(out, p[1:])
		}
	}
	return out
}
