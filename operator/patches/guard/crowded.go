package guard

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	requests "k8s.io/component-helpers/resource"

	"github.com/runkora/kora/internal/fields"
)

// Crowded tells where the pod of an object is given less as a whole than its containers
// request with the sidecars that injection adds to them (R10): the API server refuses each
// such pod, as late as it is made.
func Crowded(o runtime.Object, sidecars corev1.ResourceList) []Violation {
	c := &checker{}
	switch o := o.(type) {
	case *corev1.Pod:
		c.crowded("spec.resources", &o.Spec, sidecars)
	case *appsv1.StatefulSet:
		c.crowded("spec.template.spec.resources", &o.Spec.Template.Spec, sidecars)
	}
	return c.found
}

func (c *checker) crowded(at fields.Path, s *corev1.PodSpec, sidecars corev1.ResourceList) {
	if s.Resources == nil {
		return
	}
	pod := &corev1.Pod{Spec: asked(s)}
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Resources: corev1.ResourceRequirements{Requests: sidecars}})
	needed := requests.AggregateContainerRequests(pod, requests.PodResourcesOptions{})
	for _, name := range slices.Sorted(maps.Keys(sidecars)) {
		c.least(at.Child("limits").Child(string(name)), s.Resources.Limits, name, needed[name])
		c.least(at.Child("requests").Child(string(name)), s.Resources.Requests, name, needed[name])
	}
}

func (c *checker) least(at fields.Path, given corev1.ResourceList, name corev1.ResourceName, needed resource.Quantity) {
	if has, is := given[name]; is && has.Cmp(needed) < 0 {
		c.unsound(at, "the containers ask for more than their pod, with the sidecars that are injected", has.String(), "at least "+needed.String(),
			"raise it, or ask for less in the containers: the sidecars request what operator.injection.sandboxSidecars says")
	}
}
