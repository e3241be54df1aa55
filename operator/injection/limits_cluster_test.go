package injection_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/injection"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/patches/guard"
)

// R10, R54: the API server takes every one of these pods.
func TestSidecarsOfAllSizesAreTaken(t *testing.T) {
	h := webhooktest.New(t)
	at := namespaceOf(t, h, operatortest.Unique("limits"), map[string]string{})
	for _, pod := range injection.LimitedPods(t) {
		pod.Namespace = at
		if err := h.Admin.Create(t.Context(), pod, client.DryRunAll); err != nil {
			t.Errorf("%s of %v: %v", pod.Name, pod.Annotations, err)
		}
	}
}

// R2, R10: the API server takes a pod that is given something as a whole just where the
// patches' own rule finds room for its sidecars in it, though it be enough for the containers.
func TestPodsWithoutRoomForTheirSidecarsAreRefused(t *testing.T) {
	h := webhooktest.New(t)
	at := namespaceOf(t, h, operatortest.Unique("crowded"), map[string]string{})
	for _, given := range []corev1.ResourceRequirements{
		amounts("", ""), amounts("cpu=2900m", ""), amounts("cpu=2899m", ""), amounts("cpu=2100m", ""), amounts("cpu=8", "cpu=2900m"), amounts("cpu=8", "cpu=2899m"),
		amounts("memory=4416Mi", ""), amounts("memory=4415Mi", ""), amounts("", "memory=4416Mi"), amounts("", "memory=4415Mi"), amounts("cpu=8 memory=16Gi", "cpu=4 memory=8Gi"),
	} {
		before, after, sidecars := injection.GivenAsAWhole(t, given)
		crowded := guard.Crowded(before, sidecars)
		after.Namespace = at
		if err := h.Admin.Create(t.Context(), after, client.DryRunAll); (err != nil) != (len(crowded) > 0) {
			t.Errorf("%v: the patches' rule finds %v, the API server %v", given, crowded, err)
		}
	}
}

// amounts are limits and requests, each as name=amount with spaces between.
func amounts(limits, requests string) corev1.ResourceRequirements {
	read := func(text string) corev1.ResourceList {
		out := corev1.ResourceList{}
		for _, each := range strings.Fields(text) {
			name, amount, _ := strings.Cut(each, "=")
			out[corev1.ResourceName(name)] = resource.MustParse(amount)
		}
		return out
	}
	return corev1.ResourceRequirements{Limits: read(limits), Requests: read(requests)}
}
