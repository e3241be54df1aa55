package agents_test

import (
	"maps"
	"testing"

	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// R1: Service, StatefulSet, PodDisruptionBudget and spread constraint find the
// session-manager's pods, and never a sandbox.
func TestSelectorsFindOnlySessionManagersR1(t *testing.T) {
	o := agents.Build(plain())
	both := pods(o)
	for name, selector := range map[string]map[string]string{
		"Service": o.Service.Spec.Selector, "StatefulSet": o.StatefulSet.Spec.Selector.MatchLabels,
		"PodDisruptionBudget": o.PDB.Spec.Selector.MatchLabels,
		"spread":              o.StatefulSet.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	} {
		s := labels.SelectorFromSet(selector)
		if !s.Matches(labels.Set(both["session-manager"].Labels)) || s.Matches(labels.Set(both["sandbox"].Labels)) {
			t.Errorf("%s selects by %v", name, selector)
		}
	}
}

// R1: the StatefulSet's selector cannot change later, so nothing that can is in it.
func TestSelectorHoldsNothingThatChangesR1(t *testing.T) {
	a, b := agents.Build(plain()), agents.Build(full())
	if !maps.Equal(a.StatefulSet.Spec.Selector.MatchLabels, b.StatefulSet.Spec.Selector.MatchLabels) {
		t.Errorf("%v and %v", a.StatefulSet.Spec.Selector, b.StatefulSet.Spec.Selector)
	}
}

// R1: references between the objects hold, and every named port and volume exists.
func TestReferencesBetweenObjectsHoldR1(t *testing.T) {
	o := agents.Build(full())
	template := o.StatefulSet.Spec.Template.Spec
	if o.StatefulSet.Spec.ServiceName != o.Service.Name || template.ServiceAccountName != o.ServiceAccount.Name || o.HPA.Spec.ScaleTargetRef.Name != o.StatefulSet.Name {
		t.Error("a name is wrong")
	}
	if o.StatefulSet.Spec.Replicas != nil {
		t.Error("the StatefulSet fights the autoscaler for the replicas")
	}
	if o.Service.Spec.ClusterIP != corev1.ClusterIPNone {
		t.Error("the Service is not headless")
	}
	ports := map[intstr.IntOrString]bool{}
	for _, port := range template.Containers[0].Ports {
		ports[intstr.FromString(port.Name)] = true
	}
	for _, port := range o.Service.Spec.Ports {
		if !ports[port.TargetPort] {
			t.Errorf("no container port %v", port.TargetPort)
		}
	}
	if o.Sandbox.Spec.Volumes[0].PersistentVolumeClaim.ClaimName != o.Claim.Name {
		t.Error("the sandbox mounts another claim")
	}
}

// R21: both pods pull with the settings' secrets.
func TestPullSecretsReachBothPodsR21(t *testing.T) {
	for component, pod := range pods(agents.Build(full())) {
		if len(pod.Spec.ImagePullSecrets) != 2 || pod.Spec.ImagePullSecrets[0].Name != "registry-b" {
			t.Errorf("%s: %v", component, pod.Spec.ImagePullSecrets)
		}
	}
}
