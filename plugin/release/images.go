package release

import (
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// settingsPrefix begins the keys of the ConfigMaps that kora's services read.
const settingsPrefix = "internal."

// Images are all images that the release brings into the cluster, each once and
// ordered: those of every pod, its volumes too, and of hooks; those that custom
// resources, variables and arguments name; those that the settings of kora's
// services name for the pods that they make themselves, of agent types and of
// what tenants get; and those that patches of agent types bring (R45, R46).
func (r *Result) Images() []string {
	all := images{}
	for _, o := range r.Objects {
		all.object(o.Node)
		data := o.Node.Get("data")
		if o.Kind != "ConfigMap" || data == nil {
			continue
		}
		for _, f := range data.Fields {
			switch {
			case strings.HasPrefix(f.Key.Value, settingsPrefix):
				all.settings(f.Value)
			case o.Name == patchesName:
				all.patch(f.Value)
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// images is a set of references.
type images map[string]bool

// settings looks into the YAML that a key of a ConfigMap holds.
func (all images) settings(n *source.Node) {
	for _, d := range documentsOf(n) {
		all.walk(d, true)
		if named := d.Get("images"); named != nil {
			for _, f := range named.Fields {
				all.add(f.Value)
			}
		}
		all.add(d.Get("enforcer")) // the operator's sidecar for agents' pods
	}
}

// object looks everywhere: where Kubernetes and others keep images is known by
// the names of fields, at any depth, so that no kind of workload is left out.
func (all images) object(n *source.Node) { all.walk(n, false) }

// walk adds what stands under the names of images; in settings not that of what
// is switched off.
func (all images) walk(n *source.Node, settings bool) {
	if off := n.Get("enabled"); settings && off != nil && off.Any() == false {
		return
	}
	all.variable(n)
	for _, f := range n.Fields {
		all.field(f.Key.Value, f.Value)
		all.walk(f.Value, settings)
	}
	for _, item := range n.Items {
		all.walk(item, settings)
	}
}

// Places of images beside the field image.
const (
	proxyAnnotation = "sidecar.istio.io/proxyImage"
	wasmScheme      = "oci://"
)

func (all images) field(key string, value *source.Node) {
	switch {
	case key == "image" && value.Kind == source.Mapping:
		all.add(value.Get("reference")) // of a volume
	case key == "image", key == proxyAnnotation:
		all.add(value)
	case key == "images":
		for _, item := range value.Items {
			all.add(item)
		}
	case key == "url" && strings.HasPrefix(value.Value, wasmScheme):
		all[strings.TrimPrefix(value.Value, wasmScheme)] = true // Istio's WasmPlugin
	case key == "args" || key == "command":
		for _, item := range value.Items {
			if flag, ref, ok := strings.Cut(item.Value, "="); ok && strings.HasPrefix(flag, "-") && strings.HasSuffix(flag, "image") && ref != "" {
				all[ref] = true
			}
		}
	}
}

// variable is one of the environment, by the end of its name.
func (all images) variable(n *source.Node) {
	if name := n.Get("name"); name != nil && strings.HasSuffix(name.Value, "_IMAGE") {
		all.add(n.Get("value"))
	}
}

// meshImage stands where Istio puts its own proxy's image in.
const meshImage = "auto"

func (all images) add(n *source.Node) {
	if n != nil && n.Kind == source.Scalar && n.Tag == "!!str" && n.Value != "" && n.Value != meshImage {
		all[n.Value] = true
	}
}
