package agreement

import (
	"encoding/json"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/internal/source"
)

// empty is what says nothing: the chart has its default then, and the environment
// leaves the fact to the values.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// equal compares what the values say with what the environment does. Both have
// the shape of the sort.
func (s sort) equal(own, said any) bool {
	switch s {
	case amount:
		a, errA := resource.ParseQuantity(asText(own))
		b, errB := resource.ParseQuantity(asText(said))
		return errA == nil && errB == nil && a.Cmp(b) == 0
	case words:
		return slices.Equal(sorted(own), sorted(said))
	case taints:
		return reflect.DeepEqual(tolerations(own), tolerations(said))
	case document:
		return false // the file would take the place of the text
	}
	return own == said
}

func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

func sorted(v any) []string {
	var out []string
	items, _ := v.([]any)
	for _, item := range items {
		out = append(out, asText(item))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tolerations gives their fields, whatever they were written as.
func tolerations(v any) []corev1.Toleration {
	var out []corev1.Toleration
	text, err := json.Marshal(v)
	if err != nil || json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// named are pull secrets as the chart takes them, names or maps of one, as names.
func named(n *source.Node) *source.Node {
	if n.Kind != source.Sequence {
		return n
	}
	items := slices.Clone(n.Items)
	for i, item := range items {
		if name := item.Get("name"); item.Kind == source.Mapping && len(item.Fields) == 1 && !name.Null() {
			items[i] = name
		}
	}
	return n.With(nil, items)
}
