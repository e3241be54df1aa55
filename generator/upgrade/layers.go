package upgrade

import (
	"maps"

	"github.com/runkora/kora/internal/source"
)

// Values are those of a release, in layers: a later one wins, as Helm's files do.
// Nil is "not given"; no layer, or one without content, is "none but the chart's".
type Values []Layer

// Layer is one values file, or what a cluster has.
type Layer struct {
	// Plain is the content.
	Plain map[string]any
	// Node is where it stands, nil for what comes from a cluster.
	Node *source.Node
}

// LayerOf is the layer of a file's document.
func LayerOf(n *source.Node) Layer {
	plain, _ := n.Any().(map[string]any)
	return Layer{plain, n}
}

// merged are the layers in one, maps joined key by key and null over all, as Helm
// joins values files.
func (v Values) merged() map[string]any {
	out := map[string]any{}
	for _, layer := range v {
		out = join(out, layer.Plain)
	}
	return out
}

func join(under, over map[string]any) map[string]any {
	out := maps.Clone(under)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range over {
		a, isMap := out[key].(map[string]any)
		b, both := value.(map[string]any)
		if isMap && both {
			value = join(a, b)
		}
		out[key] = value
	}
	return out
}

// at is the value of a path, nil where it is not there or null, and its place in
// the last layer that says anything of it.
func (v Values) at(path ...string) (any, source.Pos) {
	var value any = v.merged()
	for _, key := range path {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	for i := len(v) - 1; i >= 0; i-- {
		node := v[i].Node
		for _, key := range path {
			if next := node.Get(key); next != nil {
				node = next
				continue
			}
			if !node.Null() { // a null above the key takes the key away as well
				node = nil
			}
			break
		}
		if node != nil && node != v[i].Node {
			return value, node.Pos
		}
	}
	return value, source.Pos{}
}
