package sizing

import (
	"context"
	"maps"
	"os"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/testcluster"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// runtimeClass makes a class for one test.
func runtimeClass(t *testing.T, c *testcluster.Cluster, name string, overhead *nodev1.Overhead, placed *nodev1.Scheduling) {
	t.Helper()
	of := c.Client().NodeV1().RuntimeClasses()
	class := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Handler: "x", Overhead: overhead, Scheduling: placed}
	if _, err := of.Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = of.Delete(context.WithoutCancel(t.Context()), name, metav1.DeleteOptions{}) })
}

// classPod is a pod of a class, as a patch may leave one.
func classPod(class string, change func(*corev1.PodSpec)) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "sample"}, Spec: corev1.PodSpec{
		RuntimeClassName: &class, NodeSelector: map[string]string{"tier": "x"}, Containers: []corev1.Container{{Name: "a", Image: "a"}},
		Tolerations: []corev1.Toleration{{Key: "own", Operator: corev1.TolerationOpExists}},
	}}
	if change(&pod.Spec); *pod.Spec.RuntimeClassName == "" {
		pod.Spec.RuntimeClassName = nil
	}
	return pod
}

// R10: what is added to a pod, and which pods are refused, is as the API server has it.
func TestPodsAreLetInAsTheAPIServerDoes(t *testing.T) {
	c := testcluster.Shared(t)
	namespace := c.Namespace(t, "privileged")
	runtimeClass(t, c, "sizing-whole", overhead("250m", "2Gi"), &nodev1.Scheduling{
		NodeSelector: map[string]string{"runtime": "kata"}, Tolerations: []corev1.Toleration{{Key: "kata", Operator: corev1.TolerationOpExists}},
	})
	runtimeClass(t, c, "sizing-empty", nil, nil)
	runtimeClass(t, c, "sizing-placed", nil, &nodev1.Scheduling{Tolerations: []corev1.Toleration{{Key: "kata", Operator: corev1.TolerationOpExists}}})
	asked, err := kube.Client(t.Context(), c.Config())
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfigAndClient(c.Config(), asked)
	if err != nil {
		t.Fatal(err)
	}
	for name, pod := range map[string]*corev1.Pod{
		"a class with all":       classPod("sizing-whole", func(*corev1.PodSpec) {}),
		"its selector too":       classPod("sizing-whole", func(s *corev1.PodSpec) { s.NodeSelector["runtime"] = "kata" }),
		"no selector of its own": classPod("sizing-whole", func(s *corev1.PodSpec) { s.NodeSelector, s.Tolerations = nil, nil }),
		"its overhead too":       classPod("sizing-whole", func(s *corev1.PodSpec) { s.Overhead = overhead("0.25", "2048Mi").PodFixed }),
		"another selector":       classPod("sizing-whole", func(s *corev1.PodSpec) { s.NodeSelector["runtime"] = "runc" }),
		"another overhead":       classPod("sizing-whole", func(s *corev1.PodSpec) { s.Overhead = overhead("250m", "1Gi").PodFixed }),
		"a class with nothing":   classPod("sizing-empty", func(*corev1.PodSpec) {}),
		"a class of no overhead": classPod("sizing-empty", func(s *corev1.PodSpec) { s.Overhead = overhead("250m", "2Gi").PodFixed }),
		"a class of no selector": classPod("sizing-placed", func(*corev1.PodSpec) {}),
		"a class of nobody":      classPod("sizing-none", func(*corev1.PodSpec) {}),
		"no class":               classPod("", func(*corev1.PodSpec) {}),
		"overhead of no class":   classPod("", func(s *corev1.PodSpec) { s.Overhead = overhead("250m", "2Gi").PodFixed }),
		"limits": classPod("sizing-empty", func(s *corev1.PodSpec) {
			s.Containers[0].Resources = corev1.ResourceRequirements{Limits: list("2", "1Gi", "1Gi"), Requests: corev1.ResourceList{corev1.ResourceCPU: list("1", "0", "0")[corev1.ResourceCPU]}}
			s.InitContainers = []corev1.Container{{Name: "i", Image: "i", Resources: corev1.ResourceRequirements{Limits: list("1", "1Gi", "1Gi")}}}
		}),
	} {
		theirs, err := c.Client().CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		ours, found := Admitted(t.Context(), client.NodeV1().RuntimeClasses(), pod)
		if (err != nil) != found.Refused() || err != nil && found[0].Code != faults.PodRefused {
			t.Errorf("%s: the API server says %v; found %+v", name, err, found)
		}
		if err != nil || found.Refused() {
			continue
		}
		if !maps.Equal(ours.Spec.NodeSelector, theirs.Spec.NodeSelector) || !equality.Semantic.DeepEqual(requested(ours), requested(theirs)) || !equality.Semantic.DeepEqual(ours.Spec.Overhead, theirs.Spec.Overhead) {
			t.Errorf("%s: %+v\nand theirs %+v", name, ours.Spec, theirs.Spec)
		}
		theirs.Spec.Tolerations = slices.DeleteFunc(theirs.Spec.Tolerations, func(t corev1.Toleration) bool { return t.Effect == corev1.TaintEffectNoExecute }) // of not-ready and unreachable
		if !equality.Semantic.DeepEqual(theirs.Spec.Tolerations, ours.Spec.Tolerations) {
			t.Errorf("%s: %+v\nand theirs %+v", name, ours.Spec.Tolerations, theirs.Spec.Tolerations)
		}
	}
}
