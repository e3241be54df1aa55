package guard

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	requests "k8s.io/component-helpers/resource"

	"github.com/runkora/kora/internal/fields"
)

// podResources judges what a pod is given as a whole: enough for its containers.
func (c *checker) podResources(at fields.Path, s *corev1.PodSpec) {
	if s.Resources == nil {
		return
	}
	if s.Resources.Claims != nil {
		c.unsound(at.Child("claims"), "containers have claims, not their pod as a whole", len(s.Resources.Claims), "(none)", "set it on a container")
	}
	pod := &corev1.Pod{Spec: asked(s)}
	given := completed(pod, s.Resources)
	c.amounts(at.Child("limits"), given.Limits, c.ofPod)
	c.amounts(at.Child("requests"), given.Requests, c.ofPod)
	c.requests(at.Child("requests"), given.Requests, given.Limits)
	c.hugePages(at, given)
	c.enough(at, pod, given)
}

// ofPod: a pod as a whole is given no more than these.
func (c *checker) ofPod(at fields.Path, name corev1.ResourceName) {
	c.must(at, string(name), validation.IsQualifiedName)
	if name != corev1.ResourceCPU && name != corev1.ResourceMemory && !huge(name) {
		c.unsound(at, "no resource of a pod as a whole", string(name), "cpu, memory or hugepages-<size>", "set it on a container")
	}
}

// asked is a pod of which every container asks for its limit where it does not say
// what it asks for, as the API server has it.
func asked(s *corev1.PodSpec) corev1.PodSpec {
	out := corev1.PodSpec{Containers: slices.Clone(s.Containers), InitContainers: slices.Clone(s.InitContainers)}
	for _, list := range [][]corev1.Container{out.Containers, out.InitContainers} {
		for i := range list {
			r := &list[i].Resources
			r.Requests = over(r.Limits, r.Requests)
		}
	}
	return out
}

// over gives all entries of both, those of the second before the first's.
func over(a, b corev1.ResourceList) corev1.ResourceList {
	out := corev1.ResourceList{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// completed is what a pod is given when the API server has added what it does not say.
func completed(pod *corev1.Pod, r *corev1.ResourceRequirements) corev1.ResourceRequirements {
	out := corev1.ResourceRequirements{Limits: over(nil, r.Limits), Requests: r.Requests}
	for name, all := range requests.AggregateContainerLimits(pod, requests.PodResourcesOptions{}) {
		_, said := over(r.Limits, r.Requests)[name]
		if huge(name) && !said && len(r.Limits)+len(r.Requests) > 0 {
			out.Limits[name] = all
		}
	}
	if len(out.Limits) == 0 {
		return out
	}
	needed := requests.AggregateContainerRequests(pod, requests.PodResourcesOptions{})
	maps.DeleteFunc(needed, func(name corev1.ResourceName, _ resource.Quantity) bool {
		return name != corev1.ResourceCPU && name != corev1.ResourceMemory
	})
	out.Requests = over(over(out.Limits, needed), r.Requests)
	return out
}

func (c *checker) enough(at fields.Path, pod *corev1.Pod, given corev1.ResourceRequirements) {
	needed := requests.AggregateContainerRequests(pod, requests.PodResourcesOptions{})
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if has, is := given.Requests[name]; is && has.Cmp(needed[name]) < 0 {
			n := needed[name]
			c.unsound(at.Child("requests").Child(string(name)), "the containers ask for more than their pod", has.String(), "at least "+n.String(), "raise it, or ask for less in the containers")
		}
	}
	for i := range pod.Spec.Containers {
		for name, limit := range pod.Spec.Containers[i].Resources.Limits {
			if most, is := given.Limits[name]; is && limit.Cmp(most) > 0 {
				c.unsound(at.Child("limits").Child(string(name)), "a container has a higher limit than its pod", most.String(), "at least "+limit.String(), "raise it, or lower the container's")
			}
		}
	}
	c.enoughPages(at, pod, given.Limits)
}

// enoughPages: of huge pages the containers together have no more than their pod.
func (c *checker) enoughPages(at fields.Path, pod *corev1.Pod, limits corev1.ResourceList) {
	for name, all := range requests.AggregateContainerLimits(pod, requests.PodResourcesOptions{}) {
		if most, is := limits[name]; is && huge(name) && all.Cmp(most) > 0 {
			c.unsound(at.Child("limits").Child(string(name)), "the containers have more huge pages than their pod", most.String(), "at least "+all.String(), "raise it")
		}
	}
}
