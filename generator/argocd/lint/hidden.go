package lint

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// values that stand in two places of one source: one of them is not read.
func (a *app) values(s *source.Node, i int) faults.List {
	helm, at := s.Get("helm"), fmt.Sprintf("spec.sources[%d].helm.", i)
	var found faults.List
	if text(helm, "values") != "" && !helm.Get("valuesObject").Null() {
		found = append(found, a.fault(key(helm, "values"), faults.HiddenValues, at+"values", "values is not read, because valuesObject stands beside it"))
	}
	given := map[string]string{}
	for _, field := range []string{"parameters", "fileParameters"} {
		for _, p := range items(helm.Get(field)) {
			name, value := text(p, "name"), field+" "+text(p, "value")+text(p, "path")+" "+text(p, "forceString")
			if name == "" || placeholder(name) || p.Get("name") == nil {
				continue
			}
			before, twice := given[name]
			given[name] = value
			switch {
			case twice && before != value:
				found = append(found, a.hidden(p, at+field, "the parameter stands here a second time, and one of the two is not read", faults.Error))
			case !twice && sets(helm.Get("valuesObject"), name):
				found = append(found, a.hidden(p, at+field, "valuesObject sets this key as well, and is not read there", faults.Warning))
			}
		}
	}
	return found
}

func (a *app) hidden(p *source.Node, field, message string, severity faults.Severity) faults.Fault {
	f := a.fault(p.Get("name"), faults.HiddenValues, field, message)
	f.Found, f.Severity, f.Fix = text(p, "name"), severity, "keep one of the two"
	return f
}

// sets reports whether values have the key that a parameter names, as far as it
// goes over maps alone: a{.b}, with dots between keys and \. for a dot in one.
func sets(values *source.Node, name string) bool {
	const dot = "\x00"
	if values == nil || strings.ContainsAny(name, "[]{},=") {
		return false
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(name, `\.`, dot), ".") {
		if values = values.Get(strings.ReplaceAll(part, dot, ".")); values == nil {
			return false
		}
	}
	return !values.Null()
}
