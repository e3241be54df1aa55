package kustomize

import (
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/filters/patchstrategicmerge"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Merge is one document of a strategic merge patch.
type Merge struct {
	doc *yaml.Node
	// AllowNameChange and AllowKindChange are kustomize's options of an entry;
	// without them kustomize keeps the object's own name and kind.
	AllowNameChange, AllowKindChange bool
}

// NewMerge compiles a document once for all the objects it will change.
func NewMerge(doc *source.Node) *Merge { return &Merge{doc: doc.YAML()} }

// Apply returns the object as the patch leaves it, nil when the patch deletes
// it. The object itself stays as it was.
func (m *Merge) Apply(object map[string]any, t *fields.Type) (map[string]any, error) {
	shown, p := m.show(object, t)
	made, err := m.filter(shown)
	if made == nil || err != nil {
		return nil, err
	}
	out, ok := p.back(object, made).(map[string]any)
	if !ok || len(out) == 0 {
		return nil, nil
	}
	m.restore(out, object)
	return out, nil
}

// filter runs kustomize on a copy of the patch, of which it keeps parts.
func (m *Merge) filter(object *yaml.Node) (*yaml.Node, error) {
	patch := kyaml.NewRNode(kyaml.CopyYNode(m.doc))
	made, err := patchstrategicmerge.Filter{Patch: patch}.Filter([]*kyaml.RNode{kyaml.NewRNode(object)})
	if err != nil {
		return nil, err
	}
	if len(made) == 0 || made[0].IsNilOrEmpty() {
		return nil, nil
	}
	return made[0].YNode(), nil
}

// restore does what kustomize does after a merge: a patch's own name, kind
// and namespace say which object is meant, not what it shall be called.
func (m *Merge) restore(made, object map[string]any) {
	if !m.AllowKindChange {
		made["kind"] = object["kind"]
	}
	before, _ := object["metadata"].(map[string]any)
	after, ok := made["metadata"].(map[string]any)
	if !ok {
		return
	}
	if !m.AllowNameChange {
		keep(after, before, "name")
	}
	keep(after, before, "namespace")
}

func keep(after, before map[string]any, name string) {
	if v, ok := before[name]; ok {
		after[name] = v
	} else {
		delete(after, name)
	}
}

// show returns the part of the object that the patch names, and with it what
// kustomize needs to know the object's kind.
func (m *Merge) show(object map[string]any, t *fields.Type) (*yaml.Node, *part) {
	shown, p := showMap(object, m.doc, t)
	if p == nil {
		return shown, nil
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if _, ok := p.fields[name]; !ok {
			p.fields[name] = nil
			shown.Content = append(shown.Content, text(name), toYAML(object[name]))
		}
	}
	return shown, p
}

func show(whole any, patch *yaml.Node, f *fields.Field) (*yaml.Node, *part) {
	switch whole := whole.(type) {
	case map[string]any:
		return showMap(whole, patch, f.Type)
	case []any:
		return showList(whole, patch, f)
	}
	return toYAML(whole), nil
}

func showMap(whole map[string]any, patch *yaml.Node, t *fields.Type) (*yaml.Node, *part) {
	if patch.Kind != yaml.MappingNode || field(patch, "$patch") != nil {
		return toYAML(whole), nil
	}
	shown, p := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, &part{fields: map[string]*part{}}
	for i := 0; i+1 < len(patch.Content); i += 2 {
		name := patch.Content[i].Value
		if v, ok := whole[name]; ok {
			node, inner := show(v, patch.Content[i+1], t.Member(name))
			p.fields[name] = inner
			shown.Content = append(shown.Content, text(name), node)
		}
	}
	return shown, p
}

// showList shows, of a list that merges by one key, the items whose key the
// patch names, and of the others one by its key alone, which stands for them
// all. Any other list is shown whole.
func showList(whole []any, patch *yaml.Node, f *fields.Field) (*yaml.Node, *part) {
	named := namedItems(patch, f)
	if named == nil || !distinct(whole, f.Keys[0]) {
		return toYAML(whole), nil
	}
	shown, p := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}, &part{key: f.Keys[0], items: map[string]*part{}}
	for _, item := range whole {
		item := item.(map[string]any)
		value := keyOf(item, p.key)
		if patchItem := named[value]; patchItem != nil {
			node, inner := showMap(item, patchItem, f.Type.Elem)
			p.items[value] = inner
			shown.Content = append(shown.Content, node)
			continue
		}
		if p.rest = append(p.rest, item); len(p.rest) == 1 {
			shown.Content = append(shown.Content, toYAML(map[string]any{p.key: item[p.key]}))
		}
	}
	return shown, p
}

// namedItems returns the patch's items by their key; nil when the list does
// not merge by one key, or the patch does not name one in every item.
func namedItems(patch *yaml.Node, f *fields.Field) map[string]*yaml.Node {
	if patch.Kind != yaml.SequenceNode || len(f.Keys) != 1 || !strings.Contains(f.Strategy, "merge") {
		return nil
	}
	out := map[string]*yaml.Node{}
	for _, item := range patch.Content {
		key := field(item, f.Keys[0])
		if item.Kind != yaml.MappingNode || key == nil || key.Kind != yaml.ScalarNode || out[key.Value] != nil {
			return nil
		}
		out[key.Value] = item
	}
	return out
}

func distinct(items []any, key string) bool {
	seen := make(map[string]bool, len(items))
	for _, item := range items {
		value := keyOf(item, key)
		if value == "" || seen[value] {
			return false
		}
		seen[value] = true
	}
	return true
}
