package guard

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) resources(at fields.Path, r corev1.ResourceRequirements) {
	c.amounts(at.Child("limits"), r.Limits, c.ofContainer)
	c.amounts(at.Child("requests"), r.Requests, c.ofContainer)
	c.requests(at.Child("requests"), r.Requests, r.Limits)
	c.hugePages(at, r)
}

func (c *checker) requests(at fields.Path, requests, limits corev1.ResourceList) {
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		asked, limit := requests[name], limits[name]
		place := at.Child(string(name))
		switch _, has := limits[name]; {
		case has && asked.Cmp(limit) > 0:
			c.unsound(place, "the request is above the limit", asked.String(), "at most "+limit.String(), "raise the limit too, under resources.limits")
		case whole(name) && (!has || asked.Cmp(limit) != 0):
			c.unsound(place, "of this resource the request is the limit", asked.String(), "the same under resources.limits", "set it under resources.limits alone")
		}
	}
}

// whole is true of what cannot be shared: devices of others, and huge pages.
func whole(name corev1.ResourceName) bool {
	return huge(name) || strings.Contains(string(name), "/") && !strings.Contains(string(name), "kubernetes.io/")
}

func huge(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

func (c *checker) hugePages(at fields.Path, r corev1.ResourceRequirements) {
	for _, list := range []corev1.ResourceList{r.Limits, r.Requests} {
		for name := range list {
			cpu := len(r.Limits) > 0 && has(r.Limits, corev1.ResourceCPU, corev1.ResourceMemory) || has(r.Requests, corev1.ResourceCPU, corev1.ResourceMemory)
			if huge(name) && !cpu {
				c.unsound(at, "huge pages need cpu or memory beside them", string(name), "cpu or memory", "add cpu or memory")
				return
			}
		}
	}
}

func has(list corev1.ResourceList, names ...corev1.ResourceName) bool {
	return slices.ContainsFunc(names, func(n corev1.ResourceName) bool { _, ok := list[n]; return ok })
}

// amounts judges a list of resources, whose names are of a container or a pod.
func (c *checker) amounts(at fields.Path, list corev1.ResourceList, of func(fields.Path, corev1.ResourceName)) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		place, v := at.Child(string(name)), list[name]
		if v.Sign() < 0 {
			c.unsound(place, "a quantity is not negative", v.String(), "0 or more", "")
		}
		of(place, name)
		c.pages(place, name, v)
		if whole(name) && !huge(name) && v.MilliValue()%1000 != 0 {
			c.unsound(place, "of this resource there are whole ones only", v.String(), "a whole number", "")
		}
	}
}

func (c *checker) ofContainer(at fields.Path, name corev1.ResourceName) {
	c.must(at, string(name), validation.IsQualifiedName)
	if !strings.Contains(string(name), "/") && !huge(name) && !slices.Contains([]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}, name) {
		c.unsound(at, "no resource of a container", string(name), "cpu, memory, ephemeral-storage, hugepages-<size>, or a name with a domain", nearResource(string(name)))
	}
	switch {
	case strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix):
		c.unsound(at, "no resource of a container: a quota counts requests so", string(name), "the name alone", "use "+strings.TrimPrefix(string(name), corev1.DefaultResourceRequestsPrefix))
	case whole(name) && !huge(name):
		c.must(at, corev1.DefaultResourceRequestsPrefix+string(name), validation.IsQualifiedName)
	}
}

// pages: huge pages come as whole ones of their size.
func (c *checker) pages(at fields.Path, name corev1.ResourceName, v resource.Quantity) {
	if !huge(name) {
		return
	}
	size, err := resource.ParseQuantity(strings.TrimPrefix(string(name), corev1.ResourceHugePagesPrefix))
	switch {
	case err != nil || size.Sign() <= 0 || size.MilliValue()%1000 != 0:
		c.unsound(at, "no size of huge pages", string(name), "such as hugepages-2Mi", "")
	case v.Value()%size.Value() != 0:
		c.unsound(at, "huge pages come as whole ones", v.String(), "a multiple of "+size.String(), "")
	}
}

func nearResource(name string) string {
	if near := fields.Nearest(name, []string{"cpu", "memory", "ephemeral-storage"}); near != "" {
		return "did you mean \"" + near + "\"?"
	}
	return ""
}
