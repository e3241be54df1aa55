package preflight

import (
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

// strangers warns of what looks like a part of the platform and is none: whoever
// put it there means it to be taken for that, or does not know that it is not.
func (v *verdict) strangers(category string) {
	for _, s := range v.facts.Strangers {
		if s.Of == category {
			v.warn(Finding{
				Message: "something looks like a part of the platform, and nothing is taken from it", Object: s.Object, Found: s.Why,
				Expected: "the platform's own, where webhooks of injection lead, files of nodes are mounted, or a namespace is reserved", Fix: v.lookAt(s),
			})
		}
	}
}

// lookAt shows a stranger: what to do with it is its owner's to say.
func (v *verdict) lookAt(s facts.Stranger) string {
	kind, name, _ := strings.Cut(s.Object, " ")
	namespace, name, inside := strings.Cut(name, "/")
	if !inside {
		words := []string{"-n", namespace, "get", "pods", "-o", "wide"}
		if s.Of == "istio" {
			words = append(words, "-l", "app=istiod")
		}
		return sound(v.on("kubectl", words...), label(namespace))
	}
	return sound(v.on("kubectl", "-n", namespace, "get", strings.ToLower(kind), name, "-o", "yaml"), label(namespace), kindName(kind), rbacName(name))
}
