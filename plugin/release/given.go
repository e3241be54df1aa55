package release

import (
	"math"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// helmValues turns the values into what Helm's own reader would have made of
// them, so that a template prints the same: a number from a file is a float64,
// one from --set a whole number, and the plain words that YAML 1.1 takes for
// booleans are booleans. A null is there and takes the chart's own value away.
func helmValues(n *source.Node) map[string]any {
	out, _ := helmValue(n).(map[string]any)
	return out
}

func helmValue(n *source.Node) any {
	switch n.Kind {
	case source.Mapping:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Key.Value] = helmValue(f.Value)
		}
		return out
	case source.Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = helmValue(item)
		}
		return out
	}
	if n.AmbiguousBool() {
		return strings.HasPrefix(strings.ToLower(n.Value), "y") || strings.EqualFold(n.Value, "on")
	}
	return number(n.Any(), fromSet(n))
}

// fromSet is true of what a --set gave, not of a --set-json.
func fromSet(n *source.Node) bool {
	return n.Pos.File != nil && strings.HasPrefix(n.Pos.File.Name, "--set ")
}

func number(v any, whole bool) any {
	if i, ok := v.(int64); ok && !whole {
		return float64(i)
	}
	if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
		return nil // JSON has no such number, and Helm refuses it
	}
	return v
}
