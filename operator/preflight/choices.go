package preflight

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// choice is a label whose value nobody knows before the pod is there: it is one of
// only, or begins with a prefix, and optional that it may not be there at all.
type choice struct {
	prefix   string
	only     []string
	optional bool
}

// added are labels that Kubernetes' controllers and Istio's injection put on pods.
var added = map[string]choice{
	"pod-template-hash": {optional: true}, "controller-revision-hash": {optional: true}, "pod-template-generation": {optional: true},
	"statefulset.kubernetes.io/pod-name": {optional: true}, "apps.kubernetes.io/pod-index": {optional: true},
	"job-name": {optional: true}, "controller-uid": {optional: true}, "batch.kubernetes.io/job-name": {optional: true}, "batch.kubernetes.io/controller-uid": {optional: true},
	"topology.kubernetes.io/zone": {optional: true}, "topology.kubernetes.io/region": {optional: true},
	"security.istio.io/tlsMode":       {only: []string{"istio"}, optional: true},
	"service.istio.io/canonical-name": {optional: true}, "service.istio.io/canonical-revision": {optional: true},
}

// ofPods are the choices in a pod's own labels: which agent of which tenant it is,
// and what is added.
func ofPods(p Pod) map[string]choice {
	out := map[string]choice{}
	for key, c := range added {
		if _, there := p.Labels[key]; !there {
			out[key] = c
		}
	}
	for _, key := range []string{v1alpha1.LabelTenant, "runkora.io/agent-type", "runkora.io/agent-slug", "app.kubernetes.io/instance"} {
		if _, there := p.Labels[key]; there && p.Tenant {
			out[key] = choice{}
		}
	}
	return out
}

// ofTenants are those in the labels of its namespace: tenants come later.
func ofTenants(p Pod) map[string]choice {
	if !p.Tenant {
		return nil
	}
	return map[string]choice{v1alpha1.LabelTenant: {}, namespaceName: {prefix: v1alpha1.TenantNamespacePrefix}}
}

// selects reports whether a selector takes something with these labels, by some
// value of those that are a choice. No selector takes everything.
func selects(by *metav1.LabelSelector, has map[string]string, choices map[string]choice) (bool, error) {
	if by == nil {
		return true, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(by)
	if err != nil {
		return false, err
	}
	requirements, _ := selector.Requirements()
	of := map[string][]labels.Requirement{}
	for _, r := range requirements {
		of[r.Key()] = append(of[r.Key()], r)
	}
	for key, all := range of {
		holds := func(set labels.Set) bool {
			return !slices.ContainsFunc(all, func(r labels.Requirement) bool { return !r.Matches(set) })
		}
		if !slices.ContainsFunc(candidates(key, has, choices, all), holds) {
			return false, nil
		}
	}
	return true, nil
}

// candidates are what a label may be: what the selector asks for, something that
// it does not name, or nothing.
func candidates(key string, has map[string]string, choices map[string]choice, asked []labels.Requirement) []labels.Set {
	c, free := choices[key]
	if !free {
		return []labels.Set{has}
	}
	values := slices.Clone(c.only)
	if c.only == nil {
		values = append(values, c.prefix+"named-by-nobody")
		for _, r := range asked {
			values = append(values, r.ValuesUnsorted()...)
		}
	}
	var out []labels.Set
	for _, value := range values {
		if strings.HasPrefix(value, c.prefix) {
			out = append(out, labels.Set{key: value})
		}
	}
	if c.optional {
		out = append(out, labels.Set{})
	}
	return out
}
