package gather

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight/facts"
)

const (
	managerMap  = "spire-controller-manager"
	managerFile = "controller-manager-config.yaml"
)

// manager reads the file of SPIRE's controller manager, and gives its trust domain or
// why it could not be read.
func (r *reader) manager(ctx context.Context, in place, out *facts.Spire) (domain, why string) {
	text, why := r.text(ctx, in, managerMap, managerFile)
	if why == "" {
		var read managed
		if read, why = managedOf(text); why == "" {
			out.Class, out.Manager = facts.Known(read.class), facts.Known(read.Manager)
			return read.domain, ""
		}
		why = "the key " + managerFile + " of ConfigMap " + in.at + "/" + managerMap + " could not be read: " + why
	}
	out.Class, out.Manager = facts.Unknown[string](why), facts.Unknown[facts.Manager](why)
	return "", why
}

// managed is the file as far as kora looks at it.
type managed struct {
	facts.Manager
	class, domain string
}

// managedOf reads the file as the controller manager does: keys of the first level, by
// their letters, each of its type, and its defaults.
func managedOf(text string) (managed, string) {
	out := managed{Manager: facts.Manager{Ignored: []string{"kube-system", "kube-public", "spire-system"}}}
	var reconcile *struct {
		IDs bool `json:"clusterSPIFFEIDs"`
	}
	var static *string
	var cache string
	caches := map[string]*narrowed{}
	keys := map[string]json.RawMessage{}
	if yaml.Unmarshal([]byte(text), &keys) != nil {
		return out, "it is neither YAML nor JSON with settings by their names"
	}
	into := map[string]any{
		"className": &out.class, "trustDomain": &out.domain, "watchClassless": &out.Classless, "ignoreNamespaces": &out.Ignored,
		"reconcile": &reconcile, "staticManifestPath": &static, "cacheNamespace": &cache, "cacheNamespaces": &caches,
	}
	for _, key := range slices.Sorted(maps.Keys(into)) {
		if said, there := keys[key]; there && json.Unmarshal(said, into[key]) != nil {
			return out, "its " + key + " has another type than the controller manager takes"
		}
	}
	switch {
	case out.domain == "":
		return out, "it says no trustDomain"
	case strings.Contains(out.domain+out.class, "$"):
		return out, "its trustDomain or className comes out of the environment"
	}
	switch {
	case static != nil:
		out.Idle = "staticManifestPath"
	case reconcile != nil && !reconcile.IDs:
		out.Idle = "reconcile.clusterSPIFFEIDs"
	}
	if only, some := watched(cache, caches); some {
		out.Watched = &only
	}
	return out, ""
}

// narrowed is a namespace of which only some objects are seen, where it selects any.
type narrowed struct {
	Labels map[string]string `json:"labelSelectors"`
	Fields map[string]string `json:"fieldSelectors"`
}

// watched are the namespaces of which every pod is seen, where it is not all: a name that is
// empty stands for those that have none of their own.
func watched(cache string, caches map[string]*narrowed) (only []string, some bool) {
	if cache != "" {
		return []string{cache}, true
	}
	if len(caches) == 0 {
		return nil, false
	}
	out := []string{}
	for _, name := range slices.Sorted(maps.Keys(caches)) {
		if caches[name] == nil || len(caches[name].Labels)+len(caches[name].Fields) == 0 {
			out = append(out, name)
		}
	}
	if slices.Contains(out, "") && len(out) == len(caches) {
		return nil, false
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" }), true
}
