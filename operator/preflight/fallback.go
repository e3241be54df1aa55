package preflight

import (
	"fmt"
	"maps"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/preflight/facts"
)

const namespaceName = "kubernetes.io/metadata.name"

// spireFallback looks for ClusterSPIFFEIDs of others that take kora's pods, by
// whatever selectors: only those that are a fallback give way to kora's own.
func spireFallback(v *verdict) {
	if !known(v, "the ClusterSPIFFEIDs", v.facts.Spire.IDs) {
		return
	}
	for _, id := range v.facts.Spire.IDs.Value {
		counts, unknown := v.counts(id)
		if !counts || id.Fallback {
			continue
		}
		pod, err := v.taken(id)
		switch {
		case err != nil:
			v.unread("the selectors of ClusterSPIFFEID "+id.Name, err.Error(), sound(v.on("kubectl", "get", "clusterspiffeid", id.Name, "-o", "yaml"), subdomain(id.Name)))
		case pod != "" && unknown:
			v.unknown("whether SPIRE's controller manager minds ClusterSPIFFEID "+id.Name+", which has no class and takes "+pod+",", v.facts.Spire.Manager.Missing)
		case pod != "":
			found := "false, and its selectors take " + pod
			if id.Class == "" {
				found += "; it has no class, and watchClassless is true"
			}
			v.fail(Finding{
				Message: "a ClusterSPIFFEID registers kora's pods besides kora's own", Object: "ClusterSPIFFEID " + id.Name, Field: "spec.fallback", Found: found, Expected: "true",
				Fix: v.fallBack(id),
			})
		}
	}
}

// taken is the first of kora's pods that a ClusterSPIFFEID selects, empty when
// it selects none.
func (v *verdict) taken(id facts.SpiffeID) (string, error) {
	for _, p := range v.pods() {
		in, err := selects(id.Namespaces, v.namespaceOf(p), ofTenants(p))
		if err != nil {
			return "", fmt.Errorf("namespaceSelector: %w", err)
		}
		of, err := selects(id.Pods, p.Labels, ofPods(p))
		if err != nil {
			return "", fmt.Errorf("podSelector: %w", err)
		}
		if in && of {
			return p.Name, nil
		}
	}
	return "", nil
}

// pods are kora's, or one of each place where nobody gave them.
func (v *verdict) pods() []Pod {
	if len(v.Pods) > 0 {
		return v.Pods
	}
	agents := map[string]string{v1alpha1.LabelPartOf: "kora"}
	services := map[string]string{v1alpha1.LabelPartOf: "kora", labelInject: "true", "spiffe.io/spire-managed-identity": "true"}
	if v.Revision != "" {
		services[labelRevision] = v.Revision
	}
	return []Pod{{Name: "kora's services", Namespace: v.Namespace, Labels: services}, {Name: "agents", Tenant: true, Labels: agents}}
}

// namespaceOf are the labels of a pod's namespace, for a tenant of any name.
func (v *verdict) namespaceOf(p Pod) map[string]string {
	out := map[string]string{}
	if !p.Tenant {
		maps.Copy(out, v.facts.Namespaces.Value[p.Namespace].Labels)
		out[namespaceName] = p.Namespace
		return out
	}
	out[v1alpha1.LabelTenant], out[namespaceName] = "sample", v1alpha1.TenantNamespace("sample")
	out[v1alpha1.LabelManagedBy], out[v1alpha1.LabelPartOf] = v1alpha1.Operator, "kora"
	for _, mode := range []string{"enforce", "audit", "warn"} {
		out["pod-security.kubernetes.io/"+mode] = "restricted"
	}
	if v.Revision != "" {
		out[labelRevision] = v.Revision
	} else {
		out[labelInjection] = "enabled"
	}
	return out
}

// fallBack lets a ClusterSPIFFEID stand behind kora's, unless somebody says that it
// does not.
func (v *verdict) fallBack(id facts.SpiffeID) string {
	patch := func(body string) string {
		return v.on("kubectl", "patch", "clusterspiffeid", id.Name, "--type=json", "-p", body)
	}
	fix := patch(`[{"op":"test","path":"/spec/fallback","value":null},{"op":"add","path":"/spec/fallback","value":true}]`) + " # where a chart made it, set the same in its values"
	if id.Declined {
		fix = v.on("kubectl", "get", "clusterspiffeid", id.Name, "-o", "yaml") + replaces(patch(`[{"op":"replace","path":"/spec/fallback","value":true}]`))
	}
	return sound(fix, subdomain(id.Name))
}
