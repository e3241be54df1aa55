package upgrade

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// amount is a quantity in its one form: 10240Mi, 10Gi and 10737418240 are equal.
// Whatever else is returned as it is.
func amount(v any) any {
	switch v.(type) {
	case string, json.Number, int, int64, uint64, float64:
	default:
		return v
	}
	word := fmt.Sprint(v)
	if f, ok := v.(float64); ok {
		word = strings.TrimSuffix(fmt.Sprintf("%f", f), ".000000")
	}
	q, err := resource.ParseQuantity(word)
	if err != nil {
		return v
	}
	text := q.AsDec().String()
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// readEntry is an entry of patches with its patch read, so that its layout, comments
// and the words for its quantities do not count.
func readEntry(entry map[string]any) map[string]any {
	out := maps.Clone(entry)
	patch, _ := entry["patch"].(string)
	var read any
	if err := yaml.Unmarshal([]byte(patch), &read); err == nil && read != nil {
		out["patch"] = quantities(read, false)
	}
	return out
}

// quantities brings what stands under requests and limits, and under the path of
// an operation that leads there, to one form.
func quantities(v any, under bool) any {
	switch v := v.(type) {
	case map[string]any:
		path, _ := v["path"].(string)
		out := map[string]any{}
		for key, value := range v {
			within := under || key == "requests" || key == "limits" ||
				key == "value" && (strings.Contains(path, "/requests") || strings.Contains(path, "/limits"))
			out[key] = quantities(value, within)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = quantities(v[i], under)
		}
		return out
	}
	if under {
		return amount(v)
	}
	return v
}
