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
// ordered: those of every pod, also of hooks, and those that the settings of
// kora's services name for the pods that they make themselves, of agent types and
// of what tenants get (R45, R46).
func (r *Result) Images() []string {
	all := map[string]bool{}
	for _, o := range r.Objects {
		images(o.Node, all)
		data := o.Node.Get("data")
		if o.Kind != "ConfigMap" || data == nil {
			continue
		}
		for _, f := range data.Fields {
			if strings.HasPrefix(f.Key.Value, settingsPrefix) {
				settings(f.Value, all)
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// settings looks into the YAML that a key of a ConfigMap holds.
func settings(n *source.Node, all map[string]bool) {
	docs, found := source.Parse(source.NewFile("", n.Value), documentLimits)
	if found.Refused() {
		return
	}
	for _, d := range docs {
		images(d, all)
		if named := d.Get("images"); named != nil {
			for _, f := range named.Fields {
				image(f.Value, all)
			}
		}
	}
}

// images adds every text under a key image, but not of what is switched off.
func images(n *source.Node, all map[string]bool) {
	if off := n.Get("enabled"); off != nil && off.Any() == false {
		return
	}
	for _, f := range n.Fields {
		if f.Key.Value == "image" {
			image(f.Value, all)
		}
		images(f.Value, all)
	}
	for _, item := range n.Items {
		images(item, all)
	}
}

// meshImage stands where Istio puts its own proxy's image in.
const meshImage = "auto"

func image(n *source.Node, all map[string]bool) {
	if n.Kind == source.Scalar && n.Tag == "!!str" && n.Value != "" && n.Value != meshImage {
		all[n.Value] = true
	}
}
