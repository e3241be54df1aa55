package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/sizing"
)

// ofClass writes values whose sandboxes are of a RuntimeClass.
func ofClass(t *testing.T, class string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kora.yaml")
	text := "agents:\n  manifestPatches:\n    50-runtime:\n      target: { kind: Pod }\n      patch: '[{ op: add, path: /spec/runtimeClassName, value: " + class + " }]'\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// nodesAndPods lets the default account of a namespace read what a size is told of, and
// no RuntimeClass.
func nodesAndPods(t *testing.T, c *testcluster.Cluster, namespace string) {
	t.Helper()
	of := c.Client().RbacV1()
	name := metav1.ObjectMeta{Name: "size-" + namespace}
	role := &rbacv1.ClusterRole{ObjectMeta: name, Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes", "pods"}, Verbs: []string{"list"}}}}
	if _, err := of.ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = of.ClusterRoles().Delete(context.WithoutCancel(t.Context()), name.Name, metav1.DeleteOptions{})
	})
	bound := &rbacv1.ClusterRoleBinding{ObjectMeta: name, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: name.Name}, Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: namespace, Name: "default"}}}
	if _, err := of.ClusterRoleBindings().Create(t.Context(), bound, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = of.ClusterRoleBindings().Delete(context.WithoutCancel(t.Context()), name.Name, metav1.DeleteOptions{})
	})
}

// R10: the size is of the pods as the cluster lets them in: less the overhead of their
// RuntimeClass. Without the class, or the right to read it, nothing is told.
func TestClusterSizeOfARuntimeClass(t *testing.T) {
	c := testcluster.Shared(t)
	sandboxNode(t, c, "size-test-class")
	size := func(kubeconfig, class string) (int, string, string) {
		return ran(nil, "size", "--kubeconfig", kubeconfig, "--nodes", "karpenter.sh/nodepool=size-test", "-f", ofClass(t, class), "-o", "json")
	}
	status, out, words := size(c.Kubeconfig(), "size-kata")
	if status != exitUnchecked || out != "" || !strings.Contains(words, "no such RuntimeClass") || !strings.Contains(words, "size-kata") {
		t.Errorf("no class: status %d, %q\n%s", status, out, words)
	}
	class := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "size-kata"}, Handler: "kata", Overhead: &nodev1.Overhead{PodFixed: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("2Gi"),
	}}}
	classes := c.Client().NodeV1().RuntimeClasses()
	if _, err := classes.Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = classes.Delete(context.WithoutCancel(t.Context()), class.Name, metav1.DeleteOptions{}) })
	status, out, words = size(c.Kubeconfig(), class.Name)
	var r sizing.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitDone {
		t.Fatalf("status %d, %v\n%s%s", status, err, out, words)
	}
	if *r.Pools[0].MaxSize != (sizing.Values{CPU: "2.7", Memory: "11.6Gi", Disk: "19Gi"}) || r.Class != class.Name {
		t.Errorf("%s", out)
	}
	one := ofClass(t, class.Name) // for one agent type alone
	text, err := os.ReadFile(one)
	if err == nil {
		err = os.WriteFile(one, []byte(strings.Replace(string(text), "kind: Pod", "kind: Pod, labelSelector: runkora.io/agent-slug=coder", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for slug, want := range map[string]string{"coder": class.Name, "writer": ""} {
		status, out, words = ran(nil, "size", "--kubeconfig", c.Kubeconfig(), "--nodes", "karpenter.sh/nodepool=size-test", "-f", one, "-o", "json", "--agent-slug", slug, "--strict")
		var r sizing.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitDone || r.Class != want {
			t.Errorf("%s: status %d, %v\n%s%s", slug, status, err, out, words)
		}
	}
	namespace := c.Namespace(t, "restricted")
	nodesAndPods(t, c, namespace)
	few := kubeconfigOf(t, c, namespace)
	if status, out, words = size(few, class.Name); status != exitUnchecked || out != "" || !strings.Contains(words, "runtimeclasses") || !strings.Contains(words, "KORA-K002") {
		t.Errorf("no right: status %d, %q\n%s", status, out, words)
	}
	if status, _, words = ran(nil, "size", "--kubeconfig", few, "--nodes", "karpenter.sh/nodepool=size-test"); status != exitDone {
		t.Errorf("without a class no right is needed: status %d\n%s", status, words)
	}
}
