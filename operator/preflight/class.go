package preflight

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"

	"github.com/runkora/kora/operator/placement"
)

// RuntimeClasses are those that agents' pods name, sorted, each once.
func (s Settings) RuntimeClasses() []string {
	var out []string
	for _, p := range s.Agents {
		if p.Spec.RuntimeClassName != nil {
			out = append(out, *p.Spec.RuntimeClassName)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// placed are the agents' pods as the API server lets them in: with the node selector and
// the tolerations of their RuntimeClass. It is false where one's is not known, and where
// none is let in, which is told then, and no matter of the nodes.
func (v *verdict) placed() ([]*corev1.PodSpec, bool) {
	var out []*corev1.PodSpec
	for _, p := range v.Agents {
		class, there := (*nodev1.Scheduling)(nil), true
		if name := p.Spec.RuntimeClassName; name != nil {
			if !known(v, "the RuntimeClasses", v.facts.RuntimeClasses) || !v.lookedUp(*name) {
				return nil, false
			}
			class, there = v.classed(p.Name, *name)
		}
		if there && !v.against(p, class) {
			out = append(out, placement.WithClass(&p.Spec, class))
		}
	}
	return out, len(out) > 0 || len(v.Agents) == 0
}

// against tells of labels that keep a pod from its class, and whether there are any.
func (v *verdict) against(p Placement, class *nodev1.Scheduling) bool {
	all := placement.Against(&p.Spec, class)
	for _, key := range all {
		name := *p.Spec.RuntimeClassName
		v.fail(Finding{
			Message: "a pod and its RuntimeClass select nodes of different values of one label, and the API server refuses the pod", Object: "the pod of a " + p.Name, Field: "spec.nodeSelector",
			Found: key + "=" + p.Spec.NodeSelector[key], Expected: key + "=" + class.NodeSelector[key] + ", as RuntimeClass " + name + " has it",
			Fix: sound(v.on("kubectl", "get", "runtimeclass", name, "-o", "jsonpath={.scheduling.nodeSelector}")+" # the label goes out of agents.workloads and out of the patches, or they name another class", subdomain(name)),
		})
	}
	return len(all) > 0
}

func (v *verdict) lookedUp(name string) bool {
	_, asked := v.facts.RuntimeClasses.Value[name]
	return asked || v.meant("the RuntimeClass", "", name)
}

// classed is what a class says of placement, nil for nothing, and whether there is one.
func (v *verdict) classed(pod, name string) (*nodev1.Scheduling, bool) {
	class := v.facts.RuntimeClasses.Value[name]
	if class == nil {
		v.fail(Finding{
			Message: "the cluster has no such RuntimeClass, and refuses each pod of it", Object: "the pod of a " + pod, Field: "spec.runtimeClassName", Found: name, Expected: "one that is there",
			Fix: v.on("kubectl", "get", "runtimeclasses") + " # tells what there is: the patches of the agents name another, or what brings this one is to be installed",
		})
		return nil, false
	}
	return &nodev1.Scheduling{NodeSelector: class.NodeSelector, Tolerations: class.Tolerations}, true
}
