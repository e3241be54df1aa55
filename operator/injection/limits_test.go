package injection

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/runkora/kora/operator/agents"
)

// sidecarsOfAllSizes are values of operator.injection.sandboxSidecars, below and above
// twice the limits that Istio gives its proxy.
func sidecarsOfAllSizes() []agents.Sidecars {
	return []agents.Sidecars{
		agents.Defaults("1.4.0").Sidecars,
		{CPU: resource.MustParse("4"), Memory: resource.MustParse("2Gi")},
		{CPU: resource.MustParse("4002m"), Memory: resource.MustParse("2147483650")},
		{CPU: resource.MustParse("5"), Memory: resource.MustParse("320Mi")},
		{CPU: resource.MustParse("900m"), Memory: resource.MustParse("3Gi")},
		{CPU: resource.MustParse("1n"), Memory: resource.MustParse("1")},
		{CPU: resource.MustParse("9223372036854775807"), Memory: resource.MustParse("9223372036854775807")},
		{CPU: resource.MustParse("9E"), Memory: resource.MustParse("7Ei")},
	}
}

// meshLimits are what Istio's own values may have as the proxy's limits.
func meshLimits() []corev1.ResourceList {
	return []corev1.ResourceList{
		{"cpu": resource.MustParse("2"), "memory": resource.MustParse("1Gi")},
		{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("64Mi")},
		{"cpu": resource.MustParse("16")}, {"memory": resource.MustParse("1Mi"), "ephemeral-storage": resource.MustParse("1Gi")}, {}, nil,
	}
}

// LimitedPods are pods as they reach the API server, of all sizes of sidecars and all
// limits of Istio's: its injector first, which this package then puts right, or last,
// by the annotations.
func LimitedPods(t *testing.T) []*corev1.Pod {
	t.Helper()
	var all []*corev1.Pod
	for _, sidecars := range sidecarsOfAllSizes() {
		i := New(Settings{Image: "x:1", Sidecars: sidecars})
		for _, limits := range meshLimits() {
			first := meshed(sandbox())
			first.Spec.InitContainers[1].Resources.Limits = limits
			all = append(all, must(t, i, first))
		}
		last := annotated(t, must(t, i, sandbox()))
		all = append(all, last, must(t, i, last))
	}
	return all
}

// annotated is a pod as Istio's injector leaves one with annotations of resources: it
// gives them to its containers, and no others.
func annotated(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	read := func(key string) resource.Quantity {
		q, err := resource.ParseQuantity(pod.Annotations["sidecar.istio.io/"+key])
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		return q
	}
	bare := pod.DeepCopy() // Istio's volume of a name takes the place of what is there
	bare.Spec.Volumes = slices.DeleteFunc(bare.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == meshSocket })
	pod = meshed(bare)
	for n := range 2 {
		pod.Spec.InitContainers[n].Resources = corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": read("proxyCPU"), "memory": read("proxyMemory")},
			Limits:   corev1.ResourceList{"cpu": read("proxyCPULimit"), "memory": read("proxyMemoryLimit")},
		}
	}
	return pod
}

// R10, R54: whatever the sidecars' values and Istio's limits, no container requests more
// than its limit or less than nothing; limits that are wide enough stay.
func TestSidecarsFitTheirLimits(t *testing.T) {
	for _, pod := range LimitedPods(t) {
		for each := range all(pod) {
			for name, asked := range each.Resources.Requests {
				if least := resource.MustParse("64Mi"); each.Name == Enforcer && each.Resources.Limits.Memory().Cmp(least) < 0 {
					t.Errorf("the enforcer has %s", each.Resources.Limits.Memory())
				}
				if limit, has := each.Resources.Limits[name]; asked.Sign() < 0 || has && asked.Cmp(limit) > 0 {
					t.Errorf("%s requests %s of %s, and its limit is %s", each.Name, asked.String(), name, limit.String())
				}
			}
		}
	}
	wide := meshed(sandbox())
	got := must(t, injector(), wide)
	if is, was := got.Spec.InitContainers[1].Resources.Limits, wide.Spec.InitContainers[1].Resources.Limits; text(t, is) != text(t, was) {
		t.Errorf("limits above the requests changed: %v", is)
	}
	if a := got.Annotations; a["sidecar.istio.io/proxyCPULimit"] != "2" || a["sidecar.istio.io/proxyMemoryLimit"] != "1Gi" {
		t.Errorf("annotations %v", a)
	}
}

// GivenAsAWhole is a sandbox's pod that patches give this, before injection and after both
// injectors, and what its sidecars request.
func GivenAsAWhole(t *testing.T, given corev1.ResourceRequirements) (before, after *corev1.Pod, sidecars corev1.ResourceList) {
	t.Helper()
	i := injector()
	before = sandbox()
	before.Spec.Resources = &given
	all := i.settings.Sidecars
	return before, must(t, i, meshed(before)), corev1.ResourceList{corev1.ResourceCPU: all.CPU, corev1.ResourceMemory: all.Memory}
}
