package values

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
)

// pod is what a block of a service says about its pods in Kubernetes' own shapes.
type pod struct {
	NodeSelector   map[string]string   `json:"nodeSelector"`
	Tolerations    []corev1.Toleration `json:"tolerations"`
	Affinity       *corev1.Affinity    `json:"affinity"`
	PodAnnotations map[string]string   `json:"podAnnotations"`
}

// CheckPod returns the faults of what the block of a service, such as
// policyService, says about its pods: the shapes and the rules of the API server
// that the chart's schema leaves open (R20).
func (t *Tree) CheckPod(block string) faults.List {
	c := &checker{tree: t}
	v := t.value(block)
	c.typed(v.child("nodeSelector"), pod{}.NodeSelector)
	c.typed(v.child("tolerations"), pod{}.Tolerations)
	c.typed(v.child("affinity"), pod{}.Affinity)
	c.typed(v.child("podAnnotations"), pod{}.PodAnnotations)
	c.shaken()
	c.keys(v.child("nodeSelector"), label)
	c.keys(v.child("podAnnotations"), annotation)
	c.scheduling(v)
	return finished(c.found)
}
