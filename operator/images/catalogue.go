package images

import (
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/settings"
)

// Base is the image that agents without an environment run on (R53).
const Base = "kora-base"

// descriptions are what people read who choose an image.
var descriptions = map[string]string{
	Base:          "General command-line tools, Go and Python.",
	"kora-go":     "Go with golangci-lint, buf and protoc.",
	"kora-python": "Python with ruff and pytest.",
	"kora-node":   "Node.js LTS with pnpm.",
}

// catalogue is what every tenant has: the specs that are wanted, by name, and the
// names of those that are turned off.
type catalogue struct {
	wanted map[string]v1alpha1.SandboxImageSpec
	off    []string
}

// catalogueOf reads the settings (R30): kora-base is always wanted.
func catalogueOf(s settings.Images) catalogue {
	c := catalogue{wanted: map[string]v1alpha1.SandboxImageSpec{Base: {Image: plain(s.Base.Image), Warm: s.Base.Warm, Description: descriptions[Base]}}}
	for name, b := range s.Bundled {
		name = "kora-" + name
		if b.Enabled {
			c.wanted[name] = v1alpha1.SandboxImageSpec{Image: plain(b.Image), Warm: b.Warm, Description: descriptions[name]}
		} else {
			c.off = append(c.off, name)
		}
	}
	slices.Sort(c.off)
	return c
}

// plain is a reference whose host is in lower case, as a SandboxImage writes it: the
// values may have it in capitals.
func plain(image string) string {
	host, _, _ := strings.Cut(image, "/")
	return strings.ToLower(host) + image[len(host):]
}

// names are those of all images that are wanted, sorted.
func (c catalogue) names() []string { return slices.Sorted(maps.Keys(c.wanted)) }

// references are those of all images that are wanted.
func (c catalogue) references() map[string]bool {
	all := map[string]bool{}
	for _, spec := range c.wanted {
		all[spec.Image] = true
	}
	return all
}

// has reports whether an image of this name is the catalogue's business.
func (c catalogue) has(name string) bool {
	_, wanted := c.wanted[name]
	return wanted || slices.Contains(c.off, name)
}

// made reports whether the operator made an image.
func made(image *v1alpha1.SandboxImage) bool {
	return image.Labels[v1alpha1.LabelManagedBy] == v1alpha1.Operator && image.Labels[v1alpha1.LabelBundled] == image.Name
}

func bundledLabels(tenant, name string) map[string]string {
	return map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora", v1alpha1.LabelTenant: tenant, v1alpha1.LabelBundled: name}
}
