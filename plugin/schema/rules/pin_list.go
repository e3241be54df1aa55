package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// repeats holds a list or a map to its pin, a list of texts of Pinned.
func (j *judge) repeats(pinned, n *source.Node, at fields.Path) {
	if n.Kind == source.Scalar {
		return // of another type, as the schema says
	}
	want, of := j.listed(pinned.Items)
	if got := inJSON(n.Any()); got == want || want == "" && (got == "[]" || got == "{}") {
		return
	}
	j.contradicts(n, at, of+", by which other objects are made", "set "+of+" instead")
}

// listed is what a list or a map must be, in JSON, empty where there is none, and
// the values that it follows.
func (j *judge) listed(pins []*source.Node) (want, of string) {
	if first := pins[0].Value; len(pins) == 1 && !strings.HasPrefix(first, "=") {
		n := j.all.Get(strings.Split(first, ".")...)
		if n.Null() {
			return "", first
		}
		return inJSON(named(n.Any())), first
	}
	var all, names []string
	for _, item := range pins {
		p := j.pin(item.Value)
		all, names = append(all, p.want), append(names, p.of)
	}
	return inJSON(all), strings.Join(names, " and ")
}

// named has the name alone of each item that has one, as of a pull secret, which is
// written in two ways (R21).
func named(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = item
		if m, ok := item.(map[string]any); ok && m["name"] != nil {
			out[i] = m["name"]
		}
	}
	return out
}

// plain is a value as the chart's templates write it, empty where there is none.
func plain(n *source.Node) string {
	if n.Null() {
		return ""
	}
	return fmt.Sprint(n.Any())
}

func inJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
