package lint

import (
	"path"

	"github.com/runkora/kora/internal/faults"
)

// repeated tells Applications of one name and namespace: the later one is written
// over the former. In one folder they may still be for two clusters, each with an
// Argo CD of its own, and in two folders they mostly are.
func (s *set) repeated() faults.List {
	var found faults.List
	seen := map[string]*app{}
	for _, a := range s.apps {
		name := text(a.meta, "name")
		id := path.Dir(a.at) + " " + text(a.meta, "namespace") + " " + name
		first, twice := seen[id]
		if !twice {
			seen[id] = a
			continue
		}
		if name == "" || len(a.sources()) == 0 || len(first.sources()) == 0 {
			continue // a patch
		}
		f := a.fault(a.meta.Get("name"), faults.AppShape, "metadata.name", "another Application beside it has this name and namespace, and one is written over the other")
		f.Found, f.Fix = name, "give each a name of its own"
		if first.at != a.at {
			f.Severity = faults.Warning
		}
		found = append(found, f)
	}
	return found
}
