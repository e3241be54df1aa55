package preflight

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/preflight/facts"
)

const managerMap = "ConfigMap spire-controller-manager"

// spireManager judges what besides its class keeps SPIRE's controller manager from
// giving kora's pods an identity.
func (v *verdict) spireManager() {
	if !known(v, "the settings of SPIRE's controller manager", v.facts.Spire.Manager) {
		return
	}
	m := v.facts.Spire.Manager.Value
	if m.Idle != "" {
		v.fail(Finding{
			Message: "SPIRE's controller manager reads no ClusterSPIFFEIDs: no pod gets an identity", Object: managerMap, Field: m.Idle, Expected: "one that reads them from the API server",
			Fix: v.ofManager("spire-server.controllerManager.reconcile.clusterSPIFFEIDs: true, and staticManifestMode off"),
		})
	}
	v.ignored(m)
	v.unwatched(m)
}

// ignored tells of kora's namespaces that are left out by an expression.
func (v *verdict) ignored(m facts.Manager) {
	for _, namespace := range []string{v.Namespace, v1alpha1.TenantNamespace("sample")} {
		var by []string
		for _, text := range m.Ignored {
			expression, err := regexp.Compile(text)
			if err != nil && namespace == v.Namespace {
				v.fail(Finding{Message: "SPIRE's controller manager does not start with this", Object: managerMap, Field: "ignoreNamespaces", Found: fmt.Sprintf("%q", text), Expected: "a regular expression", Fix: v.ofManager("a mended one in spire-server.controllerManager.ignoreNamespaces")})
			}
			if err == nil && expression.MatchString(namespace) {
				by = append(by, fmt.Sprintf("%q", text))
			}
		}
		if len(by) > 0 {
			v.fail(Finding{
				Message: "SPIRE's controller manager ignores a namespace of kora's: no pod in it gets an identity", Object: managerMap, Field: "ignoreNamespaces",
				Found: some(by) + ", which match " + namespace, Expected: "expressions that match no part of the name",
				Fix: v.ofManager("spire-server.controllerManager.ignoreNamespaces without what matches, or with ^ before and $ behind it"),
			})
		}
	}
}

// unwatched tells of kora's namespaces whose pods are not seen. Tenants come later:
// where some are, each that comes has to be added.
func (v *verdict) unwatched(m facts.Manager) {
	if m.Watched == nil {
		return
	}
	watched := *m.Watched
	finding := Finding{
		Message: "SPIRE's controller manager sees not every pod of kora's: the others get no identity", Object: managerMap, Field: "cacheNamespaces",
		Found: orNothing(some(slices.Clone(watched))) + " with all of their pods", Expected: "every namespace, or " + v.Namespace + " and that of each tenant, " + v1alpha1.TenantNamespacePrefix + "…",
		Fix: v.ofManager("no cacheNamespaces, or those of kora and of its tenants as well, without selectors"),
	}
	tenants := slices.ContainsFunc(watched, func(n string) bool { return strings.HasPrefix(n, v1alpha1.TenantNamespacePrefix) })
	if slices.Contains(watched, v.Namespace) && tenants {
		finding.Message = "SPIRE's controller manager sees the pods of the tenants that it names alone"
		v.warn(finding)
		return
	}
	v.fail(finding)
}

// ofManager shows the settings, with words for whoever keeps SPIRE's values.
func (v *verdict) ofManager(words string) string {
	return v.on("kubectl", "get", "configmaps", "-A", "--field-selector=metadata.name=spire-controller-manager", "-o", "yaml") + remark("whoever installed "+ofSpire+" sets: "+words)
}

// counts reports whether SPIRE's controller manager reads a ClusterSPIFFEID beside kora's
// own, or that nobody knows: that of kora's class, and one without a class where it says so.
func (v *verdict) counts(id facts.SpiffeID) (counts, unknown bool) {
	if id.Class == v.SpireClass {
		return true, false
	}
	m := v.facts.Spire.Manager
	return id.Class == "" && (m.Missing != "" || m.Value.Classless), m.Missing != ""
}
