package agents_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R4: maps merge key by key and the workload's own block wins.
func TestMergeWorkloadMergesMapsByKeyR4(t *testing.T) {
	common := agents.Workload{
		NodeSelector:   map[string]string{"arch": "arm64", "tier": "common"},
		PodLabels:      map[string]string{"team": "a", "env": "prod"},
		PodAnnotations: map[string]string{"note": "common"},
	}
	own := agents.Workload{
		NodeSelector:   map[string]string{"tier": "own"},
		PodLabels:      map[string]string{"team": "b"},
		PodAnnotations: map[string]string{"other": "own"},
	}
	want := agents.Workload{
		NodeSelector:   map[string]string{"arch": "arm64", "tier": "own"},
		PodLabels:      map[string]string{"team": "b", "env": "prod"},
		PodAnnotations: map[string]string{"note": "common", "other": "own"},
	}
	if diff := cmp.Diff(want, agents.MergeWorkload(common, own)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// R4: every other field is the workload's own when set, else the common one, whole.
func TestMergeWorkloadTakesOtherFieldsWholeR4(t *testing.T) {
	common, own := fullWorkload("common"), fullWorkload("own")
	common.NodeSelector, common.PodLabels, common.PodAnnotations = nil, nil, nil
	if diff := cmp.Diff(own, agents.MergeWorkload(common, own)); diff != "" {
		t.Errorf("own is set: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(common, agents.MergeWorkload(common, agents.Workload{})); diff != "" {
		t.Errorf("own is not set: -want +got:\n%s", diff)
	}
}

// R4: a chart's empty defaults do not hide what common says.
func TestMergeWorkloadTakesEmptyAsNotSetR4(t *testing.T) {
	common := fullWorkload("common")
	empty := agents.Workload{
		NodeSelector: map[string]string{}, Tolerations: []corev1.Toleration{}, Affinity: &corev1.Affinity{},
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{}, PodLabels: map[string]string{},
	}
	if diff := cmp.Diff(common, agents.MergeWorkload(common, empty)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// R4: a change to the merged block reaches neither of its sources.
func TestMergeWorkloadSharesNoMemoryR4(t *testing.T) {
	common, own := fullWorkload("common"), agents.Workload{PodLabels: map[string]string{"a": "b"}}
	sources := memory([2]agents.Workload{common, own})
	for place, path := range memory(agents.MergeWorkload(common, own)) {
		if from, shared := sources[place]; shared {
			t.Errorf("%s is %s of the sources", path, from)
		}
	}
}

// R4: each block places its own pod, and lands nowhere else.
func TestSettingsPlaceTheirPodR4(t *testing.T) {
	o := agents.Build(full())
	for component, pod := range pods(o) {
		want := fullWorkload(map[string]string{"session-manager": "kora", "sandbox": "kora-sandbox"}[component])
		want.TopologySpreadConstraints[0].LabelSelector = own(component)
		got := agents.Workload{
			NodeSelector: pod.Spec.NodeSelector, Tolerations: pod.Spec.Tolerations, Affinity: pod.Spec.Affinity,
			TopologySpreadConstraints: pod.Spec.TopologySpreadConstraints, PriorityClassName: pod.Spec.PriorityClassName,
			PodLabels: map[string]string{"cost-centre": pod.Labels["cost-centre"]}, PodAnnotations: pod.Annotations,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", component, diff)
		}
	}
	for _, object := range o.All()[:6] {
		if _, leaked := object.GetLabels()["cost-centre"]; leaked {
			t.Errorf("%T carries a pod label", object)
		}
	}
}

// R4: a session-manager without constraints spreads over nodes; a constraint
// with a selector keeps it.
func TestSessionManagersSpreadOverNodesByDefaultR4(t *testing.T) {
	want := []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: "kubernetes.io/hostname", WhenUnsatisfiable: corev1.ScheduleAnyway, LabelSelector: own("session-manager"),
	}}
	s := plain()
	if diff := cmp.Diff(want, agents.Build(s).StatefulSet.Spec.Template.Spec.TopologySpreadConstraints); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want[0].LabelSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"cost-centre": "42"}}
	s.SessionManager.TopologySpreadConstraints = want
	if diff := cmp.Diff(want, agents.Build(s).StatefulSet.Spec.Template.Spec.TopologySpreadConstraints); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// own is the selector of one component's pods.
func own(component string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"runkora.io/agent-slug": "coder", "runkora.io/component": component}}
}
