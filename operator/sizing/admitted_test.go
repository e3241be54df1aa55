package sizing

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	classes "k8s.io/client-go/kubernetes/typed/node/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// kata is a cluster that has no other RuntimeClass.
type kata struct {
	classes.RuntimeClassInterface
	nodev1.RuntimeClass
}

// Get is of classes.RuntimeClassInterface.
func (k kata) Get(_ context.Context, name string, _ metav1.GetOptions) (*nodev1.RuntimeClass, error) {
	if name != "kata" {
		return nil, errors.New("not found")
	}
	return &k.RuntimeClass, nil
}

func classed(name string, more ...func(*corev1.PodSpec)) *corev1.Pod {
	pod := agents.Build(agents.Defaults("1.4.0")).Sandbox
	pod.Spec.RuntimeClassName = &name
	for _, change := range more {
		change(&pod.Spec)
	}
	return pod
}

func overhead(cpu, memory string) *nodev1.Overhead {
	l := list(cpu, memory, "0")
	delete(l, corev1.ResourceEphemeralStorage)
	return &nodev1.Overhead{PodFixed: l}
}

// R10: what a RuntimeClass takes for each pod is not there for the sandbox, also where
// the pod requests for itself as a whole; one that takes nothing changes nothing.
func TestTheOverheadOfARuntimeClassCounts(t *testing.T) {
	whole := func(s *corev1.PodSpec) {
		s.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: list("2", "0", "0")[corev1.ResourceCPU]}}
	}
	for _, c := range []struct {
		class *nodev1.Overhead
		pod   *corev1.Pod
		most  string
	}{
		{nil, classed("kata"), "3.1 / 7.6Gi / 19Gi"},
		{&nodev1.Overhead{}, classed("kata"), "3.1 / 7.6Gi / 19Gi"},
		{overhead("250m", "2Gi"), classed("kata"), "2.8 / 5.6Gi / 19Gi"},
		{overhead("250m", "2Gi"), classed("kata", func(s *corev1.PodSpec) { s.Overhead = overhead("0.25", "2048Mi").PodFixed }), "2.8 / 5.6Gi / 19Gi"},
		{overhead("250m", "2Gi"), classed("kata", whole), "1.1 / 5.6Gi / 19Gi"},
		{overhead("2500m", "2Gi"), classed("kata", whole), "0 / 0Gi / 0Gi"},
		{overhead("3200m", "2Gi"), classed("kata"), "0 / 0Gi / 0Gi"},
		{overhead("5", "2Gi"), classed("kata"), "0 / 0Gi / 0Gi"},
	} {
		s := agents.Defaults("1.4.0")
		before := c.pod.DeepCopy()
		pod, found := Admitted(t.Context(), kata{RuntimeClass: nodev1.RuntimeClass{Overhead: c.class}}, c.pod)
		if len(found) > 0 || len(before.Spec.Overhead) != len(c.pod.Spec.Overhead) {
			t.Fatalf("%+v", found)
		}
		r := Judge(Request{Wanted: Wanted(s, s.SandboxSize, pod), Nodes: []corev1.Node{node("a", nil, list("4", "8Gi", "20Gi"))}})
		if got := short(Round(r.Nodes[0].Largest)); got != c.most {
			t.Errorf("%+v: %s, want %s", c.class, got, c.most)
		}
		if text := string(r.Table()); !strings.Contains(text, "its RuntimeClass kata takes") || c.class != nil && c.class.PodFixed != nil && r.Overhead.Memory.String() != "2Gi" {
			t.Errorf("%s", text)
		}
	}
}

// R10: a RuntimeClass places its pods: nodes that it does not select are not admitted,
// and taints that it tolerates close none.
func TestARuntimeClassPlacesItsPods(t *testing.T) {
	s := agents.Defaults("1.4.0")
	class := nodev1.RuntimeClass{Scheduling: &nodev1.Scheduling{
		NodeSelector: map[string]string{"runtime": "kata"}, Tolerations: []corev1.Toleration{{Key: "kata", Operator: corev1.TolerationOpExists}},
	}}
	good := node("a", map[string]string{"runtime": "kata", "tier": "x"}, list("4", "8Gi", "20Gi"))
	good.Spec.Taints = []corev1.Taint{{Key: "kata", Effect: corev1.TaintEffectNoSchedule}}
	nodes := []corev1.Node{good, node("b", map[string]string{"tier": "x"}, list("4", "8Gi", "20Gi")), node("c", map[string]string{"runtime": "kata"}, list("4", "8Gi", "20Gi"))}
	pod, found := Admitted(t.Context(), kata{RuntimeClass: class}, classed("kata", func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"tier": "x", "runtime": "kata"} }))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	w := Wanted(s, s.SandboxSize, pod)
	r := Judge(Request{Wanted: w, Nodes: nodes})
	if len(r.Nodes) != 1 || r.Nodes[0].Name != "a" || r.Nodes[0].Closed != "" {
		t.Errorf("%+v", r.Nodes)
	}
	none := Judge(Request{Wanted: w, Nodes: nodes[1:]})
	if f := none.Faults(w); len(f) != 1 || !strings.Contains(f[0].Found, "RuntimeClass kata adds") {
		t.Errorf("%+v", f)
	}
	class.Scheduling.NodeSelector = nil
	if pod, found = Admitted(t.Context(), kata{RuntimeClass: class}, classed("kata", func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"tier": "x"} })); len(found) > 0 || pod.Spec.NodeSelector["tier"] != "x" {
		t.Errorf("%+v", found)
	}
}

// refusing answers with one error.
type refusing struct {
	classes.RuntimeClassInterface
	with error
}

// Get is of classes.RuntimeClassInterface.
func (r refusing) Get(context.Context, string, metav1.GetOptions) (*nodev1.RuntimeClass, error) {
	return nil, r.with
}

// R10: of a pod that the API server refuses no size is told, nor of one whose class
// cannot be read: each says where and why.
func TestAPodThatIsNotLetIn(t *testing.T) {
	class := kata{RuntimeClass: nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Overhead: overhead("250m", "2Gi"), Scheduling: &nodev1.Scheduling{NodeSelector: map[string]string{"a": "x", "b": "y"}}}}
	own := func(s *corev1.PodSpec) { s.Overhead = overhead("1", "2Gi").PodFixed }
	none := func(s *corev1.PodSpec) { s.RuntimeClassName, s.Overhead = nil, overhead("1", "2Gi").PodFixed }
	selects := func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"a": "other", "b": "other"} }
	unread := refusing{with: apierrors.NewInternalError(errors.New("x"))}
	for _, c := range []struct {
		from  classes.RuntimeClassInterface
		pod   *corev1.Pod
		code  faults.Code
		field string
		many  int
	}{
		{class, classed("kata", own), faults.PodRefused, "spec.overhead", 1},
		{class, classed("kata", none), faults.PodRefused, "spec.overhead", 1},
		{class, classed("kata", selects), faults.PodRefused, "spec.nodeSelector", 2},
		{unread, classed("kata"), faults.ClusterSilent, "spec.runtimeClassName", 1},
	} {
		pod, found := Admitted(t.Context(), c.from, c.pod)
		if pod != nil || len(found) != c.many || found[0].Code != c.code || found[0].Field != c.field || !found[0].Code.Unchecked() {
			t.Errorf("%s: %+v", c.field, found)
		}
	}
}

// R10: a container that says no request requests its limit, as the API server has it.
func TestLimitsAreRequests(t *testing.T) {
	s := agents.Defaults("1.4.0")
	pod := agents.Build(s).Sandbox
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "scanner", Resources: corev1.ResourceRequirements{
		Limits: list("1", "1Gi", "1Gi"), Requests: corev1.ResourceList{corev1.ResourceCPU: list("100m", "0", "0")[corev1.ResourceCPU]},
	}})
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, corev1.Container{Name: "warm", Resources: corev1.ResourceRequirements{Limits: list("4", "2Gi", "0")}})
	in, found := Admitted(t.Context(), nil, pod)
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	w := Wanted(s, s.SandboxSize, in)
	if b, l := short(Exact(w.Beside)), short(Exact(w.Least)); b != "1 / 1344Mi / 2Gi" || l != "4900m / 2368Mi / 1Gi" {
		t.Errorf("beside %s, at least %s", b, l)
	}
}
