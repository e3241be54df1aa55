// Package floors states which package of kora may import which, and what must
// never come along: the rules of the house as data. Its test reads the real
// import graph.
package floors

import "strings"

// Module is kora's module path.
const Module = "github.com/runkora/kora"

// floor numbers the house from the ground up. A package imports from its own
// floor or from a lower one. Longer prefixes win.
var floor = map[string]int{
	"":                     0, // the version
	"internal":             0,
	"internal/docgen":      2, // writes documents about all floors
	"internal/testcluster": 0,
	"operator/api":         0,
	"charts":               0,
	"e2e":                  2, // tests alone, of all floors
	"operator":             1,
	"verify":               1,
	"generator":            1,
	"plugin":               2,
}

// Of returns the floor of a package of kora, given without the module path.
func Of(pkg string) int {
	best, at := -1, 0
	for prefix, f := range floor {
		if (pkg == prefix || prefix == "" || strings.HasPrefix(pkg, prefix+"/")) && len(prefix) > best {
			best, at = len(prefix), f
		}
	}
	return at
}

// Rule forbids some packages below a part of kora.
type Rule struct {
	Packages  []string // of kora
	Forbidden []string // prefixes of import paths
	Why       string
}

// Rules are the heavy imports that must stay behind their own packages.
func Rules() []Rule {
	heavy := []string{"helm.sh/helm/", "github.com/sigstore/", "github.com/argoproj/", "k8s.io/client-go/", "sigs.k8s.io/controller-runtime"}
	return []Rule{
		{[]string{"operator/agents", "operator/patches", "internal/faults", "internal/fields", "internal/source"}, heavy, "the preview and kora-agents start in milliseconds"},
		{[]string{"operator"}, []string{"helm.sh/helm/", "github.com/sigstore/cosign", "github.com/argoproj/"}, "the operator neither renders charts nor verifies releases"},
		{[]string{"plugin", "operator", "verify", "verify/registry"}, []string{"github.com/sigstore/cosign/"}, "the verdict is sigstore-go's: cosign 2 panics on a registry's bytes and accepts an expired authority"},
		{[]string{"plugin/render", "plugin/values"}, []string{"helm.sh/helm/v3/pkg/action", "helm.sh/helm/v3/pkg/engine", "github.com/sigstore/", "github.com/argoproj/", "k8s.io/client-go/", "github.com/santhosh-tekuri/"}, "the preview of an agent type loads only what it uses"},
		{[]string{"plugin/release"}, []string{"helm.sh/helm/v3/pkg/action", "helm.sh/helm/v3/pkg/kube", "helm.sh/helm/v3/pkg/registry", "github.com/sigstore/", "github.com/argoproj/", "sigs.k8s.io/controller-runtime"}, "a release is rendered by Helm's engine alone: nothing that talks to a cluster"},
	}
}
