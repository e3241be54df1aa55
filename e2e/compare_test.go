//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// differences are what an object that is kept lacks, or has otherwise, of the one
// that was sent. What the server or an injector adds is none.
type differences struct {
	pod    bool // lists of a pod may have more entries: sidecars, their volumes
	fields int
	found  []string
}

func (d *differences) compare(path string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			d.found = append(d.found, fmt.Sprintf("%s: %v became %v", path, want, got))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(w)) {
			d.compare(path+"."+key, w[key], g[key])
		}
	case []any:
		d.list(path, w, got)
	default:
		d.fields++
		if !reflect.DeepEqual(want, got) {
			d.found = append(d.found, fmt.Sprintf("%s: %v became %v", path, want, got))
		}
	}
}

// list compares entry by entry; in a pod containers and volumes are found by
// their names, and others may stand among them; elsewhere others may come after.
func (d *differences) list(path string, want []any, got any) {
	g, _ := got.([]any)
	if len(g) < len(want) || !d.pod && len(g) != len(want) {
		d.found = append(d.found, fmt.Sprintf("%s: %d entries became %d", path, len(want), len(g)))
		return
	}
	for i, entry := range want {
		other := g[i]
		if m, ok := entry.(map[string]any); ok && d.pod && byName(path) {
			at := slices.IndexFunc(g, func(x any) bool { y, _ := x.(map[string]any); return y["name"] == m["name"] })
			if at < 0 {
				d.found = append(d.found, fmt.Sprintf("%s: %v is gone", path, m["name"]))
				continue
			}
			other = g[at]
		}
		d.compare(fmt.Sprintf("%s[%d]", path, i), entry, other)
	}
}

// byName tells the lists into which an injector may put entries anywhere.
func byName(path string) bool {
	return slices.Contains([]string{".spec.containers", ".spec.initContainers", ".spec.volumes"}, path)
}
