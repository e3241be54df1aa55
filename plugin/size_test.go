package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/sizing"
)

// ran is one run of the program in this process.
func ran(environ []string, args ...string) (status int, out, words string) {
	var stdout, stderr strings.Builder
	status = run(args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, environ)
	return status, stdout.String(), stderr.String()
}

// sandboxNode is a node of the test's own pool.
func sandboxNode(t *testing.T, c *testcluster.Cluster, name string) {
	t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"karpenter.sh/nodepool": "size-test"}}}
	if _, err := c.Client().CoreV1().Nodes().Create(t.Context(), n, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Client().CoreV1().Nodes().Delete(context.WithoutCancel(t.Context()), name, metav1.DeleteOptions{})
	})
	nodes := c.Client().CoreV1().Nodes()
	status := `{"status":{"allocatable":{"cpu":"3900m","memory":"14Gi","ephemeral-storage":"20Gi"},"conditions":[{"type":"Ready","status":"True"}]}}`
	if _, err := nodes.Patch(t.Context(), name, types.StrategicMergePatchType, []byte(status), metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(c.Context(t), time.Minute)
	defer cancel()
	open := func(ctx context.Context) (bool, error) { // the controllers take the taint of a new node away
		n, err := nodes.Get(ctx, name, metav1.GetOptions{})
		return err == nil && len(n.Spec.Taints) == 0, err
	}
	if err := wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, open); err != nil {
		t.Fatal(err)
	}
}

// R10: the size of a real cluster's node, by the command.
func TestClusterSize(t *testing.T) {
	c := testcluster.Shared(t)
	sandboxNode(t, c, "size-test-a")
	status, out, words := ran(nil, "size", "--kubeconfig", c.Kubeconfig(), "--nodes", "karpenter.sh/nodepool=size-test", "-o", "json", "--set", "agents.environments.maxSize.cpu=40")
	if status != exitDone || !strings.Contains(words, "a sandbox of this size fits no node") {
		t.Fatalf("status %d\n%s", status, words)
	}
	var r sizing.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(r.Nodes) != 1 || r.Nodes[0].Closed != "" || *r.Pools[0].MaxSize != (sizing.Values{CPU: "3", Memory: "13.6Gi", Disk: "19Gi"}) {
		t.Errorf("%s", out)
	}
	status, out, _ = ran(nil, "size", "--kubeconfig", c.Kubeconfig(), "--nodes", "no=such", "-o", "json")
	if status != exitUnchecked || out != "" {
		t.Errorf("no node: status %d, %q", status, out)
	}
}

// R55: an account without rights is told which, and that nothing was judged.
func TestClusterSizeWithoutRights(t *testing.T) {
	c := testcluster.Shared(t)
	status, out, words := ran(nil, "size", "--kubeconfig", kubeconfigWithout(t, c))
	if status != exitUnchecked || out != "" || !strings.Contains(words, "nodes is forbidden") {
		t.Errorf("status %d, %q\n%s", status, out, words)
	}
}
