package sizing

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mount is a DaemonSet that no cluster has yet.
func mount(requests corev1.ResourceList, change func(*corev1.PodSpec)) appsv1.DaemonSet {
	set := appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "mount", Namespace: "mounts"}}
	set.Spec.Template.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: requests}}}
	if change != nil {
		change(&set.Spec.Template.Spec)
	}
	return set
}

// mounted is a pod of that DaemonSet.
func mounted(on string, requests corev1.ResourceList) corev1.Pod {
	p := owned("DaemonSet", on, requests)
	p.Namespace, p.OwnerReferences[0].Name = "mounts", "mount"
	return p
}

// R10, R31: a DaemonSet that the values install counts where it will run and does not
// yet, once: by the larger of what it requests there and what it will.
func TestADaemonSetThatIsToCome(t *testing.T) {
	label := map[string]string{"tier": "x"}
	plain, tainted := node("a", label, list("4", "8Gi", "20Gi")), node("a", label, list("4", "8Gi", "20Gi"))
	tainted.Spec.Taints = []corev1.Taint{{Key: "own", Effect: corev1.TaintEffectNoSchedule}}
	pressed := node("a", label, list("4", "8Gi", "20Gi"))
	pressed.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}, {Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule}}
	asks := list("50m", "64Mi", "0")
	tolerates := func(s *corev1.PodSpec) {
		s.Tolerations = []corev1.Toleration{{Key: "own", Operator: corev1.TolerationOpExists}}
	}
	other, done := mounted("a", list("1", "1Gi", "0")), mounted("a", list("1", "1Gi", "0"))
	other.Namespace, done.Status.Phase = "others", corev1.PodFailed
	for name, c := range map[string]struct {
		set   appsv1.DaemonSet
		node  corev1.Node
		pods  []corev1.Pod
		taken string
		come  int
	}{
		"not there":            {mount(asks, nil), plain, nil, "50m / 64Mi / 0", 1},
		"limits alone":         {mount(nil, func(s *corev1.PodSpec) { s.Containers[0].Resources.Limits = asks }), plain, nil, "50m / 64Mi / 0", 1},
		"there":                {mount(asks, nil), plain, []corev1.Pod{mounted("a", asks)}, "50m / 64Mi / 0", 0},
		"there with less CPU":  {mount(asks, nil), plain, []corev1.Pod{mounted("a", list("20m", "128Mi", "0"))}, "50m / 128Mi / 0", 0},
		"on another node":      {mount(asks, nil), plain, []corev1.Pod{mounted("b", asks)}, "50m / 64Mi / 0", 1},
		"of another namespace": {mount(asks, nil), plain, []corev1.Pod{other}, "1050m / 1088Mi / 0", 1},
		"ended":                {mount(asks, nil), plain, []corev1.Pod{done}, "50m / 64Mi / 0", 1},
		"other nodes":          {mount(asks, func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"tier": "y"} }), plain, nil, "0 / 0 / 0", 0},
		"these nodes":          {mount(asks, func(s *corev1.PodSpec) { s.NodeSelector = label }), plain, nil, "50m / 64Mi / 0", 1},
		"a taint":              {mount(asks, nil), tainted, nil, "0 / 0 / 0", 0},
		"a tolerated taint":    {mount(asks, tolerates), tainted, nil, "50m / 64Mi / 0", 1},
		"a node in trouble":    {mount(asks, func(s *corev1.PodSpec) { s.HostNetwork = true }), pressed, nil, "50m / 64Mi / 0", 1},
		"without its network":  {mount(asks, nil), pressed, nil, "0 / 0 / 0", 0},
		"it and others' pods":  {mount(asks, nil), plain, []corev1.Pod{owned("DaemonSet", "a", list("1", "1Gi", "0"))}, "1050m / 1088Mi / 0", 1},
		"there but not bound": {mount(asks, nil), plain, []corev1.Pod{func() corev1.Pod {
			p := waiting("a", asks)
			p.Namespace, p.OwnerReferences[0].Name = "mounts", "mount"
			return p
		}()}, "50m / 64Mi / 0", 0},
	} {
		r := Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{c.node}, Pods: c.pods, DaemonSets: []appsv1.DaemonSet{c.set}})
		come := 0
		for _, one := range r.Coming {
			come += one.Nodes
		}
		if got := short(Exact(r.Nodes[0].DaemonSets)); got != c.taken || come != c.come {
			t.Errorf("%s: %s, %d nodes", name, got, come)
		}
		if told := strings.Contains(string(r.Table()), "DaemonSet mounts/mount of the values does not run yet on 1 of the nodes, and counts there: 50m / 64Mi / 0"); told != (c.come > 0) {
			t.Errorf("%s: %s", name, r.Table())
		}
	}
}

// R10: a DaemonSet that is to come takes one of the pods that a node takes.
func TestADaemonSetToComeTakesAPod(t *testing.T) {
	n := node("a", nil, list("4", "8Gi", "20Gi"))
	n.Status.Allocatable[corev1.ResourcePods] = list("1", "0", "0")[corev1.ResourceCPU]
	r := Judge(Request{Wanted: wanted(t), Nodes: []corev1.Node{n}, DaemonSets: []appsv1.DaemonSet{mount(nil, nil)}})
	if !strings.HasPrefix(r.Nodes[0].Closed, "it takes 1 pods") {
		t.Errorf("%q", r.Nodes[0].Closed)
	}
}
