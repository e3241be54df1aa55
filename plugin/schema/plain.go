package schema

import (
	"strings"

	"github.com/runkora/kora/internal/source"
)

// Plain is a node as Helm reads it: on, off, yes and no are booleans to it.
func Plain(n *source.Node) any {
	switch {
	case n == nil:
		return nil
	case n.Kind == source.Mapping:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Key.Value] = Plain(f.Value)
		}
		return out
	case n.Kind == source.Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = Plain(item)
		}
		return out
	case n.AmbiguousBool():
		return strings.HasPrefix(strings.ToLower(n.Value), "y") || strings.EqualFold(n.Value, "on")
	}
	return n.Any()
}
