package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// enlivened keeps what kustomizations patch into argocd-cm, or into what makes it.
func (s *set) enlivened() {
	for _, o := range s.overlays {
		if o.lives || slices.ContainsFunc(o.patches, change.enlivens) {
			s.health = append(s.health, o.namespace)
		}
	}
}

func (c change) enlivens() bool {
	for _, doc := range parsed(c.text) {
		for _, each := range operations(doc) {
			if c.target == nil {
				if _, ok := enlivens(text(each, "kind"), text(each.Get("metadata"), "name"), each); ok {
					return true
				}
				continue
			}
			for _, kind := range []string{"ConfigMap", "ArgoCD", "Application", "HelmRelease"} {
				if _, ok := enlivens(kind, "argocd-cm", each); ok && c.wants("kind", kind) && (kind != "ConfigMap" || c.wants("name", "argocd-cm")) {
					return true
				}
			}
		}
	}
	return false
}

// wants reports whether the target takes objects with that field.
func (c change) wants(field, value string) bool {
	want, asked := c.wanted[field]
	return !asked || want != nil && want.MatchString(value)
}

// operations are the objects that a patch brings, in part: itself, or of a JSON
// patch what each operation adds, at its place.
func operations(doc *source.Node) []*source.Node {
	if doc.Kind != source.Sequence {
		return []*source.Node{doc}
	}
	var out []*source.Node
	for _, op := range doc.Items {
		if value := op.Get("value"); value != nil && (text(op, "op") == "add" || text(op, "op") == "replace") {
			out = append(out, below(strings.Split(text(op, "path"), "/")[1:], value))
		}
	}
	return out
}

// below is a value at a path of a JSON patch, with nothing beside it.
func below(path []string, value *source.Node) *source.Node {
	if len(path) == 0 {
		return value
	}
	inner := below(path[1:], value)
	if _, err := strconv.Atoi(path[0]); err == nil || path[0] == "-" {
		return &source.Node{Kind: source.Sequence, Items: []*source.Node{inner}, Pos: value.Pos}
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	key := &source.Node{Kind: source.Scalar, Tag: "!!str", Value: name, Pos: value.Pos}
	return &source.Node{Kind: source.Mapping, Fields: []source.Field{{Key: key, Value: inner}}, Pos: value.Pos}
}
